#include "dgtd/mesh/two_copies.hpp"

#include "mesh/generate/layer_bounds.hpp"

namespace dgtd::mesh {

Bounds bounds_of(const Subdomain& mesh, const parallel::Communicator& comm) {
  BoxBounds bounds;
  for (const Vec3& v : mesh.vertices) bounds.include(v);
  for (int axis = 0; axis < 3; ++axis) {
    bounds.low[axis] = comm.min(bounds.low[axis]);
    bounds.high[axis] = comm.max(bounds.high[axis]);
  }
  return {bounds.low, bounds.high};
}

std::vector<PeriodicFace> periodic_faces(const Subdomain& mesh, const std::array<bool, 3>& axes,
                                         const parallel::Communicator& comm) {
  const auto [low, high] = bounds_of(mesh, comm);
  const BoxBounds bounds{low, high};
  std::vector<PeriodicFace> faces;
  for (std::uint32_t e = 0; e < mesh.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      if (mesh.element_faces[e][static_cast<std::size_t>(f)].kind == FaceLink::Kind::boundary) continue;
      for (const BoxSide side : box_sides) {
        if (!axes[static_cast<std::size_t>(side.axis)]) continue;
        bool on_side = true;
        for (int c = 0; c < 4; ++c) on_side = on_side && (c == f || bounds.on(side, mesh.vertex(e, c)));
        if (on_side)
          faces.push_back({e, static_cast<std::uint8_t>(f), static_cast<std::uint8_t>(side.axis), side.high});
      }
    }
  return faces;
}

Subdomain two_copies(const Subdomain& mesh) {
  Subdomain twice = mesh;
  const auto elements = static_cast<std::uint32_t>(mesh.elements());
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(twice.element_vertices, mesh.element_vertices);
  append(twice.element_group, mesh.element_group);
  append(twice.curvature, mesh.curvature);
  for (const std::uint32_t e : mesh.curved) twice.curved.push_back(e + elements);
  append(twice.element_faces, mesh.element_faces);
  for (const std::int64_t id : mesh.element_id) twice.element_id.push_back(id + mesh.global_elements);
  twice.global_elements = 2 * mesh.global_elements;
  twice.copies = 2;

  // Halo faces towards a rank: those of the first copies, then those of the second ones.
  twice.halo_faces.clear();
  std::array<std::vector<std::uint32_t>, 2> place;  // [copy][halo faces of the mesh]
  for (auto& of_copy : place) of_copy.resize(mesh.halo_faces.size());
  for (std::size_t n = 0; n < mesh.halo_neighbours.size(); ++n) {
    const HaloNeighbour& from = mesh.halo_neighbours[n];
    twice.halo_neighbours[n] = {from.rank, static_cast<std::uint32_t>(twice.halo_faces.size()), 2 * from.count};
    for (std::uint32_t copy = 0; copy < 2; ++copy)
      for (std::uint32_t i = from.first; i < from.first + from.count; ++i) {
        place[copy][i] = static_cast<std::uint32_t>(twice.halo_faces.size());
        twice.halo_faces.push_back({mesh.halo_faces[i].element + copy * elements, mesh.halo_faces[i].face});
      }
  }
  for (std::uint32_t e = 0; e < 2 * elements; ++e)
    for (FaceLink& link : twice.element_faces[e]) {
      const std::uint32_t copy = e < elements ? 0 : 1;
      if (link.kind == FaceLink::Kind::element) link.index += copy * elements;
      if (link.kind == FaceLink::Kind::halo) link.index = place[copy][link.index];
    }
  return twice;
}

}  // namespace dgtd::mesh
