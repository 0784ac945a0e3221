#pragma once
// Fields on elements or cells as files for ParaView.
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/io/vtk_output.hpp"

namespace dgtd::observers {

struct FieldSelection {
  std::filesystem::path directory;
  bool electric = true, magnetic = true;
};

class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  /// Name of the file that ParaView opens.
  virtual std::string index_name(const std::string& stem) const = 0;
  /// E and H at the present step with the given arrays of elements or cells. Collective.
  virtual void write_present(const std::string& stem, std::vector<io::Array> cell) const = 0;
  /// E and H of Fourier sums, real and imaginary parts. peak: phasors of a steady state (V/m), else integrals over time
  /// (V s/m). frequencies: Hz. Collective.
  virtual void write_phasors(const std::string& stem, const std::vector<double>& frequencies, bool peak,
                             std::vector<io::Array> cell) const = 0;
  /// Stem of the file at the end of a run.
  virtual std::string final_stem() const = 0;
};

}  // namespace dgtd::observers
