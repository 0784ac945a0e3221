#include "dgtd/fdtd/boundary_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::fdtd {

namespace {

// G. Mur, IEEE Trans. EMC 23 (1981) 377, (15), with the speed c of the background and the spacing d next to the side:
//   E_0^{n+1} = E_1^n + (c dt - d) / (c dt + d) (E_1^{n+1} - E_0^n)
// Tangential components on one such side, then those on the edges between two, which belong to the side of the lower
// axis and follow since they read the first ones.
template <class Real>
std::vector<BoundaryList> mur_lists(const grid::Setup& setup, const Discretisation<Real>& d) {
  std::vector<BoundaryList> lists(2);
  const physics::Medium& background = setup.materials.front();
  const double step = speed_of_light / std::sqrt(background.permittivity * background.permeability) * d.time_step;
  // Which side of type mur holds a node of an axis: -1 the lower, 1 the upper, 0 none.
  const auto side_at = [&](int a, int local) {
    const std::int64_t node = d.block.first[a] + local;
    if (node == 0 && setup.sides[2 * a] == physics::BoundaryKind::mur) return -1;
    return node == setup.grid.cells(a) && setup.sides[2 * a + 1] == physics::BoundaryKind::mur ? 1 : 0;
  };
  const auto& cells = d.layout.cells;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    for (const int wall : {0, cells[a] - 1}) {
      const int side = side_at(a, wall);
      if (side == 0) continue;
      if (cells[a] < 2)
        throw Error(fmt::format(
            "boundary of type mur: a rank has a single cell across a side along {}; use fewer ranks or more cells",
            "xyz"[a]));
      const double spacing = side < 0 ? setup.grid.spacing[a].front() : setup.grid.spacing[a].back();
      for (const auto& [component, other] : {std::pair{b, c}, std::pair{c, b}})
        for (int v = 0; v < cells[c]; ++v)
          for (int u = 0; u < cells[b]; ++u) {
            int at[3];
            at[a] = wall, at[b] = u, at[c] = v;
            if (d.is_zero(true, component, at[0], at[1], at[2])) continue;
            const bool edge = side_at(other, at[other]) != 0;
            if (edge && other < a) continue;
            BoundaryList& list = lists[edge];
            const auto index = component * d.layout.reals + d.layout.index(at[0], at[1], at[2]);
            list.wall.push_back(static_cast<std::uint64_t>(index));
            list.inner.push_back(static_cast<std::uint64_t>(index - side * d.layout.stride(a)));
            list.factor.push_back((step - spacing) / (step + spacing));
          }
    }
  }
  return lists;
}

}  // namespace

template <class Real>
std::vector<BoundaryList> boundary_lists(const grid::Setup& setup, const Discretisation<Real>& d) {
  const auto& sides = setup.sides;
  if (std::count(sides.begin(), sides.end(), physics::BoundaryKind::mur) > 0) return mur_lists(setup, d);
  return {};
}

template std::vector<BoundaryList> boundary_lists<float>(const grid::Setup&, const Discretisation<float>&);
template std::vector<BoundaryList> boundary_lists<double>(const grid::Setup&, const Discretisation<double>&);

}  // namespace dgtd::fdtd
