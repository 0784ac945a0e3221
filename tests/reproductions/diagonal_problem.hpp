#pragma once
// Planes of potentials with the paper's diagonal scheme.
#include "dgtd/reproductions/diagonal/diagonal.hpp"
#include "hpf/problems.hpp"

namespace dgtd::reproductions {

using hpf::PlaneProblem, hpf::Stencil;

/// As PlaneProblem::make, with the diagonal engine.
template <class Real>
std::unique_ptr<hpf::PotentialSolver<Real>> make_diagonal(const PlaneProblem& p, const parallel::Communicator& comm,
                                                          bool cuda = false) {
  const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.grid.materials, true);
  const int ghosts = hpf::ghost_rows_for(p.setup, diagonal_steps(p.setup, sizeof(Real) == 4), comm.size());
  auto d = std::make_unique<hpf::Discretisation>(p.setup, media, p.time_step(), ghosts, comm.rank(), comm.size());
  std::unique_ptr<hpf::Engine<Real>> engine;
#if DGTD_CUDA
  if (cuda) engine = make_cuda_diagonal_engine<Real>(p.setup, 32, *d, parallel::Transport::mpi_host, comm);
#else
  (void)cuda;
#endif
  if (!engine) engine = make_cpu_diagonal_engine<Real>(p.setup, *d, comm);
  return std::make_unique<hpf::PotentialSolver<Real>>(std::move(d), std::move(engine), p.sources, comm);
}

}  // namespace dgtd::reproductions
