#include <fmt/format.h>

#include <set>
#include <string_view>

#include "check_table.hpp"
#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "old_methods.hpp"

namespace dgtd::config {
namespace {

// Replaces the spellings of earlier versions, with one warning for each.
class OldSpellings {
 public:
  void operator()(std::string& section, std::string& key, const Origin& origin) {
    for (const Section& s : key_table()) {
      if (!s.formerly.empty() && kind_of(section) == s.formerly) {
        warn(origin, fmt::format("[{}.NAME]", s.formerly), fmt::format("[{}.NAME]", s.kind));
        section = fmt::format("{}.{}", s.kind, name_in(section));
      }
      if (kind_of(section) != s.kind) continue;
      for (const Key& k : s.keys)
        if (!k.formerly.empty() && key == k.formerly) {
          warn(origin, fmt::format("{}.{}", section, key), fmt::format("{}.{}", section, k.name));
          key = k.name;
        }
    }
  }

 private:
  void warn(const Origin& origin, const std::string& before, const std::string& now) {
    if (warned_.insert(before).second)
      log::warn("{}: {} is now called {}; the old name is accepted in this version", origin, before, now);
  }

  std::set<std::string> warned_;
};

// Keys that exclude each other: one that --set gives, or a file that includes others, is to win over those of the files
// below. Returns the first one that wins, until the table changes; null: none is given.
const Entry* keep_strongest(IniTable& table, std::string_view section, std::initializer_list<std::string_view> keys) {
  int strongest = -1;
  for (const auto key : keys)
    if (const Entry* entry = table.find(section, key)) strongest = std::max(strongest, entry->precedence);
  for (const auto key : keys) table.drop_below(strongest, section, key);
  for (const auto key : keys)
    if (const Entry* entry = table.find(section, key)) return entry;
  return nullptr;
}

IniTable read_table(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  OldSpellings spellings;
  IniTable table = IniTable::scan(file, std::ref(spellings));
  for (const std::string& text : overrides) table.override_by(text);
  replace_old_methods(table);
  // Keys that belong to the other ways to give a run's length go with them.
  if (const Entry* given = keep_strongest(table, "time", {"end", "periods", "steps"})) {
    const bool steady = given->value == "steady", decayed = given->value == "decayed";
    const int precedence = given->precedence;
    if (!steady) table.drop_below(precedence, "time", "tolerance");
    if (!decayed) table.drop_below(precedence, "time", "decay");
    if (!steady && !decayed) table.drop_below(precedence, "time", "at_most");
  }
  for (const Title& title : std::vector<Title>(table.sections()))
    keep_strongest(table, title.name, {"frequencies", "wavelengths", "frequency_range"});
  return table;
}

void add_items(Case& c, const IniTable& table) {
  for (const Title& title : table.sections())
    find_section(kind_of(title.name))->add(c, std::string(name_in(title.name)), title.origin);
}

// Calls work(section, item, title, origin) for each section of the file's kinds, in the table's order.
template <class Work>
void for_each_item(Case& c, const Work& work) {
  for (const Section& section : key_table())
    for (std::size_t i = 0; i < section.count(c); ++i)
      work(section, section.item(c, i), section.title(c, i), section.origin(c, i));
}

// Sets the member that a key stands for. The entry's value becomes the one without units and parameters.
void set_value(const Key& key, void* item, Entry& entry, const Parameters& parameters, const Context& context) {
  const auto replace = [&](std::string plain) {
    if (plain == entry.value) return;
    entry.written = std::exchange(entry.value, std::move(plain));
  };
  if (key.reading == Reading::expression && !parameters.empty()) replace(parameters.put_into(entry.value));
  if (key.set(item, entry.value, context)) return;
  try {
    replace(plain_text(entry.value, key.reading, key.unit, parameters));
  } catch (const Refusal& refusal) {
    if (!refusal.why.empty()) reject(entry, refusal.why);
  }
  if (!key.set(item, entry.value, context)) reject(entry, fmt::format("must be {}", key.allowed(context)));
}

// Whether a method has a section and a key; check_method has refused what it has not, but for what a case with a domain
// says to others.
bool takes(const Section& section, const Key& key, const solver::Method& method) {
  return fulfils(section.needs, method.has) && fulfils(key.needs, method.has);
}

// results: the folder in which paths of overrides and of [output] start.
void set_values(Case& c, IniTable& table, const Parameters& parameters, const Context& context,
                const std::filesystem::path& results) {
  for_each_item(c, [&](const Section& section, void* item, const std::string& title, const Origin&) {
    for (const Key& key : section.keys) {
      Entry* const entry = table.find(title, key.name);
      if (!entry || !takes(section, key, context.method)) continue;
      Context own = context;
      if (entry->overridden || section.kind == "output") own.folder = results;
      else if (!entry->folder.empty()) own.folder = entry->folder;
      set_value(key, item, *entry, parameters, own);
    }
  });
}

// "type = stl | labels", "mesh.generator = box"; of the values those that the method has.
std::string owner_of(const Key::Belonging& b, const Section& section, const Capabilities& has) {
  if (!b.owner.empty()) return b.owner;
  return fmt::format("{}{} = {}", section.named ? "" : fmt::format("{}.", section.kind), b.key,
                     fmt::join(choices_of(b.values, has), " | "));
}

void check_belongings(const Section& section, const void* item, const std::string& title, const Case& c,
                      const IniTable& table) {
  for (const Key& key : section.keys)
    if (const Entry* entry = table.find(title, key.name); entry && takes(section, key, c.solver.method))
      for (const auto& b : key.belongs)
        if (!b.holds(item, c)) reject(*entry, fmt::format("belongs to {}", owner_of(b, section, c.solver.method.has)));
}

[[noreturn]] void missing(const Key& key, const Section& section, const std::string& title, const Origin& origin,
                          const IniTable& table, const Context& context) {
  std::string allowed = fmt::format(fmt::runtime(key.required_text), title);
  if (allowed.empty() && !key.choices.empty())
    allowed = fmt::format("{}", fmt::join(choices_of(key.choices, context.method.has), " | "));
  if (allowed.empty()) {
    allowed = key.allowed_text;
    if (const auto sign = allowed.find(" >= 0"); sign != std::string::npos) allowed.erase(sign);
    if (allowed.starts_with("a number")) allowed = key.unit;
    else if (!key.unit.empty()) allowed += fmt::format(", {}", key.unit);
  }
  // A section without a name is blamed where it chose what requires the key.
  const Entry* chooser = section.named || key.belongs.empty() ? nullptr : table.find(title, key.belongs[0].key);
  reject_missing(chooser ? chooser->origin : origin, title, key.name, allowed);
}

void check_values(Case& c, const IniTable& table, const Context& context) {
  for_each_item(c, [&](const Section& section, void* item, const std::string& title, const Origin& origin) {
    if (!fulfils(section.needs, context.method.has)) return;
    const auto is_missing = [&](const Key& key) {
      return key.required_where && !table.find(title, key.name) && key.applies(item, c) && key.required_where(item, c);
    };
    const Key& first = section.keys.front();  // on which others depend
    if (is_missing(first)) missing(first, section, title, origin, table, context);
    check_belongings(section, item, title, c, table);
    for (const Key& key : section.keys) {
      if (is_missing(key)) missing(key, section, title, origin, table, context);
      if (const Entry* entry = table.find(title, key.name);
          entry && key.check && takes(section, key, c.solver.method))
        key.check(item, c, {table, title, *entry});
    }
  });
}

// The method that the file gives, else the default one, also where the name is wrong: reading the key will refuse it.
solver::Method method_of(const IniTable& table, std::span<const solver::Method> methods) {
  const Entry* entry = table.find("solver", "method");
  for (const auto& m : methods)
    if (entry && entry->value == m.name) return m;
  return methods.front();
}

}  // namespace

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides,
               std::span<const solver::Method> methods, const std::filesystem::path& results) {
  IniTable table = read_table(file, overrides);
  const Parameters parameters(table.take_section("parameters"));
  check_sections(table);
  check_keys(table);

  Case c;
  c.file = std::filesystem::absolute(file).lexically_normal();
  c.name = c.file.stem().string();
  const Context context{c.file.parent_path(), method_of(table, methods), methods};
  c.solver.method = context.method;
  const Entry* entry = table.find("solver", "method");
  if (!entry || entry->value == context.method.name) check_method(table, context);
  if (context.method.has.dimensions < 3) c.solver.polarisation = Polarisation::automatic;
  add_items(c, table);
  const std::filesystem::path results_start = results.empty() ? context.folder : results;
  set_values(c, table, parameters, context, results_start);
  choose_generator(c, table);
  check_values(c, table, context);
  if (c.output.directory.empty()) c.output.directory = results_start / "out" / c.name;
  complete(c, table);
  return c;
}

}  // namespace dgtd::config
