// Points, faces and amplitudes of a mesh for views in three dimensions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "beside.hpp"
#include "dgtd/base/uninitialised.hpp"
#include "dgtd/observers/lattice_hits.hpp"
#include "dgtd/observers/mesh_view.hpp"
#include "dgtd/parallel/in_order.hpp"

namespace dgtd::observers {

std::vector<PixelHit> MeshView::lattice(const std::array<std::vector<double>, 3>& x) const {
  const auto found = find_lattice_hits(mesh_, x);
  std::vector<PixelHit> hits(found.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < found.size(); ++i) {
    const LatticeHit& h = found[i];
    hits[i] = {static_cast<std::int32_t>(h.point), mesh_.element_group[h.element], mesh_.element_id[h.element],
               h.element, 0};
  }
  return hits;
}

// Boundary surfaces follow the volume groups.
std::vector<RegionFace> MeshView::faces(const std::vector<bool>& of_regions) const {
  using Kind = mesh::FaceLink::Kind;
  return parallel::collect_in_order<RegionFace>(mesh_.elements(), [&](std::size_t e, std::deque<RegionFace>& faces) {
    const std::uint16_t group = mesh_.element_group[e];
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = mesh_.element_faces[e][f];
      const bool ends = !has_neighbour_beside(mesh_, e, f) || mesh_.element_group[link.index] != group;
      const std::size_t surface = mesh_.volume_names.size() + link.index;  // of a boundary
      const bool is_wall = link.kind == Kind::boundary && surface < of_regions.size() && of_regions[surface];
      if (!is_wall && !(ends && of_regions[group])) continue;
      RegionFace face;
      for (int v = 0, corner = 0; v < 4; ++v) {
        if (v == f) continue;
        const std::uint32_t vertex = mesh_.element_vertices[e][v];
        face.corner_id[corner] = mesh_.vertex_id[vertex];
        for (int a = 0; a < 3; ++a) face.corner[corner][a] = static_cast<float>(mesh_.vertices[vertex][a]);
        ++corner;
      }
      face.is_between_ranks = link.kind == Kind::halo;
      face.place = e;
      face.region = static_cast<std::int32_t>(surface);
      if (is_wall) faces.push_back(face);
      face.region = group;
      if (of_regions[group]) faces.push_back(face);
    }
  });
}

// Elements are sampled in stored order.
std::vector<float> MeshView::amplitudes(std::span<const std::size_t> places) const {
  using solver::Quantity;
  std::vector<std::uint8_t> chosen(mesh_.elements(), 0);
  for (const std::size_t e : places) chosen[e] = 1;
  const auto stored = solver_.stored_order();
  const auto elements =
      parallel::collect_in_order<std::uint32_t>(stored.size(), [&](std::size_t i, std::deque<std::uint32_t>& list) {
        if (chosen[stored[i]] != 0) list.push_back(stored[i]);
      });
  std::vector<double> values(3 * elements.size());
  UninitialisedVector<float> squares(mesh_.elements());  // of the chosen ones
  for (const auto part : {Quantity::Part::real, Quantity::Part::imaginary}) {
    solver_.sample({Quantity::Field::electric, part, 0}, {{0.25, 0.25, 0.25, 0.25}}, elements, values.data());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < elements.size(); ++i) {
      float& square = squares[elements[i]];
      if (part == Quantity::Part::real) square = 0;
      for (std::size_t a = 0; a < 3; ++a) square += static_cast<float>(values[3 * i + a] * values[3 * i + a]);
    }
  }
  std::vector<float> result(places.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places.size(); ++i) result[i] = std::sqrt(squares[places[i]]);
  return result;
}

// Cubes that fill the box.
std::array<std::vector<double>, 3> DomainView::voxel_nodes(const std::array<Vec3, 2>& box, double most) const {
  const Vec3 size = box[1] - box[0];
  std::array<std::vector<double>, 3> nodes;
  double edge = std::cbrt(size.x * size.y * size.z / most);
  const auto count = [&](int a) { return std::max(1.0, std::ceil(size[a] / edge)); };
  while (edge > 0 && count(0) * count(1) * count(2) > most) edge *= 1.01;
  for (int a = 0; a < 3; ++a) {
    const auto n = edge > 0 ? static_cast<int>(count(a)) : 1;
    for (int i = 0; i <= n; ++i) nodes[a].push_back(box[0][a] + size[a] * i / n);
  }
  return nodes;
}

}  // namespace dgtd::observers
