// Values of single keys of a completed case, for scripts.
#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "dgtd/config/documents.hpp"
#include "key.hpp"

namespace dgtd::config {
namespace {

std::string titles_of(const Section& section, const Case& c) {
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < section.count(c); ++i) titles.push_back(fmt::format("[{}]", section.title(c, i)));
  return titles.empty() ? "none" : fmt::format("{}", fmt::join(titles, ", "));
}

// "shape.sphere.radius" is the key radius of [shape.sphere].
std::string printed_value(const Case& c, const std::string& name) {
  const auto dot = name.rfind('.');
  const std::string title = name.substr(0, dot), key_name = dot == name.npos ? "" : name.substr(dot + 1);
  const Section* const section = find_section(kind_of(title));
  const Key* const key = section ? section->find(key_name) : nullptr;
  if (key == nullptr || section->named != (title != section->kind)) {
    std::vector<std::string> names;
    for (const Section& s : key_table())
      for (std::size_t i = 0; i < s.count(c); ++i)
        for (const Key& k : s.keys) names.push_back(fmt::format("{}.{}", s.title(c, i), k.name));
    const auto nearest = nearest_name(name, names);
    throw Error(fmt::format("command line: --print {}: there is no such key; {}", name,
                            nearest ? fmt::format("did you mean {}?", *nearest)
                                    : "a key is SECTION.KEY or SECTION.NAME.KEY, such as solver.order"));
  }
  for (std::size_t i = 0; i < section->count(c); ++i) {
    if (section->title(c, i) != title) continue;
    const void* const item = section->item_of(c, i);
    const bool has_it = fulfils(section->needs, c.solver.method.has) && key->applies(item, c);
    return has_it ? key->format(item) : std::string();
  }
  throw Error(fmt::format("command line: --print {}: the case has no [{}]; of this kind it has {}", name, title,
                          titles_of(*section, c)));
}

}  // namespace

std::string values_text(const Case& c, std::span<const std::string> names) {
  if (names.empty()) return resolved_text(c);
  if (names.size() == 1) return printed_value(c, names.front()) + "\n";
  std::string text;
  for (const std::string& name : names) text += fmt::format("{} = {}\n", name, printed_value(c, name));
  return text;
}

}  // namespace dgtd::config
