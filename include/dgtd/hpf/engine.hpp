#pragma once
// Device interface of the potential's solver: CPU threads or a CUDA device. The solver determines the order; the engine
// holds the arrays and performs the operations.
#include <memory>
#include <vector>

#include "dgtd/hpf/discretisation.hpp"
#include "dgtd/parallel/transport.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::hpf {

template <class Real>
class Engine {
 public:
  virtual ~Engine() = default;
  /// Steps that advance() may take at once; between two calls ghost rows are exchanged.
  virtual int most_steps() const = 0;

  /// psi^n (V m, or A m of a magnetic potential) and psi^n - psi^{n-1}: [row with ghosts][pitch].
  virtual parallel::Array<Real>& psi() = 0;
  virtual parallel::Array<Real>& increment() = 0;
  /// The same after advance().
  virtual parallel::Array<Real>& new_psi() = 0;
  virtual parallel::Array<Real>& new_increment() = 0;

  virtual void set_sources(const std::vector<RowSource<Real>>& sources) = 0;
  /// Values of the sources' time series in the steps to come: [series][steps].
  virtual void set_series(const std::vector<Real>& values, int steps) = 0;

  /// Fills the ghost rows of psi and increment. Collective.
  virtual void exchange() = 0;
  /// From psi, increment to new_psi, new_increment, with the series from the given step of set_series on. Ghost rows
  /// are lost.
  virtual void advance(int steps, int series_step) = 0;
  /// Makes the result of advance() psi and increment.
  virtual void accept() = 0;

  /// Quadratic form of two increments that follow each other (potential_solver.hpp), of this rank: sum over nodes of
  /// kinetic[class] (v' - v)^2 area + v' sum over neighbours of stiffness[axis] width / distance (v - v_neighbour).
  virtual double energy(const std::vector<double>& kinetic, const std::array<double, 2>& stiffness) = 0;
  /// real += c u, imag += s u, over whole arrays.
  virtual void accumulate_phasor(const parallel::Array<Real>& u, double c, double s, parallel::Array<Real>& real,
                                 parallel::Array<Real>& imag) = 0;

  virtual parallel::Memory& memory() = 0;
  virtual double wait_seconds() const = 0;
  virtual double memory_bytes() const = 0;
  virtual double copy_bandwidth() = 0;
  virtual solver::Solver::Occupancy occupancy() const = 0;
  virtual void wait() = 0;
};

/// Steps that a launch takes at once on a backend: setup.block_timesteps, or what suits it. Throws Error (bad_input)
/// for more than it can.
int steps_at_once(const Setup& setup, bool cuda);

/// CPU threads (OpenMP). d outlives the engine; its ghost_rows are at least steps_at_once where rows of others follow.
template <class Real>
std::unique_ptr<Engine<Real>> make_cpu_engine(const Setup& setup, const Discretisation& d,
                                              const parallel::Communicator& comm);
/// A CUDA device.
template <class Real>
std::unique_ptr<Engine<Real>> make_cuda_engine(const Setup& setup, const Discretisation& d,
                                               parallel::Transport transport, const parallel::Communicator& comm);

}  // namespace dgtd::hpf
