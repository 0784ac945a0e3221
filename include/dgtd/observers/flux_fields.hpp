#pragma once
// Fourier sums on the surface of a flux, kept by a run without the object (flux_NAME_points.npy, flux_NAME_fields.npy)
// and subtracted from those of a run with it: the flux of the scattered field.
#include <complex>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dgtd/io/result_files.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/region_spectra.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

/// Writes the sums of a surface: its points (float64, [n][5]: x, y, z in m, axes of E and H) and the fields (complex64,
/// [frequencies][2][n]: E in V s/m and H times the impedance of vacuum), in an order that does not depend on the number
/// of ranks. Returns the bytes. Collective. Throws Error where a file cannot be written.
std::int64_t write_flux_fields(const solver::RegionSpectra& spectra, std::size_t surface, const std::string& name,
                               io::ResultFiles& files, const parallel::Communicator& comm);

/// Bytes of the two files of a surface with so many pairs on all ranks.
double flux_fields_bytes(double pairs, std::size_t frequencies);

/// The fields that a reference run has kept at the pairs of this rank.
class ReferenceFields {
 public:
  /// Throws Error (bad_input) where a file is missing or damaged, or its frequencies' number or its points are not
  /// those of this run. Collective.
  ReferenceFields(const std::filesystem::path& directory, const physics::Flux& flux, const solver::SurfacePairs& pairs,
                  const parallel::Communicator& comm);

  using Change = std::function<void(std::size_t frequency, solver::PairSums&)>;
  /// Calls `use` with what subtracts the kept fields from the sums at a frequency's number. Collective. Throws Error
  /// where the file cannot be read.
  void subtract(const std::function<void(const Change&)>& use, const parallel::Communicator& comm) const;

 private:
  std::filesystem::path file_;
  std::uint64_t data_ = 0;            // bytes before the values
  std::size_t points_ = 0;            // of all ranks
  std::vector<std::size_t> at_ = {};  // [pairs of this rank] in the file
};

}  // namespace dgtd::observers
