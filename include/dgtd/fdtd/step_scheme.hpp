#pragma once
// Schemes to compute a step of Yee's scheme: a strategy that the solver takes once. LeapFrog is the step as the papers
// have it; what differs between its derived classes is how the half steps run over memory and what they exchange.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/base/timers.hpp"
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/kernels/plane_view.hpp"

namespace dgtd::fdtd {

/// One real field with its arrays, sources and boundary conditions.
template <class Stored>
struct FieldPart {
  std::unique_ptr<Engine<Stored>> engine;
  std::vector<std::vector<std::unique_ptr<SourceTerm>>> sources;  // [source][list]
  std::vector<std::unique_ptr<PortTerm>> ports;
  std::vector<std::unique_ptr<BoundaryCondition>> boundaries;  // in the order in which they are updated

  /// Stores the values of E^n that the boundary conditions need.
  void store_boundaries() {
    for (const auto& boundary : boundaries) boundary->store();
  }
  void update_boundaries() {
    for (const auto& boundary : boundaries) boundary->update();
  }
  /// Adds J to E at the middle of its half step, or the magnetic currents to H at E's time.
  void add_sources(HalfStep half, double time) {
    for (const SourceTerm* term : terms(half)) term->add(time);
  }
  /// Ends E's half step where ports are; time: its middle.
  void apply_ports(double time) {
    for (const auto& port : ports) port->apply(time);
  }
  /// Sets E of hard sources to its value at the end of the step.
  void set_hard_sources(double time) {
    for (const SourceTerm* term : terms())
      if (term->replaces()) term->add(time);
  }
  /// Those of all sources; of all but the hard ones in a half step.
  std::vector<SourceTerm*> terms() const {
    std::vector<SourceTerm*> all;
    for (const auto& source : sources)
      for (const auto& term : source) all.push_back(term.get());
    return all;
  }
  std::vector<SourceTerm*> terms(HalfStep half) const {
    std::vector<SourceTerm*> all = terms();
    std::erase_if(all, [&](const SourceTerm* term) { return term->half() != half || term->replaces(); });
    return all;
  }
};

/// The fields of a run: real ones, or with Bloch phases (bloch.hpp) the real and the imaginary part of complex ones.
template <class Stored>
struct YeeFields {
  FieldPart<Stored> real;
  std::unique_ptr<FieldPart<Stored>> imaginary;  // null where all fields are real

  /// f(part) of the real part and then of the imaginary one, if there is one.
  template <class F>
  void for_parts(F f) {
    f(real);
    if (imaginary) f(*imaginary);
  }
};

template <class Stored>
class StepScheme {
 public:
  virtual ~StepScheme() = default;
  /// Steps from step `first` on, 1 or as many as the scheme computes at once, at most `most`; how many it did.
  virtual std::int64_t advance(std::int64_t first, std::int64_t most) = 0;
  /// Conserved energy at step n, J, this rank's part; fields stay as they are.
  virtual double energy(std::int64_t step) = 0;
  /// Work of the sources so far, J, this rank's part.
  virtual double source_work() const = 0;
  /// The absolute work of each source, or of its parts, added up, J, this rank's part.
  virtual double gross_work() const = 0;
  /// Brings the ghosts that a half step reads up to date, for samples at points.
  virtual void refresh_ghosts(HalfStep half) = 0;
  /// Steps per pass over memory, and the reason why not more: a line for the user; empty where there is nothing to
  /// say.
  virtual std::string description() const { return ""; }
  /// Memory of what the scheme stores besides the engines' arrays, bytes.
  virtual double memory_bytes() const { return 0; }
  /// Seconds for which the scheme, not the engine, waited for other ranks.
  virtual double wait_seconds() const { return 0; }
  /// Whether it has layers' sums and works of sources of its own, in place of the engine's: those of plane passes.
  virtual bool has_own_sums() const { return false; }
  /// Adds these to the arrays of a checkpoint.
  virtual void add_persistent(std::vector<solver::PersistentArray>&) {}
};

/// The request from which a back end builds a scheme (Engine::make_scheme).
template <class Stored>
struct SchemeRequest {
  /// Any steps; passes of several steps over a plane grid; over a volume grid.
  enum class Kind { steps, plane_passes, volume_passes };
  Kind kind = Kind::steps;
  YeeFields<Stored>& fields;                     // with sources and boundary conditions; they outlive the scheme
  std::string why_single = {};                   // of steps: a reason against several per pass; empty: none
  PlaneFields components = {};                   // of plane passes
  double bytes_to_leave = 0;                     // of volume passes, which need a second set of fields: for what is
                                                 // allocated in the engine's memory later
  bool measured = false;                         // of volume passes: half steps where they prove faster
  const parallel::Communicator* comm = nullptr;  // of volume passes
  Timers* timers = nullptr;                      // of volume passes: stages discretise/passes/...
};
/// A scheme, or why there is none.
template <class Stored>
struct SchemeOr {
  std::unique_ptr<StepScheme<Stored>> scheme;
  std::string why_not;
};

/// Yee 1966 with H first, so that E and H end at n + 1 and n + 1/2:
///   mu  (H^{n+1/2} - H^{n-1/2}) / dt = -curl E^n
///   eps (E^{n+1}   - E^n)       / dt =  curl H^{n+1/2} - sigma (E^n + E^{n+1}) / 2 - sum_p J_p^{n+1/2} - J^{n+1/2}
/// Fields outlive the scheme; time_step: s.
template <class Stored>
class LeapFrog : public StepScheme<Stored> {
 public:
  LeapFrog(YeeFields<Stored>& fields, double time_step) : fields_(fields), time_step_(time_step) {}
  std::int64_t advance(std::int64_t first, std::int64_t most) override;
  double energy(std::int64_t step) override;
  double source_work() const override;
  double gross_work() const override;
  void refresh_ghosts(HalfStep half) override;

 protected:
  /// A half step of the fields without sources, with what it exchanges.
  virtual void update(HalfStep half) = 0;
  /// H^{n+1/2} with its sources at E's time, s, and E^{n+1} without them.
  virtual void update_fields(double time);

  YeeFields<Stored>& fields_;
  const double time_step_;
};

/// The scheme for these fields: with Bloch phases two parts whose ghosts are coupled; where the engine has it one pass
/// over memory for both half steps; else one half step after the other, each with its exchange behind the interior.
template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_step_scheme(const grid::Setup& setup,
                                                     const Discretisation<arithmetic_t<Stored>>& d,
                                                     YeeFields<Stored>& fields);

/// Volume grids on devices: several steps per pass over memory. Null where such passes do not serve the problem;
/// why_not says why. bytes_to_leave: SchemeRequest. measured: half steps where they prove faster. The
/// same on all ranks; collective.
template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_volume_passes(const Discretisation<arithmetic_t<Stored>>& d,
                                                       YeeFields<Stored>& fields, double bytes_to_leave, bool measured,
                                                       const parallel::Communicator& comm, Timers& timers,
                                                       std::string& why_not);

/// Plane grids without exchanges: several steps per pass over memory (kernels/plane_temporal_blocking.hpp). Null where
/// such passes do not serve the problem.
template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_plane_passes(const grid::Setup& setup,
                                                      const Discretisation<arithmetic_t<Stored>>& d,
                                                      YeeFields<Stored>& fields, PlaneFields components);

}  // namespace dgtd::fdtd
