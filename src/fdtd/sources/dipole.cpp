#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/sources.hpp"

namespace dgtd::fdtd {

// eps dE/dt = curl H - J with J = moment f(t) / volume of the component's cell; of a line the current is moment /
// length.
template <class Real>
DiscreteSource discrete_dipole(const Discretisation<Real>& d, const physics::Source& source) {
  DiscreteSource lists;
  grid::check_inside(d.grid, source.position, fmt::format("{}: source.{}: position", source.origin, source.name));
  for (int a = 0; a < 3; ++a) {
    const auto x = d.grid.nodes(a);
    const double half = 0.5 * source.length * std::abs(source.direction[a]), slack = 1e-9 * (x.back() - x.front());
    if (source.position[a] - half < x.front() - slack || source.position[a] + half > x.back() + slack)
      throw Error(fmt::format("{}: source.{}: length = {}: its line leaves the grid, whose {} goes from {} to {} m",
                              source.origin, source.name, source.length, "xyz"[a], x.front(), x.back()));
  }
  SourceList list{HalfStep::electric, physics::shape_of(source.waveform)};
  for (int c = 0; c < 3; ++c) {
    if (source.direction[c] == 0) continue;
    struct Weight {
      int index;
      double weight;
    };
    std::vector<Weight> near[3];
    for (int a = 0; a < 3; ++a) {
      if (a == c && source.length > 0) {
        // A line: each edge has the share of the moment that lies on it.
        const double first = source.position[a] - 0.5 * source.length, last = first + source.length;
        for (int i = 0; i < d.layout.cells[a]; ++i) {
          const double on_edge = std::min(d.nodes[a][i + 2], last) - std::max(d.nodes[a][i + 1], first);
          if (on_edge > 0) near[a].push_back({i, on_edge / source.length});
        }
        continue;
      }
      const auto& x = a == c ? d.centres[a] : d.nodes[a];  // from index -1
      for (int i = -1; i + 1 < static_cast<int>(x.size()) - 1; ++i) {
        const double t = (source.position[a] - x[i + 1]) / (x[i + 2] - x[i + 1]);
        if (t < 0 || t >= 1) continue;
        const auto add = [&](int at, double w) {
          if (w > 0 && at >= 0 && at < d.layout.cells[a]) near[a].push_back({at, w});
        };
        add(i, 1 - t);
        add(i + 1, t);
      }
    }
    for (const auto& [i, wi] : near[0])
      for (const auto& [j, wj] : near[1])
        for (const auto& [k, wk] : near[2]) {
          const double volume = d.volume(true, c, i, j, k);
          // E gains -Cb Z0 J.
          const double moment = source.moment * source.direction[c] * wi * wj * wk;
          list.entries.push_back({static_cast<std::uint64_t>(c * d.layout.reals + d.layout.index(i, j, k)),
                                  -d.electric_Cb(c, i, j, k) * vacuum_impedance * moment / volume, 0, moment});
          // In an absorbing layer work and energy do not balance.
          if (d.electric.axis[0].c[i] != 0 || d.electric.axis[1].c[j] != 0 || d.electric.axis[2].c[k] != 0)
            lists.power_bound = std::numeric_limits<double>::infinity();
        }
  }
  if (!list.entries.empty()) lists.lists.push_back(std::move(list));
  return lists;
}

template DiscreteSource discrete_dipole<float>(const Discretisation<float>&, const physics::Source&);
template DiscreteSource discrete_dipole<double>(const Discretisation<double>&, const physics::Source&);

}  // namespace dgtd::fdtd
