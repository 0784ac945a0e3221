#include "dgtd/app/problem.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/time_step.hpp"

namespace dgtd::app {

namespace {

// A plane wave enters through the whole absorbing boundary: one lossless exterior.
void check_exterior(const std::vector<dg::AbsorbingFace>& faces, const mesh::Subdomain& mesh,
                    const std::vector<dg::ElementMaterial>& materials, const parallel::Communicator& comm) {
  std::vector<double> behind(materials.size(), 0.0);
  for (const auto& face : faces) behind[mesh.element_group[face.element]] = 1;
  behind = comm.max(std::move(behind));
  int first = -1;
  for (std::size_t g = 0; g < materials.size(); ++g) {
    if (behind[g] == 0) continue;
    if (first < 0) first = static_cast<int>(g);
    const auto& a = materials[first];
    const auto& b = materials[g];
    if (b.conductivity > 0)
      throw Error(fmt::format("a plane wave needs a lossless exterior: '{}' lies behind the absorbing boundary with sigma = {} S/m", mesh.volume_names[g], b.conductivity));
    if (a.permittivity != b.permittivity || a.permeability != b.permeability)
      throw Error(fmt::format("a plane wave needs one exterior material: '{}' and '{}' lie behind the absorbing boundary and differ", mesh.volume_names[first], mesh.volume_names[g]));
  }
  if (first < 0) throw Error("a plane wave enters through an absorbing boundary, and the case has none (boundary type silver-muller)");
}

template <class Real>
void make_dg(Problem& problem, const config::Case& c, const mesh::Subdomain& mesh, std::vector<dg::ElementMaterial> materials,
             const std::vector<dg::BoundaryKind>& boundaries, const parallel::Communicator& comm, std::int64_t steps_override) {
  bool incident = false;
  for (const auto& source : c.sources) incident |= source.type == config::Source::Type::plane_wave;
  auto d = std::make_unique<dg::Discretisation<Real>>(mesh, std::move(materials), boundaries, c.solver.order, incident);
  if (incident) check_exterior(d->absorbing_faces, mesh, d->material, comm);
  problem.closed = comm.max(static_cast<std::int64_t>(d->absorbing_faces.size())) == 0;
  auto executor = dg::make_cpu_executor(*d, c.solver.kernels == config::Kernels::split ? dg::Schedule::split : dg::Schedule::fused);
  const auto limit = dg::stability_limit(*d, *executor, comm);
  problem.stability_iterations = limit.iterations;
  problem.schedule = monitor::make_schedule(c, c.solver.courant * limit.time_step, steps_override);
  problem.solver = std::make_unique<dg::DgSolver<Real>>(std::move(d), std::move(executor), problem.schedule.time_step, c.sources, mesh.volume_names, comm);
}

}  // namespace

std::string choose_backend(const config::Case& c, std::string& reason) {
  if (c.solver.backend == config::Backend::cuda)
    throw Error(ExitCode::device, "solver.backend = cuda: this version has the CPU executor only; allowed are cpu, auto");
  if (c.solver.comm != config::Transport::automatic && c.solver.comm != config::Transport::mpi_host)
    throw Error(ExitCode::device, "solver.comm: this version has mpi-host only; allowed are mpi-host, auto");
  reason = c.solver.backend == config::Backend::cpu ? "as asked" : "this version has no CUDA executor yet";
  return "cpu";
}

Problem make_problem(config::Case& c, const mesh::Subdomain& mesh, const parallel::Communicator& comm, std::int64_t steps_override) {
  Problem problem;
  const auto material_of = config::match_materials(c, mesh.volume_names);
  const auto boundary_of = config::match_boundaries(c, mesh.surface_names);
  std::vector<dg::ElementMaterial> materials;
  for (const int i : material_of) {
    const auto& m = c.materials[i];
    problem.group_material.push_back(m);
    materials.push_back({m.eps_r, m.mu_r, m.sigma});
  }
  std::vector<dg::BoundaryKind> boundaries;
  for (const int i : boundary_of) {
    using Type = config::Boundary::Type;
    const Type type = c.boundaries[i].type;
    boundaries.push_back(type == Type::silver_muller ? dg::BoundaryKind::absorbing
                         : type == Type::pec         ? dg::BoundaryKind::metallic
                                                     : dg::BoundaryKind::magnetic);
  }
  if (c.solver.precision == config::Precision::single_precision)
    make_dg<float>(problem, c, mesh, std::move(materials), boundaries, comm, steps_override);
  else
    make_dg<double>(problem, c, mesh, std::move(materials), boundaries, comm, steps_override);
  return problem;
}

}  // namespace dgtd::app
