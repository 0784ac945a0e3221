#include "mesh/compact/hilbert.hpp"

#include <algorithm>
#include <array>

namespace dgtd::mesh {

std::uint64_t hilbert_position(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits) {
  std::array<std::uint32_t, 3> axis{x, y, z};
  const std::uint32_t top = std::uint32_t{1} << (bits - 1);

  // Undo the rotations and reflections of the sub-cubes, from the coarsest one down.
  for (std::uint32_t bit = top; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& a : axis) {
      if (a & bit) {
        axis[0] ^= below;
      } else {
        const std::uint32_t swapped = (axis[0] ^ a) & below;
        axis[0] ^= swapped;
        a ^= swapped;
      }
    }
  }

  // Gray code.
  axis[1] ^= axis[0];
  axis[2] ^= axis[1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = top; bit > 1; bit >>= 1)
    if (axis[2] & bit) flips ^= bit - 1;
  for (std::uint32_t& a : axis) a ^= flips;

  std::uint64_t position = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (const std::uint32_t a : axis) position = position << 1 | (a >> bit & 1);
  return position;
}

HilbertCube::HilbertCube(const Vec3& low, const Vec3& high) : low_(low) {
  const Vec3 extent = high - low;
  const double edge = std::max({extent.x, extent.y, extent.z});
  scale_ = edge > 0 ? (std::uint32_t{1} << hilbert_bits) / edge : 0;
}

std::uint64_t HilbertCube::position(const Vec3& point) const {
  constexpr std::uint32_t last = (std::uint32_t{1} << hilbert_bits) - 1;
  const auto lattice = [&](double distance) {
    return std::min(last, static_cast<std::uint32_t>(std::max(0.0, distance * scale_)));
  };
  const Vec3 from_low = point - low_;
  return hilbert_position(lattice(from_low.x), lattice(from_low.y), lattice(from_low.z));
}

}  // namespace dgtd::mesh
