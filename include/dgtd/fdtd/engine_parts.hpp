#pragma once
// Parts that an engine makes of lists on the host: sources, ports, boundary conditions, Bloch phases and spectra that work on
// its fields.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/fdtd/source_list.hpp"
#include "dgtd/solver/persistent.hpp"
#include "dgtd/solver/state.hpp"

namespace dgtd::fdtd {

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

/// Samples of which a spectrum is taken: components of E, and of H or means of two of H.
struct SpectrumSamples {
  std::vector<std::uint64_t> electric;        // [n_E] in [component][reals]
  std::vector<std::uint64_t> magnetic_below;  // [n_H]
  std::vector<std::uint64_t> magnetic_above;  // [n_H]; empty: no means
  std::vector<double> weight_below;  // [n_H] of magnetic_below, where there are means; the other has one minus this
};

/// A SourceList in the memory of an engine.
class SourceTerm {
 public:
  virtual ~SourceTerm() = default;
  virtual HalfStep half() const = 0;
  /// E is the value at the end of the step: the list of a hard source.
  virtual bool replaces() const = 0;
  /// A copy on the host, in the order of the engine.
  virtual SourceList list() const = 0;
  /// Adds the list to its field; time: s.
  virtual void add(double time) const = 0;
  /// The part of it next to a halo: see the sweeps of src/fdtd/steps/sweeps.
  virtual void add_next_to_halo(double time) const = 0;
  /// Adds the work of a list that counts it on E in the step that ends; once a step, after all sources. time: the half
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
  /// Sums that belong to those instants; ranks without samples have none.
  virtual void save(const std::string& name, solver::State& state) const = 0;
  virtual void load(const std::string& name, const solver::State& state) = 0;
};

}  // namespace dgtd::fdtd
