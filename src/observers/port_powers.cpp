#include "dgtd/observers/port_powers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/observers/ports.hpp"

namespace dgtd::observers {

namespace {

// The mode at one frequency of those that the port records. Fields of a steady state have that frequency itself, at which
// a period's sums have nothing of others, so that the waves are those of the steps' time.
solver::PortMode mode_at(const physics::Port& port, const solver::PortMode& mode, double frequency) {
  const auto place = place_of_frequency(port, frequency);
  if (!place)
    throw Error(fmt::format("{}: port.{}: frequencies must have {} Hz, that of SAR, whose powers refer to the port",
                            port.origin, port.name, frequency));
  solver::PortMode alone = mode;
  alone.plane.frequencies = {port.frequencies[*place]};
  const std::size_t number = *place;
  alone.waves = {mode.wave_of_steps ? mode.wave_of_steps(port.frequencies[number]) : mode.waves[number]};
  alone.weights = [weights = mode.weights, number](const solver::SurfacePairs& pairs, std::size_t) {
    return weights(pairs, number);
  };
  return alone;
}

std::int64_t largest_divisor(std::int64_t of, std::int64_t most) {
  for (std::int64_t d = std::max<std::int64_t>(1, std::min(of, most)); d > 1; --d)
    if (of % d == 0) return d;
  return 1;
}

PortPower power_of_record(const physics::Port& port, const solver::PortRecord& record, std::int64_t steps) {
  PortPower mean;
  const std::size_t all = record.power.size(), count = std::min(all, static_cast<std::size_t>(steps));
  for (std::size_t n = all - count; n < all; ++n) {
    const double wave = record.voltage[n] + port.impedance * record.current[n];  // 2 sqrt(Z0) a
    mean.accepted_W += record.power[n] / double(count);
    mean.incident_W += wave * wave / (4 * port.impedance) / double(count);
  }
  return mean;
}

}  // namespace

PortPowers::PortPowers(std::vector<physics::Port> ports, PortPeriod period, solver::PortRecords& records,
                       solver::RegionSpectra& spectra, const parallel::Communicator& comm)
    : ports_(std::move(ports)), period_(period), records_(records), spectra_(spectra), comm_(comm) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    auto& made = guides_.emplace_back();
    const solver::PortMode* const mode = records_.port_mode(p);
    if (mode == nullptr || !ports_[p].is_excited()) continue;
    made.emplace(Guide{mode_at(ports_[p], *mode, period_.frequency)});
    made->region = spectra_.add_region(region_of(made->mode));
    const std::int64_t most = spectra_.sampling_interval(made->region);
    interval_ = largest_divisor(period_.steps, interval_ == 0 ? most : std::min(most, interval_));
  }
}

std::int64_t PortPowers::next(std::int64_t step) const {
  if (interval_ == 0) return solver::never;
  if (step <= period_.begin) return period_.begin;
  const std::int64_t since = std::max<std::int64_t>(0, step - period_.begin);
  return period_.begin + solver::next_multiple(since, interval_, interval_);
}

void PortPowers::observe(const solver::Clock& clock) {
  for (auto& guide : guides_) {
    if (!guide) continue;
    if (clock.steps == period_.begin) {  // without samples: what was sent before
      guide->latest = integrals(*guide);
      continue;
    }
    spectra_.accumulate(guide->region, double(interval_) * clock.time_step);
    if ((clock.steps - period_.begin) % period_.steps != 0) continue;
    guide->before = guide->latest;
    guide->latest = integrals(*guide);
  }
}

PortPowers::Integrals PortPowers::integrals(const Guide& guide) const {
  const PortSpectrum s = mode_spectra(guide.mode, spectra_, guide.region, comm_).front();
  return {s.voltage, s.current};
}

// An integral over a period of F cos(w t + phase) exp(-i w t) is T F / 2. E enters the balance of a step's energies as
// the mean of its values at both ends, cos(w dt / 2) E; voltages of lumped ports are such means.
PortPower PortPowers::last_period() const {
  PortPower sum;
  const double of_steps = std::cos(pi * period_.frequency * period_.time_step);
  const double to_peak = 2 / (double(period_.steps) * period_.time_step);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (!ports_[p].is_excited()) continue;
    PortPower own;
    if (const auto& guide = guides_[p]) {
      const double reference = guide->mode.waves.front().impedance;
      const PortSpectrum peak{to_peak * (guide->latest[0] - guide->before[0]),
                              to_peak * (guide->latest[1] - guide->before[1]), reference};
      own = {0.5 * of_steps * std::real(peak.voltage * std::conj(peak.current)),
             0.5 * of_steps * std::norm(peak.incoming())};
    } else own = power_of_record(ports_[p], records_.port_record(p), period_.steps);
    sum.accepted_W += own.accepted_W, sum.incident_W += own.incident_W;
    if (guides_[p] && !guides_[p]->mode.means_of_faces) sum.by_guides_W += own.incident_W;
  }
  return sum;
}

solver::State PortPowers::save() const {
  solver::State state;
  for (std::size_t p = 0; p < guides_.size(); ++p) {
    if (!guides_[p]) continue;
    std::vector<double> numbers;
    for (const Integrals& all : {guides_[p]->before, guides_[p]->latest})
      for (const auto& z : all) numbers.insert(numbers.end(), {z.real(), z.imag()});
    state.set_numbers(fmt::format("port {}", p), numbers);
  }
  return state;
}

void PortPowers::load(const solver::State& state, std::int64_t) {
  for (std::size_t p = 0; p < guides_.size(); ++p) {
    const std::string name = fmt::format("port {}", p);
    if (!guides_[p] || !state.has(name)) continue;
    const auto& numbers = state.numbers(name);
    for (std::size_t i = 0; i < 2; ++i) {
      guides_[p]->before[i] = {numbers.at(2 * i), numbers.at(2 * i + 1)};
      guides_[p]->latest[i] = {numbers.at(4 + 2 * i), numbers.at(5 + 2 * i)};
    }
  }
}

void add_port_power(io::Summary& s, double accepted_W, double incident_W) {
  s.keys["power"]["accepted_W"] = accepted_W;
  s.keys["power"]["incident_at_port_W"] = incident_W;
  s.report["power_balance"]["mean_accepted_power_W"] = accepted_W;
  s.report["power_balance"]["mean_power_incident_at_ports_W"] = incident_W;
  io::Entries entries{{{"Incident at the excited ports (available)", units::power_text(incident_W)},
                       {"Accepted by what they feed", units::power_text(accepted_W)}}};
  s.sections.push_back({io::Chapter::power,
                        "Power at ports",
                        {entries, io::Note{"Means over the last period, of the run as it is."}},
                        fmt::format("ports: incident {:.6g} W, accepted {:.6g} W", incident_W, accepted_W)});
}

}  // namespace dgtd::observers
