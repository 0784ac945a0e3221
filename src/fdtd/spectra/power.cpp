#include "dgtd/fdtd/power.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/sources.hpp"

namespace dgtd::fdtd {

NodeBox power_box(const grid::Setup& setup, const std::vector<physics::Source>& sources) {
  NodeBox box;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t n = setup.grid.cells(a);
    const auto layer = [&](int side) { return std::min<std::int64_t>(setup.cells_of_layer(side), n / 2); };
    box.first[a] = layer(2 * a);
    box.last[a] = n - layer(2 * a + 1);
    for (const auto& source : sources) {
      if (source.type != physics::Source::Type::plane_wave) continue;
      const TotalFieldBox total = total_field_box(setup, source);
      if (total.first[a] > 0) box.first[a] = std::max(box.first[a], total.first[a] + 1);
      if (total.last[a] < n) box.last[a] = std::min(box.last[a], total.last[a] - 1);
    }
    box.last[a] = std::max(box.last[a], box.first[a]);
  }
  return box;
}

template <class Real>
double length_inside(const Discretisation<Real>& d, const NodeBox& box, int axis, bool between_nodes, int i) {
  const std::int64_t global = d.block.first[axis] + i;
  if (between_nodes)
    return global >= box.first[axis] && global < box.last[axis] ? d.nodes[axis][i + 2] - d.nodes[axis][i + 1] : 0;
  if (global < box.first[axis] || global > box.last[axis]) return 0;
  const double at = d.nodes[axis][i + 1];
  // All round a periodic axis there is no end, and its last node is the first.
  const bool round = d.periodic[axis] && box.first[axis] == 0 && box.last[axis] == d.grid.cells(axis);
  double length = 0;
  if (global > box.first[axis] || round) length += at - d.centres[axis][i];
  if (global < box.last[axis]) length += d.centres[axis][i + 1] - at;
  return length;
}

// C = (E^{n+1} - Ca E^n) / Cb + sum_p J_p, all in V/m^2; with exp(-i w t), C and J at half steps, p = w dt / 2:
//   C = Y E,  Y = (exp(-i p) - Ca exp(i p)) / Cb + sum_p Y_p = (s cos p - 2 i eps sin p / dt) / c + sum_p Y_p
// with the conductivity over eps0, s.
// From J <- Ja J + Jb E - Jc Q and Q <- Q + J + Jd E a pole has, with the conductivity of poles in that of the medium,
//   Y_p (exp(-i p) - Ja exp(i p) + i Jc / (2 sin p)) = Jb - i exp(i p) Jc Jd / (2 sin p).
template <class Real>
std::complex<double> admittance(const ClassMedium& medium, const PoleCoefficients<Real>* poles, int pole_count,
                                double angular_frequency, double time_step) {
  const double phase = 0.5 * angular_frequency * time_step;
  const auto turn = std::polar(1.0, phase);
  std::complex<double> sum = {medium.conductivity * turn.real() / speed_of_light,
                              -2 * medium.relative * turn.imag() / (speed_of_light * time_step)};
  for (int p = 0; p < pole_count; ++p) {
    if (poles[p].Jb == 0 && poles[p].Jd == 0) continue;
    const std::complex<double> of_charge(0, double(poles[p].Jc) / (2 * std::sin(phase)));
    sum += (double(poles[p].Jb) - of_charge * turn * double(poles[p].Jd)) /
           (std::conj(turn) - double(poles[p].Ja) * turn + of_charge);
  }
  return sum;
}

// The work of C on the mean of E's two levels, E cos p, is the real part of Y.
double loss(std::complex<double> admittance, double angular_frequency, double time_step) {
  return std::cos(0.5 * angular_frequency * time_step) * admittance.real() / vacuum_impedance;
}

template double length_inside<float>(const Discretisation<float>&, const NodeBox&, int, bool, int);
template double length_inside<double>(const Discretisation<double>&, const NodeBox&, int, bool, int);
template std::complex<double> admittance<float>(const ClassMedium&, const PoleCoefficients<float>*, int, double,
                                                double);
template std::complex<double> admittance<double>(const ClassMedium&, const PoleCoefficients<double>*, int, double,
                                                 double);

}  // namespace dgtd::fdtd
