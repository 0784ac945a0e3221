#include "smooth_labels.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::mesher {
namespace {

/// One pass of a Gaussian along an axis, [voxels]; beyond the ends the values of the ends.
void blur(std::vector<float>& values, const LabelGrid& g, int axis, double sigma) {
  const double s = sigma / g.spacing[axis];
  const int reach = static_cast<int>(std::ceil(3.5 * s));
  if (reach < 1) return;
  std::vector<float> weight;  // [-reach, reach]
  double sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    weight.push_back(static_cast<float>(std::exp(-0.5 * i * i / (s * s))));
    sum += weight.back();
  }
  for (float& w : weight) w = static_cast<float>(w / sum);
  const std::size_t stride[3] = {1, std::size_t(g.size[0]), std::size_t(g.size[0]) * g.size[1]};
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2, n = g.size[axis];
#pragma omp parallel
  {
    std::vector<float> line(std::size_t(n) + 2 * reach);
#pragma omp for schedule(static)
    for (int l = 0; l < g.size[b]; ++l)
      for (int m = 0; m < g.size[a]; ++m) {
        float* const first = values.data() + l * stride[b] + m * stride[a];
        bool same = true;
        for (int i = -reach; i < n + reach; ++i) {
          line[i + reach] = first[std::clamp(i, 0, n - 1) * stride[axis]];
          same = same && line[i + reach] == line[0];
        }
        if (same) continue;
        for (int i = 0; i < n; ++i) {
          float total = 0;
          for (int w = 0; w <= 2 * reach; ++w) total += weight[w] * line[i + w];
          first[i * stride[axis]] = total;
        }
      }
  }
}

}  // namespace

SmoothLabels::SmoothLabels(const LabelGrid& grid, const std::vector<double>& wanted, double sigma, double island)
    : grid_(grid), tissues_(wanted.size()), offset_(wanted.size(), 0) {
  average(grid, sigma);
  decide();
  match_volumes(wanted);
  drop_islands(island);
  mend(grid, std::max(3 * sigma, 3 * std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z})), island);
  find_uniform_cells();
}

void SmoothLabels::average(const LabelGrid& grid, double sigma) {
  share_.resize(grid.voxels() * tissues_);
  std::vector<float> w(grid.voxels());
  for (std::size_t t = 0; t < tissues_; ++t) {
    for (std::size_t v = 0; v < w.size(); ++v) w[v] = grid.tissue[v] == t;
    for (int axis = 0; axis < 3; ++axis) blur(w, grid, axis, sigma);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < w.size(); ++v)
      share_[v * tissues_ + t] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(w[v], 0.f, 1.f)));
  }
}

void SmoothLabels::decide() {
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < grid_.voxels(); ++v) {
    std::size_t best = 0;
    float most = -1e9f;
    for (std::size_t t = 0; t < tissues_; ++t)
      if (const float value = share_[v * tissues_ + t] + offset_[t]; value > most) {
        most = value;
        best = t;
      }
    grid_.tissue[v] = static_cast<std::uint8_t>(best);
  }
}

// [tissues] voxels that a tissue gains per unit of its offset: those whose shares are within a few units of a change.
std::vector<double> SmoothLabels::gains() const {
  constexpr float near = 6;
  std::vector<std::int64_t> count(tissues_, 0);
#pragma omp parallel
  {
    std::vector<std::int64_t> mine(tissues_, 0);
#pragma omp for schedule(static)
    for (std::size_t v = 0; v < grid_.voxels(); ++v) {
      const auto value = [&](std::size_t t) { return float(share_[v * tissues_ + t]) + offset_[t]; };
      const std::size_t best = grid_.tissue[v];
      float second = -1e9f;
      for (std::size_t t = 0; t < tissues_; ++t)
        if (t != best) {
          second = std::max(second, value(t));
          mine[t] += value(best) - value(t) < near;
        }
      mine[best] += value(best) - second < near;
    }
#pragma omp critical
    for (std::size_t t = 0; t < tissues_; ++t) count[t] += mine[t];
  }
  std::vector<double> result;
  for (const std::int64_t c : count) result.push_back(std::max(1.0, double(c) / (2 * near)));
  return result;
}

// Newton's iteration for each tissue by itself, damped because what one gains another one loses.
void SmoothLabels::match_volumes(const std::vector<double>& wanted) {
  constexpr int iterations = 15;
  constexpr float largest = 0.3f * 255, largest_step = 12;
  for (int i = 0; i < iterations; ++i) {
    const std::vector<double> found = volumes(grid_, tissues_), gain = gains();
    double worst = 0;
    for (std::size_t t = 1; t < tissues_; ++t) {
      if (wanted[t] <= 0) continue;
      worst = std::max(worst, std::abs(found[t] / wanted[t] - 1));
      const double step = 0.6 * (wanted[t] - found[t]) / grid_.voxel_volume() / gain[t];
      offset_[t] += std::clamp(static_cast<float>(step), -largest_step, largest_step);
      offset_[t] = std::clamp(offset_[t], -largest, largest);
    }
    if (worst < 0.002) return;
    decide();
  }
}

void SmoothLabels::drop_islands(double volume) {
  const LabelGrid before = grid_;
  remove_islands(grid_, volume);
  for (std::size_t v = 0; v < grid_.voxels(); ++v) {
    if (grid_.tissue[v] == before.tissue[v]) continue;
    // The piece's tissue must not be the largest anywhere in its voxels, nor between them and their neighbours.
    const std::size_t row = grid_.size[0], plane = row * grid_.size[1];
    for (const std::size_t n : {v, v - 1, v + 1, v - row, v + row, v - plane, v + plane})
      if (n < grid_.voxels() && (n == v || before.tissue[n] != before.tissue[v]))
        share_[n * tissues_ + before.tissue[v]] = 0;
  }
  decide();
}

// Averages cut narrow parts: what was one piece in the grid is connected again.
void SmoothLabels::mend(const LabelGrid& original, double thickness, double volume) {
  for (std::size_t t = 1; t < tissues_; ++t) {
    LabelGrid mended = grid_;
    reconnect(mended, original, static_cast<int>(t), thickness, volume);
    for (std::size_t v = 0; v < grid_.voxels(); ++v) {
      if (mended.tissue[v] == grid_.tissue[v]) continue;
      for (std::size_t s = 0; s < tissues_; ++s) share_[v * tissues_ + s] = s == t ? 255 : 0;
      grid_.tissue[v] = static_cast<std::uint8_t>(t);
    }
  }
}

// Between centres that have one tissue it is the largest too: the interpolation is an average of theirs.
void SmoothLabels::find_uniform_cells() {
  uniform_.assign(grid_.voxels(), mixed);
  const int planes = grid_.size[2] - 1;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < planes; ++k)
    for (int j = 0; j + 1 < grid_.size[1]; ++j)
      for (int i = 0; i + 1 < grid_.size[0]; ++i) {
        const std::uint8_t tissue = grid_.tissue[grid_.at(i, j, k)];
        bool same = true;
        for (int c = 1; c < 8; ++c)
          same = same && grid_.tissue[grid_.at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))] == tissue;
        if (same) uniform_[grid_.at(i, j, k)] = tissue;
      }
}

int SmoothLabels::tissue_at(const Vec3& x) const {
  int cell[3];
  double t[3];
  for (int a = 0; a < 3; ++a) {
    const double u = (x[a] - grid_.corner[a]) / grid_.spacing[a] - 0.5;
    if (!(u >= 0 && u < grid_.size[a] - 1)) return 0;
    cell[a] = static_cast<int>(u);
    t[a] = u - cell[a];
  }
  const std::size_t first = grid_.at(cell[0], cell[1], cell[2]);
  if (uniform_[first] != mixed) return uniform_[first];
  std::array<double, 32> value{};
  for (int c = 0; c < 8; ++c) {
    const double weight = (c & 1 ? t[0] : 1 - t[0]) * (c & 2 ? t[1] : 1 - t[1]) * (c & 4 ? t[2] : 1 - t[2]);
    const std::uint8_t* const share =
        share_.data() + tissues_ * grid_.at(cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2));
    for (std::size_t s = 0; s < tissues_; ++s) value[s] += weight * share[s];
  }
  std::size_t best = 0;
  for (std::size_t s = 0; s < tissues_; ++s) {
    value[s] += offset_[s];
    if (value[s] > value[best]) best = s;
  }
  return static_cast<int>(best);
}

}  // namespace dgtd::mesher
