#include "app/problems/initial_fields.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>

#include "dgtd/base/error.hpp"
#include "dgtd/config/formula.hpp"

namespace dgtd::app {
namespace {

solver::VectorFunction of_formulas(const std::array<std::string, 3>& texts, std::string_view field) {
  std::array<std::optional<config::Formula>, 3> formulas;
  for (int c = 0; c < 3; ++c)
    if (!texts[c].empty()) formulas[c].emplace(texts[c]);
  return [=](const Vec3& x) {
    Vec3 value;
    for (int c = 0; c < 3; ++c) {
      if (!formulas[c]) continue;
      try {
        value[c] = (*formulas[c])(x);
      } catch (const Error& error) {
        throw Error(fmt::format("initial.{}{} = {}: {}", field, "xyz"[c], texts[c], error.what()));
      }
    }
    return value;
  };
}

/// The numbers of a line, up to a comment. False where something else stands there.
bool add_numbers(std::string_view line, std::vector<double>& to) {
  line = line.substr(0, line.find('#'));
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == ',' || *at == '\r')) ++at;
    if (at == end) return true;
    double value = 0;
    const auto result = std::from_chars(at, end, value);
    if (result.ec != std::errc() || !std::isfinite(value)) return false;
    to.push_back(value);
    at = result.ptr;
  }
}

}  // namespace

std::vector<double> read_node_values(const std::filesystem::path& file, const grid::CartesianGrid& grid, int axes) {
  std::ifstream stream(file);
  if (!stream) throw Error(fmt::format("{}: cannot be opened", file.string()));
  const auto columns = static_cast<std::size_t>(grid.cells(0)) + 1,
             rows = axes > 1 ? static_cast<std::size_t>(grid.cells(1)) + 1 : 1;
  std::vector<double> values;
  std::string line;
  std::size_t row = 0;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::size_t before = values.size();
    if (!add_numbers(line, values)) throw Error(fmt::format("{}:{}: must be numbers", file.string(), number));
    if (values.size() == before) continue;
    if (++row > rows)
      throw Error(
          fmt::format("{}:{}: the grid has {} row{} of nodes", file.string(), number, rows, rows > 1 ? "s" : ""));
    if (values.size() - before != columns)
      throw Error(fmt::format("{}:{}: {} numbers; the grid has {} nodes along x", file.string(), number,
                              values.size() - before, columns));
  }
  if (row != rows) throw Error(fmt::format("{}: {} rows; the grid has {} nodes along y", file.string(), row, rows));
  return values;
}

InitialFields initial_fields(const config::Case& c, const grid::CartesianGrid& grid) {
  if (c.initial.type == config::Initial::Type::formula)
    return {of_formulas(c.initial.electric, "E"), of_formulas(c.initial.magnetic, "H")};
  const int axes = c.solver.method.has.dimensions;
  const auto row = static_cast<std::size_t>(grid.cells(0)) + 1;
  return {[=, values = read_node_values(c.initial.file, grid, axes)](const Vec3& x) {
            const auto i = static_cast<std::size_t>(grid.nearest_node(0, x.x)),
                       j = axes > 1 ? static_cast<std::size_t>(grid.nearest_node(1, x.y)) : 0;
            return Vec3{0, 0, values[j * row + i]};
          },
          [](const Vec3&) { return Vec3{}; }};
}

}  // namespace dgtd::app
