#include "fdtd/sources/cross_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/sources.hpp"
#include "fdtd/media/electric_cb.hpp"

namespace dgtd::fdtd {

namespace {

// A mode beside the plane is not that of a plane that ends in a layer.
void check_beside_layers(const grid::Setup& setup, const physics::Port& port, int axis, std::int64_t first,
                         std::int64_t last) {
  for (const bool upper : {false, true}) {
    const int side = 2 * axis + (upper ? 1 : 0);
    const int layer = setup.cells_of_layer(side);
    if (upper ? last <= setup.grid.cells(axis) - layer : first >= layer) continue;
    throw Error(fmt::format(
        "{}: size = {} along {}: reaches {} cell{} into the absorbing layer of {} cells at {}{}; it "
        "must end before it",
        name_of_port(port), port.size[axis], "xyz"[axis], upper ? last - setup.grid.cells(axis) + layer : layer - first,
        (upper ? last - setup.grid.cells(axis) + layer : layer - first) == 1 ? "" : "s", layer, "xyz"[axis],
        upper ? "max" : "min"));
  }
}

CrossSection empty_section(const grid::Setup& setup, const physics::Port& port) {
  CrossSection s;
  for (int a = 0; a < 3; ++a)
    if (port.direction[a] != 0) s.normal = a;
  s.axes = {(s.normal + 1) % 3, (s.normal + 2) % 3};
  constexpr double half = 0.5 * (1 - 1e-6);  // ends may be those of the grid to rounding
  for (const double end : {-half, half})
    grid::check_inside(setup.grid, port.centre + end * port.size,
                       fmt::format("{}: end of centre and size", name_of_port(port)));
  const int b = s.normal;
  s.node = setup.grid.nearest_node(b, port.centre[b]);
  const std::int64_t ahead = s.node + (port.direction[b] > 0 ? 2 : -2);  // H of the plane ahead is between two cells
  const std::int64_t low = setup.cells_of_layer(2 * b), high = setup.grid.cells(b) - setup.cells_of_layer(2 * b + 1);
  if (std::min(s.node, ahead) <= low || std::max(s.node, ahead) >= high)
    throw Error(
        fmt::format("{}: its plane {} = {} m must have a cell behind it and three ahead, outside of absorbing "
                    "layers",
                    name_of_port(port), "xyz"[b], port.centre[b]));
  const auto& spacing = setup.grid.spacing[b];
  s.spacing = 0.5 * (spacing[std::size_t(s.node)] + spacing[std::size_t(s.node) - 1]);
  for (const int w : {0, 1}) {
    const int a = s.axes[w];
    const std::int64_t first = setup.grid.nearest_node(a, port.centre[a] - 0.5 * port.size[a]),
                       last = setup.grid.nearest_node(a, port.centre[a] + 0.5 * port.size[a]);
    if (last - first < 2)
      throw Error(fmt::format("{}: size = {} along {}: has {} cell{} of the grid; it must have two at least",
                              name_of_port(port), port.size[a], "xyz"[a], last - first, last - first == 1 ? "" : "s"));
    if (port.type == physics::Port::Type::mode) check_beside_layers(setup, port, a, first, last);
    for (const int end : {0, 1})
      s.on_magnetic_wall[w][end] = (end == 0 ? first == 0 : last == setup.grid.cells(a)) &&
                                   setup.sides[std::size_t(2 * a + end)] == physics::BoundaryKind::pmc;
    s.first[w] = first;
    const auto nodes = setup.grid.nodes(a);
    s.at[w].assign(nodes.begin() + first, nodes.begin() + last + 1);
  }
  return s;
}

// Relative permittivities in a plane of nodes, as CrossSection::permittivities; in numbers, for a sum over ranks, and
// after them the number of lossy or dispersive components.
template <class Real>
std::vector<double> permittivities_of(const Discretisation<Real>& d, const ElectricCb<Real>& media,
                                      const CrossSection& s, std::int64_t node, const parallel::Communicator& comm) {
  const std::size_t n = s.numbers();
  std::vector<double> all(3 * n + 1, 0);
  const int components[3] = {s.axes[0], s.axes[1], s.normal};
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i) {
      std::int64_t global[3];
      global[s.normal] = node, global[s.axes[0]] = s.first[0] + i, global[s.axes[1]] = s.first[1] + j;
      int at[3];
      bool here = true;  // one rank has the component
      for (int a = 0; a < 3; ++a) {
        at[a] = static_cast<int>(global[a] - d.block.first[a]);
        here = here && at[a] >= 0 && at[a] < d.layout.cells[a];
      }
      if (!here) continue;
      const auto number = static_cast<std::size_t>(s.number(i, j));
      for (int w = 0; w < 3; ++w) {
        const int component = components[w];
        if (w < 2 && (w == 0 ? i : j) + 1 == s.nodes(w)) continue;
        if (d.is_zero(true, component, at[0], at[1], at[2])) continue;
        const double Cb = media.Cb(component, at[0], at[1], at[2]);
        if (Cb == 0) continue;
        if (media.is_dispersive(component, at[0], at[1], at[2]) ||
            media.conductivity(component, at[0], at[1], at[2]) != 0)
          all[3 * n] += 1;
        all[std::size_t(w) * n + number] = speed_of_light * d.time_step / Cb;
      }
    }
  return comm.sum(std::move(all));
}

// Visits the edges along the rim, in the order of numbers.
template <class Visit>
void for_rim_edges(const CrossSection& s, const Visit& visit) {  // visit(axis, i, j)
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i) {
      if (i + 1 < s.nodes(0) && (j == 0 || j + 1 == s.nodes(1))) visit(0, i, j);
      if (j + 1 < s.nodes(1) && (i == 0 || i + 1 == s.nodes(0))) visit(1, i, j);
    }
}

void check_rim(const CrossSection& s, const physics::Port& port) {
  for_rim_edges(s, [&](int w, int i, int j) {
    if (!s.is_free[w][std::size_t(s.number(i, j))]) return;
    Vec3 x;
    x[s.normal] = port.centre[s.normal];
    x[s.axes[0]] = s.at[0][std::size_t(i)], x[s.axes[1]] = s.at[1][std::size_t(j)];
    x[s.axes[w]] += 0.5 * s.length(w, w == 0 ? i : j);
    throw Error(
        fmt::format("{}: its rim at {:.6g} {:.6g} {:.6g} m is not in a perfect conductor; the size must be "
                    "that of a guide with walls of metal (a side of type pec, or a body)",
                    name_of_port(port), x.x, x.y, x.z));
  });
}

// Where an edge in metal ends at a node at which E along the guide is free, a wave has that component, too: its modes
// are neither TE nor TM nor TEM. Round and slanted surfaces are such stairs.
void check_surfaces(const CrossSection& s, const physics::Port& port) {
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i)
      for (const int w : {0, 1}) {
        if ((w == 0 ? i : j) + 1 == s.nodes(w) || s.is_free[w][std::size_t(s.number(i, j))]) continue;
        for (const int end : {0, 1}) {
          const int ei = w == 0 ? i + end : i, ej = w == 1 ? j + end : j;
          if (!s.node_is_free[std::size_t(s.number(ei, ej))]) continue;
          Vec3 x;
          x[s.normal] = port.centre[s.normal];
          x[s.axes[0]] = s.at[0][std::size_t(ei)], x[s.axes[1]] = s.at[1][std::size_t(ej)];
          throw Error(
              fmt::format("{}: the surface of its conductors at {:.6g} {:.6g} {:.6g} m is not on lines of the "
                          "grid; types waveguide and coax need conductors with faces on them, such as boxes",
                          name_of_port(port), x.x, x.y, x.z));
        }
      }
}

}  // namespace

std::string name_of_port(const physics::Port& port) { return fmt::format("{}: port.{}", port.origin, port.name); }

namespace {

constexpr double rounding_of_media = 1e-5;  // of coefficients in single precision

// One medium along free edges, as types waveguide and coax need it.
void set_one_medium(CrossSection& s, const physics::Port& port, bool lossy) {
  double least = 0, most = 0;
  for (const int w : {0, 1})
    for (const double permittivity : s.permittivities[w]) {
      if (permittivity == 0) continue;
      least = least == 0 ? permittivity : std::min(least, permittivity);
      most = std::max(most, permittivity);
    }
  if (lossy || most - least > rounding_of_media * most)
    throw Error(
        fmt::format("{}: its cross-section has {}; types waveguide and coax need one material without losses and poles",
                    name_of_port(port),
                    lossy ? std::string("a lossy or dispersive material")
                          : fmt::format("relative permittivities from {:.4g} to {:.4g}", least, most)));
  s.permittivity = most;
}

// The mode is that of a guide that goes on as it is: also on the nodes beside the plane, where waves are measured.
void check_neighbour(const CrossSection& s, const std::vector<double>& beside, std::int64_t node,
                     const physics::Port& port) {
  const std::size_t n = s.numbers();
  for (std::size_t w = 0; w < 3; ++w)
    for (std::size_t at = 0; at < n; ++at) {
      const double here = s.permittivities[w][at], there = beside[w * n + at];
      if (std::abs(here - there) <= rounding_of_media * std::max(here, there)) continue;
      const auto text = [](double permittivity) {
        return permittivity == 0 ? std::string("metal") : fmt::format("{:.4g}", permittivity);
      };
      throw Error(
          fmt::format("{}: its guide must be the same a cell behind the plane and ahead of it; relative "
                      "permittivity at {} = {:.6g} m, {} = {:.6g} m: {} in the plane, {} a cell {}",
                      name_of_port(port), "xyz"[s.axes[0]], s.at[0][at % s.at[0].size()], "xyz"[s.axes[1]],
                      s.at[1][at / s.at[0].size()], text(here), text(there),
                      (node > s.node) == (port.direction[s.normal] > 0) ? "ahead" : "behind"));
    }
}

}  // namespace

template <class Real>
CrossSection cross_section(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Port& port,
                           const parallel::Communicator& comm) {
  CrossSection s = empty_section(setup, port);
  const bool is_of_media = port.type == physics::Port::Type::mode;
  s.permeability = setup.materials.front().permeability;
  for (const physics::Medium& m : setup.materials)
    if (m.permeability != s.permeability || m.magnetic_conductivity != 0)
      throw Error(fmt::format("{}: ports of type waveguide, coax and mode need materials of one mu_r, without losses",
                              name_of_port(port)));
  const ElectricCb media(d);
  const auto all = permittivities_of(d, media, s, s.node, comm);
  const std::size_t n = s.numbers();
  for (std::size_t w = 0; w < 3; ++w)
    s.permittivities[w].assign(all.begin() + std::ptrdiff_t(w * n), all.begin() + std::ptrdiff_t((w + 1) * n));
  const auto free_of = [](const std::vector<double>& permittivities) {
    std::vector<char> free(permittivities.size());
    std::transform(permittivities.begin(), permittivities.end(), free.begin(), [](double p) { return p > 0 ? 1 : 0; });
    return free;
  };
  for (const std::size_t w : {0, 1}) s.is_free[w] = free_of(s.permittivities[w]);
  s.node_is_free = free_of(s.permittivities[2]);
  const auto any = [](const std::vector<char>& free) { return std::find(free.begin(), free.end(), 1) != free.end(); };
  if (!any(s.is_free[0]) && !any(s.is_free[1]))
    throw Error(fmt::format("{}: all of its plane is in perfect conductors", name_of_port(port)));
  const bool lossy = all[3 * n] > 0;
  if (!is_of_media) {
    check_rim(s, port);
    check_surfaces(s, port);
    set_one_medium(s, port, lossy);
    return s;
  }
  if (lossy)
    throw Error(
        fmt::format("{}: its cross-section has a conductive or dispersive material; type mode needs materials "
                    "without losses and poles, and perfect conductors",
                    name_of_port(port)));
  for (const std::int64_t node : {s.node - 1, s.node + 1})
    check_neighbour(s, permittivities_of(d, media, s, node, comm), node, port);
  return s;
}

template CrossSection cross_section<float>(const grid::Setup&, const Discretisation<float>&, const physics::Port&,
                                           const parallel::Communicator&);
template CrossSection cross_section<double>(const grid::Setup&, const Discretisation<double>&, const physics::Port&,
                                            const parallel::Communicator&);

}  // namespace dgtd::fdtd
