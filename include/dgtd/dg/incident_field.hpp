#pragma once
// A plane wave that enters through the absorbing boundary: its traces stand in the ghost slots behind
// the absorbing faces and follow the time levels of E and H.
#include <vector>

#include "dgtd/physics/source.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::dg {

/// E = p A f(t - k . (x - x_0) / c),  Z H = k x E; the exterior is the material of the elements behind
/// the absorbing boundary, lossless and the same everywhere.
struct IncidentWave {
  physics::WaveformShape shape;
  std::vector<double> delay;           // [absorbing faces][Nf] s, at the interpolation points
  std::vector<double> electric_along;  // [absorbing faces][2] E's amplitude along e_a, e_b, V/m times m
  std::vector<double> magnetic_along;  // [absorbing faces][2] Z0 H's
  std::vector<double> interpolation;   // [Nf][Nf] from values at the points to coefficients
  double power_bound = 0;              // W: boundary area times amplitude^2 / Z, the most that it can bring in
};

template <class Real>
IncidentWave make_incident_wave(const Discretisation<Real>& d, const physics::Source& source);

/// Coefficient r of f(t - delay) on a face. values: [Nf] f at the points.
DGTD_HOST_DEVICE double incident_coefficient(const double* interpolation, const double* values, int nodes, int r) {
  double sum = 0;
  for (int j = 0; j < nodes; ++j) sum += interpolation[r * nodes + j] * values[j];
  return sum;
}

}  // namespace dgtd::dg
