#include "dgtd/dg/total_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "beyond_halo.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/kernels/numerical_flux.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

namespace {

[[noreturn]] void refuse(const physics::Source& source, const std::string& why) {
  throw Error(fmt::format("{}: source.{}: {}", source.origin, source.name, why));
}

// The one lossless medium on both sides of the surface. Collective.
template <class Real>
void find_medium(const Discretisation<Real>& d, const physics::Source& source, TotalFieldSurface& surface,
                 const parallel::Communicator& comm) {
  std::vector<double> beside(d.material.size(), 0.0);
  for (const auto& side : surface.sides) beside[d.mesh.element_group[side.element]] = 1;
  beside = comm.max(std::move(beside));
  const physics::Medium* first = nullptr;
  for (std::size_t g = 0; g < beside.size(); ++g) {
    if (beside[g] == 0) continue;
    const physics::Medium& m = d.material[g];
    const std::string& name = d.mesh.volume_names[g];
    if (!m.is_lossless())
      refuse(source,
             fmt::format("the faces between box_min and box_max and their outside touch '{}', which has {}; they must "
                         "be inside of one lossless material, a layer of its elements away from others",
                         name, m.poles.empty() ? fmt::format("sigma = {} S/m", m.conductivity) : "poles"));
    if (first != nullptr && (first->permittivity != m.permittivity || first->permeability != m.permeability))
      refuse(source,
             fmt::format("the faces between box_min and box_max and their outside touch '{}' and '{}', which differ; "
                         "they must be inside of one lossless material, a layer of its elements away from others",
                         surface.medium_name, name));
    if (first == nullptr) first = &m, surface.medium = m, surface.medium_name = name;
  }
}

// Collective.
template <class Real>
void check_absorbing_faces(const Discretisation<Real>& d, const physics::Source& source,
                           const TotalFieldSurface& surface, const parallel::Communicator& comm) {
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  std::vector<bool> reached(d.mesh.elements());
  for (std::size_t e = 0; e < reached.size(); ++e) reached[e] = surface.in_total[e] != 0;
  for (const auto& side : surface.sides) reached[side.element] = true;
  std::int64_t id = none;
  Vec3 at;
  const auto meet = [&](std::size_t e) {
    if (reached[e] && d.mesh.element_id[e] < id) id = d.mesh.element_id[e], at = ElementGeometry(d.mesh, e).centre();
  };
  for (const auto& face : d.absorbing_faces) meet(face.element);
  for (std::size_t e = 0; e < reached.size(); ++e)
    if (d.is_in_layer(e)) meet(e);
  const std::int64_t lowest = comm.min(id);
  if (lowest == none) return;
  constexpr double nowhere = std::numeric_limits<double>::lowest();
  const auto place = comm.max(id == lowest ? std::vector<double>{at.x, at.y, at.z} : std::vector(3, nowhere));
  refuse(source,
         fmt::format("box_min and box_max reach the elements of the absorbing boundary{}, near {:.6g} {:.6g} {:.6g} m; "
                     "at least one layer of elements must be between",
                     d.layer_rates.empty() ? "" : " or its layers", place[0], place[1], place[2]));
}

}  // namespace

template <class Real>
TotalFieldSurface total_field_surface(const Discretisation<Real>& d, const physics::Source& source,
                                      const parallel::Communicator& comm) {
  TotalFieldSurface surface;
  surface.in_total.resize(d.mesh.elements());
  const Vec3 &low = source.box_min.value(), &high = source.box_max.value();
  for (std::size_t e = 0; e < surface.in_total.size(); ++e) {
    const Vec3 centre = ElementGeometry(d.mesh, e).centre();
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside = inside && centre[a] >= low[a] && centre[a] <= high[a];
    surface.in_total[e] = inside;
    surface.elements += inside;
  }
  const auto beyond = beyond_halo(d.mesh, surface.in_total, comm);
  for (std::size_t e = 0; e < surface.in_total.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = d.mesh.element_faces[e][f];
      if (link.kind == Kind::boundary) continue;
      const bool other = (link.kind == Kind::halo ? beyond : surface.in_total)[link.index];
      if (other == bool(surface.in_total[e])) continue;
      surface.sides.push_back({static_cast<std::uint32_t>(e), static_cast<std::uint8_t>(f), !other});
      surface.faces += !other;
    }
  surface.elements = comm.sum(surface.elements), surface.faces = comm.sum(surface.faces);
  find_medium(d, source, surface, comm);
  check_absorbing_faces(d, source, surface, comm);
  return surface;
}

namespace {

/// Points at which the wave is sampled on a face, exact for its products with the basis up to degree p + 1.
TriangleQuadrature points_of_face(int p) { return triangle_quadrature(p + 1); }

/// [Nf][points]: the integral over the reference triangle of B_i times a function, from its values at the points.
std::vector<double> moments_of_values(int p, const TriangleQuadrature& quadrature) {
  const std::size_t points = quadrature.points.size();
  std::vector<double> moments(triangle_nodes(p) * points);
  for (std::size_t q = 0; q < points; ++q) {
    const auto basis = bernstein_triangle_values(p, quadrature.points[q]);
    for (std::size_t i = 0; i < basis.size(); ++i) moments[i * points + q] = quadrature.weights[q] * basis[i];
  }
  return moments;
}

/// [face 4][Np][points]: half of the lift of a function on a face to an element, 1/2 M^-1 times those moments.
std::vector<double> lift_of_values(int p, const std::vector<double>& moments) {
  const int nodes = tetrahedron_nodes(p), face_nodes = triangle_nodes(p);
  const std::size_t points = moments.size() / face_nodes;
  const auto inverse_mass = inverse(mass_matrix(p), nodes);
  const FaceTraceEntries entries = face_trace_entries(p);
  std::vector<double> lift(std::size_t{4} * nodes * points);
  for (int f = 0; f < 4; ++f)
    for (int n = 0; n < nodes; ++n)
      for (int k = 0; k < face_nodes; ++k) {
        const double factor = 0.5 * inverse_mass[n * nodes + entries.a[f * face_nodes + k] % nodes];
        for (std::size_t q = 0; q < points; ++q) lift[(f * nodes + n) * points + q] += factor * moments[k * points + q];
      }
  return lift;
}

/// The coefficients of a side for the trace (along_a, along_b) of the field that drives, V/m times m. scale: m, c0 dt /
/// eps_r or -c0 dt / mu_r.
void fill_side(SurfaceSide& side, const ElementGeometry& element, const FaceGeometry& face, double along_a,
               double along_b, double scale, double dt) {
  // numerical_flux.hpp: n x w is w_b e_a - w_a e_b, times the orientation of the face.
  const double o = face_orientation[side.face], flux_a = o * along_b, flux_b = -o * along_a;
  const Vec3 tangential = flux_a * face.edge_a + flux_b * face.edge_b;
  for (int k = 0; k < 3; ++k) side.change[k] = scale / element.determinant * dot(element.edges[k], tangential);
  // eps0 eps_r / 2 or mu0 mu_r / (2 Z0^2) times the products of the changes with the field, J: half of it for the
  // field before and half for that after.
  const double work = 0.25 * dt / vacuum_impedance * (element.determinant > 0 ? 1 : -1) * (scale > 0 ? 1 : -1);
  side.flux[0] = work * flux_a, side.flux[1] = work * flux_b;
}

}  // namespace

double total_field_bytes(const TotalFieldSurface& surface, int order) {
  const double points = double(points_of_face(order).points.size());
  const double of_side = 2 * sizeof(SurfaceSide) + 4 + 8.0 * triangle_nodes(order), of_face = 16.0 * points;
  return (of_side + of_face) * double(surface.sides.size());  // at most: a face has two sides
}

template <class Real>
TotalFieldWave<Real>::TotalFieldWave(const Discretisation<Real>& d, Executor<Real>& executor,
                                     const physics::Source& source, double dt, const parallel::Communicator& comm)
    : executor_(executor),
      shape_(physics::shape_of(source.waveform)),
      dt_(dt),
      stride_(d.layout.stride()),
      nodes_(d.layout.nodes),
      face_nodes_(triangle_nodes(d.order)),
      points_(static_cast<int>(points_of_face(d.order).points.size())) {
  const TotalFieldSurface surface = total_field_surface(d, source, comm);
  const physics::Medium& m = surface.medium;
  const double speed = speed_of_light / std::sqrt(m.permittivity * m.permeability),
               impedance = std::sqrt(m.permeability / m.permittivity);  // relative
  const Vec3 electric = source.amplitude * source.polarisation;
  const Vec3 magnetic = cross(source.direction, electric) / impedance;  // Z0 H
  const double length = speed_of_light * dt;

  const TriangleQuadrature quadrature = points_of_face(d.order);
  std::vector<double> delay;  // after the wave has passed its position
  std::vector<SurfaceSide> of_electric, of_magnetic;
  std::vector<std::uint32_t> first_side;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> values_of;  // (element, face) -> first value, of both sides
  for (const auto& at : surface.sides) {
    const ElementGeometry element(d.mesh, at.element);
    const FaceGeometry face(element, at.face);
    auto [place, is_new] = values_of.try_emplace({at.element, at.face}, static_cast<std::uint32_t>(delay.size()));
    if (is_new) {
      const Vec3 origin = element.vertices[face_vertices[at.face][0]];
      for (const auto& l : quadrature.points)
        delay.push_back(dot(source.direction, origin + l[1] * face.edge_a + l[2] * face.edge_b - source.position) /
                        speed);
      const mesh::FaceLink& link = d.mesh.element_faces[at.element][at.face];
      if (link.kind == Kind::element) values_of[{link.index, int{link.face}}] = place->second;
    }
    if (of_electric.empty() || d.layout.first(d.slot_of_element[at.element]) != of_electric.back().first)
      first_side.push_back(static_cast<std::uint32_t>(of_electric.size()));
    SurfaceSide side{d.layout.first(d.slot_of_element[at.element]), place->second, at.face, {}, {}};
    const double sign = at.total ? 1 : -1;
    fill_side(side, element, face, sign * dot(magnetic, face.edge_a), sign * dot(magnetic, face.edge_b),
              length / m.permittivity, dt);
    of_electric.push_back(side);
    fill_side(side, element, face, sign * dot(electric, face.edge_a), sign * dot(electric, face.edge_b),
              -length / m.permeability, dt);
    of_magnetic.push_back(side);
    power_bound_ += 0.5 * face.area * source.amplitude * source.amplitude / (impedance * vacuum_impedance);
  }
  first_side.push_back(static_cast<std::uint32_t>(of_electric.size()));

  double first = std::numeric_limits<double>::max();
  for (const double t : delay) first = std::min(first, t);
  start_ = comm.min(first);
  for (double& t : delay) t -= start_;

  auto& memory = executor.memory();
  const FaceTraceEntries entries = face_trace_entries(d.order);
  delay_ = {delay, memory};
  values_ = parallel::Array<double>(delay.size(), memory);
  electric_ = {of_electric, memory};
  magnetic_ = {of_magnetic, memory};
  first_side_ = {first_side, memory};
  const auto moments = moments_of_values(d.order, quadrature);
  lift_ = {lift_of_values(d.order, moments), memory};
  moments_ = {moments, memory};
  entry_a_ = {entries.a, memory};
  entry_b_ = {entries.b, memory};
  minus_ = {entries.minus, memory};
  work_ = parallel::Array<double>(of_electric.size() * face_nodes_, memory);
}

template <class Real>
void TotalFieldWave<Real>::sample(double time) {
  const auto n = static_cast<std::int64_t>(values_.size());
  if (n > 0) executor_.for_each(n, SampleDelayed{shape_, time - start_, dt_, delay_.read(), values_.write()});
}

template <class Real>
void TotalFieldWave<Real>::add(Field<Real>& field, Field<Real>* first_part, const parallel::Array<SurfaceSide>& sides) {
  const auto elements = static_cast<std::int64_t>(first_side_.size()) - 1;
  if (elements > 0)
    executor_.for_each(elements * nodes_,
                       AddSurfaceWave<Real>{field.write(), first_part ? first_part->write() : nullptr,
                                            first_part ? first_part->size() : 0, stride_, nodes_, points_, sides.read(),
                                            first_side_.read(), lift_.read(), values_.read()});
}

template <class Real>
void TotalFieldWave<Real>::add_work(const Field<Real>& field, const parallel::Array<SurfaceSide>& sides) {
  const auto n = static_cast<std::int64_t>(work_.size());
  if (n > 0)
    executor_.for_each(
        n, AddSurfaceWork<Real>{field.read(), stride_, entry_a_.read(), entry_b_.read(), minus_.read(), face_nodes_,
                                points_, sides.read(), moments_.read(), values_.read(), work_.write()});
}

// The half step of H adds to U = `unfiltered`; the work is that on H = F_1 U, the field before and after.
template <class Real>
void TotalFieldWave<Real>::begin_magnetic(Field<Real>& magnetic, Field<Real>* unfiltered, double time) {
  sample(time);
  add_work(magnetic, magnetic_);
  add(magnetic, unfiltered, magnetic_);
}

template <class Real>
void TotalFieldWave<Real>::begin_electric(const Field<Real>& electric, double time) {
  sample(time);
  add_work(electric, electric_);
}

template <class Real>
void TotalFieldWave<Real>::end_electric(Field<Real>& electric) {
  add(electric, nullptr, electric_);
  add_work(electric, electric_);
}

template <class Real>
void TotalFieldWave<Real>::set_work(double work) {
  std::fill_n(work_.host_for_writing(), work_.size(), 0.0);
  earlier_work_ = work;
}

template <class Real>
double TotalFieldWave<Real>::memory_bytes() const {
  return delay_.bytes() + values_.bytes() + electric_.bytes() + magnetic_.bytes() + first_side_.bytes() +
         lift_.bytes() + moments_.bytes() + work_.bytes();
}

template TotalFieldSurface total_field_surface(const Discretisation<float>&, const physics::Source&,
                                               const parallel::Communicator&);
template TotalFieldSurface total_field_surface(const Discretisation<double>&, const physics::Source&,
                                               const parallel::Communicator&);
template class TotalFieldWave<float>;
template class TotalFieldWave<double>;

}  // namespace dgtd::dg
