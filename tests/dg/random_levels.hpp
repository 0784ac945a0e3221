#pragma once
// Levels of local time steps that have nothing to do with the elements' sizes.
#include <algorithm>
#include <random>

#include "dgtd/dg/discretisation.hpp"

namespace dgtd::dg::test {

/// Raises levels until neighbours differ by at most one. For a mesh on one rank.
inline void raise_neighbours(std::vector<std::uint8_t>& level, const mesh::Subdomain& mesh) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      for (const auto& link : mesh.element_faces[e])
        if (link.kind == mesh::FaceLink::Kind::element && level[e] + 1 < level[link.index]) {
          level[e] = static_cast<std::uint8_t>(level[link.index] - 1);
          changed = true;
        }
  }
}

/// Fills reach and elements of levels whose finest and of_element are given. For a mesh on one rank.
inline void complete(TimeLevels& levels, const mesh::Subdomain& mesh) {
  levels.reach = levels.of_element;
  levels.elements.assign(levels.finest + 1, 0);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    for (const auto& link : mesh.element_faces[e])
      if (link.kind == mesh::FaceLink::Kind::element)
        levels.reach[e] = std::max(levels.reach[e], levels.of_element[link.index]);
    ++levels.elements[levels.of_element[e]];
  }
}

/// Every element draws a level, those with an absorbing face and their neighbours level 0; neighbours differ by one at
/// most. For a mesh on one rank.
inline TimeLevels random_levels(const mesh::Subdomain& mesh, const std::vector<physics::BoundaryKind>& boundary_kind,
                                int finest, unsigned seed) {
  using Kind = mesh::FaceLink::Kind;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0, 1);
  const std::size_t n = mesh.elements();
  std::vector<int> distance(n, 100);  // faces to the next absorbing one
  for (std::size_t e = 0; e < n; ++e)
    for (const auto& link : mesh.element_faces[e])
      if (link.kind == Kind::boundary && boundary_kind[link.index] == physics::BoundaryKind::silver_muller)
        distance[e] = 0;
  TimeLevels levels;
  levels.finest = finest;
  levels.of_element.resize(n);
  for (auto& level : levels.of_element)
    level = static_cast<std::uint8_t>(number(random) < 0.25 ? std::lround(number(random) * finest) : 0);
  const auto for_neighbours = [&](const auto& body) {
    for (std::size_t e = 0; e < n; ++e)
      for (const auto& link : mesh.element_faces[e])
        if (link.kind == Kind::element) body(e, link.index);
  };
  for (int pass = 0; pass < 2 * finest + 2; ++pass)
    for_neighbours([&](std::size_t e, std::size_t k) { distance[e] = std::min(distance[e], distance[k] + 1); });
  for (std::size_t e = 0; e < n; ++e)
    levels.of_element[e] =
        static_cast<std::uint8_t>(std::clamp<int>(levels.of_element[e], 0, std::max(0, distance[e] - 1)));
  for (int pass = 0; pass < finest; ++pass)
    for_neighbours([&](std::size_t e, std::size_t k) {
      if (distance[e] > 1)
        levels.of_element[e] = std::max<std::uint8_t>(levels.of_element[e], std::max<int>(levels.of_element[k], 1) - 1);
    });
  complete(levels, mesh);
  return levels;
}

}  // namespace dgtd::dg::test
