#include <fmt/format.h>

#include "key.hpp"

namespace dgtd::config {

namespace {

// A comment on where the properties of each tissue are from.
std::string tissue_comment(const Case& c) {
  std::string text;
  for (const Material& m : c.materials) {
    if (m.tissue.empty()) continue;
    const auto sources = physics::property_sources(m, c.time.frequency);
    text += fmt::format("# {}: {}; eps_r and sigma: {}; density: {}\n", m.name, m.tissue, sources.dielectric,
                        sources.density);
  }
  if (text.empty()) return text;
  return fmt::format(
             "# {}: S. Gabriel et al., Phys. Med. Biol. 41 (1996) 2271-2293, parameters as tabulated by IFAC\n"
             "# {}: P. A. Hasgall et al., IT'IS database of tissue properties, DOI 10.13099/VIP21000-04-1\n",
             physics::dielectric_source, physics::density_source) +
         text;
}

}  // namespace

std::string resolved_text(const Case& c) {
  std::string text = fmt::format("# {}, with every default written out\n", c.name) + tissue_comment(c);
  for (const Section& section : key_table()) {
    if (!fulfils(section.needs, c.solver.method.has)) continue;
    for (std::size_t i = 0; i < section.count(c); ++i) {
      std::string lines;
      const void* item = section.item_of(c, i);
      for (const Key& key : section.keys)
        if (key.resolved_as.empty() && key.applies(item, c))
          if (const std::string value = key.format(item); !value.empty())
            lines += fmt::format("{} = {}\n", key.name, value);
      // A domain that is not given, or has become cells, has no lines.
      if (section.named || !lines.empty()) text += fmt::format("\n[{}]\n{}", section.title(c, i), lines);
    }
  }
  return text;
}

}  // namespace dgtd::config
