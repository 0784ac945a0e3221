#include "dgtd/dg/surface_wave.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/kernels/numerical_flux.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

namespace {

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

double launch_bytes(const Launch& launch, int order) {
  const double points = double(points_of_face(order).points.size());
  const double of_side = 2 * sizeof(SurfaceSide) + 4 + 8.0 * triangle_nodes(order), of_face = 40.0 * points;
  // At most: a face has two sides.
  return (of_side + of_face) * double(launch.surface.sides.size()) * double(launch.terms.size());
}

namespace {

/// A field of a term at the points of the surface's faces.
struct Sampled {
  std::vector<double> weight, delay;  // [faces][points] factor; s
};

/// The bound of the power through a face: that of waves with this H across the face, W.
double power_through(const FaceGeometry& face, const physics::Medium& m, const LaunchedTerm& term,
                     const TriangleQuadrature& quadrature, const double* weight) {
  double mean_square = 0;
  for (std::size_t q = 0; q < quadrature.weights.size(); ++q)
    mean_square += 2 * quadrature.weights[q] * weight[q] * weight[q];
  return 0.5 * face.area * mean_square * dot(term.magnetic, term.magnetic) *
         std::sqrt(m.permeability / m.permittivity) / vacuum_impedance;
}

}  // namespace

template <class Real>
SurfaceWave<Real>::SurfaceWave(const Discretisation<Real>& d, Executor<Real>& executor, const Launch& launch,
                               const LaunchedTerm& term, double dt)
    : executor_(executor),
      shape_(term.shape),
      dt_(dt),
      start_(launch.start),
      stride_(d.layout.stride()),
      nodes_(d.layout.nodes),
      face_nodes_(triangle_nodes(d.order)),
      points_(static_cast<int>(points_of_face(d.order).points.size())) {
  const double length = speed_of_light * dt;
  const TriangleQuadrature quadrature = points_of_face(d.order);
  Sampled electric, magnetic;
  std::vector<SurfaceSide> of_electric, of_magnetic;
  std::vector<std::uint32_t> first_side;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> values_of;  // (element, face) -> first value, of both sides
  for (const auto& at : launch.surface.sides) {
    const ElementGeometry element(d.mesh, at.element);
    const FaceGeometry face(element, at.face);
    const physics::Medium& m = d.material_of(at.element);
    const auto next = static_cast<std::uint32_t>(electric.weight.size());
    auto [place, is_new] = values_of.try_emplace({at.element, at.face}, next);
    if (is_new) {
      const bool imaginary = at.element >= d.mesh.first_copies();
      for (const auto& l : quadrature.points) {
        const Vec3 x = point_of_face(element, face, at.face, l);
        const LaunchedAt wave = term.at(x);
        const double part = launch.part_of_phase(x, imaginary);
        electric.weight.push_back(part * wave.electric), electric.delay.push_back(wave.electric_delay);
        magnetic.weight.push_back(part * wave.magnetic), magnetic.delay.push_back(wave.magnetic_delay);
      }
      const mesh::FaceLink& link = d.mesh.element_faces[at.element][at.face];
      if (link.kind == Kind::element) values_of[{link.index, int{link.face}}] = place->second;
    }
    const std::uint64_t first = d.layout.first(d.slot_of_element[at.element]);
    if (of_electric.empty() || first != of_electric.back().first)
      first_side.push_back(static_cast<std::uint32_t>(of_electric.size()));
    SurfaceSide side{first, place->second, at.face, {}, {}};
    const double sign = at.ahead ? 1 : -1;
    fill_side(side, element, face, sign * dot(term.magnetic, face.edge_a), sign * dot(term.magnetic, face.edge_b),
              length / m.permittivity, dt);
    of_electric.push_back(side);
    fill_side(side, element, face, sign * dot(term.electric, face.edge_a), sign * dot(term.electric, face.edge_b),
              -length / m.permeability, dt);
    of_magnetic.push_back(side);
    power_bound_ += power_through(face, m, term, quadrature, magnetic.weight.data() + place->second);
  }
  first_side.push_back(static_cast<std::uint32_t>(of_electric.size()));
  work_ = parallel::Array<double>(of_electric.size() * face_nodes_, executor.memory());
  if (dot(term.electric, term.electric) == 0) of_magnetic.clear();
  if (dot(term.magnetic, term.magnetic) == 0) of_electric.clear();

  auto& memory = executor.memory();
  const FaceTraceEntries entries = face_trace_entries(d.order);
  electric_ = {{magnetic.weight, memory}, {magnetic.delay, memory}, {of_electric, memory}};
  magnetic_ = {{electric.weight, memory}, {electric.delay, memory}, {of_magnetic, memory}};
  values_ = parallel::Array<double>(electric.weight.size(), memory);
  first_side_ = {first_side, memory};
  const auto moments = moments_of_values(d.order, quadrature);
  lift_ = {lift_of_values(d.order, moments), memory};
  moments_ = {moments, memory};
  entry_a_ = {entries.a, memory};
  entry_b_ = {entries.b, memory};
  minus_ = {entries.minus, memory};
}

template <class Real>
void SurfaceWave<Real>::sample(const Driving& field, const LoopNumber& time) {
  const auto n = static_cast<std::int64_t>(values_.size());
  if (n > 0 && field.sides.size() > 0)
    executor_.for_each(n,
                       SampleDelayed{shape_, time, dt_, start_, field.weight.read(), field.delay.read(), values_.write()});
}

template <class Real>
void SurfaceWave<Real>::add(Field<Real>& field, Field<Real>* first_part, const Driving& by) {
  const auto elements = static_cast<std::int64_t>(first_side_.size()) - 1;
  if (elements > 0 && by.sides.size() > 0)
    executor_.for_each(elements * nodes_,
                       AddSurfaceWave<Real>{field.write(), first_part ? first_part->write() : nullptr,
                                            first_part ? first_part->size() : 0, stride_, nodes_, points_,
                                            by.sides.read(), first_side_.read(), lift_.read(), values_.read()});
}

template <class Real>
void SurfaceWave<Real>::add_work(const Field<Real>& field, const Driving& by) {
  const auto n = static_cast<std::int64_t>(work_.size());
  if (n > 0 && by.sides.size() > 0)
    executor_.for_each(
        n, AddSurfaceWork<Real>{field.read(), stride_, entry_a_.read(), entry_b_.read(), minus_.read(), face_nodes_,
                                points_, by.sides.read(), moments_.read(), values_.read(), work_.write()});
}

// The half step of H adds to U = `unfiltered`; the work is that on H = F_1 U, the field before and after.
template <class Real>
void SurfaceWave<Real>::begin_magnetic(const Field<Real>& magnetic, const LoopNumber& time) {
  sample(magnetic_, time);
  add_work(magnetic, magnetic_);
}

template <class Real>
void SurfaceWave<Real>::begin_electric(const Field<Real>& electric, const LoopNumber& time) {
  sample(electric_, time);
  add_work(electric, electric_);
}

template <class Real>
void SurfaceWave<Real>::set_work(double work) {
  std::fill_n(work_.host_for_writing(), work_.size(), 0.0);
  earlier_work_ = work;
}

template <class Real>
double SurfaceWave<Real>::memory_bytes() const {
  double bytes = values_.bytes() + first_side_.bytes() + lift_.bytes() + moments_.bytes() + work_.bytes();
  for (const Driving* field : {&electric_, &magnetic_})
    bytes += field->weight.bytes() + field->delay.bytes() + field->sides.bytes();
  return bytes;
}

template class SurfaceWave<float>;
template class SurfaceWave<double>;

}  // namespace dgtd::dg
