#include "key.hpp"

#include <fmt/format.h>

namespace dgtd::config {

template void give_values(Key&, Codec<bool>, Access<bool>, std::string_view);
template void give_values(Key&, Codec<double>, Access<double>, std::string_view);
template void give_values(Key&, Codec<std::int64_t>, Access<std::int64_t>, std::string_view);
template void give_values(Key&, Codec<std::string>, Access<std::string>, std::string_view);
template void give_values(Key&, Codec<std::filesystem::path>, Access<std::filesystem::path>, std::string_view);
template void give_values(Key&, Codec<Vec3>, Access<Vec3>, std::string_view);

bool fulfils(const Needs& needs, const Capabilities& c) {
  return std::all_of(needs.begin(), needs.end(), [&](const Need& need) { return need.has(c); });
}

std::string Key::allowed(const Context& context) const {
  std::vector<std::string_view> words;
  if (allowed_text.empty() && choices.empty())  // solver.method
    for (const auto& m : context.methods) words.push_back(m.name);
  // The choices of the case's method come first.
  for (const bool available : {true, false})
    for (const Choice& choice : choices)
      if ((!choice.available || choice.available(context.method.has)) == available) words.push_back(choice.text);
  if (allowed_text.empty()) return listed(words);

  const int axes = context.method.has.dimensions;
  std::string text = allowed_text;
  if (missing_axis.empty() || axes == 3) return text;
  const auto three = text.find('3');
  text.replace(three, 1, std::to_string(axes));
  if (axes > 1) return text;
  text.erase(text.find('s', three), 1);  // "1 number", "1 integer"
  return text.starts_with("1 or ") ? text.substr(5) : text;
}

bool Key::set(void* item, std::string_view text, const Context& context) const {
  const int axes = context.method.has.dimensions;
  std::string whole(text);
  if (!missing_axis.empty() && split_words(text).size() == static_cast<std::size_t>(axes))
    for (int a = axes; a < 3; ++a) whole += " " + missing_axis;
  return parse(item, whole, context);
}

bool Key::applies(const void* item, const Case& c) const {
  return fulfils(needs, c.solver.method.has) &&
         std::all_of(belongs.begin(), belongs.end(), [&](const Belonging& b) { return b.holds(item, c); });
}

const Key* Section::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<Section>& key_table() {
  static const std::vector<Section> table = {solver_keys(),   domain_keys(),  mesh_keys(),   grid_keys(),         time_keys(),
                                             material_keys(), shape_keys(),   permittivity_keys(), refine_keys(),
                                             boundary_keys(), initial_keys(), source_keys(), port_keys(), s_parameter_keys(), excitation_keys(),
                                             probe_keys(), flux_keys(),     monitor_keys(), snapshot_keys(),     far_field_keys(),
                                             dft_keys(),      sar_keys(),     output_keys(),       checkpoint_keys()};
  return table;
}

const Section* find_section(std::string_view kind) {
  const auto& table = key_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Section& s) { return s.kind == kind; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace dgtd::config
