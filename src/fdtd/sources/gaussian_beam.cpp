#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/gaussian_beam.hpp"
#include "fdtd/discretisation/grid_wave.hpp"
#include "fdtd/sources/equivalent_currents.hpp"

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
  const physics::GaussianBeam beam{source.focus, source.direction, source.waist, wave.slowness, 2 * pi * source.waveform.frequency};

  // Where the axis meets the plane.
  const double to_plane = (setup.grid.nodes(b)[face.node] - source.focus[b]) / source.direction[b];
  const double radius = beam.radius(to_plane), largest = beam.amplitude(to_plane, 0);
  check_width(setup, source, face, source.focus + to_plane * source.direction, radius);
  // Time zero: the first of what is above a thousandth of the largest amplitude leaves the plane.
  const double earliest = beam.earliest(to_plane);
  const auto incident = [&](const Vec3& at) {
    const auto [z, square_of_r] = beam.place(at);
    if (beam.amplitude(z, square_of_r) < least_amplitude * largest) return IncidentWave{};
    IncidentWave field = beam.field(at, source.polarisation, wave.magnetic);
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
