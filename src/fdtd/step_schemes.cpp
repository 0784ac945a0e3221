#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bloch.hpp"
#include "dgtd/fdtd/step_scheme.hpp"
#include "dgtd/parallel/together.hpp"
#include "skewed_steps.hpp"

namespace dgtd::fdtd {

namespace {

/// The edge of the block is sent while the tiles inside are updated; those next to another rank follow.
template <class Stored>
class HalfSteps : public LeapFrog<Stored> {
 public:
  using LeapFrog<Stored>::LeapFrog;

 protected:
  void update(HalfStep half) override {
    Engine<Stored>& engine = *this->fields_.real.engine;
    engine.start_exchange(half);
    engine.update_interior(half);
    engine.finish_exchange(half);
    engine.update_next_to_halo(half);
  }
};

/// Both half steps in one pass over memory. The ranks above wait for H next to them, so that comes first.
template <class Stored>
class OnePass : public HalfSteps<Stored> {
 public:
  /// why: what hinders more steps per pass; empty: nothing.
  OnePass(YeeFields<Stored>& fields, double time_step, std::string why)
      : HalfSteps<Stored>(fields, time_step), why_(std::move(why)) {}
  std::string description() const override { return fmt::format("one time step per pass over memory: {}", why_); }

 protected:
  void update_fields(double time) override {
    Engine<Stored>& engine = *this->fields_.real.engine;
    engine.start_exchange(HalfStep::magnetic);
    engine.finish_exchange(HalfStep::magnetic);
    engine.update_next_to_halo(HalfStep::magnetic);
    const auto magnetic = this->fields_.real.terms(HalfStep::magnetic);
    for (const SourceTerm* term : magnetic) term->add_next_to_halo(time);
    engine.start_exchange(HalfStep::electric);
    engine.update_interior_once(magnetic, time);
    engine.finish_exchange(HalfStep::electric);
    engine.update_next_to_halo(HalfStep::electric);
  }

 private:
  std::string why_;
};

/// Real and imaginary part, coupled where ghosts beyond the grid's ends are multiplied by the Bloch phase.
template <class Stored>
class BlochHalfSteps final : public LeapFrog<Stored> {
 public:
  BlochHalfSteps(const grid::Setup& setup, const Discretisation<arithmetic_t<Stored>>& d, YeeFields<Stored>& fields)
      : LeapFrog<Stored>(fields, d.time_step) {
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
      phases_[half == HalfStep::magnetic] =
          fields.real.engine->make_bloch_phase(half, bloch_phases(setup, d, half), *fields.imaginary->engine);
  }
  void refresh_ghosts(HalfStep half) override {
    this->fields_.for_parts([&](auto& part) { part.engine->refresh_ghosts(half); });
    phases_[half == HalfStep::magnetic]->apply();
  }

 protected:
  void update(HalfStep half) override {
    refresh_ghosts(half);
    this->fields_.for_parts([&](auto& part) {
      part.engine->update_interior(half);
      part.engine->update_next_to_halo(half);
    });
  }

 private:
  std::array<std::unique_ptr<BlochPhase>, 2> phases_;  // of the half steps of E and of H
};

template <class Stored>
class PlanePasses final : public StepScheme<Stored> {
 public:
  PlanePasses(Engine<Stored>& engine, PlaneFields components, const std::vector<PlaneSource>& sources)
      : engine_(engine) {
    engine.start_plane_passes(components, sources);
  }
  std::int64_t advance(std::int64_t first, std::int64_t most) override {
    const int steps = most >= most_steps_a_pass ? most_steps_a_pass : 1;
    engine_.plane_pass(first, steps);
    return steps;
  }
  double energy(std::int64_t step) override { return engine_.plane_energy(step); }
  double source_work() const override { return engine_.plane_work(); }
  double gross_work() const override { return engine_.plane_gross_work(); }
  void refresh_ghosts(HalfStep) override {}  // there are none: one rank, no periodic axis

 private:
  Engine<Stored>& engine_;
};

// What hinders several steps per pass over memory; empty: nothing.
template <class Real>
std::string why_no_sweeps(const grid::Setup& setup, const Discretisation<Real>& d) {
  using Kind = physics::BoundaryKind;
  for (int side = 0; side < 6; ++side) {
    const Kind kind = setup.sides[side];
    if (kind == Kind::mur || kind == Kind::periodic)
      return fmt::format("the side {}{} is of type {}", "xyz"[side / 2], side % 2 == 0 ? "min" : "max",
                         kind == Kind::mur ? "mur" : "periodic");
  }
  for (int a = 0; a < 2; ++a)
    if (d.block.lower[a] >= 0 || d.block.upper[a] >= 0) return fmt::format("ranks are side by side along {}", "xy"[a]);
  return "";
}

/// The faster of two ways to make steps of the same bits, by the first steps of a run: each way in turn, the least time
/// of those that follow its first calls. A time is that of the slowest rank, so that all choose the same.
class FasterWay {
 public:
  explicit FasterWay(const parallel::Communicator& comm) : comm_(comm) {}
  bool decided() const { return calls_ == 2 * (ignored + counted); }
  /// Whether the next call of `timed` is of the second way; when decided, whether that is the faster one.
  bool second() const { return decided() ? least_[1] < least_[0] : calls_ % 2 == 1; }
  /// Before it is decided.
  template <class Run, class Wait>
  void timed(const Run& run, const Wait& wait) {
    wait();
    const auto start = std::chrono::steady_clock::now();
    run();
    wait();
    const double seconds = comm_.max(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    double& least = least_[calls_ % 2];
    if (calls_ / 2 >= ignored) least = std::min(least, seconds);
    ++calls_;
  }

 private:
  const parallel::Communicator& comm_;
  static constexpr int ignored = 4, counted = 4;  // of each way; recordings of work are made at the first calls
  int calls_ = 0;
  double least_[2] = {1e300, 1e300};
};

/// Several steps in one pass over memory while nobody looks at the fields between them, else half steps; these too
/// where the grid is so small that they are faster (same bits).
template <class Stored>
class VolumePasses final : public HalfSteps<Stored> {
 public:
  VolumePasses(YeeFields<Stored>& fields, double time_step, bool measured, const parallel::Communicator& comm)
      : HalfSteps<Stored>(fields, time_step), measured_(measured), way_(comm) {}
  std::int64_t advance(std::int64_t first, std::int64_t most) override {
    Engine<Stored>& engine = *this->fields_.real.engine;
    const int steps = engine.steps_of_volume_pass();
    if (most < steps) return HalfSteps<Stored>::advance(first, most);
    const auto pass = [&] { engine.volume_pass(first); };
    const auto half_steps = [&] {
      for (int s = 0; s < steps; ++s) HalfSteps<Stored>::advance(first + s, 1);
    };
    const bool halves = measured_ && way_.second();
    if (measured_ && !way_.decided()) way_.timed([&] { halves ? half_steps() : pass(); }, [&] { engine.wait(); });
    else if (halves) half_steps();
    else pass();
    return steps;
  }
  std::string description() const override {
    return fmt::format("{} time steps per pass over memory{}{}", this->fields_.real.engine->steps_of_volume_pass(),
                       is_compressed<Stored> ? ", computed in half precision" : "",
                       measured_ ? ", or half steps if they are faster on this small grid" : "");
  }

 private:
  bool measured_;
  FasterWay way_;
};

}  // namespace

template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_step_scheme(const grid::Setup& setup,
                                                     const Discretisation<arithmetic_t<Stored>>& d,
                                                     YeeFields<Stored>& fields) {
  if (fields.imaginary) return std::make_unique<BlochHalfSteps<Stored>>(setup, d, fields);
  if (fields.real.engine->has_one_pass()) {
    std::string why = why_no_sweeps(setup, d);
    const int steps = why.empty() ? fields.real.engine->most_steps_of_sweep(why) : 1;
    if (steps > 1) return std::make_unique<SkewedSteps<Stored, OnePass<Stored>>>(fields, d.time_step, steps);
    return std::make_unique<OnePass<Stored>>(fields, d.time_step, why);
  }
  return std::make_unique<HalfSteps<Stored>>(fields, d.time_step);
}

template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_plane_passes(const grid::Setup& setup,
                                                      const Discretisation<arithmetic_t<Stored>>& d,
                                                      YeeFields<Stored>& fields, PlaneFields components,
                                                      const std::vector<PlaneSource>& sources) {
  const auto hinders = [](const TileBatch& b) { return b.dispersive || b.next_to_halo; };
  for (const auto* half : {&d.electric, &d.magnetic})
    if (std::any_of(half->batches.begin(), half->batches.end(), hinders)) return nullptr;
  using Kind = physics::BoundaryKind;
  for (int side = 0; side < 2 * setup.axes; ++side)
    if (const Kind kind = setup.sides[side]; kind != Kind::pec && kind != Kind::pmc && kind != Kind::cpml)
      return nullptr;
  if (setup.axes == 3 || fields.imaginary || !d.series.index.empty()) return nullptr;
  return std::make_unique<PlanePasses<Stored>>(*fields.real.engine, components, sources);
}

template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_volume_passes(const Discretisation<arithmetic_t<Stored>>& d,
                                                       YeeFields<Stored>& fields, double bytes_to_leave, bool measured,
                                                       const parallel::Communicator& comm, Timers& timers,
                                                       std::string& why_not) {
  if (fields.imaginary) why_not = "sides of type bloch";
  else if (!fields.real.boundaries.empty()) why_not = "sides of type mur";
  else if (std::any_of(fields.real.sources.begin(), fields.real.sources.end(),
                       [](const SourceTerms& source) { return !source.hard.empty(); }))
    why_not = "hard sources";
  else if (!fields.real.ports.empty()) why_not = "ports";
  why_not = parallel::first_text(comm, why_not);
  if (!why_not.empty()) return nullptr;
  std::vector<std::pair<HalfStep, const SourceTerm*>> terms;
  for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
    for (const SourceTerm* term : fields.real.terms(half)) terms.emplace_back(half, term);
  why_not = fields.real.engine->start_volume_passes(terms, bytes_to_leave, comm, timers);
  if (!why_not.empty()) return nullptr;
  const std::int64_t cells = d.global_cells[0] * d.global_cells[1] * d.global_cells[2] / comm.size();
  constexpr std::int64_t many = 1 << 23;  // of which a pass is always faster
  return std::make_unique<VolumePasses<Stored>>(fields, d.time_step, measured && cells < many, comm);
}

#define DGTD_INSTANTIATE(Stored)                                                                                    \
  template std::unique_ptr<StepScheme<Stored>> make_volume_passes(                                                  \
      const Discretisation<arithmetic_t<Stored>>&, YeeFields<Stored>&, double, bool, const parallel::Communicator&, \
      Timers&, std::string&);                                                                                       \
  template std::unique_ptr<StepScheme<Stored>> make_step_scheme(                                                    \
      const grid::Setup&, const Discretisation<arithmetic_t<Stored>>&, YeeFields<Stored>&);                         \
  template std::unique_ptr<StepScheme<Stored>> make_plane_passes(                                                   \
      const grid::Setup&, const Discretisation<arithmetic_t<Stored>>&, YeeFields<Stored>&, PlaneFields,             \
      const std::vector<PlaneSource>&);
DGTD_INSTANTIATE(Half)
DGTD_INSTANTIATE(float)
DGTD_INSTANTIATE(double)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
