#include "dgtd/dosimetry/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dgtd::dosimetry {

namespace {

constexpr std::size_t columns = 6;
using Cells = std::array<std::string, columns>;

// Four significant digits, trailing zeros kept so that columns line up.
std::string number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return fmt::format("{:.3e}", value);
  const int exponent = size > 0 ? static_cast<int>(std::floor(std::log10(size))) : 0;
  return fmt::format("{:.{}f}", value, std::max(0, 3 - exponent));
}

Cells cells_of(const TissueRow& row, const PowerUnit& unit) {
  const std::string absent = "-";
  return {row.name,
          row.mass_kg > 0 ? number(row.mass_kg * 1e3) : absent,
          number(row.absorbed_W / unit.watts),
          row.sar_mean ? number(*row.sar_mean) : absent,
          row.sar_max ? number(*row.sar_max) : absent,
          row.at ? fmt::format("({:.1f}, {:.1f}, {:.1f})", row.at->x * 1e3, row.at->y * 1e3, row.at->z * 1e3) : absent};
}

TissueRow sum_of_tissues(const std::vector<TissueRow>& rows) {
  TissueRow sum;
  sum.name = "all tissues";
  for (const TissueRow& row : rows) {
    if (row.mass_kg <= 0) continue;
    sum.mass_kg += row.mass_kg;
    sum.absorbed_W += row.absorbed_W;
    if (!sum.sar_max || *row.sar_max > *sum.sar_max) {
      sum.sar_max = row.sar_max;
      sum.at = row.at;
    }
  }
  if (sum.mass_kg > 0) sum.sar_mean = sum.absorbed_W / sum.mass_kg;
  return sum;
}

}  // namespace

PowerUnit power_unit(double largest_W) {
  static constexpr PowerUnit units[] = {{"W", 1}, {"mW", 1e-3}, {"uW", 1e-6}, {"nW", 1e-9}, {"pW", 1e-12}};
  for (const PowerUnit& unit : units)
    if (largest_W >= unit.watts) return unit;
  return largest_W > 0 ? units[4] : units[0];
}

std::string format_table(const std::vector<TissueRow>& rows) {
  const TissueRow sum = sum_of_tissues(rows);
  double largest_W = 0;
  for (const TissueRow& row : rows) largest_W = std::max(largest_W, row.absorbed_W);
  const PowerUnit unit = power_unit(largest_W);

  std::vector<Cells> lines{{"group", "mass [g]", fmt::format("absorbed [{}]", unit.name), "SAR mean [W/kg]",
                            "SAR max [W/kg]", "maximum at [mm]"}};
  for (const TissueRow& row : rows) lines.push_back(cells_of(row, unit));
  if (sum.mass_kg > 0) lines.push_back(cells_of(sum, unit));

  std::array<std::size_t, columns> width{};
  for (const Cells& line : lines)
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], line[c].size());
  std::string text;
  for (const Cells& line : lines) {
    text += fmt::format("{:<{}}", line[0], width[0]);
    for (std::size_t c = 1; c < columns; ++c) text += fmt::format("  {:>{}}", line[c], width[c]);
    text += '\n';
  }
  return text;
}

}  // namespace dgtd::dosimetry
