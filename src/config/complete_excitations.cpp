// Runs of one case in which different sources send.
#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "complete.hpp"

namespace dgtd::config {
namespace {

template <class T>
const T* named(const std::vector<T>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& t) { return t.name == name; });
  return found == list.end() ? nullptr : &*found;
}

std::string senders_of(const Case& c) {
  std::vector<std::string> names;
  for (const Source& s : c.sources) names.push_back(s.name);
  for (const Port& p : c.ports)
    if (p.is_excited()) names.push_back(p.name);
  return names.empty() ? "none, because there are no sources" : fmt::format("{}", fmt::join(names, ", "));
}

void check_sender(const Case& c, const Excitation& e, const std::string& name, const Entry& entry) {
  const bool source = named(c.sources, name) != nullptr;
  const Port* const port = named(c.ports, name);
  if (source && port != nullptr)
    reject(entry, fmt::format("{} is a source and a port; one of them must have another name", name));
  if (!source && port == nullptr)
    reject(entry, fmt::format("there is no source.{0} and no port.{0}; allowed are {1}", name, senders_of(c)));
  if (port != nullptr && !port->is_excited()) reject(entry, fmt::format("port.{} has no excite", name));
  if (std::count(e.sources.begin(), e.sources.end(), name) > 1) reject(entry, fmt::format("{} is named twice", name));
}

// Dipoles have a moment, other sources an amplitude.
void scale(Source& source, double factor) {
  (source.type == Source::Type::dipole ? source.moment : source.amplitude) *= factor;
}

void keep_senders(Case& alone, const Excitation& e) {
  const auto factor_of = [&](const std::string& name) {
    const auto found = std::find(e.sources.begin(), e.sources.end(), name);
    return found == e.sources.end() ? 0.0 : e.amplitudes[std::size_t(found - e.sources.begin())];
  };
  std::erase_if(alone.sources, [&](const Source& s) { return factor_of(s.name) == 0; });
  for (Source& s : alone.sources) scale(s, factor_of(s.name));
  for (Port& p : alone.ports) {
    p.excite *= factor_of(p.name);
    if (!p.is_excited()) end_excitation(p);
  }
}

}  // namespace

void end_excitation(Port& port) {
  port.excite = 0;
  port.waveform = Port().waveform;
}

void complete_excitations(Case& c, const IniTable& table) {
  for (Excitation& e : c.excitations) {
    const std::string section = "excitation." + e.name;
    const Entry& sources = *table.find(section, "sources");
    if (c.s_parameters.given())
      reject(sources, "a case has [sparameters] or [excitation.NAME], which are runs of their own, and not both");
    for (const std::string& name : e.sources) check_sender(c, e, name, sources);
    if (const Entry* const amplitudes = table.find(section, "amplitudes"); !amplitudes)
      e.amplitudes.assign(e.sources.size(), 1);
    else if (e.amplitudes.size() != e.sources.size())
      reject(*amplitudes, fmt::format("must be {} number{}, one for each of {}", e.sources.size(),
                                      e.sources.size() > 1 ? "s" : "", fmt::join(e.sources, ", ")));
    else if (std::count(e.amplitudes.begin(), e.amplitudes.end(), 0.0) > 0)
      reject(*amplitudes, "must not be 0; a source that is not named does not send");
  }
}

std::vector<std::string> runs_of(const Case& c) {
  std::vector<std::string> names = c.s_parameters.excite;
  for (const Excitation& e : c.excitations) names.push_back(e.name);
  return names;
}

Case case_of_excitation(const Case& c, std::string_view name) {
  Case alone = c;
  alone.s_parameters = {};
  alone.excitations.clear();
  alone.solver.runs_at_once = 1;
  alone.output.directory /= fmt::format("excite_{}", name);
  if (const Excitation* const e = named(c.excitations, name)) keep_senders(alone, *e);
  else
    for (Port& p : alone.ports)
      if (p.name != name) end_excitation(p);
  return alone;
}

}  // namespace dgtd::config
