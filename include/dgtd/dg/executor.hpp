#pragma once
// Device interface of the solver: owns the element data of a rank and performs the operations of a step, on CPU threads
// or on a CUDA device. Fields are arrays in memory(). Work is done in the order of the calls; a call may return before
// its work is done, but not one that returns numbers. Written once over a parallel::Backend (src/dg/executor_on.hpp).
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/kernels/level_view.hpp"
#include "dgtd/dg/loops.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/memory.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"
#include "dgtd/solver/half_step.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::dg {

/// Steps that a device can replay as one piece of work, at most.
inline constexpr int most_steps_at_once = 16;

/// Steps of which a device with the fields in its multiprocessors takes at most so many at once, and from how many on that
/// is faster than steps of launches: reading and writing the fields takes as long as a few of them.
inline constexpr int most_resident_steps = 512, least_resident_steps = 8;

/// A current in the executor's memory (Current).
struct StepCurrent {
  const parallel::Array<std::uint64_t>* index;                // CurrentCoefficients, as the next two
  const parallel::Array<double>*increment, *weight;
  parallel::Array<double>*voltage, *measured;                 // [1] `last` and `work` of Executor::add_work
};

/// A half step inside level l of local time steps, 1 <= l <= L: electric, of P_l, from the field H; magnetic, of
/// N(P_l), from a field of LevelBlocks.
template <class Real>
struct LevelStep {
  int level;
  HalfStep half;
  Field<Real>* source;
  LevelFields<Real> fields;
};

template <class Real>
class Executor {
 public:
  virtual ~Executor() = default;
  virtual parallel::Memory& memory() = 0;
  virtual double memory_bytes() const = 0;  // of the element data that it holds

  /// The discretisation's Ca, Cb or level_Cb have changed. Frees what apply() has kept.
  virtual void load_half_steps() = 0;
  /// The operator without a time step: result = terms.length / c0 times the derivative in time of the field of `half`,
  ///   E: length/eps_r (curl Z0 H + damping of E by absorbing faces) - length Z0 sigma/eps_r E
  ///   H: - length/mu_r (curl E + damping of Z0 H)
  /// source: the other field, whose ghost slots are written; own: the field itself, on which damping and conduction
  /// act; result: another array. States of elements take no part. For the time step and for integrators. Collective.
  virtual void apply(HalfStep half, Field<Real>& source, const Field<Real>& own, Field<Real>& result,
                     const OperatorTerms& terms = {}) = 0;
  /// A half step: exchanges the traces of source, of which the ghost slots are written, and updates target; the
  /// interior is updated during the exchange. batches outlive the executor's work. Collective.
  virtual void update(HalfStep half, Field<Real>& source, Field<Real>& target, const Batches& batches) = 0;
  /// With local time steps: the half step of H before it is filtered. It is u = unfiltered in the blocks within reach
  /// of level 1 and magnetic elsewhere, where the new values are too. Then filter(), update_levels with the same
  /// arguments each time: a device replays both where no stream exchanges halos. Collective.
  virtual void update_unfiltered(Field<Real>& electric, Field<Real>& unfiltered, Field<Real>& magnetic,
                                 const std::function<void()>& filter) = 0;
  /// Half steps inside levels, one after the other, each with the exchange of the source's traces at the level's halo
  /// faces. Collective.
  virtual void update_levels(const std::vector<LevelStep<Real>>& steps) = 0;
  /// The part of the conserved energy, J, of this rank, without convolutional layers. It computes the next H element by
  /// element and does not keep it; the fields are the same afterwards. unfiltered: as in update_unfiltered; null without
  /// local time steps. Collective.
  virtual double energy(Field<Real>& electric, Field<Real>* unfiltered, Field<Real>& magnetic,
                        const Batches& batches) = 0;
  /// [owned slots] integral over each element of u . v, m^3 times the fields' units; zero for padding.
  virtual std::vector<double> element_products(const Field<Real>& u, const Field<Real>& v) = 0;

  /// Adds to sum, over the elements of the first `blocks` blocks, eps_r (of: electric) or mu_r times the integral of
  /// u . v. The sum has the same bits wherever it is computed.
  virtual void add_product(HalfStep of, const Field<Real>& u, const Field<Real>& v, std::int64_t blocks,
                           parallel::ReproducibleSum& sum) = 0;

  /// The arrays of Discretisation::states.
  virtual std::vector<Field<Real>>& states() = 0;

  /// step(i) for i from 0 to count - 1, count a power of two, at most most_steps_at_once: the same calls of the executor
  /// each time, with other LoopNumbers in the same places. A device replays them where no stream exchanges halos.
  /// Collective.
  virtual void repeat_steps(int count, const std::function<void(int)>& step) = 0;

  /// body(i) for i from 0 to n - 1.
  virtual void for_each(std::int64_t n, const Loop<Real>& body) = 0;
  /// *work += factor *last; *last = the sum of term(i), i from 0 to n - 1, in one fixed order; *work += factor *last.
  /// Both are in memory().
  virtual void add_work(std::int64_t n, const WeightedCoefficient<Real>& term, const LoopNumber& factor,
                        double* last, double* work) = 0;

  /// Seconds that the host has waited for halos so far.
  virtual double halo_wait_seconds() const = 0;
  /// Bytes per second that a copy moves in memory(), read plus written; measured now.
  virtual double copy_bandwidth() = 0;
  virtual solver::Solver::Occupancy occupancy() const = 0;
  /// Returns when all work is done.
  virtual void wait() = 0;

  /// Whether take_steps() is possible with these currents on all ranks: with global steps, where the elements have
  /// neither states, layers, curves, Bloch faces nor a penalty of jumps, where the fields fit into the devices, and
  /// where several ranks exchange halos inside of launches. currents: none where a rank has other sources. The fields
  /// have the same bits as after half steps by update(). expected: about as many steps follow the first call, which
  /// tells how much time its preparation is worth. Collective.
  virtual bool can_take_steps(const std::optional<std::vector<StepCurrent>>& currents, std::int64_t expected) = 0;
  /// Whole leap-frog steps, at most most_resident_steps. numbers: [step][f, factor of the work][current] of AddCurrent
  /// and add_work.
  virtual void take_steps(int steps, Field<Real>& electric, Field<Real>& magnetic,
                          const std::vector<StepCurrent>& currents, const std::vector<double>& numbers) = 0;
};

/// Lanes of the FieldLayout on the CPU: elements one after the other.
inline constexpr int cpu_field_lanes = 1;

/// CPU threads (OpenMP). d, of cpu_field_lanes, and comm, of its mesh, outlive the executor.
template <class Real>
std::unique_ptr<Executor<Real>> make_cpu_executor(const Discretisation<Real>& d, KernelFusion fusion,
                                                  const parallel::Communicator& comm);

}  // namespace dgtd::dg
