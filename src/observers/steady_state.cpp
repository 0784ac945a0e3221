#include "dgtd/observers/steady_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

SteadyState::SteadyState(FourierPlan plan, std::int64_t steps_per_period, double time_step, bool work_is_measured,
                         DomainView& view, const solver::Figures& solver, const parallel::Communicator& comm)
    : plan_(std::move(plan)),
      steps_per_period_(steps_per_period),
      time_step_(time_step),
      work_is_measured_(work_is_measured),
      view_(view),
      solver_(solver),
      comm_(comm) {
  const std::size_t mine = view_.watch(places);
  for (auto& sums : sums_) sums.assign(3 * mine, 0);
}

// The samples of the Fourier sums, and as many one period earlier; the first step of each period is before its samples.
std::int64_t SteadyState::next(std::int64_t step) const {
  if (step <= begin()) return begin();
  return step > plan_.last ? solver::never : plan_.last - (plan_.last - step) / plan_.interval * plan_.interval;
}

// E_w = sum over a period of weight E(t) exp(i omega t)
void SteadyState::observe(const solver::Clock& clock) {
  if (clock.steps == begin()) work_[0] = solver_.source_work();
  if (clock.steps == plan_.first) work_[1] = solver_.source_work();
  if (clock.steps == begin()) return;
  auto& sums = sums_[clock.steps > plan_.first ? 1 : 0];
  const auto factor = std::polar(plan_.weight, 2 * pi * plan_.frequencies.front() * clock.electric_time());
  const auto fields = view_.watched();
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (int a = 0; a < 3; ++a) sums[3 * i + static_cast<std::size_t>(a)] += factor * fields[i][a];
}

//   change^2 = sum |E_last - E_before|^2 / sum |E_last|^2
void SteadyState::finish(io::Results& results) {
  if (!whole_ || !results.summary.interruption.empty()) return;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < sums_[1].size(); ++i) {
    difference += std::norm(sums_[1][i] - sums_[0][i]);
    size += std::norm(sums_[1][i]);
  }
  difference = comm_.sum(difference), size = comm_.sum(size);
  const double frequency = plan_.frequencies.front();
  const auto places = comm_.sum(static_cast<std::int64_t>(sums_[0].size() / 3));
  const bool in_tissue = view_.watches_tissue();
  std::optional<double> change, source, source_before;
  if (size > 0) change = std::sqrt(difference / size);
  if (work_is_measured_) {
    const double per_second = 1 / (double(steps_per_period_) * time_step_);
    const double begin = comm_.sum(work_[0]), middle = comm_.sum(work_[1]), end = comm_.sum(solver_.source_work());
    source_before = (middle - begin) * per_second;
    source = (end - middle) * per_second;
  }
  io::Summary& s = results.summary;
  s.keys["steady_state"] = s.report["steady_state"] =
      io::Value::Object{{"frequency_Hz", frequency},     {"places", places},
                        {"in_tissue", in_tissue},        {"change_of_E", change},
                        {"mean_source_power_W", source}, {"mean_source_power_before_W", source_before}};
  io::Entries items;
  if (change)
    items.list = {
        {"Change of E over the last period", io::percent(change), true},
        {"Compared", fmt::format("phasors at {} in {} {}{}, root mean square", units::frequency_text(frequency), places,
                                 s.on_grid ? "cells" : "elements", in_tissue ? " of tissue" : "")}};
  if (source) {
    const auto text = [](double watts) { return units::power_text(watts) + " (mean over the period)"; };
    items.list.push_back({"Emitted power, period before", text(*source_before)});
    items.list.push_back({"Emitted power, last period", text(*source)});
  }
  s.sections.push_back(
      {io::Chapter::power,
       section_title,
       {items, io::Note{"In a steady state the last period repeats the one before: SAR and powers of the last period "
                        "are then those of a run without an end."}}});
  if (comm_.is_root() && change.value_or(0) > noticeable)
    log::warn(
        "not yet a steady state: E{} has changed by {:.2g} % from the last but one period to the last (root mean "
        "square at {} places); more time.periods",
        in_tissue ? " in tissue" : "", 100 * *change, places);
}

// Places by their global numbers, since another number of ranks shares them otherwise.
solver::State SteadyState::save() const {
  solver::State state;
  const auto numbers = view_.watched_numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    solver::State::Numbers values;  // [2][3][real, imaginary]
    for (const auto& sums : sums_)
      for (std::size_t a = 0; a < 3; ++a) values.insert(values.end(), {sums[3 * i + a].real(), sums[3 * i + a].imag()});
    state.set_numbers(fmt::format("place {}", numbers[i]), std::move(values), solver::State::Held::by_owner);
  }
  state.set_numbers("work", {work_[0], work_[1]}, solver::State::Held::partial);
  state.set_numbers("begin", {double(begin())});
  return state;
}

void SteadyState::load(const solver::State& state, std::int64_t step) {
  if (step < begin()) return;
  whole_ = state.has("begin") && state.numbers("begin").at(0) == double(begin());
  if (!whole_) return;
  const auto numbers = view_.watched_numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& values = state.numbers(fmt::format("place {}", numbers[i]));
    std::size_t next = 0;
    for (auto& sums : sums_)
      for (std::size_t a = 0; a < 3; ++a) sums[3 * i + a] = {values.at(next), values.at(next + 1)}, next += 2;
  }
  work_ = {state.numbers("work").at(0), state.numbers("work").at(1)};
}

}  // namespace dgtd::observers
