#include <fmt/format.h>

#include "key.hpp"

namespace dgtd::config {

std::string resolved_text(const Case& c) {
  std::string text = fmt::format("# {}, with every default written out\n", c.name);
  for (const Section& section : key_table()) {
    if (!fulfils(section.needs, c.solver.method.has)) continue;
    for (std::size_t i = 0; i < section.count(c); ++i) {
      text += fmt::format("\n[{}]\n", section.title(c, i));
      const void* item = section.item_of(c, i);
      for (const Key& key : section.keys)
        if (key.resolved_as.empty() && key.applies(item, c))
          if (const std::string value = key.format(item); !value.empty())
            text += fmt::format("{} = {}\n", key.name, value);
    }
  }
  return text;
}

}  // namespace dgtd::config
