#pragma once
// What computes: CPU threads or a CUDA device. The solver says what happens in a step; the executor
// holds the arrays and does it. Pointers to fields are into memory(). Work is done in the order of the
// calls; a call may return before its work is done, but not one that returns numbers.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/incident_field.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "dgtd/parallel/memory.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::dg {

enum class HalfStep { electric, magnetic };  // the field that is updated

/// How intVolume, intSurface and updateField are launched: in one pass, or one after the other with
/// the flux array between them, as in report 7592, section 4.3. The same arithmetic.
enum class Schedule { fused, split };

/// Halo traces of one field: packed from the owned elements, exchanged, unpacked into the ghost slots.
template <class Real>
class TraceExchange {
 public:
  virtual ~TraceExchange() = default;
  virtual void start(const Real* field) = 0;  // before the interior elements are updated
  virtual void finish(Real* field) = 0;       // before the halo elements are
  virtual double wait_seconds() const = 0;
};

/// Who exchanges what with whom, for traces of d's order.
template <class Real>
parallel::HaloPlan halo_plan(const Discretisation<Real>& d);

/// Coefficients that a current drives, and the functional of the field that its work needs.
struct CurrentCoefficients {
  std::vector<std::uint64_t> index;  // [n] in the field array
  std::vector<double> kick;          // [n] change of the coefficient for f = 1
  std::vector<double> weight;        // [n] integral rho E . e = sum weight u, V/m
};

template <class Real>
class Current {
 public:
  virtual ~Current() = default;
  virtual void drive(Real* field, double f) = 0;               // u += f kick
  virtual void measure(const Real* field, double factor) = 0;  // measured += factor sum weight u
  virtual double measured() const = 0;
};

template <class Real>
class IncidentWriter {
 public:
  virtual ~IncidentWriter() = default;
  /// Write the wave's E (V/m) or Z0 H at a time, times m, into the ghost slots, or add it to what is there.
  virtual void write_electric(Real* electric, double time, bool overwrite) = 0;
  virtual void write_magnetic(Real* magnetic, double time, bool overwrite) = 0;
};

template <class Real>
class Executor {
 public:
  virtual ~Executor() = default;
  virtual parallel::Memory& memory() = 0;
  virtual double memory_bytes() const = 0;  // of the element data that it holds

  /// The discretisation's rates, decays or admittances have changed.
  virtual void load_half_steps() = 0;
  /// Batches without elements next to a halo. They may run side by side.
  virtual void update(HalfStep half, const Real* source, Real* target, const std::vector<Batch>& batches) = 0;
  /// The same for the batches next to a halo, after their traces' finish(). May run beside update().
  virtual void update_halo(HalfStep half, const Real* source, Real* target, const std::vector<Batch>& batches) = 0;
  /// Does a half step's work, given as calls of this executor and of its trace exchanges that are the
  /// same each time: a device records them once and then replays them.
  virtual void half_step(HalfStep half, const std::function<void()>& work) = 0;
  /// The batch's part of the conserved energy, J: it takes the half step of H for a part of the batch at a time and
  /// takes it back, so that H is the same afterwards.
  virtual double energy(const Real* electric, Real* magnetic, const Batch& batch) = 0;

  /// [slots] integral over each element of u . v, m^3 times the fields' units; zero for padding.
  virtual std::vector<double> element_products(const Real* u, const Real* v) = 0;
  virtual void scale(Real* field, Real factor, std::size_t reals) = 0;
  virtual void copy(const Real* from, Real* to, std::size_t reals) = 0;
  /// real += c u, imag += s u.
  virtual void accumulate_phasor(const Real* u, Real c, Real s, Real* real, Real* imag, std::size_t reals) = 0;

  virtual std::unique_ptr<TraceExchange<Real>> make_trace_exchange(const parallel::Communicator& comm) = 0;
  virtual std::unique_ptr<Current<Real>> make_current(CurrentCoefficients coefficients) = 0;
  virtual std::unique_ptr<IncidentWriter<Real>> make_incident_writer(const IncidentWave& wave) = 0;

  /// Bytes a second that a copy moves in memory(), read plus written; measured now.
  virtual double copy_bandwidth() = 0;
  virtual solver::Solver::Occupancy occupancy() const = 0;
  /// Returns when all work is done.
  virtual void wait() = 0;
};

/// What the CPU executor wants of a Discretisation: elements one after the other (FieldLayout).
inline constexpr int cpu_field_lanes = 1;

/// CPU threads (OpenMP). d, of cpu_field_lanes, outlives the executor.
template <class Real>
std::unique_ptr<Executor<Real>> make_cpu_executor(const Discretisation<Real>& d, Schedule schedule);

}  // namespace dgtd::dg
