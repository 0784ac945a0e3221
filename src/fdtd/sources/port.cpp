#include "dgtd/fdtd/port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/discretisation.hpp"
#include "fdtd/media/electric_cb.hpp"
#include "fdtd/sources/cross_section.hpp"
#include "fdtd/sources/ports_apart.hpp"

namespace dgtd::fdtd {

namespace {

struct PortNode {
  std::int64_t node;  // global, along an axis across the port
  double share;       // of the port's width
};

struct PortPlace {
  int axis = 0;                                 // of the direction
  std::int64_t first = 0, last = 0;             // nodes between which its edges are
  std::array<std::vector<PortNode>, 2> across;  // along the two axes that follow
};

// The trapezoidal rule over nodes: the share of a node is the part of the width that is nearest to it.
std::vector<PortNode> nodes_across(const grid::CartesianGrid& grid, int axis, double centre, double width) {
  const std::int64_t first = grid.nearest_node(axis, centre - 0.5 * width),
                     last = grid.nearest_node(axis, centre + 0.5 * width);
  if (width == 0 || first == last) return {{grid.nearest_node(axis, centre), 1.0}};
  const auto x = grid.nodes(axis);
  const auto at = [&](std::int64_t node) { return x[static_cast<std::size_t>(node)]; };
  std::vector<PortNode> nodes;
  for (std::int64_t n = first; n <= last; ++n)
    nodes.push_back({n, 0.5 * (at(std::min(n + 1, last)) - at(std::max(n - 1, first))) / (at(last) - at(first))});
  return nodes;
}

PortPlace place_of(const grid::Setup& setup, const physics::Port& port) {
  PortPlace place;
  for (int a = 0; a < 3; ++a)
    if (port.direction[a] != 0) place.axis = a;
  for (const double end : {-0.5, 0.5})
    grid::check_inside(setup.grid, port.centre + end * port.size,
                       fmt::format("{}: end of centre and size", name_of_port(port)));
  const int c = place.axis;
  place.first = setup.grid.nearest_node(c, port.centre[c] - 0.5 * port.size[c]);
  place.last = setup.grid.nearest_node(c, port.centre[c] + 0.5 * port.size[c]);
  if (place.first == place.last)
    throw Error(fmt::format("{}: size = {} along {}: no edge of a cell is that short; it must be at least a cell",
                            name_of_port(port), port.size[c], "xyz"[c]));
  for (int other : {0, 1}) {
    const int a = (c + 1 + other) % 3;
    place.across[other] = nodes_across(setup.grid, a, port.centre[a], port.size[a]);
  }
  return place;
}

// First node that both have; none: absent.
std::optional<std::int64_t> common_node(const std::vector<PortNode>& a, const std::vector<PortNode>& b) {
  for (const PortNode& u : a)
    for (const PortNode& v : b)
      if (u.node == v.node) return u.node;
  return {};
}

}  // namespace

void check_apart(const grid::Setup& setup, const std::vector<physics::Port>& ports) {
  std::vector<std::pair<const physics::Port*, PortPlace>> before;
  for (const physics::Port& port : ports) {
    if (!port.is_lumped()) continue;
    const PortPlace place = place_of(setup, port);
    const int c = place.axis;
    for (const auto& [other, at] : before) {
      const std::int64_t first = std::max(place.first, at.first);
      if (at.axis != c || first >= std::min(place.last, at.last)) continue;
      const auto u = common_node(place.across[0], at.across[0]), v = common_node(place.across[1], at.across[1]);
      if (!u || !v) continue;
      Vec3 where;
      const auto node = [&](int axis, std::int64_t n) { return setup.grid.nodes(axis)[static_cast<std::size_t>(n)]; };
      where[c] = 0.5 * (node(c, first) + node(c, first + 1));
      where[(c + 1) % 3] = node((c + 1) % 3, *u), where[(c + 2) % 3] = node((c + 2) % 3, *v);
      throw Error(
          fmt::format("{}: its edge at {:.6g} {:.6g} {:.6g} m is one of port.{}, too; ports must share no edge of "
                      "a cell",
                      name_of_port(port), where.x, where.y, where.z, other->name));
    }
    before.emplace_back(&port, place);
  }
}

template <class Real>
PortEdgeList discrete_port(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Port& port) {
  const PortPlace place = place_of(setup, port);
  const ElectricCb media(d);
  const int c = place.axis, axes[2] = {(c + 1) % 3, (c + 2) % 3};
  const auto x = setup.grid.nodes(c);
  const double whole = x[static_cast<std::size_t>(place.last)] - x[static_cast<std::size_t>(place.first)];
  PortEdgeList list;
  for (std::int64_t n = place.first; n < place.last; ++n) {
    double& capacitance = list.layer_capacitance.emplace_back(0);
    const double length = x[static_cast<std::size_t>(n) + 1] - x[static_cast<std::size_t>(n)];
    for (const PortNode& u : place.across[0])
      for (const PortNode& v : place.across[1]) {
        std::int64_t global[3];
        global[c] = n, global[axes[0]] = u.node, global[axes[1]] = v.node;
        int at[3];
        bool here = true, stored = true;
        for (int a = 0; a < 3; ++a) {
          stored = stored && global[a] < d.global_cells[static_cast<std::size_t>(a)];
          at[a] = static_cast<int>(global[a] - d.block.first[static_cast<std::size_t>(a)]);
          here = here && at[a] >= 0 && at[a] < d.layout.cells[a];
        }
        if (stored && !here) continue;
        const auto rejected = [&](const char* why) {
          Vec3 where;
          for (int a = 0; a < 3; ++a) where[a] = setup.grid.nodes(a)[static_cast<std::size_t>(global[a])];
          where[c] += 0.5 * length;
          return Error(
              fmt::format("{}: its edge at {:.6g} {:.6g} {:.6g} m {}; its size must go from one conductor to "
                          "the other and no further",
                          name_of_port(port), where.x, where.y, where.z, why));
        };
        // Beyond the last stored layer there is an upper side, of metal or periodic.
        if (!stored || d.is_zero(true, c, at[0], at[1], at[2]) || media.Cb(c, at[0], at[1], at[2]) == 0)
          throw rejected("is in a perfect conductor or on a periodic side");
        if (media.is_dispersive(c, at[0], at[1], at[2])) throw rejected("is in a dispersive medium");
        const double dual_area =
            1 / (double(d.electric.axis[static_cast<std::size_t>(axes[0])].inverse_distance[at[axes[0]]]) *
                 double(d.electric.axis[static_cast<std::size_t>(axes[1])].inverse_distance[at[axes[1]]]));
        const double gain = media.Cb(c, at[0], at[1], at[2]) * vacuum_impedance * length / dual_area;
        const double share = u.share * v.share;
        PortEdge e{};
        e.index = static_cast<std::uint64_t>(c * d.layout.reals + d.layout.index(at[0], at[1], at[2]));
        e.length = port.direction[c] * length;
        e.field_per_current = gain / e.length;
        e.source = length / whole;
        e.of_voltage = share;
        e.of_current = length / whole;
        e.circuit = physics::circuit_step(port, length / whole / share, 0.5 * gain, d.time_step);
        list.edges.push_back(e);
        capacitance += d.time_step / gain;
      }
  }
  return list;
}

template PortEdgeList discrete_port<float>(const grid::Setup&, const Discretisation<float>&, const physics::Port&);
template PortEdgeList discrete_port<double>(const grid::Setup&, const Discretisation<double>&, const physics::Port&);

}  // namespace dgtd::fdtd
