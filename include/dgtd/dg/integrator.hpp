#pragma once
// The scheme in time of DgSolver. A new one implements Integrator over Executor::apply or Executor::update, and
// app/problems/dg_problem.cpp, which knows its time step, gives it to the solver.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/source_terms.hpp"
#include "dgtd/solver/state.hpp"

namespace dgtd::dg {

/// Operator and fields that an integrator advances; all outlive it.
template <class Real>
struct Dynamics {
  Discretisation<Real>& d;
  Executor<Real>& executor;
  Field<Real>& electric;  // E, V/m times m
  Field<Real>& magnetic;  // Z0 H
  const parallel::Communicator& comm;
};

template <class Real>
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Steps from the time of H to the later one of E, of the fields between two steps: 1/2 in leap-frog schemes.
  virtual double magnetic_lag() const = 0;
  /// Evaluations of the operator per step, in whole steps of the leap-frog scheme.
  virtual int stages() const = 0;
  /// The response of E to currents in a step.
  virtual CurrentResponse current_response() const = 0;

  /// Steps, as many as steps_at_once() says; E is at times[i], s, before step i. Collective.
  virtual void advance(SourceTerms<Real>& sources, const std::vector<double>& times) = 0;
  /// The energy that the scheme conserves without loss, J, this rank's part; E is at `time`, s. Of the fields only
  /// ghosts are written. Collective.
  virtual double energy(SourceTerms<Real>& sources, double time) = 0;
  /// The fields were set: what it has made from earlier ones does not belong to them.
  virtual void forget_fields() {}
  /// The fields were filled with numbers without structure: what belongs to them is made from them.
  virtual void take_random_fields() {}

  /// Fields that it holds besides E and H: those of a checkpoint, of the elements of the first `blocks` blocks.
  struct KeptField {
    std::string name, elements;  // of the field and of its elements in checkpoints
    Field<Real>* field;
    std::int64_t blocks;
  };
  virtual std::vector<KeptField> kept_fields() { return {}; }
  virtual void save(solver::State&) const {}
  virtual void load(const solver::State&) {}
  virtual double memory_bytes() const = 0;
  /// How many of so many steps one call of advance() takes: a power of two up to most_steps_at_once, or up to
  /// most_resident_steps.
  virtual std::int64_t steps_at_once(SourceTerms<Real>&, std::int64_t wanted) const {
    return static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(std::min<std::int64_t>(wanted, most_steps_at_once))));
  }
};

template <class Real>
using MakeIntegrator = std::function<std::unique_ptr<Integrator<Real>>(const Dynamics<Real>&)>;

}  // namespace dgtd::dg
