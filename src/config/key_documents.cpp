#include <fmt/format.h>

#include <algorithm>

#include "check_table.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/config/documents.hpp"
#include "dgtd/physics/optical_material.hpp"
#include "dgtd/physics/tissue.hpp"

namespace dgtd::config {
namespace {

using Methods = std::span<const solver::Method>;

std::string label(const Section& section) { return fmt::format("{}{}", section.kind, section.named ? ".NAME" : ""); }
std::string name_of(const Section& section, const Key& key) { return fmt::format("{}.{}", label(section), key.name); }

std::vector<std::string_view> names_with(const Methods& methods, const std::function<bool(const Capabilities&)>& has) {
  std::vector<std::string_view> names;
  for (const auto& m : methods)
    if (has(m.has)) names.push_back(m.name);
  return names;
}

// A method stands for its reproductions as well, but for those that are named after "not".
std::string methods_text(const std::vector<std::string_view>& some, const Methods& methods) {
  const auto has = [&](std::string_view name) { return std::find(some.begin(), some.end(), name) != some.end(); };
  std::vector<std::string_view> named, without;
  bool has_all = true;
  std::size_t reproductions = 0;  // of methods that are named
  for (const auto& m : methods) {
    const std::string_view base = solver::base_name(m.name);
    const bool is_base = m.name == base;
    if (is_base && !has(base)) has_all = false;
    if (has(m.name) && (is_base || !has(base))) named.push_back(m.name);
    if (is_base || !has(base)) continue;
    ++reproductions;
    if (!has(m.name)) without.push_back(m.name);
  }
  std::string text = has_all ? "all methods" : fmt::format("{}", fmt::join(named, ", "));
  if (without.empty()) return text;
  if (without.size() > 1 && without.size() == reproductions) return text + ", not their reproductions";
  return text + fmt::format("{} {}", has_all ? " but" : ", not", fmt::join(without, ", "));
}

// Methods with a section; with one of its keys.
std::vector<std::string_view> owners(const Section& section, const Methods& methods) {
  return names_with(methods, [&](const Capabilities& c) { return fulfils(section.needs, c); });
}
std::vector<std::string_view> owners(const Section& section, const Key& key, const Methods& methods) {
  return names_with(methods, [&](const Capabilities& c) { return fulfils(section.needs, c) && fulfils(key.needs, c); });
}

// The choices, each with its methods where not all that have the key have it; else a noun with its range and unit.
std::string allowed(const Section& section, const Key& key, const Methods& methods) {
  const auto all = owners(section, key, methods);
  std::vector<std::string> words;
  for (const Choice& choice : key.choices) {
    const auto some = names_with(methods, [&](const Capabilities& c) {
      return fulfils(section.needs, c) && fulfils(key.needs, c) && (!choice.available || choice.available(c));
    });
    words.push_back(some == all ? fmt::format("`{}`", choice.text)
                                : fmt::format("`{}` ({})", choice.text, methods_text(some, methods)));
  }
  if (key.allowed_text.empty() && words.empty())  // solver.method
    for (const auto name : all) words.push_back(fmt::format("`{}`", name));
  if (!words.empty()) return fmt::format("{}", fmt::join(words, ", "));
  std::string_view text = key.allowed_text;
  for (const std::string_view article : {"a ", "an "})
    if (text.starts_with(article)) text.remove_prefix(article.size());
  const std::string unit_within = fmt::format(", {}", key.unit);
  const bool has_unit = !key.unit.empty() && !text.ends_with(unit_within) &&
                        text.find(unit_within + " and") == std::string_view::npos &&
                        text.find(unit_within + ", and") == std::string_view::npos;
  return fmt::format("{}{}{}", text, has_unit ? ", " : "", has_unit ? key.unit : "");
}

std::string initial(const Key& key) {
  if (!key.initially.empty()) return key.initially;
  return key.required ? "**required**" : "-";
}

// Sections in which the key has a meaning; empty: in all of its kind.
std::string scope(const Section& section, const Key& key, const Methods& methods) {
  std::vector<std::string> parts;
  if (const auto some = owners(section, key, methods); some != owners(section, methods))
    parts.push_back(methods_text(some, methods));
  for (const auto& b : key.belongs) {
    std::vector<std::string_view> values;
    for (const Choice& choice : b.values) values.push_back(choice.text);
    parts.push_back(b.owner.empty() ? fmt::format("`{}` = {}", b.key, listed(values))
                                    : b.owner.substr(0, b.owner.find(", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string formerly(const Key& key) {
  return key.formerly.empty() ? "" : fmt::format(" Formerly `{}`.", key.formerly);
}

std::string key_table_of(const Section& section, const Methods& methods) {
  std::string text = "| key | default | allowed | for | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Key& key : section.keys)
    text += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", key.name, initial(key), allowed(section, key, methods),
                        scope(section, key, methods), key.text, formerly(key));
  return text;
}

// The tissues with their values at two frequencies of mobile phones.
std::string tissue_table() {
  constexpr double frequencies[] = {900e6, 1800e6};
  std::string head = "| tissue |", line = "| --- |", rows;
  for (const double f : frequencies) head += fmt::format(" {} MHz: eps_r, sigma [S/m] |", f * 1e-6), line += " --- |";
  for (const std::string& name : physics::tissue_names()) {
    const std::string_view model = physics::tissue_model(name);
    rows += fmt::format("| {}{} |", name, model == name ? "" : fmt::format(" (model: {})", model));
    for (const double f : frequencies) {
      const auto values = physics::tissue_properties(name, f);
      rows += fmt::format(" {:.2f}, {:.3f} |", values.permittivity, values.conductivity);
    }
    rows += fmt::format(" {} |\n", physics::tissue_density(name));
  }
  return fmt::format("{} density [kg/m3] |\n{} --- |\n{}", head, line, rows);
}

// Materials of optics with their wavelengths and publications.
std::string optics_table() {
  std::string text = "| `library` | wavelengths | published in |\n| --- | --- | --- |\n";
  for (const auto& m : physics::optical_materials())
    text += fmt::format("| {} | {} to {} | {} |\n", m.name, units::length_text(m.shortest),
                        units::length_text(m.longest), m.source);
  return text;
}

// The table that belongs between the marks "<!-- NAME -->" and "<!-- end -->".
std::string table_of(std::string_view name, const Methods& methods) {
  if (name == "tissues") return tissue_table();
  if (name == "optics") return optics_table();
  constexpr std::string_view keys_of = "keys of ";
  const std::string_view kind = name.substr(keys_of.size());
  if (const Section* section = find_section(kind)) return key_table_of(*section, methods);
  throw Error(fmt::format("no section '{}' of the case file", kind));
}

// Text of a terminal: without marks of markdown, links with the name of their file.
std::string plain(std::string text) {
  for (auto open = text.find('['); open != text.npos; open = text.find('[', open + 1)) {
    const auto middle = text.find(']', open), close = text.find(')', middle);
    if (close == text.npos || text.compare(middle, 2, "](") != 0) continue;
    text.replace(open, close + 1 - open, "docs/" + text.substr(open + 1, middle - open - 1));
  }
  std::erase(text, '`');
  for (auto stars = text.find("**"); stars != text.npos; stars = text.find("**", stars)) text.erase(stars, 2);
  return text;
}

std::string help_of(const Section& section, const Key& key, const Methods& methods) {
  std::string text = fmt::format("{}\n  {}{}\n  allowed: {}\n  default: {}\n", name_of(section, key), key.text,
                                 formerly(key), allowed(section, key, methods), initial(key));
  if (const auto where = scope(section, key, methods); !where.empty()) text += fmt::format("  for:     {}\n", where);
  if (const auto units = allowed_units(key.reading, key.unit); !units.empty())
    text += fmt::format("  units:   {}\n", units);
  return plain(text);
}

std::string help_of(const Section& section, const Methods& methods) {
  std::string text = fmt::format("[{}] {}\n", label(section), section.text);
  if (const auto some = owners(section, methods); some.size() < methods.size())
    text += fmt::format("Methods: {}\n", methods_text(some, methods));
  for (const Key& key : section.keys) text += fmt::format("\n{}", help_of(section, key, methods));
  return text;
}

}  // namespace

std::string key_help(std::string_view name, Methods methods) {
  std::vector<std::string> names;
  for (const Section& section : key_table()) {
    const std::string_view kind = kind_of(name), rest = name_in(name);
    names.emplace_back(section.kind);
    for (const Key& key : section.keys) names.push_back(fmt::format("{}.{}", section.kind, key.name));
    if (kind != section.kind && (section.formerly.empty() || kind != section.formerly)) continue;
    if (rest.empty() || (section.named && rest == "NAME")) return help_of(section, methods);
    // The key of [kind.NAME] alone, or what follows a NAME.
    const std::string_view last = section.named ? rest.substr(rest.rfind('.') + 1) : rest;
    for (const Key& key : section.keys)
      if (last == key.name || (!key.formerly.empty() && last == key.formerly)) return help_of(section, key, methods);
  }
  const std::string begin = fmt::format("command line: --help {}: there is no such key; ", name);
  if (const auto nearest = nearest_name(name, names)) throw Error(fmt::format("{}did you mean {}?", begin, *nearest));
  std::vector<std::string_view> known;
  if (const Section* section = find_section(kind_of(name))) {
    for (const Key& key : section->keys) known.push_back(key.name);
    throw Error(fmt::format("{}[{}] has {}", begin, label(*section), fmt::join(known, ", ")));
  }
  for (const Section& section : key_table()) known.push_back(section.kind);
  throw Error(fmt::format("{}the sections are {}", begin, fmt::join(known, ", ")));
}

std::string with_key_tables(std::string_view markdown, Methods methods) {
  constexpr std::string_view close = " -->\n", end = "<!-- end -->";
  std::string text;
  for (std::size_t at = 0; at < markdown.size();) {
    const auto mark = std::min({markdown.find("<!-- keys of ", at), markdown.find("<!-- tissues -->", at),
                                markdown.find("<!-- optics -->", at)});
    if (mark == std::string_view::npos) return text.append(markdown.substr(at));
    const auto name = mark + std::string_view("<!-- ").size();
    const auto table = markdown.find(close, name), next = markdown.find(end, name);
    if (table == std::string_view::npos || next == std::string_view::npos)
      throw Error(fmt::format("'{}' without '{}'", markdown.substr(mark, markdown.find('\n', mark) - mark), end));
    text += markdown.substr(at, table + close.size() - at);
    text += fmt::format("\n{}\n{}", table_of(markdown.substr(name, table - name), methods), end);
    at = next + end.size();
  }
  return text;
}

}  // namespace dgtd::config
