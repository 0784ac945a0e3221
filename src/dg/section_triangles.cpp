#include "section_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dgtd::dg {

SectionTriangles::SectionTriangles(std::vector<SectionTriangle> list) : triangles_(std::move(list)) {
  std::array<double, 2> high{-1e300, -1e300};
  low_ = {1e300, 1e300};
  // A curved triangle is inside of the hull of its corners and of the middles with twice their bends.
  const auto visit_box = [](const SectionTriangle& t, std::size_t w) {
    const auto middle = [&](std::size_t i, std::size_t j) {
      return 0.5 * (t.at[i][w] + t.at[j][w]) + 2 * t.bend[i + j - 1][w];
    };
    return std::minmax({t.at[0][w], t.at[1][w], t.at[2][w], middle(0, 1), middle(0, 2), middle(1, 2)});
  };
  for (const SectionTriangle& t : triangles_)
    for (const std::size_t w : {0, 1}) {
      const auto [from, to] = visit_box(t, w);
      low_[w] = std::min(low_[w], from), high[w] = std::max(high[w], to);
    }
  cells_ = std::max(1, static_cast<int>(std::sqrt(double(triangles_.size()))));
  for (const std::size_t w : {0, 1}) cell_[w] = (high[w] - low_[w]) / cells_;
  in_cell_.assign(std::size_t(cells_) * std::size_t(cells_), {});
  const auto cell_at = [&](double x, std::size_t w) {
    return std::clamp(static_cast<int>(std::floor((x - low_[w]) / cell_[w])), 0, cells_ - 1);
  };
  constexpr double margin = 1e-6;  // of a cell
  for (std::size_t n = 0; n < triangles_.size(); ++n) {
    int first[2], last[2];
    for (const std::size_t w : {0, 1}) {
      const auto [from, to] = visit_box(triangles_[n], w);
      first[w] = cell_at(from - margin * cell_[w], w), last[w] = cell_at(to + margin * cell_[w], w);
    }
    for (int j = first[1]; j <= last[1]; ++j)
      for (int i = first[0]; i <= last[0]; ++i)
        in_cell_[std::size_t(j * cells_ + i)].push_back(static_cast<std::uint32_t>(n));
  }
}

std::optional<SectionTriangles::Place> SectionTriangles::nearest(double u, double v) const {
  if (triangles_.empty()) return std::nullopt;
  int at[2];
  const double place[2] = {u, v};
  for (const std::size_t w : {0, 1})
    at[w] = std::clamp(static_cast<int>(std::floor((place[w] - low_[w]) / cell_[w])), 0, cells_ - 1);
  double least = -std::numeric_limits<double>::infinity();
  std::optional<Place> found;
  for (const std::uint32_t n : in_cell_[std::size_t(at[1] * cells_ + at[0])]) {
    const std::array<double, 3> l = barycentric_in(triangles_[n], u, v);
    if (!std::isfinite(l[0] + l[1] + l[2])) continue;
    if (const double inside = std::min({l[0], l[1], l[2]}); inside > least) least = inside, found = Place{n, l};
  }
  return found;
}

}  // namespace dgtd::dg
