#pragma once
// Where components may have losses, and the power a volume that those of E take up there.
#include <algorithm>
#include <array>
#include <cstdint>

#include "dgtd/base/uninitialised.hpp"
#include "ghosts.hpp"

namespace dgtd::fdtd {

/// This rank's part of a box of the grid. Edges of cells outside the box have no losses.
struct LossyBox {
  std::array<int, 3> first{};  // cell of the block
  UpperLayers layers;          // points: cells of the part, 0 where this rank has none

  bool empty() const { return layers.points[0] == 0; }
  int end(int axis) const { return first[axis] + layers.points[axis]; }
};

/// Power densities in a box of cells, for one component after the other, on edges: [component][z][y][x] with a layer
/// above along each axis; W/m^3.
template <class Real>
class EdgeDensities {
 public:
  /// Zero. axes: along which the fields vary; along the others a cell's upper edge is its lower one.
  EdgeDensities(const LossyBox& box, int axes) : box_(box) {
    if (box.empty()) return;
    const auto& n = box.layers.points;
    stride_[0] = 1, stride_[1] = n[0] + 1, stride_[2] = stride_[1] * (n[1] + 1);
    of_component_ = stride_[2] * (n[2] + 1);
    for (int a = 0; a < 3; ++a) upper_[a] = a < axes ? stride_[a] : 0;
    values_.resize(static_cast<std::size_t>(3 * of_component_));
    const std::int64_t planes = 3 * (std::int64_t{n[2]} + 1);
#pragma omp parallel for schedule(static)
    for (std::int64_t plane = 0; plane < planes; ++plane)
      std::fill_n(values_.begin() + plane * stride_[2], stride_[2], Real{0});
  }

  static double bytes(const LossyBox& box) {
    double bytes = box.empty() ? 0 : 3 * sizeof(Real);
    for (const int n : box.layers.points) bytes *= n + 1;
    return bytes;
  }

  /// i, j, k: of the block, in the box.
  Real& operator()(int component, int i, int j, int k) {
    return values_[static_cast<std::size_t>(component * of_component_ + index(i, j, k))];
  }
  /// From the ranks above. Collective.
  void fill_layers(const parallel::Communicator& comm) {
    if (box_.empty()) return;
    fill_upper_layers(
        box_.layers,
        [&](int c, int i, int j, int k) { return c * of_component_ + i + j * stride_[1] + k * stride_[2]; },
        values_.data(), static_cast<Real*>(nullptr), comm);
  }
  /// The sum over the components of the mean over a cell's four edges; 0 outside the box.
  double of_cell(int i, int j, int k) const {
    const int at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a)
      if (at[a] < box_.first[a] || at[a] >= box_.end(a)) return 0;
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      const Real* const edge = values_.data() + c * of_component_ + index(i, j, k);
      const std::int64_t u = upper_[(c + 1) % 3], v = upper_[(c + 2) % 3];
      sum += 0.25 * (double(edge[0]) + double(edge[u]) + double(edge[v]) + double(edge[u + v]));
    }
    return sum;
  }

 private:
  std::int64_t index(int i, int j, int k) const {
    return i - box_.first[0] + (j - box_.first[1]) * stride_[1] + (k - box_.first[2]) * stride_[2];
  }

  LossyBox box_;
  std::int64_t stride_[3] = {}, of_component_ = 0;
  std::int64_t upper_[3] = {};  // from a cell's lower edge to its upper one
  UninitialisedVector<Real> values_;
};

}  // namespace dgtd::fdtd
