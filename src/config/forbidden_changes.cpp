#include <algorithm>
#include <map>
#include <sstream>

#include "ini_scan.hpp"
#include "key.hpp"

namespace dgtd::config {

namespace {

struct Value {
  std::string text;
  bool may_change = false;
};

// By "section.key", of a text that resolved_text has written.
std::map<std::string, Value> values_of(const std::string& resolved) {
  std::map<std::string, Value> values;
  std::istringstream text(resolved);
  std::string title;
  const Section* section = nullptr;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with('[')) {
      title = line.substr(1, line.size() - 2);
      section = find_section(kind_of(title));
      continue;
    }
    const auto equals = line.find(" = ");
    if (line.starts_with('#') || equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    const Key* const key = section == nullptr ? nullptr : section->find(name);
    values[title + "." + name] = {line.substr(equals + 3), key != nullptr && key->may_change};
  }
  return values;
}

}  // namespace

std::vector<KeyChange> forbidden_changes(const std::string& before, const std::string& now) {
  const auto old_values = values_of(before), new_values = values_of(now);
  std::vector<KeyChange> changes;
  for (const auto& [name, value] : old_values) {
    const auto found = new_values.find(name);
    const std::string text = found == new_values.end() ? std::string() : found->second.text;
    if (text != value.text && !value.may_change) changes.push_back({name, value.text, text});
  }
  for (const auto& [name, value] : new_values)
    if (old_values.count(name) == 0 && !value.may_change) changes.push_back({name, {}, value.text});
  return changes;
}

}  // namespace dgtd::config
