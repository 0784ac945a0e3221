#pragma once
// Shares of the incident energy that planes of a run receive, relative to a run without the object: shares.csv.
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/io/results.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::observers {

/// Energy per frequency through a plane, J/Hz along its axis, with and without the object.
struct PlaneSpectra {
  std::string name;
  std::vector<double> frequencies;  // Hz
  std::vector<double> energy;       // [frequencies] of this run, or of its scattered field; set when it ends
  std::vector<double> reference;    // [frequencies] without the object
  bool is_scattered = false;        // the reference's fields are subtracted
};

/// The planes among the fluxes, with the spectra of flux_NAME.csv in a directory of results; no energy yet. Throws
/// Error (bad_input) where no flux is a plane or scattered, the directory or a file is missing, frequencies differ, or
/// the source of the reference does not radiate to one side and the plane on the other one is not scattered.
std::vector<PlaneSpectra> read_reference(const std::vector<physics::Flux>& fluxes,
                                         const std::filesystem::path& directory);

/// Shares at the planes at one frequency grid. A plane that energy reaches without the object receives the transmitted
/// share, energy / reference; one behind the source, where there is nothing without the object, the reflected share,
/// -energy / incident; so does a plane of the scattered field, its energy / incident. The incident energy is that of
/// the plane that receives most of it, of those of the whole field where there are any.
struct FluxShares {
  struct Share {
    std::string name;  // of the plane
    bool is_reflected;
    std::vector<double> of_frequency;  // [frequencies]; no number where the source has no energy
    double of_all;                     // of the energy at all frequencies together
  };
  std::vector<double> frequencies;
  std::vector<Share> planes;

  /// The reflected (or transmitted) share where one plane alone receives it, else null.
  const Share* only(bool is_reflected) const;
};
/// [frequencies] that energy, J/Hz, not negative; empty without planes.
std::vector<double> incident_energy(const std::vector<PlaneSpectra>& planes);
FluxShares flux_shares(const std::vector<PlaneSpectra>& planes);

/// shares.csv, the key `shares` of summary.json and a chart.
void add_shares(io::Results& results, const FluxShares& shares);

}  // namespace dgtd::observers
