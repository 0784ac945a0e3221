#pragma once
// Memory layout of fields.
//
// Elements are stored in slots, 32 slots per block. A field array is [slots / lanes][component 3][node Np][lane]
// reals, with as many lanes as suit the executor:
//   32  one thread per element (GPU): neighbouring threads read neighbouring reals;
//    1  element by element (CPU): the trace of a neighbour takes few cache lines. An element is padded to
//       whole groups of four reals, which stay zero, so that registers are filled by aligned groups.
// The components are covariant: component k is the field dotted with the edge vector a_k = x_k - x_0,
// k = 1, 2, 3, of the element whose vertices ascend in global id. E in V/m and Z0 H, in V/m too, times m.
// Element data (metric, neighbours, rates) are [block][entry][lane 32] for all.
#include <cstddef>
#include <cstdint>

#include "dgtd/base/host_device.hpp"
#include "dgtd/dg/bernstein.hpp"

namespace dgtd::dg {

inline constexpr int block_lanes = 32;

/// Reals from one element to the next where elements follow each other.
DGTD_HOST_DEVICE constexpr int padded_element_reals(int nodes) { return (3 * nodes + 3) / 4 * 4; }

/// Offsets in a field array, in reals.
struct FieldLayout {
  int nodes = 0;            // Np
  int lanes = block_lanes;  // elements side by side: 32 or 1
  /// Reals per element in the array, padding included.
  DGTD_HOST_DEVICE std::size_t element_reals() const { return lanes == 1 ? padded_element_reals(nodes) : 3 * nodes; }
  DGTD_HOST_DEVICE std::size_t first(std::uint32_t slot) const {
    return slot / lanes * element_reals() * lanes + slot % lanes;
  }
  /// Between an element's coefficients, in the order [component][node].
  DGTD_HOST_DEVICE std::size_t stride() const { return lanes; }
  std::size_t reals_per_block() const { return element_reals() * block_lanes; }
};

/// The same at compile time, for fields of 32 lanes.
template <int p>
struct BlockLayout {
  static constexpr int nodes = Bernstein<p>::nodes;
  static constexpr std::size_t block_reals = std::size_t{3} * nodes * block_lanes;
  /// Offset of a coefficient inside its block, lane 0.
  static constexpr int offset(int component, int node) { return (component * nodes + node) * block_lanes; }
};

/// The same for fields of one lane.
template <int p>
struct ElementLayout {
  static constexpr int nodes = Bernstein<p>::nodes;
  static constexpr int element_reals = padded_element_reals(nodes);
};

/// The neighbour of a face: its slot (block * 32 + lane) and the number of the face in the neighbour.
struct NeighbourCode {
  static constexpr std::uint32_t encode(std::uint32_t slot, int face) {
    return slot << 2 | static_cast<std::uint32_t>(face);
  }
  static DGTD_HOST_DEVICE std::uint32_t slot(std::uint32_t code) { return code >> 2; }
  static DGTD_HOST_DEVICE int face(std::uint32_t code) { return static_cast<int>(code & 3u); }
};

/// The two edges of a face, from its lowest vertex: end points minus start, as vertices of the element.
inline constexpr int face_vertices[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

}  // namespace dgtd::dg
