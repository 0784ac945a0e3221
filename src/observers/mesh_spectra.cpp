#include "dgtd/observers/mesh_spectra.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"

namespace dgtd::observers {

namespace {

// The frequencies' numbers among those of the sums, to 1e-9 relative.
std::vector<std::size_t> numbers_of(const physics::Monitor& monitor, const std::vector<double>& sums) {
  std::vector<std::size_t> numbers;
  for (const double f : monitor.frequencies) {
    const auto found = std::find_if(sums.begin(), sums.end(), [&](double s) { return std::abs(s - f) <= 1e-9 * f; });
    if (found == sums.end())
      throw Error(fmt::format("{}: monitor.{}.frequencies: {} is not one of dft.frequencies; allowed are {}",
                              monitor.origin, monitor.name, f, fmt::join(sums, " ")));
    numbers.push_back(static_cast<std::size_t>(found - sums.begin()));
  }
  return numbers;
}

}  // namespace

std::size_t MeshSpectra::add_region(const solver::Region& region) {
  if (const auto* flux = std::get_if<physics::Flux>(&region))
    throw Error(fmt::format("{}: flux.{}: the sums of [dft] are at cells of monitors only", flux->origin, flux->name));
  const auto& monitor = std::get<physics::Monitor>(region);
  auto numbers = numbers_of(monitor, plan_.frequencies);
  auto cells = std::make_unique<MeshCells>(monitor, mesh_, solver_.stored_order(), order_, comm_);
  regions_.push_back({std::move(numbers), std::move(cells)});
  return regions_.size() - 1;
}

solver::RegionSums MeshSpectra::sums(std::size_t region, std::size_t frequency) const {
  for (std::size_t other = 0; other < regions_.size(); ++other)
    if (other != region) regions_[other].cells->forget_hits();
  const std::size_t number = regions_[region].frequencies[frequency];
  return regions_[region].cells->sums(
      [&](auto field, auto part, const auto& points, const auto& elements, double* values) {
        solver_.sample({field, part, number}, points, elements, values);
      });
}

}  // namespace dgtd::observers
