#include "check_table.hpp"

#include <fmt/format.h>

#include <cctype>

#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"

namespace dgtd::config {
namespace {

[[noreturn]] void unknown_section(const Title& title) {
  std::vector<std::string> names{"parameters"}, labels{"[parameters]"};
  for (const Section& section : key_table()) {
    names.emplace_back(section.kind);
    labels.push_back(fmt::format("[{}{}]", section.kind, section.named ? ".NAME" : ""));
  }
  const std::string begin = fmt::format("{}: unknown section [{}]; ", title.origin, title.name);
  const auto nearest = nearest_name(kind_of(title.name), names);
  if (!nearest) throw Error(fmt::format("{}the sections are {}", begin, fmt::join(labels, " ")));
  const std::string_view name = name_in(title.name);
  const Section* const section = find_section(*nearest);  // null: [parameters]
  throw Error(fmt::format("{}did you mean [{}{}]?", begin, *nearest,
                          !section || !section->named ? ""
                          : name.empty()              ? ".NAME"
                                                      : fmt::format(".{}", name)));
}

bool is_name(std::string_view name, bool star_allowed) {
  if (name == "*") return star_allowed;
  if (name.empty() || name.front() == ' ' || name.back() == ' ') return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == ' ';  // UTF-8 letters pass
  });
}

[[noreturn]] void unknown_key(const Entry& entry, const Section& section) {
  std::vector<std::string> here, elsewhere;
  for (const Key& key : section.keys) here.emplace_back(key.name);
  for (const Section& other : key_table())
    if (other.find(entry.key))
      elsewhere.push_back(fmt::format("{}{}.{}", other.kind, other.named ? ".NAME" : "", entry.key));
  const std::string begin = fmt::format("{}: unknown key {}; ", entry.origin, entry.name());
  if (const auto nearest = nearest_name(entry.key, here))
    throw Error(fmt::format("{}did you mean {}.{}?", begin, entry.section, *nearest));
  if (!elsewhere.empty()) throw Error(fmt::format("{}did you mean {}?", begin, elsewhere.front()));
  throw Error(fmt::format("{}[{}] has {}", begin, entry.section, fmt::join(here, ", ")));
}

// Whether a section or a key says how a case is computed and not what: a case with a domain is for methods on
// tetrahedra and on grids, and each passes over what the others alone have.
bool is_how(std::string_view section, std::string_view key) {
  const auto one_of = [&](std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  return section == "mesh" || section == "grid" ||
         (section == "solver" && one_of({"order", "order_error", "order_max", "partitioner"})) ||
         (section == "time" && one_of({"local_steps", "levels"})) ||
         (kind_of(section) == "material" && key == "order") ||
         (kind_of(section) == "boundary" && one_of({"layers", "thickness", "loss"}));
}

// The message of the first need that the case's method does not fulfil; empty: it fulfils all.
std::string refusal(const Needs& needs, const Context& context) {
  for (const Need& need : needs) {
    if (need.has(context.method.has)) continue;
    const Owners owners = owners_of([&](const Capabilities& c) { return fulfils(needs, c); }, context);
    return fmt::format(fmt::runtime(need.message), fmt::arg("owners", owners.phrase), fmt::arg("names", owners.names),
                       fmt::arg("have", owners.several ? "have" : "has"), fmt::arg("method", context.method.name));
  }
  return {};
}

std::string refusal(const Choice& choice, const Key& key, const Context& context) {
  if (!choice.available || choice.available(context.method.has)) return {};
  return fmt::format("is of {}; {} has {}", owners_of(choice.available, context).phrase, context.method.name,
                     listed(choices_of(key.choices, context.method.has), "and"));
}

}  // namespace

std::vector<std::string_view> choices_of(const std::vector<Choice>& choices, const Capabilities& c) {
  std::vector<std::string_view> words;
  for (const Choice& choice : choices)
    if (!choice.available || choice.available(c)) words.push_back(choice.text);
  return words;
}

Owners owners_of(const std::function<bool(const Capabilities&)>& has, const Context& context) {
  const auto& mine = context.method;
  std::vector<solver::Method> owners;
  for (const auto& m : context.methods)
    if (m.name != mine.name && has(m.has)) owners.push_back(m);
  // A reproduction is told of its own method alone, and a method stands for its reproductions as well.
  const auto is_owner = [&](std::string_view name) {
    return std::any_of(context.methods.begin(), context.methods.end(),
                       [&](const auto& m) { return m.name == name && name != mine.name && has(m.has); });
  };
  const std::string_view base = solver::base_name(mine.name);
  const auto is_base = [](const auto& m) { return m.name == solver::base_name(m.name); };
  if (is_owner(base)) std::erase_if(owners, [&](const auto& m) { return m.name != base; });
  else std::erase_if(owners, [&](const auto& m) { return !is_base(m) && is_owner(solver::base_name(m.name)); });

  // Where only methods on the other kind of cells have it, those of as many dimensions are meant.
  const auto same_cells = [&](const auto& m) { return m.has.tetrahedra == mine.has.tetrahedra; };
  const auto same_dimensions = [&](const auto& m) { return m.has.dimensions == mine.has.dimensions; };
  const bool related = std::any_of(owners.begin(), owners.end(), same_cells);
  if (!related && std::any_of(owners.begin(), owners.end(), same_dimensions))
    std::erase_if(owners, [&](const auto& m) { return !same_dimensions(m); });

  const std::size_t count = owners.size();
  std::vector<std::string_view> names;
  for (const auto& m : owners) names.push_back(m.name);
  const auto together = [](std::string text) { return Owners{text, text, true}; };
  const auto bases = static_cast<std::size_t>(std::count_if(context.methods.begin(), context.methods.end(), is_base));
  if (related && count > 1 && count + 1 == bases) return together("the other methods");
  const std::string_view family = count > 1 ? names[0].substr(0, names[0].find_first_of("0123456789")) : "";
  const auto in_family = [&](const auto& m) { return is_base(m) && m.name.starts_with(family); };
  if (count > 1 && std::all_of(owners.begin(), owners.end(), in_family) &&
      count == static_cast<std::size_t>(std::count_if(context.methods.begin(), context.methods.end(), in_family)))
    return together(fmt::format("the {} methods", family));
  const std::string list = listed(names, "and");
  return {fmt::format("method{} {}", count > 1 ? "s" : "", list), list, count > 1};
}

bool has_domain(const IniTable& table) {
  const auto& titles = table.sections();
  return std::any_of(titles.begin(), titles.end(), [](const Title& title) { return title.name == "domain"; });
}

void check_sections(const IniTable& table) {
  for (const Title& title : table.sections()) {
    const Section* section = find_section(kind_of(title.name));
    if (!section || (!section->named && title.name != section->kind)) unknown_section(title);
    if (!section->named) continue;
    const std::string_view name = name_in(title.name);
    if (name.empty())
      throw Error(fmt::format("{}: section [{}] needs a name: [{}.NAME]", title.origin, title.name, section->kind));
    if (!is_name(name, section->star))
      throw Error(fmt::format("{}: section [{}]: NAME must be letters, digits, _ - . and blanks inside{}", title.origin,
                              title.name, section->star ? ", or *" : ""));
  }
}

void check_keys(const IniTable& table) {
  for (const Entry& entry : table.entries()) {
    const Section& section = *find_section(kind_of(entry.section));
    if (!section.find(entry.key)) unknown_key(entry, section);
  }
}

void check_method(const IniTable& table, const Context& context) {
  const bool with_domain = has_domain(table);
  const auto of_other_method = [&](std::string_view section, std::string_view key) {
    return with_domain && is_how(section, key);
  };
  for (const Title& title : table.sections()) {
    if (of_other_method(title.name, "")) continue;
    const Section& section = *find_section(kind_of(title.name));
    std::string why = refusal(section.needs, context);
    if (why.empty() && name_in(title.name) == "*") why = refusal(section.star_needs, context);
    if (!why.empty()) throw Error(fmt::format("{}: section [{}]: {}", title.origin, title.name, why));
  }
  for (const Entry& entry : table.entries()) {
    if (of_other_method(entry.section, entry.key)) continue;
    const Key& key = *find_section(kind_of(entry.section))->find(entry.key);
    if (const std::string why = refusal(key.needs, context); !why.empty()) reject(entry, why);
    for (const Choice& choice : key.choices)
      if (choice.text == entry.value)
        if (const std::string why = refusal(choice, key, context); !why.empty()) reject(entry, why);
  }
}

}  // namespace dgtd::config
