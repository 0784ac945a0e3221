#include "dgtd/observers/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/run_end.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

std::int64_t Energy::next(std::int64_t step) const {
  if (step > last_step_) return solver::never;
  const std::int64_t next = std::min(last_step_, solver::next_multiple(step, interval_));
  return period_ > 0 ? std::min(next, solver::next_multiple(step, period_)) : next;
}

double Energy::largest() const {
  double largest = 0;
  for (const auto& s : samples_) largest = std::max(largest, s.energy_J);
  return largest;
}

// At the end a field that decays slowly may have a beat, in which one sample would be small by chance.
bool Energy::has_decayed() const {
  const double now = samples_.back().time_s, most = largest();
  if (now < decay_->sources_end_s || most <= 0) return false;
  const double level = most * std::pow(10, 0.1 * decay_->level_dB);
  const auto last_above =
      std::find_if(samples_.rbegin(), samples_.rend(), [&](const auto& s) { return s.energy_J > level; });
  const double since = last_above == samples_.rbegin() ? now : std::prev(last_above)->time_s;
  return last_above != samples_.rbegin() && now - since >= (decay_->frequency_Hz > 0 ? 1 / decay_->frequency_Hz : 0);
}

// The scheme conserves (closed) or dissipates a discrete energy that differs from the measured one at absorbing faces
// by a term of order dt, and single precision rounds: a twentieth is allowed. Of sources that cancel each other, such
// as two opposite dipoles at one point, rounding errors remain: fields of some 1e-7 of each source's own, E', and the
// work J E' of each, while their net work vanishes. The energy of E' is about 1e-7 of that gross work.
void Energy::observe(const solver::Clock& clock) {
  const solver::SourceWork of_sources = solver_.work();
  const double work = comm_.sum(of_sources.done), incident = comm_.sum(of_sources.incident_bound);
  constexpr double rounding = 1e-5;
  const EnergySample sample{clock.steps, clock.electric_time(), comm_.sum(solver_.energy()), work};
  samples_.push_back(sample);
  most_work_ = std::max(most_work_, std::abs(work));
  most_gross_ = std::max(most_gross_, comm_.sum(of_sources.gross));
  const double allowed =
      1.05 * (samples_.front().energy_J + std::max(work, 0.0) + incident) + 0.05 * most_work_ + rounding * most_gross_;
  if (!std::isfinite(sample.energy_J) || sample.energy_J > allowed) stop(sample, allowed);
  has_decayed_ = decay_ && has_decayed();
}

void Energy::stop(const EnergySample& sample, double allowed) const {
  double severity = 0;
  const auto instability = solver_.find_instability(severity);
  const double worst = comm_.max(severity);
  const int rank = static_cast<int>(comm_.min(std::int64_t{severity == worst ? comm_.rank() : comm_.size()}));
  const std::string where =
      fmt::format("{} {} ({}, centre {:.6g} {:.6g} {:.6g} m)", unit_, instability.element, instability.material,
                  instability.centre.x, instability.centre.y, instability.centre.z);
  // From the rank that holds it to root, and from there to all.
  const auto all =
      comm_.gather_vectors(std::vector<char>(where.begin(), rank == comm_.rank() ? where.end() : where.begin()));
  const std::string named = comm_.broadcast(std::string(all.begin(), all.end()));
  const std::string what =
      std::isfinite(sample.energy_J)
          ? fmt::format("the energy {:.6g} J exceeds the energy supplied, {:.6g} J", sample.energy_J, allowed)
          : std::string("the fields contain NaN or infinity");
  // More than any experiment has: the energy was right until the fields left the range of the precision.
  constexpr double absurd = 1e30;  // J
  const bool overflow =
      !std::isfinite(sample.energy_J) && samples_.size() > 1 && samples_[samples_.size() - 2].energy_J > absurd;
  const bool in_layer = named.find(" (layer)") != std::string::npos;
  const char* const remedy =  // before the first step nothing has grown
      sample.step == 0 ? "smaller initial fields"
      : overflow       ? "the sources are stronger than solver.precision can hold: smaller amplitudes"
      : in_layer       ? "lower solver.cfl_fraction; if the layer is of type cpml, a larger loss or type passive"
                       : "lower solver.cfl_fraction, or check the materials";
  throw Unstable(fmt::format("unstable at step {}, t = {}: {}; worst is {}; {}", sample.step,
                             units::time_text(sample.time_s, 6), what, named, remedy),
                 samples_.size() > 1 ? samples_[samples_.size() - 2].step : -1);
}

void Energy::check_fading() const {
  constexpr double faded = 0.01;
  const double most = largest();
  if (const double rest = samples_.back().energy_J; rest > faded * most)
    log::warn(
        "{:.2g} % of the largest energy is left at the end of the run: spectra over the run are cut off (a longer "
        "time.end)",
        100 * rest / most);
}

namespace {

io::Chart energy_chart(const std::vector<EnergySample>& samples) {
  io::Curve energy;
  for (const auto& s : samples) energy.x.push_back(s.time_s), energy.y.push_back(s.energy_J);
  return {"Energy of the fields", {"Time", "s"}, {"Energy", "J", true}, {energy}};
}

}  // namespace

void Energy::add_decay(io::Results& results) const {
  const EnergySample& end = samples_.back();
  const double most = largest();
  const auto share = most > 0 && end.energy_J > 0 ? std::optional(10 * std::log10(end.energy_J / most)) : std::nullopt;
  std::optional<double> periods;
  if (decay_->frequency_Hz > 0) periods = end.time_s * decay_->frequency_Hz;
  const std::string energy = share      ? fmt::format("the energy is {:.1f} dB of its largest", *share)
                             : most > 0 ? std::string("there is no energy left")
                                        : std::string("there has been no energy");
  add_run_end(
      results.summary, "decayed", ends_run(),
      fmt::format("after {}{}: {}, and time.decay = {:g} dB", units::time_text(end.time_s),
                  periods ? fmt::format(" ({:.1f} periods of the carrier)", *periods) : "", energy, decay_->level_dB),
      {{"periods", periods}, {"energy_dB", share}, {"decay_dB", decay_->level_dB}});
}

void Energy::finish(io::Results& results) {
  if (samples_.empty()) return;
  if (decay_ && results.summary.interruption.empty()) add_decay(results);
  else if (expect_fading_) check_fading();
  const double first = samples_.front().energy_J, last = samples_.back().energy_J;
  const std::optional<double> drift = conserved_ && first > 0 ? std::optional((last - first) / first) : std::nullopt;
  results.summary.keys["energy"] = io::Value::Object{{"first_J", first}, {"last_J", last}, {"relative_drift", drift}};
  io::Entries items{{{"Energy, first", io::number(first) + " J"}, {"Energy, last", io::number(last) + " J"}}};
  if (drift) items.list.push_back({"Relative drift", io::number(drift)});
  std::vector<io::Block> blocks{items};
  // On its logarithmic scale; a line in subdomains has its first and last step alone.
  if (std::count_if(samples_.begin(), samples_.end(), [](const auto& s) { return s.energy_J > 0; }) > 1)
    blocks.emplace_back(energy_chart(samples_));
  results.summary.sections.push_back(
      {io::Chapter::accuracy, "Energy", std::move(blocks),
       drift ? fmt::format("energy {:.6g} J, relative drift {:.3g}", last, *drift) : ""});
  std::string text = "step,t_s,energy_J,source_work_J\n";
  for (const auto& s : samples_) text += fmt::format("{},{},{},{}\n", s.step, s.time_s, s.energy_J, s.source_work_J);
  parallel::root_or_throw(results.comm, [&] { results.files.write_table("energy.csv", {"t_s"}, text); });
}

solver::State Energy::save() const {
  solver::State::Numbers numbers;  // [samples][4]
  for (const auto& s : samples_) numbers.insert(numbers.end(), {double(s.step), s.time_s, s.energy_J, s.source_work_J});
  solver::State state;
  state.set_numbers("samples", std::move(numbers));
  state.set_numbers("most_work", {most_work_, most_gross_});
  return state;
}

void Energy::load(const solver::State& state, std::int64_t) {
  const auto& numbers = state.numbers("samples");
  samples_.clear();
  for (std::size_t i = 0; i + 4 <= numbers.size(); i += 4)
    samples_.push_back({static_cast<std::int64_t>(numbers[i]), numbers[i + 1], numbers[i + 2], numbers[i + 3]});
  // A run that ended at the checkpoint has a sample there, which one that goes on does not take.
  if (!samples_.empty() && samples_.back().step < last_step_ && samples_.back().step % interval_ != 0 &&
      (period_ == 0 || samples_.back().step % period_ != 0))
    samples_.pop_back();
  const auto& most = state.numbers("most_work");
  most_work_ = most.at(0), most_gross_ = most.size() > 1 ? most[1] : 0;
  has_decayed_ = decay_ && !samples_.empty() && has_decayed();
}

}  // namespace dgtd::observers
