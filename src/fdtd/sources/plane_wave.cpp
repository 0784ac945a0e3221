#include <fmt/format.h>

#include <cmath>

#include "dgtd/base/error.hpp"
#include "fdtd/discretisation/grid_wave.hpp"
#include "fdtd/sources/equivalent_currents.hpp"

namespace dgtd::fdtd {

TotalFieldBox total_field_box(const grid::Setup& setup, const physics::Source& source) {
  TotalFieldBox box;
  for (int a = 0; a < 3; ++a) {
    const auto keep = [&](int side) { return setup.is_open(side) ? setup.cells_of_layer(side) + 4 : 0; };
    const auto n = static_cast<std::int64_t>(setup.grid.spacing[a].size());
    box.first[a] = source.box_min ? setup.grid.nearest_node(a, (*source.box_min)[a]) : keep(2 * a);
    box.last[a] = source.box_max ? setup.grid.nearest_node(a, (*source.box_max)[a]) : n - keep(2 * a + 1);
    if (box.first[a] >= box.last[a])
      throw Error(
          fmt::format("{}: source.{}: the total-field box is empty along {}: give box_min and box_max, or more cells",
                      source.origin, source.name, "xyz"[a]));
  }
  return box;
}

template <class Real>
DiscreteSource discrete_plane_wave(const grid::Setup& setup, const Discretisation<Real>& d,
                                   const physics::Source& source) {
  const TotalFieldBox box = total_field_box(setup, source);
  Vec3 corner;
  std::array<std::int64_t, 3> middle;
  for (int a = 0; a < 3; ++a) {
    const auto x = setup.grid.nodes(a);
    corner[a] = source.direction[a] >= 0 ? x[box.first[a]] : x[box.last[a]];
    middle[a] = (box.first[a] + box.last[a]) / 2;
  }
  const GridWave wave = grid_wave(setup, source, source.direction, middle, d.time_step);
  const auto incident = [&](const Vec3& x) {
    return IncidentWave{source.amplitude * wave.electric, source.amplitude * wave.magnetic,
                        wave.slowness * dot(source.direction, x - corner)};
  };
  EquivalentCurrents currents;
  for (int b = 0; b < 3; ++b)
    for (const bool upper : {false, true}) {
      const std::int64_t node = upper ? box.last[b] : box.first[b];
      if (is_inside(setup, b, node))
        add_face(setup, d, {b, node, upper, box.first, box.last}, false, incident, whole_face, background_Cb(setup, d),
                 currents);
    }
  // Ten times the power of the wave through the box's surface at its peak: scattered fields add to it there.
  double area = 0;
  for (int a = 0; a < 3; ++a) area += 2 * setup.length((a + 1) % 3) * setup.length((a + 2) % 3);
  const physics::Medium& background = setup.materials.front();
  const double power = 10 * source.amplitude * source.amplitude / vacuum_impedance *
                       std::sqrt(background.permittivity / background.permeability) * area;
  return std::move(currents).lists(source, power);
}

template DiscreteSource discrete_plane_wave<float>(const grid::Setup&, const Discretisation<float>&,
                                                   const physics::Source&);
template DiscreteSource discrete_plane_wave<double>(const grid::Setup&, const Discretisation<double>&,
                                                    const physics::Source&);

}  // namespace dgtd::fdtd
