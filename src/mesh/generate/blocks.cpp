#include "dgtd/mesh/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "mesh/generate/layer_bounds.hpp"

namespace dgtd::mesh {
namespace {

constexpr double most_block_cells = 1e8;

void check_blocks(const std::vector<Block>& blocks) {
  if (blocks.empty()) throw Error("blocks: no block given (at least one is needed, the domain)");
  for (const Block& b : blocks) {
    if (b.name.empty()) throw Error("blocks: a block without a name");
    for (int a = 0; a < 3; ++a) {
      if (!(b.low[a] < b.high[a]) || !std::isfinite(b.high[a] - b.low[a]))
        throw Error(fmt::format("blocks: '{}' goes from {} to {} m along {}; the second place must be above the first",
                                b.name, b.low[a], b.high[a], "xyz"[a]));
      if (b.high[a] <= blocks.front().low[a] || b.low[a] >= blocks.front().high[a])
        throw Error(fmt::format("blocks: '{}' is outside of the first block, '{}', along {}", b.name,
                                blocks.front().name, "xyz"[a]));
    }
    if (!(b.size > 0)) throw Error(fmt::format("blocks: '{}' has cells of {} m; they must be positive", b.name, b.size));
  }
}

/// m, ascending: the planes of blocks inside the domain, and equal cells between them.
std::vector<double> planes_along(int a, const std::vector<Block>& blocks) {
  const double low = blocks.front().low[a], high = blocks.front().high[a], same = 1e-9 * (high - low);
  std::vector<double> planes;
  for (const Block& b : blocks)
    for (const double x : {b.low[a], b.high[a]}) planes.push_back(std::clamp(x, low, high));
  std::sort(planes.begin(), planes.end());
  planes.erase(std::unique(planes.begin(), planes.end(), [&](double x, double y) { return y - x <= same; }),
               planes.end());
  std::vector<double> corners{planes.front()};
  for (std::size_t i = 0; i + 1 < planes.size(); ++i) {
    double size = blocks.front().size;
    for (const Block& b : blocks)
      if (b.low[a] < planes[i + 1] - same && b.high[a] > planes[i] + same) size = std::min(size, b.size);
    const double length = planes[i + 1] - planes[i], cells = std::max(1.0, std::ceil(length / size - 1e-9));
    if (cells * static_cast<double>(corners.size()) > most_block_cells)
      throw Error(fmt::format("blocks: {:.3g} cells along {}; larger ones are needed", cells, "xyz"[a]));
    for (double c = 1; c < cells; ++c) corners.push_back(planes[i] + c / cells * length);
    corners.push_back(planes[i + 1]);
  }
  return corners;
}

using CellIndex = std::array<std::size_t, 3>;

}  // namespace

GlobalMesh make_blocks(const std::vector<Block>& blocks) {
  check_blocks(blocks);
  std::array<std::vector<double>, 3> corners;
  double count = 6;
  for (std::size_t a = 0; a < 3; ++a) {
    corners[a] = planes_along(static_cast<int>(a), blocks);
    count *= static_cast<double>(corners[a].size() - 1);
  }
  if (count > 6 * most_block_cells)
    throw Error(fmt::format("blocks: these sizes make {:.3g} tetrahedra (at most {:.0e})", count, 6 * most_block_cells));

  GlobalMesh mesh;
  mesh.source = "blocks";
  std::vector<std::uint16_t> group;  // [blocks]
  for (const Block& b : blocks) {
    const auto found = std::find(mesh.volume_names.begin(), mesh.volume_names.end(), b.name);
    group.push_back(static_cast<std::uint16_t>(found - mesh.volume_names.begin()));
    if (found == mesh.volume_names.end()) mesh.volume_names.push_back(b.name);
  }
  for (const BoxSide side : box_sides) mesh.surface_names.emplace_back(side.name());

  const std::size_t nx = corners[0].size(), ny = corners[1].size(), nz = corners[2].size();
  for (const double z : corners[2])
    for (const double y : corners[1])
      for (const double x : corners[0]) mesh.vertices.push_back({x, y, z});
  const auto group_of = [&](const CellIndex& cell) {
    std::uint16_t found = group[0];
    for (std::size_t b = 1; b < blocks.size(); ++b) {
      bool inside = true;
      for (std::size_t a = 0; a < 3; ++a) {
        const double middle = 0.5 * (corners[a][cell[a]] + corners[a][cell[a] + 1]);
        inside = inside && middle > blocks[b].low[static_cast<int>(a)] && middle < blocks[b].high[static_cast<int>(a)];
      }
      if (inside) found = group[b];
    }
    return found;
  };
  // The six paths along the edges of a cell (make_box.cpp). A path's first three corners are a face at the lower side of
  // its last axis, its last three at the upper side of its first one.
  constexpr std::size_t path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const CellIndex last{nx - 2, ny - 2, nz - 2};
  for (std::size_t k = 0; k + 1 < nz; ++k)
    for (std::size_t j = 0; j + 1 < ny; ++j)
      for (std::size_t i = 0; i + 1 < nx; ++i) {
        const CellIndex cell{i, j, k};
        const std::uint16_t medium = group_of(cell);
        for (const auto& axes : path) {
          CellIndex at = cell;
          std::array<std::int64_t, 4> v;
          for (std::size_t step = 0; step < 4; ++step) {
            if (step > 0) ++at[axes[step - 1]];
            v[step] = static_cast<std::int64_t>(at[0] + nx * (at[1] + ny * at[2]));
          }
          mesh.tetrahedra.push_back(v);
          mesh.tetrahedron_group.push_back(medium);
          const auto add_triangle = [&](std::size_t side, const std::array<std::int64_t, 3>& face) {
            mesh.triangles.push_back(face);
            mesh.triangle_group.push_back(static_cast<std::uint16_t>(side));
          };
          if (cell[axes[2]] == 0) add_triangle(2 * axes[2], {v[0], v[1], v[2]});
          if (cell[axes[0]] == last[axes[0]]) add_triangle(2 * axes[0] + 1, {v[1], v[2], v[3]});
        }
      }
  return mesh;
}

}  // namespace dgtd::mesh
