#include "dgtd/io/scene.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "dgtd/base/first_exception.hpp"

namespace dgtd::io {

std::vector<std::array<Scene::Point, 2>> box_edges(const std::array<double, 3>& low,
                                                   const std::array<double, 3>& high) {
  std::vector<std::array<Scene::Point, 2>> edges;
  const auto corner = [&](int bits) {
    Scene::Point p;
    for (int a = 0; a < 3; ++a) p[a] = static_cast<float>((bits >> a & 1) != 0 ? high[a] : low[a]);
    return p;
  };
  for (int from = 0; from < 8; ++from)
    for (int a = 0; a < 3; ++a)
      if ((from >> a & 1) == 0) edges.push_back({corner(from), corner(from | 1 << a)});
  return edges;
}

// Hues of the golden ratio apart, in two lightnesses.
Scene::Colour material_colour(std::size_t number) {
  constexpr double golden = 0.61803398875;
  const double hue = std::fmod(0.08 + golden * double(number), 1.0) * 6;
  const double lightest = number % 2 == 0 ? 0.84 : 0.66, darkest = number % 2 == 0 ? 0.42 : 0.28;
  Scene::Colour colour;
  for (int channel = 0; channel < 3; ++channel) {
    const double away = std::fmod(hue + 6 - 2 * channel, 6.0);  // of six from the hue of this channel
    const double share = std::clamp(2 - std::min(away, 6 - away), 0.0, 1.0);
    colour[channel] = static_cast<std::uint8_t>(std::lround(255 * (darkest + (lightest - darkest) * share)));
  }
  return colour;
}

namespace {

constexpr std::size_t most_packed = std::size_t{1} << 21;
// Three numbers below most_packed as one.
std::uint64_t packed(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return (a << 42) | (b << 21) | c; }

// Points in one cell of a lattice of `edge` become their mean; triangles without an area and those that are there
// already go. Nothing where more than `most` would be left, or more points than that, which a closed surface of `most`
// triangles does not have: cells that are much too small end a try before all points are seen.
std::optional<Scene::Surface> points_joined(const Scene::Surface& s, const Scene::Point& low, double edge,
                                            std::size_t most) {
  Scene::Surface result;
  result.material = s.material;
  result.values.resize(s.values.size());
  std::unordered_map<std::uint64_t, std::uint32_t> cells;
  std::vector<std::array<double, 4>> sums;  // x, y, z, count
  std::vector<std::uint32_t> number(s.points.size());
  cells.reserve(std::min(s.points.size(), most));
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    std::array<std::uint64_t, 3> cell;
    for (int a = 0; a < 3; ++a) cell[a] = static_cast<std::uint64_t>((double(s.points[i][a]) - double(low[a])) / edge);
    const auto [found, is_new] =
        cells.try_emplace(packed(cell[0], cell[1], cell[2]), static_cast<std::uint32_t>(sums.size()));
    if (is_new) {
      if (sums.size() == most) return {};
      sums.push_back({0, 0, 0, 0});
    }
    auto& sum = sums[number[i] = found->second];
    for (int a = 0; a < 3; ++a) sum[a] += double(s.points[i][a]);
    sum[3] += 1;
  }
  if (sums.size() > most_packed) return {};
  for (const auto& sum : sums)
    result.points.push_back({static_cast<float>(sum[0] / sum[3]), static_cast<float>(sum[1] / sum[3]),
                             static_cast<float>(sum[2] / sum[3])});
  std::unordered_set<std::uint64_t> seen;
  seen.reserve(most);
  for (std::size_t t = 0; t < s.triangles.size(); ++t) {
    std::array<std::uint32_t, 3> corners;
    for (int c = 0; c < 3; ++c) corners[c] = number[s.triangles[t][c]];
    auto sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    if (sorted[0] == sorted[1] || sorted[1] == sorted[2] ||
        !seen.insert(packed(sorted[0], sorted[1], sorted[2])).second)
      continue;
    if (result.triangles.size() == most) return {};
    result.triangles.push_back(corners);
    for (std::size_t q = 0; q < s.values.size(); ++q) result.values[q].push_back(s.values[q][t]);
  }
  return result;
}

struct SurfaceExtent {
  Scene::Point low{};
  double longest = 0;
};

SurfaceExtent extent_of(const Scene::Surface& surface) {
  Scene::Point low = surface.points.front(), high = low;
  for (const auto& p : surface.points)
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, double(high[a]) - double(low[a]));
  return {low, longest};
}

}  // namespace

void thin_out(Scene::Surface& surface, std::size_t most) {
  std::vector<Scene::Surface> one;
  one.push_back(std::move(surface));
  thin_out(one, {most});
  surface = std::move(one.front());
}

// The smallest cells that leave few enough triangles, of a series of sizes in which larger cells leave fewer: it is
// bisected. Threads take surfaces.
void thin_out(std::vector<Scene::Surface>& surfaces, const std::vector<std::size_t>& most) {
  constexpr double factor = 0.85;  // of the number of cells along the longest side, between two sizes
  const auto thinner = [](const Scene::Surface& surface, std::size_t limit) {
    // A closed surface of n triangles has cells of about its longest side over sqrt(n) along an axis.
    const double finest = std::max(2.0, 2 * std::sqrt(double(limit)));
    const auto [low, longest] = extent_of(surface);
    Scene::Surface best;
    best.material = surface.material, best.values.resize(surface.values.size());
    int below = 0, serves = 1 + static_cast<int>(std::log(2 / finest) / std::log(factor));  // of at least two cells
    while (below < serves) {
      const int number = (below + serves) / 2;
      if (auto found = points_joined(surface, low, longest / (finest * std::pow(factor, number)), limit))
        best = std::move(*found), serves = number;
      else below = number + 1;
    }
    return best;
  };
  FirstException error;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    error.catch_from([&] {
      if (surfaces[s].triangles.size() > most[s]) surfaces[s] = thinner(surfaces[s], most[s]);
    });
  error.rethrow();
}

}  // namespace dgtd::io
