#include "axis_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::io {

double round_step(double length, int most) {
  const double least = length / most, power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<Tick> axis_ticks(double from, double to, int most) {
  const auto [low, high] = std::minmax(from, to);
  const double step = round_step(high - low, most);
  std::vector<Tick> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
    ticks.push_back({i * step, fmt::format("{:.6g}", i * step + 0.0)});
  return ticks;
}

std::string power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> digits{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                    "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "10";
  for (const char c : std::to_string(exponent)) text += c == '-' ? "\u207b" : digits[static_cast<std::size_t>(c - '0')];
  return text;
}

std::vector<Tick> decade_ticks(double from, double to, int most) {
  const int first = static_cast<int>(std::lround(std::log10(from)));
  const int last = static_cast<int>(std::lround(std::log10(to)));
  const int step = std::max(1, (last - first + most - 1) / most);
  std::vector<Tick> ticks;
  for (int e = first; e <= last; e += step) {
    ticks.push_back({std::pow(10, e), power_of_ten(e)});
    if (last - first == 1 && e == first)
      for (const int factor : {2, 5})
        ticks.push_back({factor * std::pow(10, e), fmt::format("{}\u00b7{}", factor, power_of_ten(e))});
  }
  return ticks;
}

namespace {

AxisUnit of(const units::Unit& unit) { return {std::string(unit.name), unit.size}; }

AxisUnit with_power(const std::string& si_unit, double largest) {
  const int exponent = 3 * static_cast<int>(std::floor(std::log10(largest * (1 + 1e-9)) / 3));
  if (exponent == 0) return {si_unit, 1};
  return {power_of_ten(exponent) + (si_unit.empty() ? "" : " " + si_unit), std::pow(10, exponent)};
}

AxisUnit with_prefix(const std::string& si_unit, double largest) {
  constexpr std::array<std::string_view, 11> prefixes{"T", "G", "M", "k", "", "m", "u", "n", "p", "f", "a"};
  const int group = static_cast<int>(std::floor(std::log10(largest * (1 + 1e-9)) / 3));
  const int at = 4 - group;
  if (at < 0 || at >= static_cast<int>(prefixes.size())) return with_power(si_unit, largest);
  return {std::string(prefixes[static_cast<std::size_t>(at)]) + si_unit, std::pow(10, 3 * group)};
}

}  // namespace

AxisUnit axis_unit(const std::string& si_unit, double largest) {
  largest = std::abs(largest);
  if (!(largest > 0) || !std::isfinite(largest)) return {si_unit, 1};
  if (si_unit == "s") return of(units::time(largest));
  if (si_unit == "Hz") return of(units::frequency(largest));
  if (si_unit == "m") return of(units::length(largest));
  if (si_unit == "m\u00b2") {
    const units::Unit side = units::length(std::sqrt(largest));
    return {std::string(side.name) + "\u00b2", side.size * side.size};
  }
  for (const char* simple : {"J", "W", "V/m", "A/m"})
    if (si_unit == simple) return with_prefix(si_unit, largest);
  if (si_unit.empty() && largest >= 1e-3 && largest < 1e4) return {si_unit, 1};
  return with_power(si_unit, largest);
}

AxisRange linear_range(double lowest, double highest) {
  if (!(highest - lowest > 1e-12 * std::max(std::abs(lowest), std::abs(highest)))) {
    const double around = lowest == 0 ? 1 : 0.5 * std::abs(lowest);
    lowest -= around, highest += around;
  }
  if (lowest > 0 && lowest < 0.6 * highest) lowest = 0;
  if (highest < 0 && highest > 0.6 * lowest) highest = 0;
  const double step = round_step(highest - lowest, 5);
  return {step * std::floor(lowest / step + 1e-9), step * std::ceil(highest / step - 1e-9)};
}

AxisRange decade_range(double lowest, double highest) {
  constexpr double most = 10;
  const double top = std::ceil(std::log10(highest) - 1e-9);
  const double bottom = std::min(top - 1, std::max(top - most, std::floor(std::log10(lowest) + 1e-9)));
  return {std::pow(10, bottom), std::pow(10, top)};
}

std::vector<double> wavelength_ticks(double lowest, double highest, double width) {
  constexpr double apart = 42;
  if (!(lowest > 0) || !(highest > lowest)) return {};
  const double shortest = speed_of_light / highest, longest = speed_of_light / lowest;
  const double step = round_step(longest - shortest, 20);
  const auto x_of = [&](double wavelength) {
    return width * (speed_of_light / wavelength - lowest) / (highest - lowest);
  };
  std::vector<double> ticks;
  for (const double round : {10 * step, 2 * step, step})
    for (double i = std::ceil(shortest / round - 1e-9); i * round <= longest * (1 + 1e-9); ++i) {
      const double x = x_of(i * round);
      if (std::all_of(ticks.begin(), ticks.end(), [&](double t) { return std::abs(x_of(t) - x) >= apart; }))
        ticks.push_back(i * round);
    }
  std::sort(ticks.begin(), ticks.end());
  return ticks;
}

}  // namespace dgtd::io
