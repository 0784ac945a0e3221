#pragma once
// Operations on a grid of tissues: distances, pieces, layers.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesher {

/// Voxels with a tissue each, in the voxels' own axes.
struct LabelGrid {
  std::array<int, 3> size{};         // along x, y, z
  Vec3 spacing;                      // m
  Vec3 corner;                       // m, lower corner of the first voxel
  std::vector<std::uint8_t> tissue;  // [z][y][x] index of TissueTable::tissues

  std::size_t voxels() const { return tissue.size(); }
  double voxel_volume() const { return spacing.x * spacing.y * spacing.z; }  // m3
  std::size_t at(int i, int j, int k) const { return (std::size_t(k) * size[1] + j) * size[0] + i; }
  Vec3 centre(int i, int j, int k) const {
    return corner + Vec3{(i + 0.5) * spacing.x, (j + 0.5) * spacing.y, (k + 0.5) * spacing.z};
  }
};

/// [tissues] m3
std::vector<double> volumes(const LabelGrid& grid, std::size_t tissues);

/// [voxels] distance (m) from a voxel's centre to the nearest centre of a voxel with mark != 0; infinite without any.
/// P. Felzenszwalb, D. Huttenlocher, Theory of Computing 8 (2012) 415.
std::vector<float> distance_to(const std::vector<std::uint8_t>& mark, const LabelGrid& grid);

/// Connected pieces (by faces) of equal tissue.
struct Pieces {
  std::vector<std::uint32_t> of_voxel;  // [voxels] piece
  std::vector<std::uint8_t> tissue;     // [pieces]
  std::vector<std::int64_t> voxels;     // [pieces]
  std::vector<std::size_t> first;       // [pieces] the first voxel of the piece
};
Pieces find_pieces(const LabelGrid& grid);

/// The exterior: the piece of tissue 0 at the first voxel, which must be one of it. [voxels] 1 or 0.
std::vector<std::uint8_t> exterior_of(const Pieces& pieces);

/// Gives marked voxels to the tissues around them, layer by layer: the most frequent one among the 26 neighbours that
/// are not marked (any more).
void fill_from_neighbours(LabelGrid& grid, std::vector<std::uint8_t> mark);

/// Pieces below a volume (m3), but the largest of each tissue, are given to what is around them.
void remove_islands(LabelGrid& grid, double volume);

/// Parts of a tissue thinner than `thickness` (m) are given to what is around them: what a ball of that diameter in the
/// tissue cannot reach.
void remove_thin_parts(LabelGrid& grid, int tissue, double thickness);

/// Pieces of a tissue of at least `volume` (m3) that were one piece in `before` are connected again: by balls of
/// `thickness` (m) along the shortest path in what the tissue was.
void reconnect(LabelGrid& grid, const LabelGrid& before, int tissue, double thickness, double volume);

/// Voxels of `inner` that are nearer to `outer` than `thickness` (m) become `of`.
void keep_apart(LabelGrid& grid, int of, int inner, int outer, double thickness);

/// Voxels of `of` that are nearer to the exterior than `thickness` (m) become `shell`.
void split_shell(LabelGrid& grid, int shell, int of, double thickness);

}  // namespace dgtd::mesher
