#include <algorithm>

#include "dgtd/config/case.hpp"

namespace dgtd::config {

std::vector<Waveform> waveforms(const Case& c) {
  std::vector<Waveform> all;
  for (const Source& s : c.sources) all.push_back(s.waveform);
  for (const Port& p : c.ports)
    if (p.is_excited()) all.push_back(p.waveform);
  return all;
}

std::optional<Band> band_in_use(const Case& c) {
  std::optional<Band> band;
  const auto use = [&](double from, double to) {
    band = band ? Band{std::min(band->lowest, from), std::max(band->highest, to)} : Band{from, to};
  };
  for (const Waveform& w : waveforms(c))
    use(std::max(0.1 * w.frequency, w.frequency - w.bandwidth), w.frequency + w.bandwidth);
  for (const Port& p : c.ports) use(p.frequencies.front(), p.frequencies.back());
  for (const Flux& f : c.fluxes) use(f.frequencies.front(), f.frequencies.back());
  for (const Monitor& m : c.monitors) use(m.frequencies.front(), m.frequencies.back());
  for (const FarField& f : c.far_fields) use(f.frequencies.front(), f.frequencies.back());
  for (const double frequency : c.dft.frequencies) use(frequency, frequency);
  return band;
}

double frequency_of_interest(const Case& c) {
  double highest = 0;
  const auto use = [&](const std::vector<double>& list) {
    for (const double f : list) highest = std::max(highest, f);
  };
  for (const Waveform& w : waveforms(c)) highest = std::max(highest, w.frequency);
  for (const Port& p : c.ports) use(p.frequencies);
  use(c.dft.frequencies);
  for (const auto& f : c.fluxes) use(f.frequencies);
  for (const auto& m : c.monitors) use(m.frequencies);
  for (const auto& f : c.far_fields) use(f.frequencies);
  return highest;
}

}  // namespace dgtd::config
