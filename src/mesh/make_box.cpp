// A box of cubes, each cut into the six tetrahedra of Kuhn and Freudenthal: one for each order in
// which a path along the edges from the cube's low corner to its high corner takes the three axes.
// All share that diagonal and neighbouring cubes cut their common square alike, so faces conform
// and everything about a neighbour follows from a formula.
#include <fmt/format.h>

#include <cmath>

#include "assemble.hpp"
#include "box_blocks.hpp"
#include "dgtd/mesh/load.hpp"
#include "hilbert.hpp"

namespace dgtd::mesh {
namespace {

constexpr int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                            {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};  // [tetrahedra][steps] axis

constexpr int path_number(int first, int second) { return 2 * first + (second > 3 - first - second ? 1 : 0); }
static_assert(path_number(0, 1) == 0 && path_number(0, 2) == 1 && path_number(1, 0) == 2 && path_number(1, 2) == 3 &&
              path_number(2, 0) == 4 && path_number(2, 1) == 5);

/// The whole box as formulas, in the terms of assemble().
class Box {
 public:
  Box(const Cell& cells, const Vec3& size, int ranks, int rank)
      : cells_(cells), size_(size), ranks_(ranks), rank_(rank), block_(block_of_rank(cells, ranks, rank)) {}

  std::int64_t element(const Cell& c, int tetrahedron) const {
    return 6 * (c[0] + cells_[0] * (c[1] + cells_[1] * c[2])) + tetrahedron;
  }
  Cell cell(std::int64_t element) const {
    const std::int64_t index = element / 6;
    return {index % cells_[0], index / cells_[0] % cells_[1], index / (cells_[0] * cells_[1])};
  }

  /// The path's steps ascend in vertex id, as subdomains want them.
  std::array<std::int64_t, 4> vertices(std::int64_t element) const {
    Cell corner = cell(element);
    std::array<std::int64_t, 4> ids{vertex(corner)};
    for (int step = 0; step < 3; ++step) {
      ++corner[path[element % 6][step]];
      ids[step + 1] = vertex(corner);
    }
    return ids;
  }

  std::uint16_t group(std::int64_t) const { return 0; }

  Behind behind(std::int64_t id, int face) const {
    const int first = path[id % 6][0], second = path[id % 6][1], third = path[id % 6][2];
    Cell c = cell(id);
    // Faces that hold the diagonal: the neighbour in the same cube swaps two steps of the path.
    if (face == 1) return inside(c, path_number(second, first), 1);
    if (face == 2) return inside(c, path_number(first, third), 2);
    // Face 0 lies on the cube's high side of the first axis: the next cube takes that axis last.
    if (face == 0) {
      if (++c[first] == cells_[first]) return on_side(2 * first + 1);
      return inside(c, path_number(second, third), 3);
    }
    // Face 3 lies on the low side of the third axis: the cube before takes that axis first.
    if (c[third]-- == 0) return on_side(2 * third);
    return inside(c, path_number(third, first), 0);
  }

  Vec3 position(std::int64_t id) const {
    const Cell c = corner(id);
    return {coordinate(0, c), coordinate(1, c), coordinate(2, c)};
  }

  Vec3 centroid(std::int64_t element) const {
    Vec3 sum;
    for (const std::int64_t v : vertices(element)) sum += position(v);
    return 0.25 * sum;
  }

  std::size_t element_slots() const { return static_cast<std::size_t>(6 * block_.count()); }
  std::size_t element_slot(std::int64_t element) const {
    return static_cast<std::size_t>(6 * in_block(cell(element), 0) + element % 6);
  }
  std::size_t vertex_slots() const {
    return static_cast<std::size_t>((extent(0) + 1) * (extent(1) + 1) * (extent(2) + 1));
  }
  std::size_t vertex_slot(std::int64_t id) const { return static_cast<std::size_t>(in_block(corner(id), 1)); }

  std::vector<std::int64_t> own_elements() const {
    std::vector<std::int64_t> elements;
    elements.reserve(element_slots());
    for (std::int64_t k = block_.low[2]; k < block_.high[2]; ++k)
      for (std::int64_t j = block_.low[1]; j < block_.high[1]; ++j)
        for (std::int64_t i = block_.low[0]; i < block_.high[0]; ++i)
          for (int t = 0; t < 6; ++t) elements.push_back(element({i, j, k}, t));
    return elements;
  }

 private:
  std::int64_t vertex(const Cell& corner) const {
    return corner[0] + (cells_[0] + 1) * (corner[1] + (cells_[1] + 1) * corner[2]);
  }
  Cell corner(std::int64_t id) const {
    return {id % (cells_[0] + 1), id / (cells_[0] + 1) % (cells_[1] + 1), id / ((cells_[0] + 1) * (cells_[1] + 1))};
  }
  /// The same expression on every rank, hence the same bits.
  double coordinate(int axis, const Cell& c) const {
    return static_cast<double>(c[axis]) * size_[axis] / static_cast<double>(cells_[axis]);
  }
  std::int64_t extent(int axis) const { return block_.high[axis] - block_.low[axis]; }
  /// Number of a cell (more = 0) or a cell corner (more = 1) in this rank's block.
  std::int64_t in_block(const Cell& c, int more) const {
    return c[0] - block_.low[0] +
           (extent(0) + more) * (c[1] - block_.low[1] + (extent(1) + more) * (c[2] - block_.low[2]));
  }
  Behind inside(const Cell& c, int tetrahedron, std::uint8_t face) const {
    return {false, 0, face, owner(c), element(c, tetrahedron)};
  }
  int owner(const Cell& c) const {
    const auto mine = [&](int axis) { return c[axis] >= block_.low[axis] && c[axis] < block_.high[axis]; };
    return mine(0) && mine(1) && mine(2) ? rank_ : rank_of_cell(cells_, ranks_, c);
  }
  static Behind on_side(int side) { return {true, static_cast<std::uint16_t>(side), 0, 0, 0}; }

  Cell cells_;
  Vec3 size_;
  int ranks_, rank_;
  CellBlock block_;  // this rank's cells
};

void check_arguments(const Cell& cells, const Vec3& size, int ranks) {
  constexpr std::int64_t most = std::int64_t{1} << 20;  // an axis: ids then fit into 64 bits
  for (int axis = 0; axis < 3; ++axis) {
    if (cells[axis] < 1 || cells[axis] > most)
      throw Error(
          fmt::format("box: cells {} {} {}: each must lie between 1 and {}", cells[0], cells[1], cells[2], most));
    if (!(size[axis] > 0 && std::isfinite(size[axis])))
      throw Error(fmt::format("box: size {} {} {} m: each must be positive", size.x, size.y, size.z));
  }
  if (ranks > cells[0] * cells[1] * cells[2])
    throw Error(
        fmt::format("box: {} ranks for {} cells; at most a rank a cell", ranks, cells[0] * cells[1] * cells[2]));
}

}  // namespace

Subdomain make_box(const std::array<std::int64_t, 3>& cells, const Vec3& size, const parallel::Communicator& comm) {
  check_arguments(cells, size, comm.size());
  const Box box(cells, size, comm.size(), comm.rank());
  const auto elements =
      along_hilbert_curve(box.own_elements(), HilbertCube({}, size), [&](std::int64_t e) { return box.centroid(e); });
  Subdomain subdomain = assemble(comm.rank(), elements, box);
  subdomain.volume_names = {"box"};
  subdomain.surface_names = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  subdomain.global_elements = 6 * cells[0] * cells[1] * cells[2];
  subdomain.global_vertices = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
  return subdomain;
}

}  // namespace dgtd::mesh
