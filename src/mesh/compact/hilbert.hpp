#pragma once
// Position of a point along a Hilbert curve: elements ordered by it lie near their neighbours in memory.
#include <cstdint>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

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

/// The numbers 0 to count - 1 along the curve of their centroids; centroids that meet in one lattice cell ascend in
/// number. By all threads, with the same result for any number of them.
template <class Centroid>
std::vector<std::int64_t> along_hilbert_curve(std::int64_t count, const HilbertCube& cube, const Centroid& centroid) {
  struct Key {
    std::uint64_t position;
    std::int64_t number;
    bool operator<(const Key& o) const { return position != o.position ? position < o.position : number < o.number; }
  };
  std::vector<Key> keys(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static) if (count > few_iterations)
  for (std::int64_t i = 0; i < count; ++i) keys[i] = {cube.position(centroid(i)), i};
  parallel_sort(keys);
  std::vector<std::int64_t> numbers(keys.size());
#pragma omp parallel for schedule(static) if (count > few_iterations)
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = keys[i].number;
  return numbers;
}

}  // namespace dgtd::mesh
