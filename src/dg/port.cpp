#include "dgtd/dg/port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
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

// A face of a port.
struct PortFace {
  std::uint32_t element;  // local
  int face;
  Vec3 centre;   // m
  double area;   // m^2
  double share;  // of the sheet that its element has: 1/2, on a boundary 1
};

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

// Those of this rank.
std::vector<PortFace> faces_of_port(const mesh::Subdomain& mesh, const physics::Port& port) {
  if (port.faces.empty()) return faces_in(mesh, rectangle_of(port));
  const mesh::InnerSurface* const surface = surface_of(mesh, port);
  return surface == nullptr ? std::vector<PortFace>() : faces_of(mesh, *surface);
}

// The strip between two conductors that the faces of a port are.
struct PortStrip {
  double length = 0, width = 0;  // m
};

// Why a face cannot have a circuit; the order of the messages.
enum class Unfit { fits, wall, layer, dispersive };

template <class Real>
Unfit unfit(const Discretisation<Real>& d, const PortFace& f) {
  if (f.share == 1 && !is_wall(d, HalfStep::electric, f.element, f.face)) return Unfit::wall;
  if (d.is_in_layer(f.element)) return Unfit::layer;
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
  const auto text = [](std::int64_t number) {
    const auto why = static_cast<Unfit>(number);
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

// The same bits on any ranks. Collective.
PortStrip strip_of(const physics::Port& port, const mesh::InnerSurface& surface, const mesh::Subdomain& mesh,
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
  PortStrip strip;
  strip.length = comm.max(high) - comm.min(low);
  strip.width = area / strip.length;
  return strip;
}

// Throws Error where the faces of a port cannot have its circuit. Collective.
template <class Real>
PortStrip checked_strip(const Discretisation<Real>& d, const physics::Port& port, const std::vector<PortFace>& faces,
                        const parallel::Communicator& comm) {
  if (port.faces.empty()) {
    const PortRectangle r = rectangle_of(port);
    check_coverage(port, r, faces, comm);
    check_media(d, port, faces, comm);
    return {r.length, r.width};
  }
  const mesh::InnerSurface* const surface = surface_of(d.mesh, port);
  if (surface == nullptr)
    refuse_port(port, fmt::format("faces: the mesh has no inner surface '{}'; meshes of files have those of ports",
                                  port.faces));
  check_directions(d.mesh, port, faces, comm);
  check_media(d, port, faces, comm);
  return strip_of(port, *surface, d.mesh, faces, comm);
}

std::vector<double> product(const std::vector<double>& matrix, const double* vector, int n) {
  std::vector<double> result(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) result[i] += matrix[i * n + j] * vector[j];
  return result;
}

double dot_of(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// [branch][Nf] integrals of the orthonormal polynomials times the basis.
std::vector<double> branch_moments(int order) {
  const int n = triangle_nodes(order);
  const auto mass = triangle_mass_matrix(order), polynomials = orthonormal_on_triangle(order);
  std::vector<double> moments;
  for (int k = 0; k < n; ++k) {
    const auto row = product(mass, polynomials.data() + k * n, n);
    moments.insert(moments.end(), row.begin(), row.end());
  }
  return moments;
}

// [face 4][Np][branch] M^-1 T^t m_k on the reference tetrahedron.
std::vector<double> branch_lift(int order, const std::vector<double>& moments) {
  const int nodes = tetrahedron_nodes(order), n = triangle_nodes(order);
  const auto inverse_mass = inverse(mass_matrix(order), nodes);
  const FaceTraceEntries entries = face_trace_entries(order);
  std::vector<double> lift(std::size_t{4} * nodes * n);
  for (int f = 0; f < 4; ++f)
    for (int i = 0; i < nodes; ++i)
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          lift[(f * nodes + i) * n + k] += inverse_mass[i * nodes + entries.a[f * n + j] % nodes] * moments[k * n + j];
  return lift;
}

// [branch] m_k . T M^-1 T^t m_k, the same on all faces.
std::vector<double> reference_gains(int order, const std::vector<double>& moments, const std::vector<double>& lift) {
  const int nodes = tetrahedron_nodes(order), n = triangle_nodes(order);
  const FaceTraceEntries entries = face_trace_entries(order);
  std::vector<double> gains(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) gains[k] += moments[k * n + j] * lift[(entries.a[j] % nodes) * n + k];
  return gains;
}

}  // namespace

// Gram and Schmidt, twice, of monomials l_1^i l_2^j in the order of their degrees.
std::vector<double> orthonormal_on_triangle(int order) {
  const int n = triangle_nodes(order);
  const auto mass = triangle_mass_matrix(order), interpolation = triangle_interpolation_matrix(order);
  std::vector<double> polynomials;
  for (int degree = 0; degree <= order; ++degree)
    for (int j = 0; j <= degree; ++j) {
      std::vector<double> values(static_cast<std::size_t>(n));
      for (int b2 = 0; b2 <= order; ++b2)
        for (int b1 = 0; b1 + b2 <= order; ++b1)
          values[triangle_index({order - b1 - b2, b1, b2})] =
              std::pow(double(b1) / order, degree - j) * std::pow(double(b2) / order, j);
      std::vector<double> next = product(interpolation, values.data(), n);
      for (int again = 0; again < 2; ++again) {
        for (std::size_t k = 0; k < polynomials.size(); k += n) {
          const double part = dot_of(product(mass, next.data(), n).data(), polynomials.data() + k, n);
          for (int i = 0; i < n; ++i) next[i] -= part * polynomials[k + i];
        }
        const double length = std::sqrt(dot_of(product(mass, next.data(), n).data(), next.data(), n));
        for (double& c : next) c /= length;
      }
      polynomials.insert(polynomials.end(), next.begin(), next.end());
    }
  return polynomials;
}

double lumped_port_bytes(const mesh::Subdomain& mesh, const physics::Port& port, int order) {
  const double branches = triangle_nodes(order), nodes = tetrahedron_nodes(order);
  const double of_side = sizeof(PortSide) + branches * (sizeof(physics::CircuitStep) + 4 * sizeof(double)) +
                         3.0 * most_steps_at_once * sizeof(double);
  const double of_tables = branches * (branches + 4 * nodes) * sizeof(double) + 12 * branches * sizeof(int);
  return of_side * double(faces_of_port(mesh, port).size()) + of_tables;
}

std::vector<std::uint8_t> port_elements(const mesh::Subdomain& mesh, const std::vector<physics::Port>& ports) {
  std::vector<std::uint8_t> has(mesh.elements());
  for (const physics::Port& port : ports)
    if (port.is_lumped())
      for (const PortFace& f : faces_of_port(mesh, port)) has[f.element] = 1;
  return has;
}

namespace {

template <class Real>
PortSheet port_sheet(const Discretisation<Real>& d, const physics::Port& port, const CurrentResponse& response,
                     double dt, const parallel::Communicator& comm) {
  const auto faces = faces_of_port(d.mesh, port);
  const PortStrip strip = checked_strip(d, port, faces, comm);
  PortSheet sheet;
  sheet.moments = branch_moments(d.order);
  sheet.lift = branch_lift(d.order, sheet.moments);
  const auto reference = reference_gains(d.order, sheet.moments, sheet.lift);
  const Vec3& l = port.direction;
  for (const PortFace& f : faces) {
    const ElementGeometry element(d.mesh, f.element);
    const FaceGeometry face(element, f.face);
    const double of_lift = response(d.material_of(f.element)) / std::abs(element.determinant);
    PortSide side{};
    side.first = d.layout.first(d.slot_of_element[f.element]);
    side.face = f.face;
    // l = along_a e_a + along_b e_b
    const double aa = dot(face.edge_a, face.edge_a), ab = dot(face.edge_a, face.edge_b),
                 bb = dot(face.edge_b, face.edge_b), la = dot(l, face.edge_a), lb = dot(l, face.edge_b);
    const double divisor = aa * bb - ab * ab;
    side.along[0] = (la * bb - lb * ab) / divisor;
    side.along[1] = (lb * aa - la * ab) / divisor;
    side.scale = std::sqrt(2 * f.area);
    for (int k = 0; k < 3; ++k) side.change[k] = of_lift * side.scale * dot(l, element.edges[k]);
    side.source = std::sqrt(f.area) / strip.length;
    side.of_voltage = f.share * std::sqrt(f.area) / strip.width;
    side.of_current = std::sqrt(f.area) / strip.length;
    sheet.sides.push_back(side);
    sheet.number.push_back(4 * d.mesh.element_id[f.element] + f.face);
    for (const double gain : reference)
      sheet.circuits.push_back(
          physics::circuit_step(port, strip.width / strip.length / f.share, 0.5 * of_lift * 2 * f.area * gain, dt));
  }
  return sheet;
}

}  // namespace

template <class Real>
std::vector<PortSheet> port_sheets(const Discretisation<Real>& d, const std::vector<physics::Port>& ports,
                                   const CurrentResponse& response, double dt, const parallel::Communicator& comm) {
  std::vector<PortSheet> sheets;
  std::map<std::int64_t, std::size_t> port_of;  // of elements
  for (std::size_t p = 0; p < ports.size(); ++p) {
    sheets.push_back(port_sheet(d, ports[p], response, dt, comm));
    // The circuits of two faces of an element would act on each other within a step.
    std::int64_t other = -1;
    for (const std::int64_t number : sheets.back().number)
      if (const auto [at, is_new] = port_of.try_emplace(number / 4, p); !is_new)
        other = std::max(other, static_cast<std::int64_t>(at->second));
    if (other = comm.max(other); other == static_cast<std::int64_t>(p))
      refuse_port(ports[p],
                  "an element of the mesh has two faces in it; there must be one at most, in smaller elements");
    if (other >= 0)
      refuse_port(ports[p],
                  fmt::format("an element of the mesh has a face in it and another one in port.{}; there must "
                              "be an element between two ports, or smaller ones",
                              ports[static_cast<std::size_t>(other)].name));
  }
  return sheets;
}

template <class Real>
PortOn<Real>::PortOn(const Discretisation<Real>& d, Executor<Real>& executor, const PortSheet& sheet, double dt)
    : executor_(executor),
      stride_(d.layout.stride()),
      nodes_(d.layout.nodes),
      branches_(triangle_nodes(d.order)),
      dt_(dt),
      numbers_end_(4 * d.mesh.global_elements),
      number_(sheet.number) {
  auto& memory = executor.memory();
  const FaceTraceEntries entries = face_trace_entries(d.order);
  sides_ = {sheet.sides, memory};
  circuits_ = {sheet.circuits, memory};
  moments_ = {sheet.moments, memory};
  lift_ = {sheet.lift, memory};
  entry_a_ = {entries.a, memory};
  entry_b_ = {entries.b, memory};
  minus_ = {entries.minus, memory};
  for (auto* numbers : {&before_, &first_, &second_, &work_})
    *numbers = parallel::Array<double>(sheet.circuits.size(), memory);
  record_ = parallel::Array<double>(std::size_t{3} * most_steps_at_once * sheet.sides.size(), memory);
}

template <class Real>
PortTraces<Real> PortOn<Real>::traces(const Field<Real>& electric) const {
  return {electric.read(), stride_,   entry_a_.read(), entry_b_.read(),
          minus_.read(),   branches_, sides_.read(),   moments_.read()};
}

template <class Real>
void PortOn<Real>::take_fields(const Field<Real>& electric) {
  if (size() > 0) executor_.for_each(size(), ReadPort<Real>{traces(electric), before_.write()});
}

template <class Real>
void PortOn<Real>::apply(Field<Real>& electric, const LoopNumber& source, int step) {
  if (size() == 0) return;
  Real* const field = electric.write();
  executor_.for_each(size(), UpdatePort<Real>{traces(electric), field, nodes_, circuits_.read(), lift_.read(),
                                              before_.write(), first_.write(), second_.write(), work_.write(),
                                              record_.write() + 3 * std::int64_t(step) * size(), source, dt_});
}

template <class Real>
std::vector<double> PortOn<Real>::take_records(int steps) const {
  std::vector<double> sums(3 * static_cast<std::size_t>(steps), 0);
  const std::size_t n = 3 * sides_.size();
  const std::vector<double> all = record_.part(0, n * static_cast<std::size_t>(steps));
  for (std::size_t i = 0; i < all.size(); ++i) sums[3 * (i / n) + i % 3] += all[i];
  return sums;
}

template <class Real>
void PortOn<Real>::add_persistent(const std::string& name, std::vector<solver::PersistentArray>& list) {
  auto items = std::make_shared<solver::Items>();
  items->name = "faces of " + name;
  items->end = numbers_end_;
  for (std::size_t i = 0; i < number_.size(); ++i)
    items->runs.push_back({number_[i], 1, i * static_cast<std::uint64_t>(branches_)});
  const auto offsets = solver::offsets_from(0, 1, static_cast<std::size_t>(branches_));
  items->sort();
  list.push_back(solver::persistent("work of " + name, items, work_, offsets));
  list.push_back(solver::persistent("current in " + name, items, first_, offsets));
  list.push_back(solver::persistent("voltage in " + name, items, second_, offsets));
}

template <class Real>
double PortOn<Real>::memory_bytes() const {
  return sides_.bytes() + circuits_.bytes() + moments_.bytes() + lift_.bytes() + before_.bytes() + first_.bytes() +
         second_.bytes() + work_.bytes() + record_.bytes();
}

template std::vector<PortSheet> port_sheets(const Discretisation<float>&, const std::vector<physics::Port>&,
                                            const CurrentResponse&, double, const parallel::Communicator&);
template std::vector<PortSheet> port_sheets(const Discretisation<double>&, const std::vector<physics::Port>&,
                                            const CurrentResponse&, double, const parallel::Communicator&);
template class PortOn<float>;
template class PortOn<double>;

}  // namespace dgtd::dg
