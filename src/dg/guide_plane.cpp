#include "guide_plane.hpp"

#include <algorithm>
#include <cmath>

#include "face_wall.hpp"
#include "port_error.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

GuidePlane::GuidePlane(const physics::Port& of) : port(of) {
  for (int a = 0; a < 3; ++a)
    if (port.direction[a] != 0) normal = a;
  axes = {(normal + 1) % 3, (normal + 2) % 3};
  way = port.direction[normal] > 0 ? 1 : -1;
  constexpr double rounding = 1e-6;  // of the plane, and of coordinates in files of single precision
  tolerance = rounding * (std::min(port.size[axes[0]], port.size[axes[1]]) + 0.1 * norm(port.centre));
}

bool GuidePlane::has(const Vec3& x) const {
  for (int a = 0; a < 3; ++a)
    if (std::abs(x[a] - port.centre[a]) > 0.5 * port.size[a] + tolerance) return false;
  return true;
}

template <class Real>
SourceSurface surface_of(const Discretisation<Real>& d, const GuidePlane& plane, bool one_medium,
                         const parallel::Communicator& comm) {
  PlaneRequest request{{plane.normal, plane.port.centre[plane.normal], plane.way < 0},
                       [&](const std::array<Vec3, 3>& corners) {
                         return plane.has(corners[0]) && plane.has(corners[1]) && plane.has(corners[2]);
                       }};
  request.one_medium = one_medium;
  SourceSurface surface = plane_surface(d, {name_of(plane.port), {}}, request, comm);
  if (surface.faces == 0)
    refuse_port(plane.port, fmt::format("the mesh has no faces between elements at {} = {} m inside of its size; "
                                        "mesh.generator = shapes makes them, and a box has them between its cubes",
                                        "xyz"[plane.normal], plane.port.centre[plane.normal]));
  const bool of_media = plane.port.type == physics::Port::Type::mode;
  std::int64_t without_metric = 0, curved_faces = 0;
  for (const auto& side : surface.sides) {
    if (d.mesh.curved_element(side.element) == nullptr) continue;
    without_metric += !d.is_curved(side.element);
    curved_faces += of_media && !triangle_of(d, plane, side).is_straight();
  }
  if (comm.sum(without_metric) > 0)
    refuse_port(plane.port, "elements at its plane have curved edges; mesh.curved = full or off is needed");
  if (comm.sum(curved_faces) > 0)
    refuse_port(plane.port, "faces in its plane have curved edges, and type = mode needs straight ones; mesh.curved = off "
                            "makes them so");
  return surface;
}

template <class Real>
SectionTriangle triangle_of(const Discretisation<Real>& d, const GuidePlane& plane, const SourceSurface::Side& side) {
  SectionTriangle t;
  t.number = 4 * d.mesh.element_id[side.element] + side.face;
  for (std::size_t i = 0; i < 3; ++i) {
    const int corner = face_vertices[side.face][i];
    t.corners[i] = d.mesh.vertex_id[d.mesh.element_vertices[side.element][static_cast<std::size_t>(corner)]];
    for (std::size_t w = 0; w < 2; ++w) t.at[i][w] = d.mesh.vertex(side.element, corner)[plane.axes[w]];
  }
  if (const mesh::CurvedElement* const curved = d.mesh.curved_element(side.element))
    for (std::size_t e = 0; e < 6; ++e) {  // edges of the element in the order 01, 02, 03, 12, 13, 23
      const auto [i, j] = mesh::edge_corners[e];
      if (i == side.face || j == side.face) continue;
      const std::size_t first = std::size_t(i - (i > side.face)), second = std::size_t(j - (j > side.face));
      for (std::size_t w = 0; w < 2; ++w) t.bend[first + second - 1][w] = curved->bend[e][plane.axes[w]];
    }
  return t;
}

template <class Real>
std::vector<SectionEdge> walls_of(const Discretisation<Real>& d, const GuidePlane& plane, HalfStep updated) {
  std::vector<SectionEdge> walls;
  for (std::size_t e = 0; e < d.mesh.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      if (d.mesh.element_faces[e][f].kind != Kind::boundary) continue;
      std::vector<std::int64_t> in_plane;
      for (int i = 0; i < 3; ++i)
        if (const int corner = face_vertices[f][i]; plane.has(d.mesh.vertex(e, corner)))
          in_plane.push_back(d.mesh.vertex_id[d.mesh.element_vertices[e][static_cast<std::size_t>(corner)]]);
      if (in_plane.size() == 2 && is_wall(d, updated, static_cast<std::uint32_t>(e), f))
        walls.push_back({in_plane[0], in_plane[1]});
    }
  return walls;
}

template SourceSurface surface_of(const Discretisation<float>&, const GuidePlane&, bool, const parallel::Communicator&);
template SourceSurface surface_of(const Discretisation<double>&, const GuidePlane&, bool, const parallel::Communicator&);
template SectionTriangle triangle_of(const Discretisation<float>&, const GuidePlane&, const SourceSurface::Side&);
template SectionTriangle triangle_of(const Discretisation<double>&, const GuidePlane&, const SourceSurface::Side&);
template std::vector<SectionEdge> walls_of(const Discretisation<float>&, const GuidePlane&, HalfStep);
template std::vector<SectionEdge> walls_of(const Discretisation<double>&, const GuidePlane&, HalfStep);

}  // namespace dgtd::dg
