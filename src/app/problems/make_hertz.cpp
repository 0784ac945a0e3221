// The problem of method hpf2d.
#include "app/problems/grid_scene.hpp"
#include "app/problems/methods.hpp"
#include "dgtd/hpf/potential_solver.hpp"
#include "dgtd/reproductions/diagonal/diagonal.hpp"

namespace dgtd::app {

namespace {

// Fields, their Fourier sums and the increments, and class numbers.
double bytes_needed(const config::Case& c, const grid::Setup& setup, const parallel::Communicator& comm) {
  const double real = c.solver.precision == config::Precision::single_precision ? 4 : 8;
  const double cells = 1.1 * double(setup.grid.cells()) / comm.size();
  const double reals = 8 + 2.0 * double(c.dft.frequencies.size());  // two levels and their successors, sources; sums
  return cells * (reals * real + 4);
}

template <class Real>
std::unique_ptr<grid::GridSolver> make_potential_solver(const config::Case& c, const hpf::Setup& setup,
                                                        const grid::Media& media, double dt, const Backend& backend,
                                                        const parallel::Communicator& comm) {
  const bool diagonal = c.solver.kernels == solver::KernelFusion::diagonal;
  const int steps =
      diagonal ? reproductions::diagonal_steps(setup, sizeof(Real) == 4) : hpf::steps_at_once(setup, backend.cuda);
  const int ghosts = hpf::ghost_rows_for(setup, steps, comm.size());
  auto d = std::make_unique<hpf::Discretisation>(setup, media, dt, ghosts, comm.rank(), comm.size());
  std::unique_ptr<hpf::Engine<Real>> engine;
#if DGTD_CUDA
  if (backend.cuda)
    engine = diagonal ? reproductions::make_cuda_diagonal_engine<Real>(setup, c.solver.block_size, *d,
                                                                       backend.transport, comm)
                      : hpf::make_cuda_engine<Real>(setup, *d, backend.transport, comm);
#endif
  if (!engine)
    engine = diagonal ? reproductions::make_cpu_diagonal_engine<Real>(setup, *d, comm)
                      : hpf::make_cpu_engine<Real>(setup, *d, comm);
  return std::make_unique<hpf::PotentialSolver<Real>>(std::move(d), std::move(engine), c.sources, comm);
}

hpf::Setup setup_of(const config::Case& c, const grid::Setup& setup) {
  return {setup, c.solver.stencil, c.solver.potential, c.solver.kernels, c.solver.block_timesteps};
}

}  // namespace

Problem make_hertz(const ProblemRequest& request) {
  const config::Case& c = request.c;
  const parallel::Communicator& comm = request.comm;
  const auto scene = std::make_shared<GridScene>(make_grid_scene(c, request.timers));
  const auto stage = request.timers.measure("discretise");
  const double bytes = bytes_needed(c, scene->setup, comm);
  if (request.backend.cuda) check_device_memory(bytes, request.backend, comm, "fewer cells or single precision");
  else check_host_memory(bytes, comm, "fewer cells or single precision");

  const hpf::Setup setup = setup_of(c, scene->setup);
  Problem problem;
  problem.domain = scene;
  problem.plan =
      make_time_plan(c, c.solver.cfl_fraction * hpf::stability_limit(setup), request.steps, request.time_step);
  const double dt = problem.plan.time_step;
  auto solver = c.solver.precision == config::Precision::single_precision
                    ? make_potential_solver<float>(c, setup, *scene->media, dt, request.backend, comm)
                    : make_potential_solver<double>(c, setup, *scene->media, dt, request.backend, comm);
  problem.source_work_is_measured = false;
  complete_grid_problem(problem, std::move(solver), *scene, request);
  // E and H of nodes in double precision: two lists of each are kept, and one is being made.
  problem.sampling_bytes = 5.0 * sizeof(double) * double(problem.elements) / comm.size();
  // On a device the hash reads psi and its increment, and samples for a file the next increment besides.
  const double reals =
      double(problem.elements) * (c.solver.precision == config::Precision::double_precision ? 8 : 4) / comm.size();
  if (request.backend.cuda) problem.host_copy_bytes = 2 * reals, problem.sampling_bytes += reals;
  return problem;
}

}  // namespace dgtd::app
