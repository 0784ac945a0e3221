#include "dgtd/observers/steady_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/run_end.hpp"

namespace dgtd::observers {

SteadyState::SteadyState(FourierPlan plan, std::int64_t steps_per_period, double time_step, bool work_is_measured,
                         DomainView& view, const solver::Figures& solver, const parallel::Communicator& comm,
                         std::span<const Box> boxes)
    : plan_(std::move(plan)),
      steps_per_period_(steps_per_period),
      time_step_(time_step),
      work_is_measured_(work_is_measured),
      view_(view),
      solver_(solver),
      comm_(comm),
      begin_(plan_.period > 0 ? plan_.first : plan_.first - steps_per_period) {
  const std::size_t mine = view_.watch(places, boxes);
  for (auto& sums : sums_) sums.assign(3 * mine * plan_.frequencies.size(), 0);
}

// The samples of the Fourier sums, from the first period on; its first step is before its samples.
std::int64_t SteadyState::next(std::int64_t step) const {
  if (step <= begin_) return begin_;
  return step > plan_.last ? solver::never : plan_.last - (plan_.last - step) / plan_.interval * plan_.interval;
}

// E_w = sum over a period of weight E(t) exp(i omega t)
void SteadyState::observe(const solver::Clock& clock) {
  const std::int64_t done = clock.steps - begin_;
  if (done > 0) {
    if (done > 2 * steps_per_period_ && (done - plan_.interval) % steps_per_period_ == 0) {
      sums_[0].swap(sums_[1]);
      std::fill(sums_[1].begin(), sums_[1].end(), 0);
    }
    auto& sums = sums_[done > steps_per_period_ ? 1 : 0];
    const auto fields = view_.watched();
    std::size_t next = 0;
    for (const double f : plan_.frequencies) {
      const auto factor = std::polar(plan_.weight, 2 * pi * f * clock.electric_time());
      for (const Vec3& field : fields)
        for (int a = 0; a < 3; ++a) sums[next++] += factor * field[a];
    }
  }
  if (done % steps_per_period_ == 0) end_period(clock.steps);
}

void SteadyState::end_period(std::int64_t step) {
  work_ = {work_[1], work_[2], solver_.source_work()};
  if (step >= begin_ + 2 * steps_per_period_) compare(step);
}

//   change^2 = sum |E_last - E_before|^2 / sum |E_last|^2
void SteadyState::compare(std::int64_t step) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < sums_[1].size(); ++i) {
    difference += std::norm(sums_[1][i] - sums_[0][i]);
    size += std::norm(sums_[1][i]);
  }
  difference = comm_.sum(difference), size = comm_.sum(size);
  change_ = size > 0 ? std::optional(std::sqrt(difference / size)) : std::nullopt;
  if (work_is_measured_) {
    const double per_second = 1 / (double(steps_per_period_) * time_step_);
    const double begin = comm_.sum(work_[0]), middle = comm_.sum(work_[1]), end = comm_.sum(work_[2]);
    powers_ = {(middle - begin) * per_second, (end - middle) * per_second};
  }
  if (tolerance_) growth_ = growth(step);
  compared_ = true;
}

// Change of the stored energy over the last period, as a share of the work of the sources, or of the energy.
std::optional<double> SteadyState::growth(std::int64_t step) const {
  std::optional<double> before, now;
  for (const EnergySample& s : energy_->samples()) {
    if (s.step == step - steps_per_period_) before = s.energy_J;
    if (s.step == step) now = s.energy_J;
  }
  if (!before || !now) return {};
  const double work = work_is_measured_ ? std::abs(powers_[1]) * double(steps_per_period_) * time_step_ : *now;
  return work > 0 ? std::optional(std::abs(*now - *before) / work) : std::nullopt;
}

bool SteadyState::ends_run() const {
  return tolerance_ && change_ && growth_ && std::max(*change_, *growth_) <= *tolerance_;
}

std::string SteadyState::places_text() const { return view_.watches_tissue() ? " in tissue" : ""; }

void SteadyState::add_end(io::Results& results) const {
  const auto periods =
      static_cast<std::int64_t>(std::llround(double(results.summary.steps) / double(steps_per_period_)));
  const auto percent = [](const std::optional<double>& share) {
    return share ? fmt::format("{:.2g} %", 100 * *share) : std::string("nothing to compare");
  };
  std::optional<double> largest;
  if (change_ && growth_) largest = std::max(*change_, *growth_);
  add_run_end(
      results.summary, "steady", ends_run(),
      fmt::format("after {} periods: changes over the last one are {} of E{} and {} of the stored energy{}, and "
                  "time.tolerance = {:g} %",
                  periods, percent(change_), places_text(), percent(growth_),
                  work_is_measured_ ? " over the work of the sources" : "", 100 * *tolerance_),
      {{"periods", periods},
       {"largest_change", largest},
       {"change_of_E", change_},
       {"change_of_energy", growth_},
       {"tolerance", *tolerance_}});
}

void SteadyState::finish(io::Results& results) {
  if (!results.summary.interruption.empty()) return;
  if (tolerance_) add_end(results);
  if (!compared_) return;
  const double frequency = plan_.frequencies.front();
  const auto watched = comm_.sum(static_cast<std::int64_t>(view_.watched_numbers().size()));
  const bool in_tissue = view_.watches_tissue();
  std::optional<double> source, source_before;
  if (work_is_measured_) source_before = powers_[0], source = powers_[1];
  io::Summary& s = results.summary;
  s.keys["steady_state"] = s.report["steady_state"] =
      io::Value::Object{{"frequency_Hz", frequency},     {"places", watched},
                        {"in_tissue", in_tissue},        {"change_of_E", change_},
                        {"mean_source_power_W", source}, {"mean_source_power_before_W", source_before}};
  io::Entries items;
  if (change_) {
    std::string frequencies;
    for (const double f : plan_.frequencies)
      frequencies += (frequencies.empty() ? "" : ", ") + units::frequency_text(f);
    items.list = {{"Change of E over the last period", io::percent(change_), true},
                  {"Compared", fmt::format("phasors at {} in {} {}{}, root mean square", frequencies, watched,
                                           s.on_grid ? "cells" : "elements", in_tissue ? " of tissue" : "")}};
  }
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
  if (comm_.is_root() && !tolerance_ && change_.value_or(0) > noticeable)
    log::warn(
        "not yet a steady state: E{} has changed by {:.2g} % from the last but one period to the last (root mean "
        "square at {} places); increase time.periods",
        places_text(), 100 * *change_, watched);
}

// Places by their global numbers, since another number of ranks shares them otherwise.
solver::State SteadyState::save() const {
  solver::State state;
  const auto numbers = view_.watched_numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    solver::State::Numbers values;  // [2][frequencies][3][real, imaginary]
    for (const auto& sums : sums_)
      for (std::size_t f = 0; f < plan_.frequencies.size(); ++f)
        for (std::size_t a = 0; a < 3; ++a) {
          const auto& sum = sums[3 * (f * numbers.size() + i) + a];
          values.insert(values.end(), {sum.real(), sum.imag()});
        }
    state.set_numbers(fmt::format("place {}", numbers[i]), std::move(values), solver::State::Held::by_owner);
  }
  state.set_numbers("work", {work_[0], work_[1], work_[2]}, solver::State::Held::partial);
  state.set_numbers("begin", {double(begin_)});
  state.set_numbers("frequencies_Hz", plan_.frequencies);
  return state;
}

// Where the state is of other periods, comparison begins with the next one, or does not take place.
void SteadyState::load(const solver::State& state, std::int64_t step) {
  if (step < begin_) return;
  const auto begin = state.has("begin") ? static_cast<std::int64_t>(state.numbers("begin").at(0)) : begin_ + 1;
  const bool same_periods = plan_.period > 0 ? (begin - begin_) % steps_per_period_ == 0 : begin == begin_;
  const auto numbers = view_.watched_numbers();
  bool same = same_periods && state.has("frequencies_Hz") && state.numbers("frequencies_Hz") == plan_.frequencies;
  for (const auto number : numbers) same = same && state.has(fmt::format("place {}", number));
  if (comm_.min(std::int64_t{same}) == 0) {
    begin_ = plan_.period > 0 ? (step + steps_per_period_ - 1) / steps_per_period_ * steps_per_period_ : solver::never;
    if (step == begin_) end_period(step);
    return;
  }
  begin_ = begin;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& values = state.numbers(fmt::format("place {}", numbers[i]));
    std::size_t next = 0;
    for (auto& sums : sums_)
      for (std::size_t f = 0; f < plan_.frequencies.size(); ++f)
        for (std::size_t a = 0; a < 3; ++a, next += 2)
          sums[3 * (f * numbers.size() + i) + a] = {values.at(next), values.at(next + 1)};
  }
  const auto& work = state.numbers("work");
  work_ = {work.at(0), work.at(1), work.at(2)};
  if (step >= begin_ + 2 * steps_per_period_ && (step - begin_) % steps_per_period_ == 0) compare(step);
}

}  // namespace dgtd::observers
