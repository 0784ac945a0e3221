#pragma once
// Box in which components may have losses, and the mean square of E in its cells.
#include <algorithm>
#include <array>
#include <cstdint>

#include "dgtd/base/uninitialised.hpp"
#include "fdtd/discretisation/ghosts.hpp"

namespace dgtd::fdtd {

/// This rank's part of a box of the grid. Edges of cells outside the box have no losses.
struct LossyBox {
  std::array<int, 3> first{};  // cell of the block
  UpperLayers layers;          // points: cells of the part, 0 where this rank has none

  bool empty() const { return layers.points[0] == 0; }
  int end(int axis) const { return first[axis] + layers.points[axis]; }
};

/// Conductivities of edges in a box of cells, and these times the squared amplitude of E, for one component after the
/// other: [component][z][y][x] with a layer above along each axis; S/m and S V^2/m^3.
template <class Real>
class EdgeLosses {
 public:
  /// Zero. axes: along which the fields vary; along the others a cell's upper edge is its lower one.
  EdgeLosses(const LossyBox& box, int axes) : box_(box) {
    if (box.empty()) return;
    const auto& n = box.layers.points;
    stride_[0] = 1, stride_[1] = n[0] + 1, stride_[2] = stride_[1] * (n[1] + 1);
    of_component_ = stride_[2] * (n[2] + 1);
    for (int a = 0; a < 3; ++a) upper_[a] = a < axes ? stride_[a] : 0;
    const std::int64_t planes = 3 * (std::int64_t{n[2]} + 1);
    for (auto* const values : {&conductivity_, &loss_}) {
      values->resize(static_cast<std::size_t>(3 * of_component_));
#pragma omp parallel for schedule(static)
      for (std::int64_t plane = 0; plane < planes; ++plane)
        std::fill_n(values->begin() + plane * stride_[2], stride_[2], Real{0});
    }
  }

  static double bytes(const LossyBox& box) {
    double bytes = box.empty() ? 0 : 2 * 3 * sizeof(Real);
    for (const int n : box.layers.points) bytes *= n + 1;
    return bytes;
  }

  /// i, j, k: of the block, in the box.
  void set(int component, int i, int j, int k, double conductivity, double square) {
    const auto at = static_cast<std::size_t>(component * of_component_ + index(i, j, k));
    conductivity_[at] = static_cast<Real>(conductivity);
    loss_[at] = static_cast<Real>(conductivity * square);
  }
  /// From the ranks above. Collective.
  void fill_layers(const parallel::Communicator& comm) {
    if (box_.empty()) return;
    fill_upper_layers(
        box_.layers,
        [&](int c, int i, int j, int k) { return c * of_component_ + i + j * stride_[1] + k * stride_[2]; },
        conductivity_.data(), loss_.data(), comm);
  }
  /// Mean of |E|^2 in the part of a cell that is of a material, V^2/m^2: the sum over the components of
  ///
  ///     sum sigma_e |E_e|^2 / max(sum sigma_e, 2 sigma)    over the component's four edges e,
  ///
  /// so that an edge counts by how much of its surroundings has losses, and in air not at all. sigma: conductivity of
  /// the cell's material, S/m. Where the four have less than half of it, they are mixtures at a surface that is oblique
  /// to them, whose E is nearer to that of the air. 0 outside the box.
  double mean_square(int i, int j, int k, double sigma) const {
    const int at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a)
      if (at[a] < box_.first[a] || at[a] >= box_.end(a)) return 0;
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      const std::int64_t edge = c * of_component_ + index(i, j, k), u = upper_[(c + 1) % 3], v = upper_[(c + 2) % 3];
      double conductivity = 0, loss = 0;
      for (const std::int64_t n : {edge, edge + u, edge + v, edge + u + v}) {
        conductivity += double(conductivity_[static_cast<std::size_t>(n)]);
        loss += double(loss_[static_cast<std::size_t>(n)]);
      }
      if (conductivity > 0) sum += loss / std::max(conductivity, 2 * sigma);
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
  UninitialisedVector<Real> conductivity_, loss_;
};

}  // namespace dgtd::fdtd
