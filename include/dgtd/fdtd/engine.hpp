#pragma once
// What computes a block of cells: CPU threads or a CUDA device. The solver determines what happens in a step;
// the engine has the arrays and does it. Work is done in the order of the calls; a call may return
// before its work is done, but not one that returns numbers.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/fdtd/kernels/plane_view.hpp"
#include "dgtd/fdtd/port.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/transport.hpp"
#include "dgtd/solver/half_step.hpp"
#include "dgtd/solver/persistent.hpp"
#include "dgtd/solver/solver.hpp"
#include "dgtd/solver/state.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::fdtd {

/// Caches of a CPU, bytes: a thread's own, and its part of the one that all share.
struct CacheSizes {
  double own, shared;
};

using solver::HalfStep, solver::KernelFusion;

/// field[index] += weight waveform(time - delay), or that value in place of the field's. No index twice in one list.
struct SourceTermList {
  std::vector<std::uint64_t> index;   // [n] in [component][reals]
  std::vector<double> weight, delay;  // [n] V/m; s
  std::vector<double> moment;         // [n] J dV at the waveform's peak, A m, where the work is counted; else empty
  bool replaces = false;              // the field, in place of adding to it
};

/// E on a wall after its half step: E^n of `inner` + factor (E^{n+1} of `inner` - E^n of `wall`).
struct BoundaryList {
  std::vector<std::uint64_t> wall, inner;  // [n] in [component][reals]
  std::vector<double> factor;              // [n]
};

/// Ghosts of two real fields that are one complex field, which is turned there by cosine + i sine.
struct GhostPhases {
  std::vector<std::uint64_t> index;  // [n] in [component][reals]
  std::vector<double> cosine, sine;  // [n]
};

/// What a spectrum is taken of: components of E, and of H or means of two of H.
struct SpectrumSamples {
  std::vector<std::uint64_t> electric;        // [n_E] in [component][reals]
  std::vector<std::uint64_t> magnetic_below;  // [n_H]
  std::vector<std::uint64_t> magnetic_above;  // [n_H]; empty: no means
  std::vector<double> weight_below;  // [n_H] of magnetic_below, where there are means; the other has one minus this
};

/// What a source adds, for passes over a plane grid.
struct PlaneSource {
  physics::WaveformShape shape;
  std::vector<SourceTermList> lists[2];  // of E and of H; lists that replace E come last
};

/// A SourceTermList in the memory of an engine.
class SourceTerm {
 public:
  virtual ~SourceTerm() = default;
  /// Adds the list to its field; time: s.
  virtual void add(double time) const = 0;
  /// The part of it next to a halo: see Engine::update_interior_once.
  virtual void add_next_to_halo(double time) const = 0;
  /// Adds the work of a list with moments on E in the step that ends; once a step, after all sources. time: the half
  /// step's middle, s.
  virtual void add_work(double time) = 0;
  /// All of it so far, J, this rank's part.
  virtual double work() const = 0;
  /// Adds the work of each entry to the arrays of a checkpoint, under that name.
  virtual void add_persistent(const std::string& name, std::vector<solver::PersistentArray>& list) = 0;
  /// The fields have been loaded.
  virtual void take_fields() = 0;
};
/// A lumped port (port.hpp) in the memory of an engine.
class PortTerm {
 public:
  static constexpr std::int64_t most_records = 256;  // steps that it records until take_records
  virtual ~PortTerm() = default;
  /// Ends the electric half step in its edges, after the sources and before components in series; time: the middle of
  /// the half step, s.
  virtual void apply(double time) = 0;
  /// Energy that it has supplied to the fields so far, J, this rank's part.
  virtual double work() const = 0;
  /// Voltage (V), current (A) and supplied power (W) of the steps since the last call, [steps][3], this rank's part.
  virtual std::vector<double> take_records() = 0;
  /// Adds its work and the state of its circuit to the arrays of a checkpoint.
  virtual void add_persistent(const std::string& name, std::vector<solver::PersistentArray>& list) = 0;
  /// The fields have been set or loaded.
  virtual void take_fields() = 0;
};
/// A condition for E on the sides of the grid.
class BoundaryCondition {
 public:
  virtual ~BoundaryCondition() = default;
  /// Stores what it needs of E^n, before the electric half step.
  virtual void store() = 0;
  /// Sets E^{n+1} on the sides, after the half step and its sources.
  virtual void update() const = 0;
};
/// Terms of all sources of a field. Hard ones set E at the end of the step.
struct StepTerms {
  std::vector<SourceTerm*> magnetic, electric, hard;
  std::vector<PortTerm*> ports;
};
class BlochPhase {
 public:
  virtual ~BlochPhase() = default;
  /// Multiplies the ghosts by their phases, after both engines have refreshed them.
  virtual void apply() = 0;
};
class Spectrum {
 public:
  virtual ~Spectrum() = default;
  /// Adds the present fields times exp(i w t) and the weight, s; E at `time`, H at half a step less.
  virtual void add(double time, double weight) = 0;
  /// Sums at `count` frequencies from `first` on, each Re E [n_E], Im E [n_E], Re H [n_H], Im H [n_H] (times the
  /// impedance of vacuum), V s/m.
  virtual std::vector<double> sums(std::size_t first, std::size_t count) const = 0;
  /// Adds the sums, and instants that are not yet in them, to the arrays of a checkpoint. electric, magnetic: the
  /// samples with their places in SpectrumSamples.
  virtual void add_persistent(const std::string& name, const std::shared_ptr<const solver::Items>& electric,
                              const std::shared_ptr<const solver::Items>& magnetic,
                              std::vector<solver::PersistentArray>& list) = 0;
  /// What belongs to those instants; ranks without samples have none.
  virtual void save(const std::string& name, solver::State& state) const = 0;
  virtual void load(const std::string& name, const solver::State& state) = 0;
};

/// Stored: the type of fields in memory. Everything else is of the type that they are computed in.
template <class Stored>
class Engine {
 public:
  using Real = arithmetic_t<Stored>;
  virtual ~Engine() = default;
  virtual parallel::Array<Stored>& electric() = 0;  // [3][reals] in units of unit()
  virtual parallel::Array<Stored>& magnetic() = 0;  // [3][reals] times the impedance of vacuum, of magnetic_unit()

  /// V/m, a power of two: what fields in memory are multiples of. 1 where they are not compressed; then it stays so.
  virtual double unit() const = 0;
  /// V/m: of H times the impedance of vacuum. The same, but a constant multiple of it where that makes coefficients in
  /// half precision exact (src/fdtd/half_arithmetic.hpp).
  virtual double magnetic_unit() const = 0;
  /// From now on; fields and layers' sums are multiplied by a power of two, so that they stay what they are.
  virtual void set_unit(double unit) = 0;
  /// The largest magnitude of the owned components in memory, in units of unit(); infinite where one is no number.
  virtual double largest() = 0;

  /// Sends what the half step reads of the other field's edge; interior tiles need not wait.
  virtual void start_exchange(HalfStep half) = 0;
  virtual void update_interior(HalfStep half) = 0;
  virtual void finish_exchange(HalfStep half) = 0;
  virtual void update_next_to_halo(HalfStep half) = 0;

  /// Ends the electric half step, after its sources: components with two materials in series.
  virtual void update_series() = 0;

  /// Exchanges all ghosts that a half step reads, before sampling.
  virtual void refresh_ghosts(HalfStep half) = 0;

  /// Whether this engine does both half steps in one pass over memory: see update_interior_once.
  virtual bool has_one_pass() const = 0;
  /// The magnetic half step of the interior with its sources at `time`, and the electric one of the interior, in one
  /// pass; for tiles next to a halo, update_next_to_halo and SourceTerm::add_next_to_halo do it. The same arithmetic
  /// as one half step after the other.
  virtual void update_interior_once(const std::vector<const SourceTerm*>& magnetic, double time) = 0;

  /// How many steps one sweep takes at most; 1 where there are none. why: the reason then. The same on all ranks;
  /// collective.
  virtual int most_steps_of_sweep(std::string& why) const = 0;
  /// So many steps from step `first_step` on with all that belongs to them but boundary conditions, in one pass over
  /// memory (src/fdtd/skewed_sweep.hpp): the same arithmetic as step after step.
  virtual void sweep(const StepTerms& terms, std::int64_t first_step, int steps) = 0;

  /// From now on this plane grid of one rank advances by plane_pass alone, with these sources.
  virtual void start_plane_passes(PlaneFields fields, const std::vector<PlaneSource>& sources) = 0;
  /// 1 or most_steps_a_pass steps from step `first_step` on, in one pass over memory
  /// (kernels/plane_temporal_blocking.hpp).
  virtual void plane_pass(std::int64_t first_step, int steps) = 0;
  /// The energy of step `first_step`, J, by a pass of one step that is taken back.
  virtual double plane_energy(std::int64_t first_step) = 0;
  /// Energy that the sources have supplied so far, J.
  virtual double plane_work() const = 0;
  /// The absolute work of each entry of the sources added up, J.
  virtual double plane_gross_work() const = 0;
  virtual bool has_plane_passes() const = 0;

  /// Whether steps of this grid with these sources, all of the field's, can be done by volume_pass; if not, why.
  /// They need a second set of fields; bytes_to_leave: of the engine's memory, for what is allocated later. Several
  /// ranks lie one above the other, with margins of so many planes (grid::Setup). The same answer on all ranks of the
  /// communicator; collective. timers: stages discretise/passes/...
  virtual std::string start_volume_passes(const std::vector<std::pair<HalfStep, const SourceTerm*>>& sources,
                                          double bytes_to_leave, const parallel::Communicator& comm,
                                          Timers& timers) = 0;
  /// 0: there are no such passes.
  virtual int steps_of_volume_pass() const = 0;
  /// So many steps from step `first_step` on with their sources and those' work, in one pass over memory, with what
  /// ranks exchange for the next one. The same bits as half step after half step.
  virtual void volume_pass(std::int64_t first_step) = 0;

  /// Adds fields, layers' sums, currents of poles and, with plane passes, the work of sources to the arrays of a
  /// checkpoint, under names with that prefix.
  virtual void add_persistent(const std::string& prefix, std::vector<solver::PersistentArray>& list) = 0;

  // What these make works on the engine's fields; the engine outlives it.
  virtual std::unique_ptr<SourceTerm> make_source_term(HalfStep half, const SourceTermList& list,
                                                       const physics::WaveformShape& shape) = 0;
  /// edges: of this rank. amplitude: V, of the source's voltage.
  virtual std::unique_ptr<PortTerm> make_port(const std::vector<PortEdge>& edges, const physics::WaveformShape& shape,
                                              double amplitude) = 0;
  virtual std::unique_ptr<BoundaryCondition> make_boundary(const BoundaryList& list) = 0;
  /// Bloch phases for the ghosts that the half step reads, of this engine's field and of the imaginary part's.
  virtual std::unique_ptr<BlochPhase> make_bloch_phase(HalfStep half, const GhostPhases& list, Engine& imaginary) = 0;
  virtual std::unique_ptr<Spectrum> make_spectrum(const SpectrumSamples& samples,
                                                  const std::vector<double>& angular_frequencies) = 0;

  virtual parallel::Memory& memory() = 0;
  /// real += c u, imag += s u, over whole fields; u is E or H in memory in that unit, the sums are in V/m.
  virtual void accumulate_phasor(const parallel::Array<Stored>& u, double unit, double c, double s,
                                 parallel::Array<Real>& real, parallel::Array<Real>& imag) = 0;
  /// values[index] of arrays in memory(), on the host: [arrays][n].
  virtual std::vector<std::vector<Real>> gather(const std::vector<const parallel::Array<Real>*>& arrays,
                                                const std::vector<std::uint64_t>& index) = 0;
  /// E (or H) at places in [component][reals], on the host: [n] V/m.
  virtual std::vector<Real> sample(HalfStep field, const std::vector<std::uint64_t>& index) = 0;

  /// Stores H and its layers' sums, for energy() after the next magnetic half step.
  virtual void store_magnetic() = 0;
  /// Takes that half step back.
  virtual void restore_magnetic() = 0;
  /// 1/2 (E eps E + H_stored mu H) over this rank, J; poles' energy is not in it.
  virtual double energy() = 0;
  /// The same with H and what the next magnetic half step makes of it, which is not stored. Ghosts of E are current.
  virtual double energy_ahead() = 0;
  /// Hash of all components of E and H (kernels/hash_fields.hpp).
  virtual std::uint64_t hash() = 0;

  virtual double wait_seconds() const = 0;
  virtual double memory_bytes() const = 0;
  virtual double copy_bandwidth() = 0;
  virtual solver::Solver::Occupancy occupancy() const = 0;
  virtual void wait() = 0;
};

/// CPU threads (OpenMP). d outlives the engine. caches: without them those of this machine.
template <class Stored>
std::unique_ptr<Engine<Stored>> make_cpu_engine(const Discretisation<arithmetic_t<Stored>>& d, KernelFusion fusion,
                                                const parallel::Communicator& comm,
                                                const std::optional<CacheSizes>& caches = {});
/// A CUDA device.
template <class Stored>
std::unique_ptr<Engine<Stored>> make_cuda_engine(const Discretisation<arithmetic_t<Stored>>& d, KernelFusion fusion,
                                                 parallel::Transport transport, const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
