#pragma once
// Meshes of boxes along the axes: layered media, gratings, waveguides.
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

struct Block {
  std::string name;  // of its volume group
  Vec3 low, high;    // m
  double size;       // m, longest edge of cells along the axes
};

/// Cells whose faces are on those of all blocks, six tetrahedra each, with the same triangles on opposite sides. The first
/// block is the domain; where others overlap the last one counts. Between two planes of blocks cells are as long as the
/// finest block there requires. Surface groups xmin, xmax, ymin, ymax, zmin and zmax. Throws Error for a block without
/// volume or name, outside of the domain, and too many cells.
GlobalMesh make_blocks(const std::vector<Block>& blocks);

}  // namespace dgtd::mesh
