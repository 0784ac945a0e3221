#include "dgtd/fdtd/flux.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::fdtd {

namespace {

template <class Real>
void add_face(const Discretisation<Real>& d, const NodeBox& box, int b, std::int64_t node, double sign,
              FluxSurface& to) {
  const int a = (b + 2) % 3, c = (b + 1) % 3;
  const std::int64_t local_node = node - d.block.first[b];
  if (local_node < 0 || local_node >= d.layout.cells[b]) return;
  const auto &first = box.first, &last = box.last;
  for (const auto& [w, u] : {std::pair{c, a}, std::pair{a, c}})  // E along w, H along u
    // The lower axis inside: samples in the order of memory are read some times faster.
    for (std::int64_t outer = first[std::max(w, u)]; outer <= last[std::max(w, u)]; ++outer)
      for (std::int64_t inner = first[std::min(w, u)]; inner <= last[std::min(w, u)]; ++inner) {
        const std::int64_t iw = w < u ? inner : outer, iu = w < u ? outer : inner;
        if (iw == last[w]) continue;
        int at[3];
        at[w] = static_cast<int>(iw - d.block.first[w]), at[u] = static_cast<int>(iu - d.block.first[u]),
        at[b] = static_cast<int>(local_node);
        if (at[w] < 0 || at[w] >= d.layout.cells[w] || at[u] < 0 || at[u] >= d.layout.cells[u]) continue;
        const auto& nodes = d.nodes[u];
        // Half a cell at the face's rim; all round a periodic axis there is none, and the last node is the first.
        const bool round = d.periodic[u] && first[u] == 0 && last[u] == d.grid.cells(u);
        double across = 0;
        if (iu > first[u] || round) across += 0.5 * (nodes[at[u] + 1] - nodes[at[u]]);
        if (iu < last[u]) across += 0.5 * (nodes[at[u] + 2] - nodes[at[u] + 1]);
        const double along = d.nodes[w][at[w] + 2] - d.nodes[w][at[w] + 1];
        const double x = d.nodes[b][at[b] + 1], below = d.centres[b][at[b]], above = d.centres[b][at[b] + 1];
        const std::int64_t n = d.layout.index(at[0], at[1], at[2]);
        to.samples.electric.push_back(static_cast<std::uint64_t>(w * d.layout.reals + n));
        to.samples.magnetic_above.push_back(static_cast<std::uint64_t>(u * d.layout.reals + n));
        to.samples.magnetic_below.push_back(static_cast<std::uint64_t>(u * d.layout.reals + n - d.layout.stride(b)));
        to.samples.weight_below.push_back((above - x) / (above - below));
        Vec3 place;
        place[w] = d.centres[w][at[w] + 1], place[u] = d.nodes[u][at[u] + 1], place[b] = x;
        to.pairs.position.push_back(place);
        to.pairs.electric_axis.push_back(static_cast<std::uint8_t>(w));
        to.pairs.magnetic_axis.push_back(static_cast<std::uint8_t>(u));
        to.pairs.area.push_back(sign * (w == c ? 1 : -1) * along * across);
      }
}

}  // namespace

template <class Real>
FluxSurface flux_surface(const Discretisation<Real>& d, const physics::Flux& flux) {
  NodeBox box;
  for (int a = 0; a < 3; ++a) {
    box.first[a] = d.grid.nearest_node(a, flux.centre[a] - 0.5 * flux.size[a]);
    box.last[a] = d.grid.nearest_node(a, flux.centre[a] + 0.5 * flux.size[a]);
  }
  const bool plane = flux.type == physics::Flux::Type::plane;
  for (int a = 0; a < 3; ++a)
    if (box.first[a] >= box.last[a] && !(plane && flux.size[a] == 0))
      throw Error(fmt::format("{}: flux.{}: lies outside the grid, or is thinner than a cell", flux.origin, flux.name));
  FluxSurface surface;
  bool any = false;
  for (int b = 0; b < 3; ++b) {
    if (plane && flux.size[b] != 0) continue;
    for (const bool upper : {false, true}) {
      const std::int64_t node = upper ? box.last[b] : box.first[b];
      if ((plane && !upper) || node <= 0 || node >= d.grid.cells(b)) continue;
      any = true;
      add_face(d, box, b, node, upper ? 1 : -1, surface);
    }
  }
  if (!any)
    throw Error(fmt::format("{}: flux.{}: all its faces lie on the grid's end or outside", flux.origin, flux.name));
  return surface;
}

template <class Real>
std::array<FluxSurface, 6> box_faces(const Discretisation<Real>& d, const NodeBox& box) {
  std::array<FluxSurface, 6> faces;
#pragma omp parallel for schedule(dynamic)
  for (int face = 0; face < 6; ++face) {
    const int b = face / 2;
    const bool upper = face % 2 == 1;
    const std::int64_t node = upper ? box.last[b] : box.first[b];
    if (node > 0 && node < d.grid.cells(b))
      add_face(d, box, b, node, upper ? 1 : -1, faces[static_cast<std::size_t>(face)]);
  }
  return faces;
}

template FluxSurface flux_surface<float>(const Discretisation<float>&, const physics::Flux&);
template FluxSurface flux_surface<double>(const Discretisation<double>&, const physics::Flux&);
template std::array<FluxSurface, 6> box_faces<float>(const Discretisation<float>&, const NodeBox&);
template std::array<FluxSurface, 6> box_faces<double>(const Discretisation<double>&, const NodeBox&);

}  // namespace dgtd::fdtd
