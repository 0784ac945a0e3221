#pragma once
// A whole mesh that has been read, checked and paired, in the form from which each rank takes its part: elements along
// a Hilbert curve, vertices in the order in which these elements first use them, indices of 32 bits. A part of the
// curve therefore needs one range of elements and few vertices beyond one range. The arrays are those of the compact
// file (compact_file.hpp), or are in memory.
//
// An element's position is its place along the curve; its id is its place in the mesh file.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dgtd/mesh/curved_element.hpp"
#include "dgtd/mesh/global_mesh.hpp"
#include "mesh/compact/face_adjacency.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {

struct CompactMesh {
  std::span<const Vec3> vertices;                                  // [vertices] m
  std::span<const std::uint32_t> vertex_id;                        // [vertices] global vertex id
  std::span<const std::array<std::uint32_t, 4>> element_vertices;  // [elements] vertices, ascending in global id
  std::span<const std::uint32_t> element_id;                       // [elements] global element id
  std::span<const std::uint16_t> element_group;                    // [elements] index into volume_names
  /// [elements][4] what is behind face f: 4 times the neighbour's position plus its number of the face, or
  /// FaceAdjacency::first_surface + surface group
  std::span<const std::array<std::uint32_t, 4>> behind;
  std::span<const std::uint32_t> curved;     // [curved elements] positions, ascending
  std::span<const CurvedElement> curvature;  // [curved elements]
  std::vector<std::string> volume_names, surface_names;
  std::vector<InnerSurface> inner_surfaces;

  std::size_t elements() const { return element_id.size(); }
};

/// The arrays of a CompactMesh in memory.
struct CompactArrays {
  UninitialisedVector<Vec3> vertices;
  UninitialisedVector<std::uint32_t> vertex_id, element_id;
  UninitialisedVector<std::array<std::uint32_t, 4>> element_vertices, behind;
  UninitialisedVector<std::uint16_t> element_group;
  std::vector<std::uint32_t> curved;
  std::vector<CurvedElement> curvature;
  std::vector<std::string> volume_names, surface_names;
  std::vector<InnerSurface> inner_surfaces;

  /// Valid while the arrays are.
  CompactMesh view() const;
};

/// Orders a mesh whose faces are paired. By all threads, with the same result for any number of them.
CompactArrays make_compact(const GlobalMesh& mesh, const FaceAdjacency& adjacency);

}  // namespace dgtd::mesh
