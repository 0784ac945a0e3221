#pragma once
// Device interface of the solver (CPU threads or a CUDA device): owns the fields of a block of cells
// and performs the operations of a step. Work is done in the order of the calls; a call may return
// before its work is done, but not one that returns numbers.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/fdtd/engine_parts.hpp"
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

template <class Stored>
struct SchemeRequest;
template <class Stored>
struct SchemeOr;

/// Stored: the type of fields in memory. Everything else is of the type that they are computed in.
template <class Stored>
class Engine {
 public:
  using Real = arithmetic_t<Stored>;
  virtual ~Engine() = default;
  /// The field of a half step: electric(), magnetic().
  virtual parallel::Array<Stored>& field(HalfStep half) = 0;
  parallel::Array<Stored>& electric() { return field(HalfStep::electric); }  // [3][reals] in units of unit()
  /// [3][reals] times the impedance of vacuum, in units of magnetic_unit()
  parallel::Array<Stored>& magnetic() { return field(HalfStep::magnetic); }

  /// V/m: what that field in memory is a multiple of.
  virtual double unit_of(HalfStep half) const = 0;
  /// A power of two; 1 where fields are not compressed, and then it stays so.
  double unit() const { return unit_of(HalfStep::electric); }
  /// Unit of H times the impedance of vacuum. The same, but a constant multiple of it where that makes coefficients in
  /// half precision exact (src/fdtd/media/half_arithmetic.hpp).
  double magnetic_unit() const { return unit_of(HalfStep::magnetic); }
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

  /// A scheme that works on the engine's arrays directly, where the back end has one besides half steps. Its steps have
  /// the bits of half step after half step. The same answer on all ranks; collective. It outlives neither the engine
  /// nor the fields of the request.
  virtual SchemeOr<Stored> make_scheme(const SchemeRequest<Stored>& request) = 0;

  /// Adds fields, currents of poles and, with_layers, the layers' sums to the arrays of a checkpoint, under names with
  /// that prefix.
  virtual void add_persistent(const std::string& prefix, bool with_layers,
                              std::vector<solver::PersistentArray>& list) = 0;

  // Objects made by these work on the engine's fields; the engine outlives them.
  virtual std::unique_ptr<SourceTerm> make_source_term(const SourceList& list) = 0;
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
