#pragma once
// Reflection and transmission of a slab: measured in a run, and by the exact formula.
#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {

/// Reflected and transmitted shares of the incident power, per frequency (Hz).
struct Shares {
  std::vector<double> frequency, reflected, transmitted;
};

/// Shares in a run of so many steps with a plane wave of 1 V/m, whose fluxes are a plane before the source and one
/// behind the slab, both of `area` (m^2; m or 1 where axes are missing).
inline Shares measured_shares(const GridProblem& problem, int steps, double area) {
  const parallel::Communicator comm;
  auto solver = problem.make<double>(comm);
  const auto& frequencies = problem.fluxes[0].frequencies;
  std::vector<std::complex<double>> incident(frequencies.size());
  const auto shape = physics::shape_of(problem.sources[0].waveform);
  const double dt = solver->time_step();
  for (int n = 0; n < steps; ++n) {
    problem.advance(*solver, 1);
    for (std::size_t f = 0; f < incident.size(); ++f)
      incident[f] += dt * physics::value(shape, n * dt) * std::polar(1.0, 2 * pi * frequencies[f] * n * dt);
  }
  const auto back = solver::flux(*solver, 0, comm), forth = solver::flux(*solver, 1, comm);
  Shares s{frequencies, {}, {}};
  for (std::size_t f = 0; f < incident.size(); ++f) {
    const double all = 2 * std::norm(incident[f]) / vacuum_impedance * area;
    s.reflected.push_back(-back[f] / all);
    s.transmitted.push_back(forth[f] / all);
  }
  return s;
}

/// |r|^2 and |t|^2 of a slab of complex permittivity eps (that of exp(-i w t)) and thickness d (m) in vacuum at normal
/// incidence (Born and Wolf, 7.6.1): r = r1 (1 - p^2) / (1 - r1^2 p^2), t = (1 - r1^2) p / (1 - r1^2 p^2),
/// r1 = (1 - n) / (1 + n), p = exp(i n k d), n^2 = eps.
struct SlabShares {
  double reflected, transmitted;
};
inline SlabShares slab_shares(std::complex<double> eps, double thickness, double frequency) {
  const std::complex<double> n = std::sqrt(eps), i(0, 1), r1 = (1.0 - n) / (1.0 + n);
  const std::complex<double> p = std::exp(i * n * (2 * pi * frequency / speed_of_light * thickness));
  const std::complex<double> both = 1.0 - r1 * r1 * p * p;
  return {std::norm(r1 * (1.0 - p * p) / both), std::norm((1.0 - r1 * r1) * p / both)};
}

/// Complex permittivity of eps_r and a conductivity (S/m): eps_r + i sigma / (omega eps0).
inline std::complex<double> permittivity_of(double eps_r, double sigma, double frequency) {
  return {eps_r, sigma / (2 * pi * frequency * vacuum_permittivity)};
}

}  // namespace dgtd::fdtd
