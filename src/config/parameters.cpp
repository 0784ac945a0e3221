#include "parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "dgtd/base/nearest_name.hpp"

namespace dgtd::config {
namespace {

constexpr std::size_t longest_chain = 100;  // of parameters that use each other

void check_name(const Entry& entry) {
  std::string_view rest = entry.key;
  if (take_name(rest).empty() || !rest.empty())
    reject(entry, "the name must have letters, digits and _, and begin with a letter");
  if (const std::string_view reserved = reserved_as(entry.key); !reserved.empty())
    reject(entry, fmt::format("{} is {}; the parameter needs another name", entry.key, reserved));
}

}  // namespace

Parameters::Parameters(std::vector<Entry> entries) {
  for (const Entry& entry : entries) {
    check_name(entry);
    parameters_[entry.key].entry = entry;
  }
  for (const Entry& entry : entries) {
    std::vector<std::string> chain;
    evaluate(entry.key, chain);
  }
}

const Quantity& Parameters::evaluate(std::string_view name, std::vector<std::string>& chain) {
  const auto found = parameters_.find(std::string(name));
  if (found == parameters_.end()) return at(name);  // throws
  Parameter& parameter = found->second;
  if (parameter.state == State::done) return parameter.value;
  const Entry& entry = parameter.entry;
  chain.emplace_back(name);
  if (parameter.state == State::begun) reject(entry, fmt::format("depends on itself: {}", fmt::join(chain, ", ")));
  if (chain.size() > longest_chain) reject(entry, "depends on too many other parameters");
  parameter.state = State::begun;
  try {
    ExpressionReader reader(entry.value, [&](std::string_view n) -> const Quantity& { return evaluate(n, chain); });
    parameter.value = reader.next();
    if (!reader.at_end()) throw Refusal{};
  } catch (const Refusal& refusal) {
    reject(entry, refusal.why.empty() ? "must be one number, with or without a unit, or an expression" : refusal.why);
  }
  parameter.state = State::done;
  chain.pop_back();
  return parameter.value;
}

const Quantity& Parameters::at(std::string_view name) const {
  if (const auto found = parameters_.find(std::string(name)); found != parameters_.end()) return found->second.value;
  std::vector<std::string> names;
  for (const auto& [known, parameter] : parameters_) names.push_back(known);
  std::sort(names.begin(), names.end());
  std::string why = fmt::format("'{}' is no unit and no parameter", name);
  if (const auto nearest = nearest_name(name, names)) why += fmt::format("; did you mean {}?", *nearest);
  throw Refusal{why, true};
}

std::string Parameters::put_into(std::string_view formula) const {
  std::string text;
  while (!formula.empty()) {
    const char before = text.empty() ? ' ' : text.back();
    const std::string_view name = take_name(formula);
    const auto found = parameters_.find(std::string(name));
    // The e of 1e9 is no parameter, nor is a function.
    const bool in_number = (before >= '0' && before <= '9') || before == '.';
    if (found != parameters_.end() && !in_number && !formula.starts_with('('))
      text += fmt::format("({})", found->second.value.value);
    else text += name;
    if (!formula.empty() && name.empty()) text += formula.front(), formula.remove_prefix(1);
  }
  return text;
}

}  // namespace dgtd::config
