#pragma once
// A problem posed twice, to the product's solver and to the nodal reference, and the difference of the
// two answers.
#include <algorithm>
#include <memory>
#include <random>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "nodal_basis.hpp"
#include "nodal_reference.hpp"
#include "tiny_mesh.hpp"

namespace dgtd::dg::test {

struct Problem {
  mesh::Subdomain mesh;
  std::vector<physics::Medium> material;
  std::vector<physics::BoundaryKind> boundary_kind;
  std::vector<physics::Source> sources;
  LayerRates layers = {};
  std::vector<BlochFace> bloch = {};
  mesh::CurvedElements curved = mesh::CurvedElements::mean;
  double upwind = 0;  // of Discretisation

  bool has_wave() const { return std::any_of(sources.begin(), sources.end(), enters_through_boundary); }
};

/// Puts the elements behind absorbing faces into group 0, the lossless exterior of incident waves.
inline void make_exterior_uniform(Problem& problem) {
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    for (const auto& link : problem.mesh.element_faces[e])
      if (link.kind == mesh::FaceLink::Kind::boundary &&
          problem.boundary_kind[link.index] == physics::BoundaryKind::silver_muller)
        problem.mesh.element_group[e] = 0;
}

template <class Real>
DgSolver<Real> make_solver(const Problem& problem, int order, double dt, const parallel::Communicator& comm,
                           KernelFusion schedule = KernelFusion::fused, const TimeLevels& levels = {}) {
  auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, order,
                                                  problem.has_wave(), cpu_field_lanes, levels, problem.layers,
                                                  problem.bloch, problem.curved, problem.upwind);
  auto executor = make_cpu_executor(*d, schedule, comm);
  return DgSolver<Real>(std::move(d), std::move(executor), dt, problem.sources, problem.mesh.volume_names, comm);
}

/// Layers in the elements that has(element): rates along two random directions, up to 4e10 1/s, that depend on global
/// element ids only, of E in every third of them half as large.
template <class Has>
void add_layers(Problem& problem, const Has& has) {
  problem.layers.assign(problem.mesh.elements(), {});
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    if (!has(e)) continue;
    if (problem.mesh.element_id[e] % 3 == 0) problem.layers[e].electric_factor = 0.5;
    std::mt19937 random(static_cast<unsigned>(problem.mesh.element_id[e] + 7));
    std::uniform_real_distribution<double> value(-1, 1);
    for (int i = 0; i < 2; ++i) {
      const Vec3 v = 1e5 * Vec3{value(random), value(random), value(random)};
      const double square[6] = {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
      for (int k = 0; k < 6; ++k) problem.layers[e].magnetic[k] += 2 * square[k];
    }
  }
}

/// Convolutional layers in the elements that has(element): one to three sections along orthogonal directions, with rates
/// and alphas up to 2e10 1/s and losses up to 1e10 1/s, that depend on global element ids only.
template <class Has>
void add_cpml(Problem& problem, const Has& has) {
  problem.layers.assign(problem.mesh.elements(), {});
  problem.layers.convolutional = true;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    if (!has(e)) continue;
    LayerRate& layer = problem.layers[e];
    const auto id = problem.mesh.element_id[e];
    std::mt19937 random(static_cast<unsigned>(id + 11));
    std::uniform_real_distribution<double> value(-1, 1);
    const auto direction = [&] { return Vec3{value(random), value(random), value(random) + 1.5}; };
    const Vec3 a = direction(), first = a / norm(a), b = cross(first, direction()), second = b / norm(b);
    const Vec3 normals[] = {first, second, cross(first, second)};
    for (std::int64_t i = 0; i < 1 + id / 2 % 3; ++i)
      layer.sections.push_back({normals[i], 1e10 * (value(random) + 1), 1e10 * (value(random) + 1)});
    layer.loss = 0.5e10 * (value(random) + 1);
    if (id % 3 == 0) layer.electric_factor = 0.5;
  }
}

/// An element's coefficients [component 3][node Np].
template <class Real>
std::vector<Real> coefficients_of(const Discretisation<Real>& d, const Field<Real>& field, std::size_t element) {
  std::vector<Real> u(std::size_t{3} * d.layout.nodes);
  const Real* const first = field.host() + d.layout.first(d.slot_of_element[element]);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = first[i * d.layout.stride()];
  return u;
}

/// Random coefficients in all elements of E and H: |E|, |Z0 H| of the order of 1 V/m. They depend on
/// global element ids only.
template <class Real>
void fill_at_random(DgSolver<Real>& solver) {
  const auto& d = solver.discretisation();
  const int nodes = tetrahedron_nodes(d.order);
  Real* const electric = solver.electric().host_for_writing();
  Real* const magnetic = solver.magnetic().host_for_writing();
  for (std::size_t e = 0; e < d.mesh.elements(); ++e) {
    std::mt19937 random(static_cast<unsigned>(d.mesh.element_id[e] + 1));
    std::uniform_real_distribution<double> value(-1, 1);
    const ElementGeometry geometry(d.mesh, e);
    for (Real* const field : {electric, magnetic})
      for (int i = 0; i < 3 * nodes; ++i)
        field[d.layout.first(d.slot_of_element[e]) + i * d.layout.stride()] =
            static_cast<Real>(value(random) * norm(geometry.edges[i / nodes]));
  }
}

/// Nodal values [element][component 3][node] of a field, V/m: v = sum_k u_k grad l_k, u_k = sum_a u_ka B_a.
template <class Real>
Eigen::VectorXd nodal_field(const Discretisation<Real>& d, const Field<Real>& field) {
  const int p = d.order, nodes = tetrahedron_nodes(p);
  const auto points = nodal_points(p);
  Eigen::VectorXd result(3 * nodes * static_cast<Eigen::Index>(d.mesh.elements()));
  for (std::size_t e = 0; e < d.mesh.elements(); ++e) {
    const ElementGeometry geometry(d.mesh, e);
    const auto coefficients = coefficients_of(d, field, e);
    for (int i = 0; i < nodes; ++i) {
      const auto& a = points[i];
      const auto basis = bernstein_values(p, {double(a[0]) / p, double(a[1]) / p, double(a[2]) / p, double(a[3]) / p});
      double u[3] = {};
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < nodes; ++j) u[k] += basis[j] * coefficients[k * nodes + j];
      const Vec3 v = geometry.cartesian(u[0], u[1], u[2]);
      for (int c = 0; c < 3; ++c) result((3 * static_cast<Eigen::Index>(e) + c) * nodes + i) = v[c];
    }
  }
  return result;
}

/// Largest relative difference of E and of H at all nodes after some steps from random fields.
template <class Real>
std::array<double, 2> difference_after(const Problem& problem, int order, int steps, double dt,
                                       KernelFusion schedule = KernelFusion::fused) {
  const parallel::Communicator self(MPI_COMM_SELF);
  auto solver = make_solver<Real>(problem, order, dt, self, schedule);
  NodalReference reference(problem.mesh, problem.material, problem.boundary_kind, order, problem.sources,
                           problem.upwind);
  reference.layers = problem.layers;
  fill_at_random(solver);
  reference.electric = nodal_field(solver.discretisation(), solver.electric());
  reference.magnetic = nodal_field(solver.discretisation(), solver.magnetic()) / vacuum_impedance;
  for (int i = 0; i < steps; ++i) {
    if (i % 2 == 1) (void)solver.energy();
    solver.advance(1);  // with and without measuring the energy: the fields are the same
    reference.step(dt);
  }
  const auto relative = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
  };
  return {relative(nodal_field(solver.discretisation(), solver.electric()), reference.electric),
          relative(nodal_field(solver.discretisation(), solver.magnetic()), vacuum_impedance * reference.magnetic)};
}

/// A time step that changes the fields by a good part of themselves, not much above the stable ones.
inline double brisk_time_step(int order) {
  return tiny_mesh_spacing / (speed_of_light * 4 * (order + 1) * (order + 1));
}

}  // namespace dgtd::dg::test
