#include "size_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dgtd::mesher {
namespace {
constexpr int points_across = 160;  // along the longest edge of the domain
}

SizeField::SizeField(const grid::OrientedVoxels& frame, const SmoothLabels& labels, const Exterior& exterior,
                     const Device& device, const std::vector<mesh::Refinement>& refinements,
                     const std::vector<double>& size, double growth)
    : exterior_(exterior),
      device_(device),
      refinements_(refinements),
      growth_(growth),
      low_(exterior.centre - exterior.half) {
  spacing_ = 2 * std::max({exterior.half.x, exterior.half.y, exterior.half.z}) / points_across;
  for (int a = 0; a < 3; ++a) count_[a] = static_cast<int>(std::ceil(2 * exterior.half[a] / spacing_)) + 2;
  size_.assign(std::size_t(count_[0]) * count_[1] * count_[2], static_cast<float>(size[0]));
  const LabelGrid& grid = labels.grid();
  for (int k = 0; k < grid.size[2]; ++k)
    for (int j = 0; j < grid.size[1]; ++j)
      for (int i = 0; i < grid.size[0]; ++i) {
        const std::uint8_t tissue = grid.tissue[grid.at(i, j, k)];
        if (tissue == 0) continue;
        const Vec3 u = (frame.from_voxels(grid.centre(i, j, k)) - low_) / spacing_;
        int p[3];
        for (int a = 0; a < 3; ++a) p[a] = std::clamp(static_cast<int>(std::lround(u[a])), 0, count_[a] - 1);
        float& here = size_[at(p[0], p[1], p[2])];
        here = std::min(here, static_cast<float>(size[tissue]));
      }
  limit_growth();
}

// Two sweeps over the points with steps to the 26 neighbours.
void SizeField::limit_growth() {
  const auto relax = [&](int i, int j, int k, int sign) {
    float least = size_[at(i, j, k)];
    for (int dk = -1; dk <= 0; ++dk)
      for (int dj = -1; dj <= 1; ++dj)
        for (int di = -1; di <= 1; ++di) {
          if (dk == 0 && (dj > 0 || (dj == 0 && di >= 0))) continue;
          const int a = i + sign * di, b = j + sign * dj, c = k + sign * dk;
          if (a < 0 || b < 0 || c < 0 || a >= count_[0] || b >= count_[1] || c >= count_[2]) continue;
          const double step = spacing_ * std::sqrt(double(di * di + dj * dj + dk * dk));
          least = std::min(least, static_cast<float>(size_[at(a, b, c)] + growth_ * step));
        }
    size_[at(i, j, k)] = least;
  };
  for (int k = 0; k < count_[2]; ++k)
    for (int j = 0; j < count_[1]; ++j)
      for (int i = 0; i < count_[0]; ++i) relax(i, j, k, 1);
  for (int k = count_[2] - 1; k >= 0; --k)
    for (int j = count_[1] - 1; j >= 0; --j)
      for (int i = count_[0] - 1; i >= 0; --i) relax(i, j, k, -1);
}

double SizeField::size_beside(const Vec3& x) const {
  double size = device_.size_at(x, growth_);
  for (const mesh::Refinement& r : refinements_) size = std::min(size, r.size + growth_ * norm(x - r.position));
  return size;
}

double SizeField::operator()(const Vec3& x) const {
  int p[3];
  double t[3];
  for (int a = 0; a < 3; ++a) {
    const double u = std::clamp((x[a] - low_[a]) / spacing_, 0.0, count_[a] - 1.001);
    p[a] = static_cast<int>(u);
    t[a] = u - p[a];
  }
  double size = 0;
  for (int c = 0; c < 8; ++c)
    size += (c & 1 ? t[0] : 1 - t[0]) * (c & 2 ? t[1] : 1 - t[1]) * (c & 4 ? t[2] : 1 - t[2]) *
            size_[at(p[0] + (c & 1), p[1] + (c >> 1 & 1), p[2] + (c >> 2))];
  return std::min(size, size_beside(x));
}

// A regular tetrahedron of edge h has the volume h^3 / (6 sqrt 2).
double SizeField::elements() const {
  constexpr double of_regular = 1.45;  // measured: docs/meshes.md
  double sum = 0;
  for (int k = 0; k < count_[2]; ++k)
    for (int j = 0; j < count_[1]; ++j)
      for (int i = 0; i < count_[0]; ++i) {
        const Vec3 x = point(i, j, k);
        if (exterior_.depth(x) < 0 || device_.inside(x)) continue;
        const double h = std::min(double(size_[at(i, j, k)]), size_beside(x));
        sum += 1 / (h * h * h);
      }
  return of_regular * 6 * std::sqrt(2.0) * sum * spacing_ * spacing_ * spacing_;
}

}  // namespace dgtd::mesher
