#include "dgtd/dg/surface_wave.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "curved_launch.hpp"
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

/// J/V: eps0 eps_r / 2 or mu0 mu_r / (2 Z0^2) times the products of the changes with the field, half of it for the field
/// before and half for that after.
double work_of_flux(const ElementGeometry& element, double scale, double dt) {
  return 0.25 * dt / vacuum_impedance * (element.determinant > 0 ? 1 : -1) * (scale > 0 ? 1 : -1);
}

/// The coefficients of a side for the trace (along_a, along_b) of the field that drives, V/m times m. scale: m, c0 dt /
/// eps_r or -c0 dt / mu_r.
void fill_side(SurfaceSide& side, const ElementGeometry& element, const FaceGeometry& face, double along_a,
               double along_b, double scale, double dt) {
  // numerical_flux.hpp: n x w is w_b e_a - w_a e_b, times the orientation of the face.
  const double o = face_orientation[side.face], flux_a = o * along_b, flux_b = -o * along_a;
  const Vec3 tangential = flux_a * face.edge_a + flux_b * face.edge_b;
  for (int k = 0; k < 3; ++k) side.change[k] = scale / element.determinant * dot(element.edges[k], tangential);
  const double work = work_of_flux(element, scale, dt);
  side.flux[0] = work * flux_a, side.flux[1] = work * flux_b;
}

/// A curved element's change is given node by node: rows of the table of lifts beyond those of the four faces take node
/// n = group * points + j from point j of values, so that AddSurfaceWave adds it.
int node_groups(int nodes, int points) { return (nodes + points - 1) / points; }

/// lift with those rows: [face 4 + groups][Np][points].
std::vector<double> with_single_nodes(std::vector<double> lift, int nodes, int points) {
  for (int group = 0; group < node_groups(nodes, points); ++group)
    for (int n = 0; n < nodes; ++n)
      for (int j = 0; j < points; ++j) lift.push_back(n == group * points + j);
  return lift;
}

}  // namespace

double launch_bytes(const SourceSurface& surface, std::size_t terms, int order, std::size_t curved) {
  const int points = static_cast<int>(points_of_face(order).points.size());
  const double of_side = 2 * sizeof(SurfaceSide) + 4 + 8.0 * triangle_nodes(order), of_face = 40.0 * points;
  // At most: a face has two sides. A curved one is three components of all nodes and two of the trace.
  const double of_curved = (3 * node_groups(tetrahedron_nodes(order), points) + 2) * (of_side + of_face);
  return (of_side + of_face) * double(surface.sides.size()) * double(terms) + of_curved * double(curved) * double(terms);
}

namespace {

/// A field of terms at the points of the surface's faces.
struct Sampled {
  std::vector<std::vector<double>> weight;  // [parts][faces of all terms][points] factor
  std::vector<double> delay;                // [faces][points] s

  std::vector<double> all_weights() const {
    std::vector<double> all;
    for (const auto& part : weight) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
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

/// The sides of terms, in the order of elements, and the values at their faces.
template <class Real>
class SurfaceWave<Real>::Sides {
 public:
  Sampled electric, magnetic;
  std::vector<SurfaceSide> of_electric, of_magnetic, work_of_electric, work_of_magnetic;
  std::vector<std::uint32_t> first_side;
  bool has_curved = false;
  double power_bound = 0;  // W

  Sides(const Discretisation<Real>& d, const Launch& launch, const std::vector<LaunchedTerm>& terms, double dt,
        const TriangleQuadrature& quadrature, const std::vector<double>& lift)
      : d_(d),
        launch_(launch),
        dt_(dt),
        parts_(std::max<std::size_t>(launch.parts_in_time.size(), 1)),
        quadrature_(quadrature),
        lift_(lift),
        values_of_(terms.size()) {
    electric.weight.resize(parts_), magnetic.weight.resize(parts_);
    for (const auto& at : launch.surface.sides) {
      const std::uint64_t first = d.layout.first(d.slot_of_element[at.element]);
      if (of_electric.empty() || first != of_electric.back().first)
        first_side.push_back(static_cast<std::uint32_t>(of_electric.size()));
      for (std::size_t t = 0; t < terms.size(); ++t) {
        if (!launch.parts_in_time.empty() && d.is_curved(at.element)) add_curved(terms[t], at, first);
        else add_straight(terms[t], at, first, values_of_[t]);
      }
    }
    first_side.push_back(static_cast<std::uint32_t>(of_electric.size()));
    if (!has_curved) work_of_electric.clear(), work_of_magnetic.clear();
  }

 private:
  using At = SourceSurface::Side;
  using ValuesOf = std::map<std::pair<std::uint32_t, int>, std::uint32_t>;

  static LaunchedAt part_at(const LaunchedTerm& term, std::size_t part, const Vec3& x) {
    return part == 0 ? term.at(x) : term.further.at(part - 1)(x);
  }

  void add_straight(const LaunchedTerm& term, const At& at, std::uint64_t first, ValuesOf& values_of) {
    const ElementGeometry element(d_.mesh, at.element);
    const FaceGeometry face(element, at.face);
    const physics::Medium& m = d_.material_of(at.element);
    auto [place, is_new] = values_of.try_emplace({at.element, at.face}, next());
    if (is_new) {
      const bool imaginary = at.element >= d_.mesh.first_copies();
      for (const auto& l : quadrature_.points) add_point(term, point_of_face(element, face, at.face, l), imaginary);
      const mesh::FaceLink& link = d_.mesh.element_faces[at.element][at.face];
      if (link.kind == Kind::element) values_of[{link.index, int{link.face}}] = place->second;
    }
    const double length = speed_of_light * dt_;
    SurfaceSide side{first, place->second, at.face, {}, {}};
    const double sign = at.ahead ? 1 : -1;
    fill_side(side, element, face, sign * dot(term.magnetic, face.edge_a), sign * dot(term.magnetic, face.edge_b),
              length / m.permittivity, dt_);
    of_electric.push_back(side), work_of_electric.push_back(side);
    fill_side(side, element, face, sign * dot(term.electric, face.edge_a), sign * dot(term.electric, face.edge_b),
              -length / m.permeability, dt_);
    of_magnetic.push_back(side), work_of_magnetic.push_back(side);
    for (const auto& weight : magnetic.weight)
      power_bound += power_through(face, m, term, quadrature_, weight.data() + place->second);
  }

  // Values: three components of the change, node by node, and the two of the trace.
  void add_curved(const LaunchedTerm& term, const At& at, std::uint64_t first) {
    has_curved = true;
    const ElementGeometry element(d_.mesh, at.element);
    const physics::Medium& m = d_.material_of(at.element);
    const auto points = static_cast<int>(quadrature_.points.size());
    const int nodes = d_.layout.nodes, groups = node_groups(nodes, points);
    const double length = speed_of_light * dt_, sign = at.ahead ? 1 : -1;
    const std::uint32_t values = next();
    const auto add = [&](std::vector<double>& weights, const std::vector<double>& factors, const Vec3& vector, double scale) {
      const FaceTrace trace = trace_on_curved_face(element, at.face, quadrature_, factors, vector);
      const auto change = change_of_curved_element(d_, at.element, at.face, trace, lift_, scale);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto component = change.begin() + std::ptrdiff_t(k) * nodes;
        weights.insert(weights.end(), component, component + nodes);
        weights.resize(weights.size() + std::size_t(groups * points - nodes));
      }
      weights.insert(weights.end(), trace.along_a.begin(), trace.along_a.end());
      weights.insert(weights.end(), trace.along_b.begin(), trace.along_b.end());
    };
    for (std::size_t part = 0; part < parts_; ++part) {
      std::vector<double> of_e, of_h;  // [points]
      for (const auto& l : quadrature_.points) {
        const LaunchedAt wave = part_at(term, part, point_on_curved_face(element, at.face, l));
        of_e.push_back(sign * wave.electric), of_h.push_back(sign * wave.magnetic);
      }
      add(electric.weight[part], of_e, term.electric, -length / m.permeability);
      add(magnetic.weight[part], of_h, term.magnetic, length / m.permittivity);
      power_bound += power_through(FaceGeometry(element, at.face), m, term, quadrature_, of_h.data());
    }
    std::uint32_t place = values;
    for (std::size_t k = 0; k < 3; ++k)
      for (int group = 0; group < groups; ++group, place += static_cast<std::uint32_t>(points)) {
        SurfaceSide side{first, place, 4 + group, {}, {}};
        side.change[k] = 1;
        of_electric.push_back(side), of_magnetic.push_back(side);
      }
    const double o = face_orientation[at.face];
    for (const int along : {0, 1}) {  // the flux of a trace along a is along b
      SurfaceSide side{first, place, at.face, {}, {}};
      for (const bool electric_step : {true, false}) {
        side.flux[1 - along] = (along == 0 ? -o : o) * work_of_flux(element, electric_step ? 1 : -1, dt_);
        (electric_step ? work_of_electric : work_of_magnetic).push_back(side);
      }
      place += static_cast<std::uint32_t>(points);
    }
  }

  void add_point(const LaunchedTerm& term, const Vec3& x, bool imaginary) {
    const double of_phase = launch_.part_of_phase(x, imaginary);
    for (std::size_t part = 0; part < parts_; ++part) {
      const LaunchedAt wave = part_at(term, part, x);
      electric.weight[part].push_back(of_phase * wave.electric);
      magnetic.weight[part].push_back(of_phase * wave.magnetic);
      if (part > 0) continue;
      electric.delay.push_back(wave.electric_delay), magnetic.delay.push_back(wave.magnetic_delay);
    }
  }
  std::uint32_t next() const { return static_cast<std::uint32_t>(electric.weight.front().size()); }

  const Discretisation<Real>& d_;
  const Launch& launch_;
  double dt_;  // s
  std::size_t parts_;
  const TriangleQuadrature& quadrature_;
  const std::vector<double>& lift_;
  std::vector<ValuesOf> values_of_;  // [terms] (element, face) -> first value, of both sides
};

template <class Real>
SurfaceWave<Real>::SurfaceWave(const Discretisation<Real>& d, Executor<Real>& executor, const Launch& launch,
                               const std::vector<LaunchedTerm>& terms, double dt)
    : executor_(executor),
      shape_(terms.at(0).shape),
      parts_(static_cast<int>(launch.parts_in_time.size())),
      dt_(dt),
      start_(launch.start),
      stride_(d.layout.stride()),
      nodes_(d.layout.nodes),
      face_nodes_(triangle_nodes(d.order)),
      points_(static_cast<int>(points_of_face(d.order).points.size())) {
  const TriangleQuadrature quadrature = points_of_face(d.order);
  const auto moments = moments_of_values(d.order, quadrature);
  auto lift = lift_of_values(d.order, moments);
  Sides sides(d, launch, terms, dt, quadrature, lift);
  power_bound_ = sides.power_bound;
  const auto& work_sides = sides.has_curved ? sides.work_of_electric : sides.of_electric;
  work_ = parallel::Array<double>(work_sides.size() * face_nodes_, executor.memory());
  const auto none_has = [&](Vec3 LaunchedTerm::*field) {
    return std::all_of(terms.begin(), terms.end(),
                       [&](const auto& term) { return dot(term.*field, term.*field) == 0; });
  };
  if (none_has(&LaunchedTerm::electric)) sides.of_magnetic.clear(), sides.work_of_magnetic.clear();
  if (none_has(&LaunchedTerm::magnetic)) sides.of_electric.clear(), sides.work_of_electric.clear();

  if (parts_ > 0) sides.electric.delay.clear(), sides.magnetic.delay.clear();
  auto& memory = executor.memory();
  const FaceTraceEntries entries = face_trace_entries(d.order);
  electric_ = {{sides.magnetic.all_weights(), memory},
               {sides.magnetic.delay, memory},
               {sides.of_electric, memory},
               {sides.work_of_electric, memory}};
  magnetic_ = {{sides.electric.all_weights(), memory},
               {sides.electric.delay, memory},
               {sides.of_magnetic, memory},
               {sides.work_of_magnetic, memory}};
  values_ = parallel::Array<double>(sides.electric.weight.front().size(), memory);
  first_side_ = {sides.first_side, memory};
  if (sides.has_curved) lift = with_single_nodes(std::move(lift), nodes_, points_);
  lift_ = {lift, memory};
  moments_ = {moments, memory};
  entry_a_ = {entries.a, memory};
  entry_b_ = {entries.b, memory};
  minus_ = {entries.minus, memory};
}

template <class Real>
void SurfaceWave<Real>::sample(const Driving& field, const LoopNumber& time) {
  const auto n = static_cast<std::int64_t>(values_.size());
  if (n == 0 || field.sides.size() == 0) return;
  if (parts_ > 0) executor_.for_each(n, ScaleWeights{time.at, parts_, n, field.weight.read(), values_.write()});
  else
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
                                points_, sides_of_work(by).read(), moments_.read(), values_.read(), work_.write()});
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
    bytes += field->weight.bytes() + field->delay.bytes() + field->sides.bytes() + field->work_sides.bytes();
  return bytes;
}

template class SurfaceWave<float>;
template class SurfaceWave<double>;

}  // namespace dgtd::dg
