// Runs for the scattering matrix of ports: which ports send, and what.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "codec.hpp"
#include "complete.hpp"

namespace dgtd::config {
namespace {

// Half the amplitude at both ends of the frequencies; in waveguides an eighth, so that little is sent at their cut-off,
// where fields stay for long. At one frequency alone: half of it, of computed modes a tenth, as they may end below.
Waveform pulse_over(const std::vector<double>& frequencies, Port::Type type) {
  const double first = frequencies.front(), last = frequencies.back(), middle = 0.5 * (first + last);
  Waveform pulse{Waveform::Type::modulated_gaussian};
  pulse.frequency = middle;
  const double alone = type == Port::Type::mode ? 0.1 * middle : 0.5 * middle;
  pulse.bandwidth = (first < last ? last - first : alone) / (type == Port::Type::waveguide ? std::sqrt(3) : 1);
  return pulse;
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
  if (!port.is_excited()) port.excite = 1, port.waveform = pulse_over(s.frequencies, port.type);
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

void split_modes(Case& c, const IniTable& table) {
  std::vector<Port> ports;
  std::vector<std::string> excite;
  for (const Port& port : c.ports) {
    const bool is_named = std::find(c.s_parameters.excite.begin(), c.s_parameters.excite.end(), port.name) !=
                          c.s_parameters.excite.end();
    for (const int number : port.modes) {
      Port& mode = ports.emplace_back(port);
      if (port.modes.size() > 1) {
        mode.name += fmt::format("_{}", number);
        for (const Port& other : c.ports)
          if (other.name == mode.name)
            reject(*table.find("port." + port.name, "modes"),
                   fmt::format("its mode {} is the port {}, and there is a [port.{}]", number, mode.name, mode.name));
        if (!c.s_parameters.given() && number != port.modes.front()) end_excitation(mode);
      }
      if (number == port.modes.front())
        for (Excitation& e : c.excitations) std::replace(e.sources.begin(), e.sources.end(), port.name, mode.name);
      mode.modes = {number};
      if (is_named) excite.push_back(mode.name);
    }
  }
  c.ports = std::move(ports);
  c.s_parameters.excite = std::move(excite);
}

}  // namespace dgtd::config
