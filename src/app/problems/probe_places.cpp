#include "app/problems/probe_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/units.hpp"

namespace dgtd::app {

namespace {

struct ProbePlace {
  Vec3 centre;          // m, of the cell
  double distance = 0;  // m, of the position from it
};

ProbePlace place_of(const grid::CartesianGrid& grid, const std::array<std::vector<double>, 3>& nodes, int axes,
                    const Vec3& position) {
  ProbePlace place{position, 0};
  for (int a = 0; a < axes; ++a) {
    const auto cell = static_cast<std::size_t>(grid.cell_at(a, position[a]));
    place.centre[a] = 0.5 * (nodes[a][cell] + nodes[a][cell + 1]);
  }
  place.distance = norm(position - place.centre);
  return place;
}

std::string line_of(const std::string& name, const ProbePlace& place) {
  const auto& x = place.centre;
  const units::Unit unit = units::length(std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}));
  return fmt::format("probe {}: E and H at the centre of its cell, ({:.6g}, {:.6g}, {:.6g}) {}, {} from its position",
                     name, x.x / unit.size, x.y / unit.size, x.z / unit.size, unit.name,
                     units::length_text(place.distance, 3));
}

}  // namespace

void state_probe_places(const config::Case& c, const grid::CartesianGrid& grid, int axes, Problem& problem) {
  if (c.probes.empty()) return;
  constexpr std::size_t few = 10;    // lines
  constexpr double rounding = 1e-6;  // of the coordinates
  const std::array nodes{grid.nodes(0), grid.nodes(1), grid.nodes(2)};
  io::Value::List list;
  double farthest = 0;
  for (const auto& probe : c.probes) {
    const ProbePlace place = place_of(grid, nodes, axes, probe.position);
    list.push_back(io::Value::Object{{"name", probe.name},
                                     {"position_m", probe.position},
                                     {"sampled_at_m", place.centre},
                                     {"distance_m", place.distance}});
    farthest = std::max(farthest, place.distance);
    const bool differs = place.distance > rounding * norm(place.centre);
    if (c.probes.size() <= few && differs) problem.description.push_back(line_of(probe.name, place));
  }
  if (c.probes.size() > few)
    problem.description.push_back(
        fmt::format("{} probes: E and H at the centres of their cells, at most {} from their positions (places: "
                    "`probes` of summary.json)",
                    c.probes.size(), units::length_text(farthest, 3)));
  problem.summary.keys["probes"] = std::move(list);
}

}  // namespace dgtd::app
