#pragma once
// Figures of antennas that ports drive, antenna_NAME.csv of a far field: gain, efficiencies, polarisation, beam (IEEE Std
// 145-2013).
#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/io/results.hpp"

namespace dgtd::observers {

/// Energies per frequency of all excited ports together, [frequencies] J/Hz, one-sided.
struct DrivenEnergy {
  std::vector<double> supplied;  // 2 Re V conj(I) of all ports; those that are not excited take energy
  std::vector<double> accepted;  // 2 Re V conj(I)
  std::vector<double> incident;  // 2 |a|^2, of matched sources what is available
};

/// The energies at frequencies, Hz. Collective. Empty: no ports drive the fields.
using DrivenSpectrum = std::function<DrivenEnergy(const std::vector<double>& frequencies)>;

/// Energies per frequency and solid angle, J/(Hz sr), [thetas][phis] in the order of solver::directions_of.
struct Intensities {
  int thetas = 0, phis = 0;
  std::vector<double> values;
  double radiated = 0;  // J/Hz, their integral over all directions
};

/// Longer over shorter axis of the ellipse that a field with these phasors along two orthogonal directions draws; 1 where it
/// is circular, infinite where it is linear.
double axial_ratio(std::complex<double> a, std::complex<double> b);

struct AntennaFigures {
  double gain = 0, realised_gain = 0, directivity = 0;    // ratios, in the direction of the largest intensity
  double radiation_efficiency = 0, total_efficiency = 0;  // radiated over accepted, and over incident energy
  double accepted_share = 0;                              // accepted over incident energy
  std::optional<double> absorbed_share;                   // in materials, over incident energy; absent: not measured
  double theta = 0, phi = 0;                              // rad, of that direction
  std::optional<double> axial_ratio;                      // of the far field in that direction
  std::optional<double> front_to_back;                    // ratio to the opposite direction
  std::optional<double> beam_theta, beam_phi;             // rad, between half intensities; absent: there are none
};
AntennaFigures antenna_figures(const Intensities& intensities, double accepted, double incident);

/// Table, key `antennas` and section of an antenna. Collective.
void write_antenna(const std::string& name, const std::vector<double>& frequencies,
                   const std::vector<AntennaFigures>& figures, io::Results& results);

}  // namespace dgtd::observers
