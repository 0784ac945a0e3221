#pragma once
// The interfaces of a numerical method to the time loop, the observers and the results, one for each use.
//
// Time levels: after n steps E is at n dt and H at (n - lag) dt, where leap-frog schemes have the lag 1/2.
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/solver/persistent.hpp"
#include "dgtd/solver/state.hpp"

namespace dgtd::solver {

struct FieldSample {
  Vec3 electric;  // V/m
  Vec3 magnetic;  // A/m
};

/// A vector field in space.
using VectorFunction = std::function<Vec3(const Vec3&)>;

/// Field to sample: the present one, or a part of a Fourier sum's peak phasor F, f(t) = Re F exp(-i w t).
struct Quantity {
  enum class Field { electric, magnetic } field = Field::electric;
  enum class Part { present, real, imaginary } part = Part::present;
  std::size_t frequency = 0;  // index of the Fourier sums' frequency
};

/// The part of a Fourier sum that the other part becomes when the sum is multiplied by i.
inline Quantity turned(Quantity q) {
  q.part = q.part == Quantity::Part::real ? Quantity::Part::imaginary : Quantity::Part::real;
  return q;
}

/// Place where fields became unstable.
struct Instability {
  std::int64_t element = 0;  // global id of the element or cell
  Vec3 centre;               // m
  std::string material;
};

/// Clock of a run.
struct Clock {
  std::int64_t steps = 0;     // n, done
  double time_step = 0;       // dt, s
  double magnetic_lag = 0.5;  // steps from the time of H to that of E
  double electric_time() const { return static_cast<double>(steps) * time_step; }                   // s, of E
  double magnetic_time() const { return (static_cast<double>(steps) - magnetic_lag) * time_step; }  // s, of H
};

/// Clock and step: all that the time loop needs of a method.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual Clock clock() const = 0;
  double time_step() const { return clock().time_step; }  // s
  std::int64_t steps_done() const { return clock().steps; }
  /// Takes so many steps, each H then E, with halos exchanged behind the interior; several at once where a method can.
  virtual void advance(std::int64_t steps) = 0;
  /// Returns when all steps of advance() are done: a device may lag behind.
  virtual void wait() = 0;
};

/// Work of the sources since the start, J, this rank's part.
struct SourceWork {
  double done = 0;
  /// The absolute work of each source, or of its parts, added up: sources that cancel each other leave fields of
  /// rounding errors, whose energy is a small share of it.
  double gross = 0;
  double incident_bound = 0;  // an upper bound of the energy that incident fields have brought in
};

/// Numbers that the fields give: energy, work, the place of an instability, and Fourier sums of all of them.
class Figures {
 public:
  virtual ~Figures() = default;
  /// Conserved energy 1/2 (E^n M_eps E^n + H^{n-1/2} M_mu H^{n+1/2}) at the present step n, J, this rank's part.
  /// Neither the fields nor the clock change. Collective.
  virtual double energy() = 0;
  virtual SourceWork work() const = 0;
  double source_work() const { return work().done; }  // J, this rank's part
  /// A non-finite element, or else the one with the largest energy density. This rank only.
  virtual Instability find_instability(double& severity) const = 0;
  /// Starts Fourier sums of E and H at the given angular frequencies with the time of each (H at its half step).
  virtual void start_dft(const std::vector<double>& angular_frequencies) = 0;
  /// Adds the present fields, weighted by the seconds that the sample represents.
  virtual void accumulate_dft(double weight) = 0;
};

/// E and H at points.
class PointFields {
 public:
  virtual ~PointFields() = default;
  /// Prepares sampling at a point; collective. Returns whether this rank holds it.
  virtual bool add_probe(const std::string& name, const Vec3& position, const std::string& origin) = 0;
  /// Brings what probe() reads to the present step. Collective.
  virtual void refresh_probes() {}
  /// Fields at a probe that this rank holds, after refresh_probes().
  virtual FieldSample probe(const std::string& name) const = 0;
};

/// E and H in the whole domain.
class Fields {
 public:
  virtual ~Fields() = default;
  /// Sets E (V/m) and H (A/m), each at its time of the clock, by L2 projection.
  virtual void set_fields(const VectorFunction& electric, const VectorFunction& magnetic) = 0;
  /// Sets E and H to numbers without structure, to measure speed on.
  virtual void randomise_fields() = 0;
  /// Squared L2 norms of field minus exact and of exact, E and then H, this rank's part.
  virtual std::array<double, 4> squared_errors(const VectorFunction& electric,
                                               const VectorFunction& magnetic) const = 0;
  /// Order-independent hash of E and H by global id, this rank's part (add modulo 2^64).
  virtual std::uint64_t fields_hash() const = 0;
};

/// Size of a problem and cost of its steps, all ranks.
struct Costs {
  std::int64_t unknowns = 0;
  double updates_per_step = 1;           // of an element or cell, the mean: more than one with local time steps
  double compulsory_bytes_per_step = 0;  // docs/contracts.md, Contracts
  double operations_per_step = 0;        // the dense count of the paper
};

/// Time and memory that a method takes.
class Performance {
 public:
  virtual ~Performance() = default;
  virtual Costs costs() const = 0;
  virtual double halo_wait_seconds() const = 0;
  /// Occupancy of the main kernel on a device: registers per thread, share of resident threads; zero on
  /// the CPU.
  struct Occupancy {
    int registers = 0;
    double resident = 0;
  };
  virtual Occupancy occupancy() const = 0;
  virtual double memory_bytes() const = 0;  // arrays of this rank
  /// Bytes of the arrays that the time loop will add in this rank's memory of the fields: those of start_dft() for so
  /// many frequencies, and what the first energy() allocates.
  virtual double loop_bytes(std::size_t frequencies) const {
    (void)frequencies;
    return 0;
  }
  /// Bytes per second that a copy moves where the fields are stored, read plus written; measured now.
  virtual double copy_bandwidth() = 0;
};

/// The state that a checkpoint keeps of a method.
class Restart {
 public:
  virtual ~Restart() = default;
  /// Numbers that advance with the steps: the clock, work of sources, which sums there are. Collective.
  virtual State save() const = 0;
  /// Sets them in a solver of the same problem, on any number of ranks; afterwards persistent_arrays() has the arrays
  /// that were kept. Collective.
  virtual void load(const State& state) = 0;
  /// All arrays that advance with the steps: fields, auxiliary fields, Fourier sums. They are valid until the next
  /// step; what is read and what is written is complete and exact. Collective.
  virtual std::vector<PersistentArray> persistent_arrays() = 0;
  /// Called when load() and all arrays are done: computes what follows from them.
  virtual void finish_loading() {}
};

/// A numerical method with its fields. Whoever uses it takes the smallest of its interfaces.
class Solver : public Stepper, public Figures, public PointFields, public Fields, public Performance {
 public:
  /// State that checkpoints keep; null where a run cannot be continued.
  virtual Restart* restart() { return nullptr; }
};

/// A method on tetrahedra.
class ElementSolver : public Solver {
 public:
  /// [elements] all local elements in the order in which their fields are stored.
  virtual std::vector<std::uint32_t> stored_order() const = 0;
  /// Values at the same barycentric points of some local elements, ascending in stored order: [elements][points][3],
  /// V/m or A/m. Of fields in a device's memory only the part between the first and the last element is copied, in
  /// runs.
  virtual void sample(Quantity quantity, const std::vector<std::array<double, 4>>& points,
                      std::span<const std::uint32_t> elements, double* values) const = 0;
  /// Element means of |E|^2 of a Fourier sum's peak phasor, without a frequency of the present field; V^2/m^2,
  /// [elements].
  virtual std::vector<double> mean_square_electric(std::optional<std::size_t> frequency) const = 0;
  /// Power that leaves through the absorbing boundary at a Fourier sum's frequency, W, this rank's part.
  virtual double outflow(std::size_t frequency) const = 0;
};

}  // namespace dgtd::solver
