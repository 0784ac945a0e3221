#pragma once
// Schemes of a backend that passes over the planes of a block in their order: both half steps in one pass over memory,
// or several steps.
#include <optional>
#include <string>

#include "fdtd/steps/half_steps/grid_on.hpp"
#include "fdtd/steps/half_steps/half_steps.hpp"
#include "fdtd/steps/sweeps/sweep_on.hpp"

namespace dgtd::fdtd {

/// Both half steps in one pass over memory. The ranks above wait for H next to them, so that comes first.
template <class Stored, class Backend>
class OnePass : public HalfSteps<Stored> {
 public:
  /// why: what hinders more steps per pass; empty: nothing.
  OnePass(GridOn<Stored, Backend>& grid, YeeFields<Stored>& fields, std::string why)
      : HalfSteps<Stored>(fields, grid.d.time_step), grid_(grid), why_(std::move(why)) {}
  std::string description() const override { return "one time step per pass over memory: " + why_; }

 protected:
  void update_fields(double time) override {
    Engine<Stored>& engine = *this->fields_.real.engine;
    grid_.start_exchange(HalfStep::magnetic);
    grid_.finish_exchange(HalfStep::magnetic);
    engine.update_next_to_halo(HalfStep::magnetic);
    const auto magnetic = this->fields_.real.terms(HalfStep::magnetic);
    for (const SourceTerm* term : magnetic) term->add_next_to_halo(time);
    grid_.start_exchange(HalfStep::electric);
    update_interior(magnetic, time);
    grid_.finish_exchange(HalfStep::electric);
    engine.update_next_to_halo(HalfStep::electric);
  }

  GridOn<Stored, Backend>& grid_;

 private:
  // H at a place reads E there and at higher indices, E reads H there and at lower ones: plane by plane upwards, E
  // may follow H at once. A thread's last H plane comes before all else, since the thread above begins with E on it.
  void update_interior(const std::vector<SourceTerm*>& magnetic, double time) {
    const HalfStepView<Stored> views[2] = {grid_.view(HalfStep::electric), grid_.view(HalfStep::magnetic)};
    const Range rows{0, grid_.d.layout.cells[1]};
    grid_.backend->sweep(
        grid_.d.layout.cells[2],
        [&](int k) {
          grid_.update_plane(HalfStep::magnetic, views[1], k, rows, false);
          for (SourceTerm* const s : magnetic) {
            const auto& term = static_cast<const SourceTermOn<Stored, Backend>&>(*s);
            const AddSourceTerm<Stored> body = term.body(time);
            for (std::int64_t i = term.order().first_of(k); i < term.order().first_of(k + 1); ++i) body(i);
          }
        },
        [&](int k) { grid_.update_plane(HalfStep::electric, views[0], k, rows, false); });
  }

  std::string why_;
};

/// Several steps in one pass over memory (skewed_sweep.hpp).
template <class Stored, class Backend>
class SkewedSteps final : public OnePass<Stored, Backend> {
  using Real = arithmetic_t<Stored>;

 public:
  SkewedSteps(GridOn<Stored, Backend>& grid, YeeFields<Stored>& fields, int most_steps)
      : OnePass<Stored, Backend>(grid, fields, ""), most_steps_(most_steps) {}
  std::string description() const override {
    return "up to " + std::to_string(most_steps_) + " time steps per pass over memory";
  }

  // Where `most` is no multiple, sweeps are of about equal length.
  std::int64_t advance(std::int64_t first, std::int64_t most) override {
    const std::int64_t sweeps = (most + most_steps_ - 1) / most_steps_;
    const auto steps = static_cast<int>((most + sweeps - 1) / sweeps);
    if (steps == 1) return HalfSteps<Stored>::advance(first, most);
    sweep(first, steps);
    return steps;
  }

 private:
  // All that belongs to the steps but boundary conditions, with the arithmetic of step after step.
  void sweep(std::int64_t first_step, int steps) {
    GridOn<Stored, Backend>& grid = this->grid_;
    if (!sweep_) sweep_.emplace(grid.d, *grid.backend, grid.d.series.index);
    const HalfStepView<Stored> views[2] = {grid.view(HalfStep::electric), grid.view(HalfStep::magnetic)};
    const auto series = [&] {
      if constexpr (is_compressed<Stored>) return [](std::int64_t) {};  // no poles
      else return UpdateSeries<Real>{views[0], grid.series_view(), grid.electric.write()};
    }();
    std::vector<PortTerm*> ports;
    for (const auto& port : this->fields_.real.ports) ports.push_back(port.get());
    sweep_->run(
        grid.backend->sweep_of(grid.d.block, steps, grid.bytes_of_step()), this->fields_.real.terms(), ports,
        first_step,
        [&](HalfStep half, int k, const Range& rows) {
          grid.update_plane(half, views[grid.index(half)], k, rows, false);
          grid.update_plane(half, views[grid.index(half)], k, rows, true);
        },
        series,
        [&](HalfStep half) {
          grid.start_exchange(half);
          grid.finish_exchange(half);
        });
  }

  int most_steps_;
  std::optional<SweepOn<Stored, Backend>> sweep_;  // made on first use
};

/// request.why_single: a reason against several steps per pass; empty: none. Collective.
template <class Stored, class Backend>
SchemeOr<Stored> make_sweeps_on([[maybe_unused]] GridOn<Stored, Backend>& grid,
                                [[maybe_unused]] const SchemeRequest<Stored>& request) {
  if constexpr (Backend::one_pass) {
    std::string why = request.why_single;
    const int steps = why.empty() ? grid.backend->most_steps_of_sweep(grid.bytes_of_step(), why) : 1;
    if (steps > 1) return {std::make_unique<SkewedSteps<Stored, Backend>>(grid, request.fields, steps), ""};
    return {std::make_unique<OnePass<Stored, Backend>>(grid, request.fields, why), ""};
  }
  return {nullptr, "the device advances half step by half step"};
}

}  // namespace dgtd::fdtd
