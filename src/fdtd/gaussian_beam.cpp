#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dgtd/base/error.hpp"
#include "equivalent_currents.hpp"
#include "grid_wave.hpp"

namespace dgtd::fdtd {

namespace {

constexpr double least_amplitude = 1e-6;  // of a plane's largest that still has an entry
constexpr double most_at_layers = 0.05;   // of the largest amplitude that may be cut off by absorbing layers

int dominant_axis(const Vec3& v) {
  int axis = 0;
  for (int a : {1, 2})
    if (std::abs(v[a]) > std::abs(v[axis])) axis = a;
  return axis;
}

// A. E. Siegman, Lasers (1986), sec. 17.1: at a distance z behind the focus and r from the axis
//   E = E0 w0 / w exp(-r^2 / w^2) cos(w t - k z - k r^2 / (2 R) + atan(z / z_R)),
//   w = w0 sqrt(1 + (z / z_R)^2),   1 / R = z / (z^2 + z_R^2),   z_R = k w0^2 / 2.
struct Beam {
  Vec3 focus, direction;
  double waist, slowness, angular_frequency;

  /// z and r^2 of a point.
  std::pair<double, double> place(const Vec3& x) const {
    const Vec3 from_focus = x - focus;
    const double z = dot(from_focus, direction);
    return {z, std::max(0.0, dot(from_focus, from_focus) - z * z)};
  }

  double rayleigh_length() const { return 0.5 * slowness * angular_frequency * waist * waist; }
  double radius(double z) const { return waist * std::hypot(1, z / rayleigh_length()); }
  double amplitude(double z, double square_of_r) const {
    return waist / radius(z) * std::exp(-square_of_r / (radius(z) * radius(z)));
  }
  /// s, later than at the focus.
  double delay(double z, double square_of_r) const {
    const double zr = rayleigh_length();
    return slowness * (z + 0.5 * square_of_r * z / (z * z + zr * zr)) - std::atan(z / zr) / angular_frequency;
  }
};

/// Gradients of the amplitude (1/m) and of the phase (rad/m) at a point.
struct Gradients {
  Vec3 amplitude, phase;
};
Gradients gradients(const Beam& beam, const Vec3& x) {
  const double step = 1e-3 * beam.waist;
  Gradients g;
  for (int a = 0; a < 3; ++a) {
    Vec3 before = x, after = x;
    before[a] -= step, after[a] += step;
    const auto [z0, r0] = beam.place(before);
    const auto [z1, r1] = beam.place(after);
    g.amplitude[a] = (beam.amplitude(z1, r1) - beam.amplitude(z0, r0)) / (2 * step);
    g.phase[a] = beam.angular_frequency * (beam.delay(z1, r1) - beam.delay(z0, r0)) / (2 * step);
  }
  return g;
}

/// (real + i imaginary) exp(i (phase - w t)) as an amplitude and a lead.
void set_component(double real, double imaginary, double angular_frequency, double& amplitude, double& lead) {
  amplitude = std::copysign(std::hypot(real, imaginary), real);
  lead = -std::atan2(std::copysign(1.0, real) * imaginary, std::abs(real)) / angular_frequency;
}

// With u = A exp(i phase) the scalar beam and s its direction, E = u p + s (i / k) p . grad u and H the same of the
// plane wave's H in place of p: their divergence is zero to first order in 1 / (k w0).
IncidentWave field_at(const Beam& beam, const Vec3& x, const Vec3& polarisation, const GridWave& wave) {
  const auto [z, square_of_r] = beam.place(x);
  const double amplitude = beam.amplitude(z, square_of_r), k = beam.slowness * beam.angular_frequency;
  const Gradients g = gradients(beam, x);
  IncidentWave field{{}, {}, beam.delay(z, square_of_r), {}, {}};
  const auto set = [&](const Vec3& v, Vec3& component, Vec3& lead) {
    for (int c = 0; c < 3; ++c)
      set_component(amplitude * (v[c] - beam.direction[c] / k * dot(v, g.phase)),
                    beam.direction[c] / k * dot(v, g.amplitude), beam.angular_frequency, component[c], lead[c]);
  };
  set(polarisation, field.electric, field.electric_lead);
  set(wave.magnetic, field.magnetic, field.magnetic_lead);
  return field;
}

// The plane that launches the beam, between the absorbing layers beside it.
Face launching_face(const grid::Setup& setup, const physics::Source& source) {
  const int b = dominant_axis(source.direction);
  const bool upper = source.direction[b] < 0;  // it comes from above
  const std::int64_t cells = setup.grid.cells(b), distance = setup.cells_of_layer(2 * b + upper) + 4;
  const std::int64_t node = source.plane ? setup.grid.nearest_node(b, *source.plane)
                            : upper      ? cells - distance
                                         : distance;
  if (!is_inside(setup, b, node))
    throw Error(fmt::format("{}: source.{}: the beam's plane lies on or beyond the grid's end along {}", source.origin,
                            source.name, "xyz"[b]));
  Face face{b, node, upper, {}, {}};
  for (int a = 0; a < 3; ++a) {
    const std::int64_t n = setup.grid.cells(a);
    face.first[a] = std::min<std::int64_t>(setup.cells_of_layer(2 * a), n - 1);
    face.last[a] = std::max<std::int64_t>(n - setup.cells_of_layer(2 * a + 1), face.first[a] + 1);
  }
  return face;
}

// Throws where absorbing sides beside the face would cut a beam of that radius (m), whose axis meets it at `middle`.
void check_width(const grid::Setup& setup, const physics::Source& source, const Face& face, const Vec3& middle,
                 double radius) {
  for (int a = 0; a < 3; ++a) {
    const auto x = setup.grid.nodes(a);
    for (const int side : {0, 1}) {
      if (a == face.axis || !setup.is_open(2 * a + side)) continue;
      const double edge = side == 0 ? middle[a] - x[face.first[a]] : x[face.last[a]] - middle[a];
      if (edge <= 0 || std::exp(-edge * edge / (radius * radius)) > most_at_layers)
        throw Error(
            fmt::format("{}: source.{}: the beam's radius on its plane is {:.4g} m, too wide for the {:.4g} m from its "
                        "axis to the absorbing side along {}; "
                        "more cells, a plane nearer to the focus or another waist",
                        source.origin, source.name, radius, std::max(edge, 0.0), "xyz"[a]));
    }
  }
}

}  // namespace

template <class Real>
DiscreteSource discrete_gaussian_beam(const grid::Setup& setup, const Discretisation<Real>& d,
                                      const physics::Source& source) {
  const Face face = launching_face(setup, source);
  const int b = face.axis;
  const GridWave wave = grid_wave(setup, source, source.direction, middle_cell(setup, b, face.node), d.time_step);
  const Beam beam{source.focus, source.direction, source.waist, wave.slowness, 2 * pi * source.waveform.frequency};

  // Where the axis meets the plane.
  const double to_plane = (setup.grid.nodes(b)[face.node] - source.focus[b]) / source.direction[b];
  const double radius = beam.radius(to_plane), largest = beam.amplitude(to_plane, 0);
  check_width(setup, source, face, source.focus + to_plane * source.direction, radius);
  // Time zero: the first of what is above a thousandth of the largest amplitude leaves the plane.
  const double reach = radius * std::sqrt(std::log(1e3));
  const double earliest = std::min(beam.delay(to_plane, 0), beam.delay(to_plane, reach * reach));
  const auto incident = [&](const Vec3& at) {
    const auto [z, square_of_r] = beam.place(at);
    if (beam.amplitude(z, square_of_r) < least_amplitude * largest) return IncidentWave{};
    IncidentWave field = field_at(beam, at, source.polarisation, wave);
    field.electric = source.amplitude * field.electric;
    field.magnetic = source.amplitude * field.magnetic;
    field.delay -= earliest;
    return field;
  };
  EquivalentCurrents currents;
  add_face(setup, d, face, false, incident, whole_face, background_Cb(setup, d), currents);
  return std::move(currents).lists(source);
}

template DiscreteSource discrete_gaussian_beam<float>(const grid::Setup&, const Discretisation<float>&,
                                                      const physics::Source&);
template DiscreteSource discrete_gaussian_beam<double>(const grid::Setup&, const Discretisation<double>&,
                                                       const physics::Source&);

}  // namespace dgtd::fdtd
