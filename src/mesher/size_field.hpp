#pragma once
// The element size at each point of the domain.
#include <vector>

#include "device.hpp"
#include "dgtd/mesh/generate.hpp"
#include "exterior.hpp"
#include "smooth_labels.hpp"

namespace dgtd::mesher {

/// The largest h with h(x) <= the size of the tissue at x and h(x) <= h(y) + growth |x - y|, on a grid of points; near
/// a device and refinements as they require, exactly.
class SizeField {
 public:
  /// size: [tissues] m. Along the tissues' surfaces the smaller of both sides counts.
  SizeField(const grid::OrientedVoxels& frame, const SmoothLabels& labels, const Exterior& exterior,
            const Device& device, const std::vector<mesh::Refinement>& refinements, const std::vector<double>& size,
            double growth);

  double operator()(const Vec3& x) const;

  /// Number of tetrahedra of such sizes in the domain, from the mean of many meshes.
  double elements() const;

 private:
  std::size_t at(int i, int j, int k) const { return (std::size_t(k) * count_[1] + j) * count_[0] + i; }
  Vec3 point(int i, int j, int k) const { return low_ + spacing_ * Vec3{double(i), double(j), double(k)}; }
  void limit_growth();
  /// m, as the device and the refinements require.
  double size_beside(const Vec3& x) const;

  const Exterior& exterior_;
  const Device& device_;
  const std::vector<mesh::Refinement>& refinements_;
  double growth_;
  Vec3 low_;                    // m, first point
  double spacing_;              // m
  std::array<int, 3> count_{};  // of points
  std::vector<float> size_;     // [z][y][x] m
};

}  // namespace dgtd::mesher
