#pragma once
// Fields on elements or cells as files for ParaView.
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dgtd/io/columns.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

/// Fields of a file.
struct FieldChoice {
  bool electric = false, magnetic = false;  // components; of phasors real and imaginary parts
  bool amplitude = false;                   // |E|, of phasors the root of the sum of the squared moduli
};

enum class PointChoice { automatic, shared, separate };

struct FieldSelection {
  FieldChoice present, phasors;
  std::vector<std::string> groups{"*"};  // patterns of the names of volume groups or materials
  std::optional<int> degree;             // of cells on tetrahedra; absent: chosen
  PointChoice points = PointChoice::automatic;
  io::FilePrecision precision = io::FilePrecision::single_precision;
  std::vector<std::string> conventions;  // field data of files with phasors; "NAME: TEXT" where it is of one array
};

/// Whether each name fits one of the patterns, in which `*` stands for any text. Throws Error (bad_input) for a pattern
/// that fits no name.
std::vector<bool> chosen_groups(const std::vector<std::string>& patterns, const std::vector<std::string>& names);

/// Names of the arrays with their units. peak: phasors of a steady state, else integrals over time; suffix: of one of
/// several frequencies.
std::string electric_name(std::string_view part, bool peak, const std::string& suffix);
std::string magnetic_name(std::string_view part, bool peak, const std::string& suffix);
/// Ends of the names, [frequencies]: empty with one frequency, else such as _1800MHz. Hz.
std::vector<std::string> frequency_suffixes(const std::vector<double>& frequencies);

/// The selection's conventions, with the texts of the quantities that have one of their own.
std::vector<std::string> conventions_of(const FieldSelection& selection,
                                        const std::vector<io::CellQuantity>& quantities);

/// Local elements or cells of a file's rows from the first on, [places]. Called by several threads.
using PlacesOfRows = std::function<void(std::size_t first, std::span<std::size_t> places)>;

/// Quantities as columns.
io::Columns quantity_columns(const std::vector<io::CellQuantity>& quantities, PlacesOfRows places_of_rows);

class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  /// Name of the file that ParaView opens.
  virtual std::string index_name(const std::string& stem) const = 0;
  /// Fields at the present step, and quantities of elements or cells. Returns the bytes of this rank's piece. Collective.
  virtual std::int64_t write_present(const io::PiecedFile& to, const std::vector<io::CellQuantity>& cell) const = 0;
  /// Fields of Fourier sums and quantities of elements or cells. peak: phasors of a steady state (V/m), else integrals
  /// over time (V s/m). frequencies: Hz. Returns the bytes of this rank's piece. Collective.
  virtual std::int64_t write_phasors(const io::PiecedFile& to, const std::vector<double>& frequencies, bool peak,
                                     const std::vector<io::CellQuantity>& cell) const = 0;
  /// Bytes that this rank's piece of such a file will have. Collective.
  virtual std::int64_t bytes_present(std::size_t quantities) const = 0;
  virtual std::int64_t bytes_phasors(const std::vector<double>& frequencies, std::size_t quantities) const = 0;
  /// Stem of the file at the end of a run.
  virtual std::string final_stem() const = 0;
};

}  // namespace dgtd::observers
