#include "app/problems/body_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/grid/scene_media.hpp"

namespace dgtd::app {

namespace {

// The axes of E along which a method has components.
std::array<bool, 3> electric_axes(const config::Case& c) {
  using config::Polarisation;
  if (c.solver.method.has.potentials) return {false, false, true};
  const auto p = c.solver.polarisation;
  if (c.solver.method.has.dimensions == 3 || p == Polarisation::both) return {true, true, true};
  return p == Polarisation::ez ? std::array{false, false, true} : std::array{true, true, false};
}

/// Finds a component that the bodies of one shape, alone on the grid, give another medium than the background's.
class Trace {
 public:
  Trace(const std::vector<grid::Shape>& bodies, const config::Case& c, const grid::Setup& setup)
      : setup_(setup),
        media_(grid::Scene(bodies, 0), setup.materials, c.grid.subpixel),
        electric_(electric_axes(c)),
        magnetic_(!c.solver.method.has.potentials) {
    for (int a = 0; a < 3; ++a) x_[a] = setup.grid.nodes(a);
    for (const grid::Shape& body : bodies) {
      const grid::Bounds of_body = grid::bounds(body);
      for (int a = 0; a < 3; ++a) {
        low_[a] = std::min(low_[a], of_body.low[a]);
        high_[a] = std::max(high_[a], of_body.high[a]);
      }
    }
  }

  bool is_found() {
    Nodes first{0, 0, 0}, last{1, 1, 1};
    for (int a = 0; a < setup_.axes; ++a) {
      // From the last node whose cells are below the bodies to the first one whose cells are above.
      first[a] = std::max<std::int64_t>(0, setup_.grid.cell_at(a, low_[a]) - 1);
      last[a] = std::min(setup_.grid.cells(a), setup_.grid.cell_at(a, high_[a]) + 2) + 1;
    }
    return find(first, last);
  }

 private:
  using Nodes = std::array<std::int64_t, 3>;
  static constexpr int most_boxes = 40000;  // some milliseconds

  // Half of the cell below a node; beyond the grid cells are as long as its last ones.
  double below(int a, std::int64_t i) const {
    return 0.5 * setup_.grid.spacing[a][at(std::max<std::int64_t>(i, 1) - 1)];
  }
  double above(int a, std::int64_t i) const {
    return 0.5 * setup_.grid.spacing[a][at(std::min(i, setup_.grid.cells(a) - 1))];
  }
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  // Components of nodes first to last - 1: of E and H, half a cell below a node to a cell above it.
  bool find(const Nodes& first, const Nodes& last) {
    if (++boxes_ > most_boxes) return true;
    Vec3 low, high;
    int longest = 0;
    for (int a = 0; a < 3; ++a) {
      if (a >= setup_.axes) {
        low[a] = setup_.grid.origin[a], high[a] = -low[a];
        continue;
      }
      const std::int64_t end = last[a] - 1;
      low[a] = x_[a][at(first[a])] - below(a, first[a]), high[a] = x_[a][at(end)] + 2 * above(a, end);
      if (last[a] - first[a] > last[longest] - first[longest]) longest = a;
    }
    const int material = media_.filling(0.5 * (low + high), high - low);
    if (material >= 0) return material > 0;
    if (last[longest] - first[longest] == 1) return has_component(first);
    Nodes middle_last = last, middle_first = first;
    middle_last[longest] = middle_first[longest] = (first[longest] + last[longest]) / 2;
    return find(first, middle_last) || find(middle_first, last);
  }

  bool has_component(const Nodes& node) const {
    for (int component = 0; component < 3; ++component) {
      Vec3 place, centre, size, of_magnetic;
      bool inside = true;  // its cell is not beyond the last node
      for (int a = 0; a < 3; ++a) {
        if (a >= setup_.axes) {
          size[a] = -2 * setup_.grid.origin[a];  // around 0
          continue;
        }
        const double x = x_[a][at(node[a])], down = below(a, node[a]), up = above(a, node[a]);
        const bool along = a == component;
        inside = inside && !(along && node[a] == setup_.grid.cells(a));
        place[a] = along ? x + up : x;
        centre[a] = along ? x + up : x + 0.5 * (up - down);
        size[a] = along ? 2 * up : up + down;
        of_magnetic[a] = along ? x : x + up;
      }
      if (inside && electric_[static_cast<std::size_t>(component)] &&
          differs(media_.electric(place, centre, size, component)))
        return true;
      if (magnetic_ && differs_magnetically(media_.material_at(of_magnetic))) return true;
    }
    return false;
  }

  bool differs(const grid::LocalMedium& m) const {
    const physics::Medium& background = setup_.materials.front();
    return m.material > 0 || m.second > 0 || m.permittivity != background.permittivity ||
           m.conductivity != background.conductivity;
  }
  bool differs_magnetically(int material) const {
    const physics::Medium &m = setup_.materials[static_cast<std::size_t>(material)], &b = setup_.materials.front();
    return m.permeability != b.permeability || m.magnetic_conductivity != b.magnetic_conductivity;
  }

  const grid::Setup& setup_;
  grid::SceneMedia media_;
  std::array<bool, 3> electric_;
  bool magnetic_;
  std::array<std::vector<double>, 3> x_;  // nodes, m
  Vec3 low_{1e300, 1e300, 1e300}, high_{-1e300, -1e300, -1e300};
  int boxes_ = 0;
};

}  // namespace

void check_trace(const std::vector<grid::Shape>& bodies, const config::Case& c, const grid::Setup& setup) {
  const bool same = std::all_of(bodies.begin(), bodies.end(), [&](const grid::Shape& body) {
    return setup.materials[static_cast<std::size_t>(body.material)] == setup.materials.front();
  });
  if (same || Trace(bodies, c, setup).is_found()) return;
  throw Error(
      "has no effect: no field component is in it, since it is smaller than a cell or lies between them; smaller "
      "cells are needed there");
}

void check_trace(const grid::PermittivityArray& array, const grid::Setup& setup) {
  constexpr double slack = 1e-6;  // of a value's distance, as PermittivityMedia has it
  const Vec3 high = array.high();
  bool has_node[3] = {true, true, true}, has_centre[3] = {true, true, true};
  for (int a = 0; a < setup.axes; ++a) {
    const auto x = setup.grid.nodes(a);
    const double from = array.low[a] - slack * array.spacing[a], to = high[a] + slack * array.spacing[a];
    if (from > x.back() || to < x.front())
      throw Error(fmt::format("lies outside the grid, whose {} goes from {} to {} m", "xyz"[a], x.front(), x.back()));
    const auto holds = [&](double place) { return place >= from && place <= to; };
    has_node[a] = std::any_of(x.begin(), x.end(), holds);
    has_centre[a] = false;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) has_centre[a] = has_centre[a] || holds(0.5 * (x[i] + x[i + 1]));
  }
  for (int c = 0; c < 3; ++c)
    if (has_centre[c] && has_node[(c + 1) % 3] && has_node[(c + 2) % 3]) return;
  throw Error(
      "has no effect: no component of E is in it, since it is smaller than a cell and lies between them; smaller cells "
      "are needed there");
}

}  // namespace dgtd::app
