#pragma once
// Spectra of the energy through surfaces: flux_NAME.csv, orders_NAME.csv of planes, and shares.csv with a reference.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/observers/flux_fields.hpp"
#include "dgtd/observers/flux_orders.hpp"
#include "dgtd/observers/flux_shares.hpp"
#include "dgtd/observers/region_observer.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::observers {

/// Spectral energy per area of the only plane wave of a run at frequencies (Hz), J/(Hz m^2); empty without one.
using IncidentSpectrum = std::function<std::vector<double>(const std::vector<double>& frequencies)>;

/// Exact cross sections of a surface.
struct ExactSpectrum {
  std::vector<double> outward = {};  // [frequencies] m^2; empty: not known
  std::string origin = {};           // by which formula, of what
};
using ExactCrossSections = std::function<ExactSpectrum(const physics::Flux&)>;

class Fluxes final : public RegionObserver {
 public:
  /// Registers the surfaces with the spectra, which outlive the observer. Throws Error (bad_input) for surfaces outside
  /// the domain. dimensions: axes of the fields; along others quantities are those of a metre. reference: results of a
  /// run without the object, or empty (read_reference and ReferenceFields, also their errors). Collective.
  Fluxes(std::vector<physics::Flux> fluxes, solver::RegionSpectra& spectra, IncidentSpectrum incident,
         const parallel::Communicator& comm, int dimensions = 3, const std::filesystem::path& reference = {});

  /// Charts show what is known exactly beside the run.
  void compare_with(ExactCrossSections exact) { exact_ = std::move(exact); }
  /// Resolves the planes of these names into diffraction orders.
  void resolve_orders(std::vector<OrderPlane> planes) { order_planes_ = std::move(planes); }
  /// With an incident wave, a column of cross sections.
  void finish(io::Results& results) override;
  /// Keeps the fields of surfaces of which a later run subtracts them.
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;
  double output_bytes() const override;

 private:
  struct Surface;
  void add_orders_of(const Surface& surface, io::Results& results) const;

  struct Surface {
    physics::Flux flux;
    std::size_t number;  // in the spectra
    double pairs;        // of all ranks
    bool is_kept;        // for a later run, which subtracts the fields
    std::optional<ReferenceFields> reference;
  };
  std::vector<Surface> surfaces_;
  IncidentSpectrum incident_;
  ExactCrossSections exact_;          // empty: none
  std::vector<OrderPlane> order_planes_;
  std::vector<PlaneSpectra> planes_;  // with the reference; empty without one
  int dimensions_;
};

}  // namespace dgtd::observers
