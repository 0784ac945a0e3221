#pragma once
// Position of a point along a Hilbert curve: elements ordered by it lie near their neighbours in memory.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

inline constexpr int hilbert_bits = 21;  // an axis: three fit into 64 bits

/// Position along the curve through the 2^bits x 2^bits x 2^bits lattice (J. Skilling, Programming
/// the Hilbert curve, AIP Conf. Proc. 707, 2004). Coordinates in [0, 2^bits).
std::uint64_t hilbert_position(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits = hilbert_bits);

/// The cube that the curve fills: smallest one at low that holds the domain up to high.
class HilbertCube {
 public:
  HilbertCube(const Vec3& low, const Vec3& high);
  std::uint64_t position(const Vec3& point) const;

 private:
  Vec3 low_;
  double scale_;  // lattice cells per metre
};

/// The elements along the curve of their centroids; centroids that meet in one lattice cell ascend in id.
template <class Centroid>
std::vector<std::int64_t> along_hilbert_curve(std::vector<std::int64_t> elements, const HilbertCube& cube,
                                              const Centroid& centroid) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> keys(elements.size());  // [elements] position, id
  for (std::size_t i = 0; i < elements.size(); ++i) keys[i] = {cube.position(centroid(elements[i])), elements[i]};
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = keys[i].second;
  return elements;
}

}  // namespace dgtd::mesh
