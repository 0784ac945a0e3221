#pragma once
// Edges of a mesh on the surfaces of the solids of a STEP file.
#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

/// Where the middle of an edge belongs.
struct EdgeMiddle {
  std::array<std::int64_t, 2> vertices;  // ascending
  Vec3 place;                            // m
};

/// For each edge of a triangle all of whose vertices are on one face of a solid (to 1e-6 of the size of the points): the
/// place on that face next to its middle; of an edge between triangles on two faces, on the curve between these; of one
/// that has triangles on no face, too, within their plane. points: m. Throws Error for a file that cannot be read.
std::vector<EdgeMiddle> middles_on_step(const std::filesystem::path& file, const std::vector<Vec3>& points,
                                        const std::vector<std::array<std::int64_t, 3>>& triangles);

}  // namespace dgtd::mesh
