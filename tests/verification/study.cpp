#include "study.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "dgtd/parallel/cuda_device.hpp"

namespace dgtd::verification {

bool full_study() {
  const char* const value = std::getenv("DGTD_FULL");
  return value && std::string(value) != "0";
}

const parallel::Communicator& alone() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

namespace {

/// The GPU where there is one: the full studies need it.
bool on_device() {
#if DGTD_CUDA
  static const bool cuda = parallel::take_cuda_device(alone()).found;
  return cuda;
#else
  return false;
#endif
}

template <class Real>
std::unique_ptr<dg::Executor<Real>> executor_for(const dg::Discretisation<Real>& d) {
#if DGTD_CUDA
  if (on_device())
    return dg::make_cuda_executor(d, solver::KernelFusion::fused, parallel::Transport::mpi_host, alone());
#endif
  return dg::make_cpu_executor(d, solver::KernelFusion::fused, alone());
}

template <class Real>
std::unique_ptr<dg::Discretisation<Real>> discretise(const Problem& problem, int order,
                                                     const dg::TimeLevels& levels = {}) {
  const bool incident = std::any_of(problem.sources.begin(), problem.sources.end(), dg::enters_through_boundary);
  return std::make_unique<dg::Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, order,
                                                    incident, on_device() ? dg::cuda_field_lanes : dg::cpu_field_lanes,
                                                    levels, problem.layers, std::vector<dg::BlochFace>(),
                                                    problem.curved);
}

}  // namespace

template <class Real>
double largest_time_step(const Problem& problem, int order) {
  const auto d = discretise<Real>(problem, order);
  return dg::stability_limit(*d, *executor_for(*d), alone()).time_step;
}

namespace {

constexpr double most = 0.985;  // of the bounds: what a run permits

}  // namespace

bool is_stable_step(const Problem& problem, int order, const dg::TimeLevels& levels, double dt) {
  const auto d = discretise<double>(problem, order, levels);
  const auto executor = executor_for(*d);
  return dg::LevelTimeStep<double>(*d, *executor, alone()).bounds(dt).largest() <= most;
}

double largest_time_step(const Problem& problem, int order, const dg::TimeLevels& levels) {
  const auto d = discretise<double>(problem, order, levels);
  const auto executor = executor_for(*d);
  dg::LevelTimeStep<double> step(*d, *executor, alone());
  double dt = step.time_step(0.955);
  for (auto bounds = step.bounds(dt); bounds.largest() > most; bounds = step.bounds(dt))
    dt *= std::clamp(std::sqrt(0.97 / bounds.largest_finite()), 0.5, 0.98);
  return dt;
}

template <class Real>
std::unique_ptr<dg::DgSolver<Real>> make_solver(const Problem& problem, int order, double dt,
                                                const dg::TimeLevels& levels) {
  auto d = discretise<Real>(problem, order, levels);
  auto executor = executor_for(*d);
  return std::make_unique<dg::DgSolver<Real>>(std::move(d), std::move(executor), dt, problem.sources,
                                              problem.mesh.volume_names, alone());
}

void set_rough_fields(dg::DgSolver<double>& solver) {
  const auto rough = [](const Vec3& x) {
    return Vec3{std::sin(19 * x.x + 7 * x.y), std::cos(23 * x.y * x.z), std::sin(17 * x.z - 5 * x.x)};
  };
  solver.set_fields(rough, [&](const Vec3& x) { return rough(x + Vec3{0.3, 0.1, 0.2}) / vacuum_impedance; });
}

dg::Field<double> difference(const dg::DgSolver<double>& a, const dg::Field<double>& f, const dg::DgSolver<double>& b,
                             const dg::Field<double>& g) {
  const auto &of = a.discretisation(), &other = b.discretisation();
  dg::Field<double> result(f.size(), a.executor().memory());
  const double *const minuend = f.host(), *const subtrahend = g.host();
  double* const values = result.host_for_writing();
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    const std::size_t at = of.layout.first(of.slot_of_element[e]), there = other.layout.first(other.slot_of_element[e]);
    for (std::size_t i = 0; i < std::size_t{3} * of.layout.nodes; ++i)
      values[at + i * of.layout.stride()] =
          minuend[at + i * of.layout.stride()] - subtrahend[there + i * other.layout.stride()];
  }
  return result;
}

std::vector<double> squares(const dg::DgSolver<double>& solver, const dg::Field<double>& f) {
  const auto& d = solver.discretisation();
  const auto of_slot = solver.executor().element_products(f, f);
  std::vector<double> result;
  for (const std::uint32_t slot : d.slot_of_element) result.push_back(of_slot[slot]);
  return result;
}

Problem metallic_cube(std::int64_t cells) {
  return {mesh::make_box({cells, cells, cells}, {1, 1, 1}, alone()),
          {{}},
          std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec),
          {}};
}

namespace {

enum class Edges { straight, curved };

Problem spheres_with(const mesh::Spheres& spheres, std::vector<physics::Medium> material, Edges edges) {
  const auto file = std::filesystem::temp_directory_path() / ("dgtd_verification_" + std::to_string(getpid()) + ".msh");
  mesh::generate_spheres(spheres, file);
  if (edges == Edges::curved) mesher::make_spheres_curved(spheres, file);
  mesh::MeshSource settings;
  settings.file = file;
  settings.cache = mesh::MeshSource::Cache::off;
  settings.straight_surfaces = {"absorbing"};
  Problem problem{mesh::load(settings, alone()), {}, {}, {}};
  std::filesystem::remove(file);
  problem.boundary_kind.assign(problem.mesh.surface_names.size(), physics::BoundaryKind::silver_muller);
  for (const auto& name : problem.mesh.volume_names)  // the file's order of groups may differ
    for (std::size_t i = 0; i < spheres.names.size(); ++i)
      if (spheres.names[i] == name) problem.material.push_back(material[i]);
  return problem;
}

}  // namespace

Problem spheres(const mesh::Spheres& spheres, std::vector<physics::Medium> material) {
  return spheres_with(spheres, std::move(material), Edges::straight);
}

Problem curved_spheres(const mesh::Spheres& spheres, std::vector<physics::Medium> material) {
  Problem problem = spheres_with(spheres, std::move(material), Edges::curved);
  problem.curved = mesh::CurvedElements::full;
  return problem;
}

std::vector<double> group_volumes(const mesh::Subdomain& mesh) {
  std::vector<double> volume(mesh.volume_names.size());
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    volume[mesh.element_group[e]] += dg::ElementGeometry(mesh, e).volume();
  return volume;
}

void restore_sphere_volumes(mesh::Subdomain& mesh, const std::vector<double>& radii) {
  const std::size_t inner = radii.size() - 1;
  std::vector<double> enclosed(inner);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const dg::ElementGeometry geometry(mesh, e);
    for (std::size_t i = 0; i < inner; ++i) {
      bool inside = true;
      for (int v = 0; v < 4; ++v) inside = inside && norm(geometry.vertices[v]) < radii[i] * (1 + 1e-6);
      if (inside) enclosed[i] += geometry.volume();
    }
  }
  // Radius and the factor there, linear in between.
  std::vector<std::array<double, 2>> factor{{0, 1}};
  for (std::size_t i = 0; i < inner; ++i)
    factor.push_back({radii[i], std::cbrt(4 * pi / 3 * std::pow(radii[i], 3) / enclosed[i])});
  factor[0][1] = factor[1][1];
  factor.push_back({radii.back(), 1});
  for (Vec3& x : mesh.vertices) {
    const double r = norm(x);
    std::size_t i = 1;
    while (i + 1 < factor.size() && r > factor[i][0]) ++i;
    const double share = (r - factor[i - 1][0]) / (factor[i][0] - factor[i - 1][0]);
    x = (factor[i - 1][1] + share * (factor[i][1] - factor[i - 1][1])) * x;
  }
}

template <class Real>
double run_to_steady_state(dg::DgSolver<Real>& solver, double frequency, int steps_per_period, int periods) {
  for (int i = 0; i < (periods - 1) * steps_per_period; ++i) solver.advance(1);
  const double before = solver.source_work();
  solver.start_dft({2 * pi * frequency});
  for (int i = 0; i < steps_per_period; ++i) {
    solver.advance(1);
    solver.accumulate_dft(2.0 / steps_per_period);
  }
  return solver.source_work() - before;
}

template double largest_time_step<float>(const Problem&, int);
template double largest_time_step<double>(const Problem&, int);
template std::unique_ptr<dg::DgSolver<float>> make_solver<float>(const Problem&, int, double, const dg::TimeLevels&);
template std::unique_ptr<dg::DgSolver<double>> make_solver<double>(const Problem&, int, double, const dg::TimeLevels&);
template double run_to_steady_state<float>(dg::DgSolver<float>&, double, int, int);
template double run_to_steady_state<double>(dg::DgSolver<double>&, double, int, int);

}  // namespace dgtd::verification
