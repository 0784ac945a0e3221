#include "permittivity_box.hpp"

#include <algorithm>

namespace dgtd::grid {
namespace {

constexpr double voxel_slack = 1e-6;  // of a voxel
constexpr int lanes = 32;             // components along x that are averaged together

// Voxels along an axis that a range of the box covers, in units of voxels from its lower corner; beyond its ends the
// last one.
struct Covered {
  Covered(const PermittivityArray& array, int axis, double low, double high)
      : size(array.size[static_cast<std::size_t>(axis)]),
        from((low - array.low[axis]) * (1 / array.spacing[axis])),
        to((high - array.low[axis]) * (1 / array.spacing[axis])),
        first(clamped(from + voxel_slack)),
        last(std::max(first, clamped(to - voxel_slack))) {}
  /// Length of a voxel in the range.
  double part(int i) const {
    const double low = i == first ? from : i, high = i == last ? to : i + 1;
    return high - low;
  }
  int clamped(double x) const { return x <= 0 ? 0 : std::min(static_cast<int>(x), size - 1); }
  int size;
  double from, to;
  int first, last;
};

Covered cell_of(const PermittivityArray& array, const ComponentBox& box, int axis, int i) {
  const auto b = static_cast<std::size_t>(axis);
  const double centre = box.centre[b][i], size = box.size[b][i];
  return {array, axis, centre - 0.5 * size, centre + 0.5 * size};
}

int voxel_at(const PermittivityArray& array, const ComponentBox& box, int axis, int i) {
  const double x = box.place[static_cast<std::size_t>(axis)][i];
  return Covered(array, axis, x, x).first;
}

const float* values_of(const PermittivityArray& a, int component, int i, int j) {
  return a.values.data() +
         ((std::size_t(component) * a.size[0] + std::size_t(i)) * a.size[1] + std::size_t(j)) * a.size[2];
}

// Voxels that the cells of a box cover along one axis. Each cell has as many shares as the one with most voxels; those
// that it does not need are 0, of its last voxel.
class VoxelCover {
 public:
  // The list of cells is padded to a multiple of `unit` with its last one.
  void set(const PermittivityArray& array, const ComponentBox& box, int axis, int unit) {
    const int count = box.count[static_cast<std::size_t>(axis)];
    cells_ = static_cast<std::size_t>((count + unit - 1) / unit * unit);
    covered_.clear();
    most_ = 1;
    for (int i = 0; i < count; ++i) {
      covered_.push_back(cell_of(array, box, axis, i));
      most_ = std::max(most_, covered_.back().last - covered_.back().first + 1);
    }
    first_ = covered_.front().first, end_ = covered_.back().last + 1;
    length_.resize(cells_);
    voxel_.resize(cells_ * static_cast<std::size_t>(most_));
    share_.resize(voxel_.size());
    for (std::size_t i = 0; i < cells_; ++i) {
      const Covered& c = covered_[std::min(i, covered_.size() - 1)];
      length_[i] = c.to - c.from;
      for (int t = 0; t < most_; ++t) {
        const std::size_t n = static_cast<std::size_t>(t) * cells_ + i;
        voxel_[n] = std::min(c.first + t, c.last) - first_;
        share_[n] = c.first + t <= c.last ? c.part(c.first + t) : 0;
      }
    }
  }
  std::size_t cells() const { return cells_; }  // with padding
  int most() const { return most_; }            // shares of a cell
  int first() const { return first_; }          // voxel
  int voxels() const { return end_ - first_; }
  /// [cells] counted from first().
  const int* voxel(int share) const { return voxel_.data() + static_cast<std::size_t>(share) * cells_; }
  const double* share(int share) const { return share_.data() + static_cast<std::size_t>(share) * cells_; }
  const double* length() const { return length_.data(); }

 private:
  std::size_t cells_ = 0;
  int most_ = 1, first_ = 0, end_ = 0;
  std::vector<Covered> covered_;
  std::vector<int> voxel_;              // [most][cells]
  std::vector<double> share_, length_;  // [most][cells], [cells]
};

// Averages of a box, row by row along x. The vectors stay for the next box: there are many small ones.
class Averages {
 public:
  void compute(const PermittivityArray& array, const ComponentBox& box, double* to) {
    for (int b = 0; b < 3; ++b) cover_[b].set(array, box, b, b == 0 ? lanes : 1);
    // Cells of many voxels: fewer rows at a time.
    constexpr std::size_t most_values = std::size_t{1} << 17;
    const std::size_t rows =
        static_cast<std::size_t>(cover_[1].voxels()) * static_cast<std::size_t>(cover_[2].voxels());
    if (rows * shares_of_row() > most_values)
      for (const std::size_t axis : {2, 1})
        if (box.count[axis] > 1) return halve(array, box, axis, to);
    take_values(array);
    for (int k = 0; k < box.count[2]; ++k)
      for (int j = 0; j < box.count[1]; ++j)
        for (int i = 0; i < box.count[0]; i += lanes) {
          double result[lanes];
          if (box.axis == 0) average<0>(i, j, k, result);
          else if (box.axis == 1) average<1>(i, j, k, result);
          else average<2>(i, j, k, result);
          to = std::copy_n(result, std::min(lanes, box.count[0] - i), to);
        }
  }

 private:
  std::size_t shares_of_row() const { return static_cast<std::size_t>(cover_[0].most()) * cover_[0].cells(); }

  void halve(const PermittivityArray& array, const ComponentBox& box, std::size_t axis, double* to) {
    ComponentBox lower = box, upper = box;
    lower.count[axis] = box.count[axis] / 2;
    upper.count[axis] = box.count[axis] - lower.count[axis];
    upper.place[axis] += lower.count[axis];
    upper.centre[axis] += lower.count[axis];
    upper.size[axis] += lower.count[axis];
    compute(array, lower, to);
    compute(array, upper, to + lower.components());
  }

  // values_: [voxel z][voxel y][share][cell x]. The array has z fastest, so columns of it are turned first.
  void take_values(const PermittivityArray& array) {
    const int nx = cover_[0].voxels(), ny = cover_[1].voxels(), nz = cover_[2].voxels();
    const auto row = static_cast<std::size_t>(nx);
    turned_.resize(row * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz));
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j) {
        const float* const from = values_of(array, 0, cover_[0].first() + i, cover_[1].first() + j) + cover_[2].first();
        float* to = turned_.data() + static_cast<std::size_t>(j) * row + static_cast<std::size_t>(i);
        for (int k = 0; k < nz; ++k, to += row * static_cast<std::size_t>(ny)) *to = from[k];
      }
    const std::size_t rows = static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz), cells = cover_[0].cells();
    values_.resize(rows * shares_of_row());
    float* to = values_.data();
    for (std::size_t r = 0; r < rows; ++r) {
      const float* const from = turned_.data() + r * row;
      for (int t = 0; t < cover_[0].most(); ++t, to += cells) {
        const int* const voxel = cover_[0].voxel(t);
        for (std::size_t i = 0; i < cells; ++i) to[i] = from[voxel[i]];
      }
    }
  }
  // Values of the voxels with these shares of row j, k.
  const float* values(const int (&share)[3], int j, int k) const {
    const int y = cover_[1].voxel(share[1])[j], z = cover_[2].voxel(share[2])[k];
    const std::size_t row =
        static_cast<std::size_t>(z) * static_cast<std::size_t>(cover_[1].voxels()) + static_cast<std::size_t>(y);
    return values_.data() + row * shares_of_row() + static_cast<std::size_t>(share[0]) * cover_[0].cells();
  }

  // Whether the voxels of each cell are alike, and their value then; returns whether those of all cells are.
  bool find_alike(int i, int j, int k, float (&least)[lanes], float (&greatest)[lanes]) const {
    const float* const first = values({0, 0, 0}, j, k) + i;
    std::copy_n(first, lanes, least);
    std::copy_n(first, lanes, greatest);
    for (int z = 0; z < cover_[2].most(); ++z)
      for (int y = 0; y < cover_[1].most(); ++y)
        for (int x = 0; x < cover_[0].most(); ++x) {
          const float* const value = values({x, y, z}, j, k) + i;
          for (int l = 0; l < lanes; ++l) {
            least[l] = value[l] < least[l] ? value[l] : least[l];
            greatest[l] = value[l] > greatest[l] ? value[l] : greatest[l];
          }
        }
    int different = 0;
    for (int l = 0; l < lanes; ++l) different |= least[l] != greatest[l];
    return different == 0;
  }

  // A share of lane l along axis b, and the length of its cell.
  template <int b>
  double share(int t, int i, int l, const int (&at)[3]) const {
    return cover_[b].share(t)[b == 0 ? i + l : at[b]];
  }
  template <int b>
  double length(int i, int l, const int (&at)[3]) const {
    return cover_[b].length()[b == 0 ? i + l : at[b]];
  }

  template <int axis>
  void average(int i, int j, int k, double (&result)[lanes]) const {
    constexpr int u = (axis + 1) % 3, v = (axis + 2) % 3;
    float least[lanes], greatest[lanes];
    if (find_alike(i, j, k, least, greatest)) {
      for (int l = 0; l < lanes; ++l) result[l] = double(least[l]);
      return;
    }
    const int at[3] = {i, j, k};
    double inverse[lanes] = {};
    for (int n = 0; n < cover_[axis].most(); ++n) {
      double sum[lanes] = {};
      for (int p = 0; p < cover_[u].most(); ++p)
        for (int q = 0; q < cover_[v].most(); ++q) {
          int of[3];
          of[axis] = n, of[u] = p, of[v] = q;
          const float* const value = values(of, j, k) + i;
          for (int l = 0; l < lanes; ++l) sum[l] += share<u>(p, i, l, at) * share<v>(q, i, l, at) * double(value[l]);
        }
      for (int l = 0; l < lanes; ++l) inverse[l] += share<axis>(n, i, l, at) / sum[l];
    }
    for (int l = 0; l < lanes; ++l) {
      const double mean = length<axis>(i, l, at) / (inverse[l] * length<u>(i, l, at) * length<v>(i, l, at));
      result[l] = least[l] == greatest[l] ? double(least[l]) : mean;
    }
  }

  VoxelCover cover_[3];
  std::vector<float> turned_, values_;
};

}  // namespace

void average_permittivities(const PermittivityArray& array, const ComponentBox& box, double* to) {
  thread_local Averages of_thread;
  of_thread.compute(array, box, to);
}

void permittivities_at_places(const PermittivityArray& array, const ComponentBox& box, double* to) {
  const int component = array.components > 1 ? box.axis : 0;
  thread_local std::vector<int> z;
  z.clear();
  for (int k = 0; k < box.count[2]; ++k) z.push_back(voxel_at(array, box, 2, k));
  const std::size_t row = static_cast<std::size_t>(box.count[0]), plane = row * static_cast<std::size_t>(box.count[1]);
  for (int i = 0; i < box.count[0]; ++i) {
    const int x = voxel_at(array, box, 0, i);
    for (int j = 0; j < box.count[1]; ++j) {
      const float* const from = values_of(array, component, x, voxel_at(array, box, 1, j));
      double* at = to + static_cast<std::size_t>(j) * row + static_cast<std::size_t>(i);
      for (const int k : z) *at = double(from[k]), at += plane;
    }
  }
}

double common_value(const PermittivityArray& array, const ComponentBox& box, bool averaging) {
  int first[3], last[3];
  for (int b = 0; b < 3; ++b) {
    const int end = box.count[static_cast<std::size_t>(b)] - 1;
    first[b] = averaging ? cell_of(array, box, b, 0).first : voxel_at(array, box, b, 0);
    last[b] = averaging ? cell_of(array, box, b, end).last : voxel_at(array, box, b, end);
  }
  const int component = array.components > 1 ? box.axis : 0;
  const float value = values_of(array, component, first[0], first[1])[first[2]];
  for (int i = first[0]; i <= last[0]; ++i)
    for (int j = first[1]; j <= last[1]; ++j) {
      const float* const column = values_of(array, component, i, j);
      int different = 0;
      for (int k = first[2]; k <= last[2]; ++k) different |= column[k] != value ? 1 : 0;
      if (different != 0) return 0;
    }
  return double(value);
}

}  // namespace dgtd::grid
