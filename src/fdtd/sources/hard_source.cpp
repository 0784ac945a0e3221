#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/sources.hpp"
#include "fdtd/discretisation/axis.hpp"

namespace dgtd::fdtd {

// E^{n+1} = amplitude f(t^{n+1}) (Golovashkin, Malysheva 2010, sec. 3: Ex = sin(w t) at a node); source terms of E take
// the time n + 1/2, half a step earlier.
template <class Real>
DiscreteSource discrete_hard_source(const grid::Setup& setup, const Discretisation<Real>& d,
                                    const physics::Source& source) {
  grid::check_inside(d.grid, source.position, fmt::format("{}: source.{}: position", source.origin, source.name));
  const int component = source.direction.x != 0 ? 0 : source.direction.y != 0 ? 1 : 2;
  int at[3];
  bool here = true;
  for (int a = 0; a < 3; ++a) {
    std::int64_t global = 0;  // the only place along axes that the fields do not vary along
    if (a < d.axes) {
      global = setup.grid.nearest_node(a, source.position[a]);
      if (a == component) {  // between nodes: the cell that holds the position
        global = setup.grid.cell_at(a, source.position[a]);
      } else if (d.periodic[a] && global == setup.grid.cells(a)) {
        global = 0;
      }
      // A node that is not stored is on an upper wall of metal.
      if (global >= d.global_cells[a] ||
          (a != component && make_axis(setup, a).electric_inverse[static_cast<std::size_t>(global)] == 0))
        throw Error(fmt::format("{}: source.{}: position = {} {} {} is nearest to a metal wall, where E is zero",
                                source.origin, source.name, source.position.x, source.position.y, source.position.z));
    }
    at[a] = static_cast<int>(global - d.block.first[a]);
    here = here && at[a] >= 0 && at[a] < d.layout.cells[a];
  }
  DiscreteSource lists;
  lists.power_bound = std::numeric_limits<double>::infinity();
  if (!here) return lists;
  const auto index = static_cast<std::uint64_t>(component * d.layout.reals + d.layout.index(at[0], at[1], at[2]));
  lists.lists.push_back({.half = HalfStep::electric,
                         .shape = physics::shape_of(source.waveform),
                         .entries = {{index, source.amplitude * source.direction[component], -0.5 * d.time_step}},
                         .replaces = true});
  return lists;
}

template DiscreteSource discrete_hard_source<float>(const grid::Setup&, const Discretisation<float>&,
                                                    const physics::Source&);
template DiscreteSource discrete_hard_source<double>(const grid::Setup&, const Discretisation<double>&,
                                                     const physics::Source&);

}  // namespace dgtd::fdtd
