#include "dgtd/observers/field_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dgtd/base/error.hpp"

namespace dgtd::observers {

namespace {

bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() != '*') return !name.empty() && pattern[0] == name[0] && fits(pattern.substr(1), name.substr(1));
  for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
    if (fits(pattern.substr(1), name.substr(skipped))) return true;
  return false;
}

}  // namespace

std::vector<bool> chosen_groups(const std::vector<std::string>& patterns, const std::vector<std::string>& names) {
  std::vector<bool> chosen(names.size());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t g = 0; g < names.size(); ++g)
      if (fits(pattern, names[g])) chosen[g] = any = true;
    if (!any)
      throw Error(fmt::format("output.groups: {}: there is no such volume; allowed are {}, with * for any text",
                              pattern, fmt::join(names, ", ")));
  }
  return chosen;
}

std::string electric_name(std::string_view part, bool peak, const std::string& suffix) {
  return fmt::format("E_{}_{}{}", part, peak ? "V_per_m" : "V_s_per_m", suffix);
}

std::string magnetic_name(std::string_view part, bool peak, const std::string& suffix) {
  return fmt::format("H_{}_{}{}", part, peak ? "A_per_m" : "A_s_per_m", suffix);
}

std::vector<std::string> frequency_suffixes(const std::vector<double>& frequencies) {
  if (frequencies.size() < 2) return std::vector<std::string>(frequencies.size());
  // As few digits as distinguish them.
  for (int digits = 6;; ++digits) {
    std::vector<std::string> suffixes;
    for (const double f : frequencies) suffixes.push_back(fmt::format("_{:.{}g}MHz", f / 1e6, digits));
    if (digits >= 17 || std::set(suffixes.begin(), suffixes.end()).size() == suffixes.size()) return suffixes;
  }
}

std::vector<std::string> conventions_of(const FieldSelection& selection,
                                        const std::vector<io::CellQuantity>& quantities) {
  std::vector<std::string> lines = selection.conventions;
  for (std::string& line : lines)
    for (const auto& q : quantities)
      if (!q.convention.empty() && line.starts_with(q.name + ": ")) line = q.name + ": " + q.convention;
  return lines;
}

// Threads take runs of rows, whose places they find once for all quantities.
io::Columns quantity_columns(const std::vector<io::CellQuantity>& quantities, PlacesOfRows places_of_rows) {
  io::Columns columns;
  for (const auto& quantity : quantities) columns.list.push_back({quantity.name, 1});
  columns.fill = [quantities, places_of_rows = std::move(places_of_rows)](std::size_t first, std::size_t count,
                                                                          std::span<double* const> values) {
    constexpr std::size_t together = 4096;
#pragma omp parallel for schedule(static)
    for (std::size_t run = 0; run < (count + together - 1) / together; ++run) {
      std::size_t buffer[together];
      const std::size_t begin = run * together;
      const std::span places(buffer, std::min(together, count - begin));
      places_of_rows(first + begin, places);
      for (std::size_t q = 0; q < quantities.size(); ++q) quantities[q].fill(places, values[q] + begin);
    }
  };
  return columns;
}

}  // namespace dgtd::observers
