#pragma once
// The scheme of passes of several steps over a volume grid, on a backend that has them (volume_pass.hpp).
#include <chrono>
#include <optional>

#include "dgtd/parallel/together.hpp"
#include "fdtd/sources/port_on.hpp"
#include "fdtd/sources/source_term.hpp"
#include "fdtd/steps/half_steps/grid_on.hpp"
#include "fdtd/steps/half_steps/half_steps.hpp"
#include "fdtd/steps/passes/pass_halo.hpp"
#include "fdtd/steps/passes/volume_margins.hpp"
#include "fdtd/steps/passes/volume_pass.hpp"

namespace dgtd::fdtd {

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

/// Takes several steps per pass over memory unless a sample is due in between; otherwise half steps. These too where
/// the grid is so small that they are faster (same bits).
template <class Stored, class Backend>
class VolumePasses final : public HalfSteps<Stored> {
 public:
  VolumePasses(GridOn<Stored, Backend>& grid, const SchemeRequest<Stored>& request,
               std::unique_ptr<VolumePass<Stored>> pass)
      : HalfSteps<Stored>(request.fields, grid.d.time_step),
        grid_(grid),
        pass_(std::move(pass)),
        measured_(request.measured),
        way_(*request.comm) {
    if (grid.d.layout.below + grid.d.layout.above > 0) halo_.emplace(grid.d, fields_of_pass(grid), *grid.backend);
  }
  static PassFields<Stored> fields_of_pass(GridOn<Stored, Backend>& grid) {
    PassFields<Stored> fields{{&grid.electric, &grid.magnetic}, {}};
    for (int f = 0; f < 2; ++f)
      for (int a = 0; a < 3; ++a) fields.psi[f][a] = &grid.half[f].layer[a];
    return fields;
  }

  std::int64_t advance(std::int64_t first, std::int64_t most) override {
    const int steps = pass_->steps();
    if (most < steps) return HalfSteps<Stored>::advance(first, most);
    const auto half_steps = [&] {
      for (int s = 0; s < steps; ++s) HalfSteps<Stored>::advance(first + s, 1);
    };
    const bool halves = measured_ && way_.second();
    if (measured_ && !way_.decided())
      way_.timed([&] { halves ? half_steps() : pass(first); }, [&] { grid_.backend->wait(); });
    else if (halves) half_steps();
    else pass(first);
    return steps;
  }
  static PortOn<Stored, Backend>& port_on(PortTerm& port) { return static_cast<PortOn<Stored, Backend>&>(port); }
  std::string description() const override {
    return std::to_string(pass_->steps()) + " time steps per pass over memory" +
           (is_compressed<Stored> ? ", computed in half precision" : "") +
           (measured_ ? ", or half steps if they are faster on this small grid" : "");
  }
  double memory_bytes() const override { return pass_->bytes(); }
  double wait_seconds() const override { return halo_ ? halo_->wait_seconds() : 0; }

 protected:
  void update(HalfStep half) override {
    margins_are_current_ = false;
    HalfSteps<Stored>::update(half);
  }

 private:
  // Steps with their sources, ports and these' work, with what ranks exchange for the next pass.
  void pass(std::int64_t first_step) {
    if (halo_ && !margins_are_current_) {
      grid_.backend->halo_waits();
      exchange_margins_of_fields();
    }
    const auto& ports = this->fields_.real.ports;
    std::int64_t first_record = 0;  // the same of all ports, which record every step
    for (const auto& port : ports) {
      (void)port_on(*port).view();  // what the host wrote goes to the device
      first_record = port_on(*port).records();
    }
    pass_->run({first_step, first_record, {grid_.unit, grid_.magnetic_unit}}, fields_of_pass(grid_));
    for (const auto& port : ports) port_on(*port).finish_steps(pass_->steps());
    grid_.parity = 1 - grid_.parity;
    if (halo_) exchange_margins_of_fields();  // beside the tiles that no other rank waits for
  }
  void exchange_margins_of_fields() {
    halo_->exchange(fields_of_pass(grid_));
    grid_.backend->main_waits();
    margins_are_current_ = true;
  }

  GridOn<Stored, Backend>& grid_;
  std::unique_ptr<VolumePass<Stored>> pass_;
  std::optional<PassHalo<Stored, Backend>> halo_;  // where there are planes of neighbours
  bool margins_are_current_ = false;               // those planes are those of the present fields
  bool measured_;
  FasterWay way_;
};

/// Several ranks lie one above the other, with margins of as many planes as a pass has steps (grid::Setup). Collective.
template <class Stored, class Backend>
SchemeOr<Stored> make_volume_passes_on([[maybe_unused]] GridOn<Stored, Backend>& grid,
                                       [[maybe_unused]] const SchemeRequest<Stored>& request) {
  if constexpr (requires { Backend::template has_volume_passes<Stored>; }) {
    if constexpr (!Backend::template has_volume_passes<Stored>) return {nullptr, "double precision"};
    else {
      std::optional<HalfUnits> half;
      if (is_compressed<Stored>) {
        const auto stage = request.timers->measure("discretise/passes/units");
        if (std::string why_not = why_no_half_arithmetic(grid.d, *request.comm); !why_not.empty())
          return {nullptr, std::move(why_not)};
        half = units_of_half_arithmetic(grid.d, *request.comm);
      }
      using Passes = VolumePasses<Stored, Backend>;
      PassTerms terms;
      for (const HalfStep of : {HalfStep::electric, HalfStep::magnetic})
        for (SourceTerm* const term : request.fields.real.terms(of)) {
          terms.lists.push_back(term->list());
          terms.views.push_back(static_cast<SourceTermOn<Stored, Backend>&>(*term).view());
        }
      for (const auto& term : request.fields.real.ports) {
        auto& port = Passes::port_on(*term);
        terms.ports.push_back({port.edges(), port.view()});
      }
      const VolumeMargins margins = exchange_margins(grid.d, terms.lists, *request.comm);
      for (SourceList& list : sources_of_margins(margins, grid.d.layout)) terms.lists.push_back(std::move(list));
      auto [pass, why_not] = grid.backend->make_volume_pass(grid.d, terms, margins, half, Passes::fields_of_pass(grid),
                                                            request.bytes_to_leave, *request.timers);
      why_not = parallel::first_text(*request.comm, why_not);
      if (!why_not.empty()) return {nullptr, why_not};
      if (half) grid.compute_in_half_precision(*half);
      return {std::make_unique<Passes>(grid, request, std::move(pass)), ""};
    }
  }
  return {nullptr, "the CPU"};
}

}  // namespace dgtd::fdtd
