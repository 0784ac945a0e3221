// The length of a run: one of three keys, and what a run that its fields end requires of the rest of the case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "checks.hpp"
#include "complete.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::config {
namespace {

using Waveform = physics::Waveform;

bool is_pulse(const Waveform& w) { return w.type == Waveform::Type::modulated_gaussian; }

struct Sender {
  std::string name;  // "source.feed"
  Waveform waveform;
};

// Sources and excited ports.
std::vector<Sender> senders(const Case& c) {
  std::vector<Sender> all;
  for (const Source& s : c.sources) all.push_back({"source." + s.name, s.waveform});
  for (const Port& p : c.ports)
    if (p.is_excited()) all.push_back({"port." + p.name, p.waveform});
  return all;
}

// All fields must repeat themselves after a period of time.frequency, over which Fourier sums are compared.
void check_steady(const Case& c, const Entry& end) {
  if (!c.time.frequency) reject(end, "requires time.frequency");
  if (c.dft.window == Dft::Window::all) reject(end, "requires dft.window = last-period");
  const std::vector<Sender> all = senders(c);
  if (all.empty()) reject(end, "requires a source; allowed without one are decayed and a number > 0");
  for (const Sender& s : all) {
    if (is_pulse(s.waveform))
      reject(end, fmt::format("{} is a pulse, whose fields do not become steady; allowed are decayed and a "
                              "number > 0",
                              s.name));
    const double periods = s.waveform.frequency / *c.time.frequency, whole = std::round(periods);
    if (whole < 1 || std::abs(periods - whole) > 1e-9 * whole)
      reject(end, fmt::format("requires sources of multiples of time.frequency = {} Hz, and {} has {} Hz",
                              *c.time.frequency, s.name, s.waveform.frequency));
  }
}

// All fields must be over some day, and nobody knows when a last period begins.
void check_decayed(Case& c, const Entry& end, const IniTable& table) {
  const std::vector<Sender> all = senders(c);
  for (const Sender& s : all)
    if (!is_pulse(s.waveform))
      reject(end,
             fmt::format("{} is harmonic, so that fields do not decay; allowed are steady and a number > 0", s.name));
  if (all.empty() && !c.time.at_most) reject(end, "requires time.at_most where there is no source");
  if (c.dft.window == Dft::Window::all) return;
  if (table.find("dft", "frequencies") || table.find("dft", "frequency_range"))
    reject(end, "requires dft.window = all where dft.frequencies are given");
  c.dft.frequencies.clear();
}

}  // namespace

void check_lengths(const Case& c, const IniTable& table) {
  constexpr std::string_view all = "time.end, time.periods and time.steps";
  const Entry* first = nullptr;
  for (const auto key : {"end", "periods", "steps"}) {
    const Entry* entry = table.find("time", key);
    if (first && entry)
      reject(*entry, fmt::format("only one of {} may be given, and {} is at {}", all, first->name(), first->origin));
    if (entry) first = entry;
  }
  if (!first) throw Error(fmt::format("{}: one of {} is required", table.file(), all));
  if (c.time.periods && !c.time.frequency) reject(*first, "requires time.frequency");
}

void complete_time(Case& c, const IniTable& table) {
  if (!c.time.ends_by_fields()) return;
  const Entry& end = *table.find("time", "end");
  if (!c.solver.method.has.every_step)
    reject(end, fmt::format("{} has fields at the first and the last step only; allowed is a number > 0",
                            c.solver.method.name));
  if (c.time.ends(RunEnd::Type::steady)) check_steady(c, end);
  else check_decayed(c, end, table);
}

}  // namespace dgtd::config
