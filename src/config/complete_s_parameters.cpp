// Runs for the scattering matrix of ports: which ports send, and what.
#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "codec.hpp"
#include "complete.hpp"

namespace dgtd::config {
namespace {

Waveform pulse_over(const std::vector<double>& frequencies) {
  const double first = frequencies.front(), last = frequencies.back(), middle = 0.5 * (first + last);
  Waveform pulse{Waveform::Type::modulated_gaussian};
  pulse.frequency = middle;
  pulse.bandwidth = first < last ? last - first : 0.5 * middle;  // half the amplitude at both ends
  return pulse;
}

void end_excitation(Port& port) {
  port.excite = 0;
  port.waveform = Port().waveform;
}

std::vector<std::string> names_of(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& p : ports) names.push_back(p.name);
  return names;
}

// Replaces the word all, and puts the names in the order of the ports.
void resolve_names(Case& c, const Entry& entry) {
  std::vector<std::string>& excite = c.s_parameters.excite;
  const std::vector<std::string> names = names_of(c.ports);
  if (names.empty()) reject(entry, "there is no [port.NAME]");
  const auto is_port = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (excite == std::vector<std::string>{"all"}) excite = names;
  // Blanks separate names, too, unless a name has them.
  std::vector<std::string> words;
  for (const std::string& name : excite)
    if (is_port(name)) words.push_back(name);
    else
      for (const std::string_view word : split_words(name)) words.emplace_back(word);
  excite = std::move(words);
  std::vector<std::string> ordered;
  for (const std::string& name : names)
    if (std::find(excite.begin(), excite.end(), name) != excite.end()) ordered.push_back(name);
  for (const std::string& name : excite)
    if (!is_port(name))
      reject(entry, fmt::format("there is no port.{}; allowed are all, and {}", name, fmt::join(names, ", ")));
  excite = std::move(ordered);
}

void complete_port(Port& port, const SParameters& s, const Entry& entry, const IniTable& table) {
  const std::string section = "port." + port.name;
  if (port.frequencies.empty()) port.frequencies = s.frequencies;
  else if (port.frequencies != s.frequencies)
    for (const auto key : {"frequencies", "frequency_range", "wavelengths"})
      if (const Entry* const own = table.find(section, key)) reject(*own, "must be those of [sparameters], or absent");
  if (std::find(s.excite.begin(), s.excite.end(), port.name) == s.excite.end()) {
    if (!port.is_matched())
      reject(entry, fmt::format("must name {}, too, or its circuit must be a resistor of its impedance", section));
    return end_excitation(port);
  }
  if (!port.is_excited()) port.excite = 1, port.waveform = pulse_over(s.frequencies);
  if (port.waveform.type != Waveform::Type::modulated_gaussian)
    reject(*table.find(section, "waveform"), "must be modulated-gaussian in a case with [sparameters]");
}

}  // namespace

void complete_s_parameters(Case& c, const IniTable& table) {
  if (!c.s_parameters.given()) return;
  const Entry& entry = *table.find("sparameters", "excite");
  resolve_names(c, entry);
  for (const Source& s : c.sources)
    reject(entry, fmt::format("source.{} would send into the ports; allowed are ports alone", s.name));
  for (Port& port : c.ports) complete_port(port, c.s_parameters, entry, table);
}

Case case_of_excitation(const Case& c, std::string_view port) {
  Case alone = c;
  alone.s_parameters = {};
  alone.output.directory /= fmt::format("excite_{}", port);
  for (Port& p : alone.ports)
    if (p.name != port) end_excitation(p);
  return alone;
}

}  // namespace dgtd::config
