#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cassert>
#include <string_view>

#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "methods.hpp"
#include "schema.hpp"

namespace dgtd::config {
namespace {

namespace po = boost::program_options;

IniTable read_table(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  IniTable table = IniTable::scan(file);
  for (const std::string& text : overrides) table.override_by(text);
  // The three ways to give a run's length exclude each other, and an override is to win.
  constexpr std::string_view lengths[] = {"end", "periods", "steps"};
  for (const auto given : lengths) {
    const Entry* entry = table.find("time", given);
    if (!entry || !entry->overridden) continue;
    for (const auto key : lengths) table.drop_from_file("time", key);
    break;
  }
  return table;
}

// Each key is an option whose notifier applies its rule, so that what a rule allows is also the
// option's description.
po::options_description options_of(const Schema& schema, const IniTable& table) {
  po::options_description options;
  for (const Key& key : schema) {
    const auto apply = [&key, &table](const std::string& text) {
      if (key.rule.set(text)) return;
      const Entry* entry = table.find(key.section, key.key);
      assert(entry);
      throw Error(fmt::format("{}: must be {}", entry->place(), key.rule.allowed));
    };
    options.add_options()(key.name().c_str(), po::value<std::string>()->notifier(apply), key.rule.allowed.c_str());
  }
  return options;
}

void set_values(const Schema& schema, const IniTable& table) {
  const po::options_description options = options_of(schema, table);
  po::parsed_options parsed(&options);
  for (const Entry& entry : table.entries()) parsed.options.emplace_back(entry.name(), std::vector{entry.value});
  po::variables_map values;
  po::store(parsed, values);
  po::notify(values);
}

}  // namespace

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const IniTable table = read_table(file, overrides);
  check_sections(table);

  Case c;
  c.file = std::filesystem::absolute(file).lexically_normal();
  c.name = c.file.stem().string();
  c.solver.method = method_of(table);  // which says how many numbers a place has
  if (dimensions(c.solver.method) < 3) c.solver.polarisation = Polarisation::automatic;
  add_named(c, table);
  const Schema schema = make_schema(c);
  check_keys(table, schema);
  check_method(table);
  set_values(schema, table);
  complete(c, table);
  return c;
}

}  // namespace dgtd::config
