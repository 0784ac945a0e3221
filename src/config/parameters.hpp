#pragma once
// [parameters] of a case: named numbers that other values use.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expression.hpp"
#include "ini_scan.hpp"

namespace dgtd::config {

class Parameters {
 public:
  Parameters() = default;
  /// Evaluates the entries of [parameters], which may use each other in any order. Throws Error naming the entry's file
  /// and line: for a name that is a unit, function, constant or coordinate, for what is not one quantity, for one that
  /// depends on itself.
  explicit Parameters(std::vector<Entry> entries);

  bool empty() const { return parameters_.empty(); }

  /// Throws Refusal where there is no such parameter, with the nearest one.
  const Quantity& at(std::string_view name) const;

  /// A formula of x, y, z with the SI values of the parameters in brackets in place of their names.
  std::string put_into(std::string_view formula) const;

 private:
  enum class State { unknown, begun, done };
  struct Parameter {
    Entry entry;
    Quantity value = {};
    State state = State::unknown;
  };
  const Quantity& evaluate(std::string_view name, std::vector<std::string>& chain);

  std::unordered_map<std::string, Parameter> parameters_;
};

}  // namespace dgtd::config
