#include "port_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dgtd/dg/element_geometry.hpp"
#include "curved_metric.hpp"
#include "face_wall.hpp"
#include "port_error.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

namespace {

// The rectangle of a port.
struct PortRectangle {
  int normal = 0, along = 0, across = 0;  // axes
  double length = 0, width = 0;           // m
  Vec3 centre, size;
  double tolerance = 0;  // m

  bool has(const Vec3& x) const {
    for (int a = 0; a < 3; ++a)
      if (std::abs(x[a] - centre[a]) > 0.5 * size[a] + tolerance) return false;
    return true;
  }
};

PortRectangle rectangle_of(const physics::Port& port) {
  PortRectangle r;
  r.centre = port.centre, r.size = port.size;
  for (int a = 0; a < 3; ++a)
    if (port.direction[a] != 0) r.along = a;
  const int others[2] = {(r.along + 1) % 3, (r.along + 2) % 3};
  if (port.size[r.along] == 0)
    refuse_port(port,
                fmt::format("size: along {}, its direction, it must be the distance between the conductors, and it "
                            "is 0",
                            "xyz"[r.along]));
  if ((port.size[others[0]] == 0) == (port.size[others[1]] == 0))
    refuse_port(port, fmt::format("size: on tetrahedra a port is a rectangle of faces: of its size along {} and {}, "
                                  "across its direction, one must be 0 and the other the width",
                                  "xyz"[others[0]], "xyz"[others[1]]));
  r.normal = port.size[others[0]] == 0 ? others[0] : others[1];
  r.across = port.size[others[0]] == 0 ? others[1] : others[0];
  r.length = port.size[r.along], r.width = port.size[r.across];
  constexpr double rounding = 1e-6;  // of the rectangle, and of coordinates in files of single precision
  r.tolerance = rounding * (std::min(r.length, r.width) + 0.1 * norm(port.centre));
  return r;
}

PortFace port_face(const mesh::Subdomain& mesh, std::size_t e, int f) {
  const bool boundary = mesh.element_faces[e][static_cast<std::size_t>(f)].kind == Kind::boundary;
  const ElementGeometry element(mesh, e);
  Vec3 centre;
  for (int v = 0; v < 4; ++v)
    if (v != f) centre += (1.0 / 3) * element.vertices[static_cast<std::size_t>(v)];
  return {static_cast<std::uint32_t>(e), f, centre, FaceGeometry(element, f).area, boundary ? 1.0 : 0.5};
}

// of_corner(e, v): whether a corner is one of the port's; of_face(e, f): whether a face of three such corners is.
template <class OfCorner, class OfFace>
std::vector<PortFace> faces_of_corners(const mesh::Subdomain& mesh, const OfCorner& of_corner, const OfFace& of_face) {
  std::vector<PortFace> faces;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    bool inside[4];
    int corners = 0;
    for (int v = 0; v < 4; ++v) corners += inside[v] = of_corner(e, v);
    if (corners < 3) continue;
    for (int f = 0; f < 4; ++f)
      if (corners - inside[f] == 3 && of_face(e, f)) faces.push_back(port_face(mesh, e, f));
  }
  return faces;
}

std::vector<PortFace> faces_in(const mesh::Subdomain& mesh, const PortRectangle& r) {
  return faces_of_corners(
      mesh, [&](std::size_t e, int v) { return r.has(mesh.vertex(e, v)); }, [](std::size_t, int) { return true; });
}

using Corners = std::array<std::int64_t, 3>;

Corners corners_of(const mesh::Subdomain& mesh, std::size_t e, int f) {
  Corners corners{};
  std::size_t i = 0;
  for (std::size_t v = 0; v < 4; ++v)
    if (static_cast<int>(v) != f) corners[i++] = mesh.vertex_id[mesh.element_vertices[e][v]];
  return corners;
}

// Null: the mesh has no faces of that name between elements.
const mesh::InnerSurface* surface_of(const mesh::Subdomain& mesh, const physics::Port& port) {
  for (const mesh::InnerSurface& surface : mesh.inner_surfaces)
    if (surface.name == port.faces) return &surface;
  return nullptr;
}

std::vector<PortFace> faces_of(const mesh::Subdomain& mesh, const mesh::InnerSurface& surface) {
  std::vector<std::int64_t> vertices;
  for (const Corners& face : surface.faces) vertices.insert(vertices.end(), face.begin(), face.end());
  std::sort(vertices.begin(), vertices.end());
  return faces_of_corners(
      mesh,
      [&](std::size_t e, int v) {
        return std::binary_search(vertices.begin(), vertices.end(),
                                  mesh.vertex_id[mesh.element_vertices[e][static_cast<std::size_t>(v)]]);
      },
      [&](std::size_t e, int f) {
        return std::binary_search(surface.faces.begin(), surface.faces.end(), corners_of(mesh, e, f));
      });
}

// Why a face cannot be one of a port; the order of the messages.
enum class Unfit { fits, wall, layer, dispersive, curved };

template <class Real>
Unfit unfit(const Discretisation<Real>& d, const PortFace& f) {
  if (f.share == 1 && !is_wall(d, HalfStep::electric, f.element, f.face)) return Unfit::wall;
  if (d.is_in_layer(f.element)) return Unfit::layer;
  if (has_curved_metric(d, d.slot_of_element[f.element])) return Unfit::curved;
  return d.material_of(f.element).poles.empty() ? Unfit::fits : Unfit::dispersive;
}

// Throws Error on all ranks where one has a face that is wrong: why is below 0 where none is, else its number.
// Collective.
template <class Text>
void refuse_worst(const physics::Port& port, std::int64_t why, const Vec3& place, const Text& text,
                  const parallel::Communicator& comm) {
  const std::int64_t of_all = comm.max(why);
  if (of_all < 0) return;
  constexpr double nowhere = std::numeric_limits<double>::lowest();
  const auto at = comm.max(why == of_all ? std::vector<double>{place.x, place.y, place.z} : std::vector(3, nowhere));
  const char* const what = port.faces.empty() ? "rectangle" : "group";
  refuse_port(
      port, fmt::format("a face of its {}, near {:.6g} {:.6g} {:.6g} m, {}", what, at[0], at[1], at[2], text(of_all)));
}

// Collective.
template <class Real>
void check_media(const Discretisation<Real>& d, const physics::Port& port, const std::vector<PortFace>& faces,
                 const parallel::Communicator& comm) {
  Unfit worst = Unfit::fits;
  Vec3 place;
  for (const PortFace& f : faces)
    if (const Unfit why = unfit(d, f); why > worst) worst = why, place = f.centre;
  const auto text = [](std::int64_t number) -> std::string {
    const auto why = static_cast<Unfit>(number);
    if (why == Unfit::curved)
      return "is of an element with a metric at each point (mesh.curved = full); mesh.curved = mean or off fits";
    const char* const is = why == Unfit::wall    ? "is on a boundary that is not of type pmc"
                           : why == Unfit::layer ? "is in an absorbing layer"
                                                 : "is in a dispersive medium";
    return fmt::format("{}; it must be inside of media without poles, or on a boundary of type pmc", is);
  };
  refuse_worst(port, worst == Unfit::fits ? -1 : static_cast<std::int64_t>(worst), place, text, comm);
}

// Collective.
void check_coverage(const physics::Port& port, const PortRectangle& r, const std::vector<PortFace>& faces,
                    const parallel::Communicator& comm) {
  double covered = 0;
  for (const PortFace& f : faces) covered += f.share * f.area;
  covered = comm.sum(covered) / (r.length * r.width);
  constexpr double rounding = 1e-5;
  if (covered == 0)
    refuse_port(port,
                "the mesh has no face between elements in its rectangle of centre and size; such faces must fill it");
  if (std::abs(covered - 1) > rounding)
    refuse_port(port,
                fmt::format("faces of the mesh fill {:.4g} % of its rectangle of centre and size; they must fill all "
                            "of it, and both sides of it must be in the mesh or one of type pmc",
                            100 * covered));
}

// Collective.
void check_directions(const mesh::Subdomain& mesh, const physics::Port& port, const std::vector<PortFace>& faces,
                      const parallel::Communicator& comm) {
  enum Wrong : std::int64_t { none = -1, across, curved };
  Wrong worst = none;
  Vec3 place;
  for (const PortFace& f : faces) {
    const ElementGeometry element(mesh, f.element);
    Wrong why = none;
    if (std::abs(dot(FaceGeometry(element, f.face).normal, port.direction)) > 1e-4) why = across;
    for (std::size_t i = 0; element.curved != nullptr && i < mesh::edge_corners.size(); ++i) {
      const auto [a, b] = mesh::edge_corners[i];
      if (static_cast<int>(a) != f.face && static_cast<int>(b) != f.face && norm(element.curved->bend[i]) > 0)
        why = curved;
    }
    if (why > worst) worst = why, place = f.centre;
  }
  refuse_worst(
      port, worst, place,
      [](std::int64_t why) {
        return std::string(why == across ? "is not along its direction; all faces of the group must be"
                                         : "has a curved edge; mesh.curved = off makes it straight");
      },
      comm);
}

// The area of a group over its extent along the port's direction, m. The same bits on any ranks. Collective.
double width_of(const physics::Port& port, const mesh::InnerSurface& surface, const mesh::Subdomain& mesh,
                const std::vector<PortFace>& faces, const parallel::Communicator& comm) {
  std::vector<double> areas(surface.faces.size());  // [faces]
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (const PortFace& f : faces) {
    const auto found =
        std::lower_bound(surface.faces.begin(), surface.faces.end(), corners_of(mesh, f.element, f.face));
    double& area = areas[static_cast<std::size_t>(found - surface.faces.begin())];
    area = std::max(area, f.area);
    for (int v = 0; v < 4; ++v) {
      if (v == f.face) continue;
      const double along = dot(mesh.vertex(f.element, v), port.direction);
      low = std::min(low, along), high = std::max(high, along);
    }
  }
  areas = comm.max(std::move(areas));
  double area = 0;
  for (const double one : areas) area += one;
  return area / (comm.max(high) - comm.min(low));
}

}  // namespace

std::vector<PortFace> faces_of_port(const mesh::Subdomain& mesh, const physics::Port& port) {
  if (port.faces.empty()) return faces_in(mesh, rectangle_of(port));
  const mesh::InnerSurface* const surface = surface_of(mesh, port);
  return surface == nullptr ? std::vector<PortFace>() : faces_of(mesh, *surface);
}

template <class Real>
double checked_width(const Discretisation<Real>& d, const physics::Port& port, const std::vector<PortFace>& faces,
                     const parallel::Communicator& comm) {
  if (port.faces.empty()) {
    const PortRectangle r = rectangle_of(port);
    check_coverage(port, r, faces, comm);
    check_media(d, port, faces, comm);
    return r.width;
  }
  const mesh::InnerSurface* const surface = surface_of(d.mesh, port);
  if (surface == nullptr)
    refuse_port(port, fmt::format("faces: the mesh has no inner surface '{}'; meshes of files have those of ports",
                                  port.faces));
  check_directions(d.mesh, port, faces, comm);
  check_media(d, port, faces, comm);
  return width_of(port, *surface, d.mesh, faces, comm);
}

template double checked_width(const Discretisation<float>&, const physics::Port&, const std::vector<PortFace>&,
                              const parallel::Communicator&);
template double checked_width(const Discretisation<double>&, const physics::Port&, const std::vector<PortFace>&,
                              const parallel::Communicator&);

}  // namespace dgtd::dg
