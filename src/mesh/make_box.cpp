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

/// A rank's block of the box as formulas, in the terms of assemble().
class Box {
 public:
  Box(const Cell& cells, const Vec3& size, int ranks, int rank)
      : cells_(cells),
        size_(size),
        ranks_(ranks),
        rank_(rank),
        block_(block_of_rank(cells, ranks, rank)),
        position_(6 * static_cast<std::size_t>(block_.count())) {
    const auto curve = along_hilbert_curve(static_cast<std::int64_t>(position_.size()), HilbertCube({}, size),
                                           [&](std::int64_t i) { return centroid(in_box(i)); });
    in_block_.resize(curve.size());
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < curve.size(); ++p) {
      in_block_[p] = static_cast<std::uint32_t>(curve[p]);
      position_[static_cast<std::size_t>(curve[p])] = static_cast<std::uint32_t>(p);
    }
  }

  std::size_t elements() const { return in_block_.size(); }
  std::int64_t id(std::int64_t e) const { return in_box(in_block_[e]); }
  std::uint16_t group(std::int64_t) const { return 0; }
  std::array<std::uint32_t, 4> slots(std::int64_t e) const {
    std::array<std::uint32_t, 4> slots;
    visit_path(id(e), [&](int step, const Cell& at) { slots[step] = static_cast<std::uint32_t>(in_block(at, 1)); });
    return slots;
  }
  std::size_t slot_count() const {
    return static_cast<std::size_t>((extent(0) + 1) * (extent(1) + 1) * (extent(2) + 1));
  }
  void use_vertices(const std::vector<std::uint32_t>&) const {}
  std::int64_t vertex_id(std::size_t slot) const { return vertex(corner_of(slot)); }
  Vec3 position(std::size_t slot) const { return position(corner_of(slot)); }

  Behind behind(std::int64_t e, int face) const { return behind_in_box(id(e), face); }

 private:
  /// The steps of a tetrahedron's path ascend in vertex id, as subdomains want them.
  template <class Visit>
  void visit_path(std::int64_t element, const Visit& visit) const {
    Cell corner = cell(element);
    visit(0, corner);
    for (int step = 0; step < 3; ++step) {
      ++corner[path[element % 6][step]];
      visit(step + 1, corner);
    }
  }

  std::int64_t element(const Cell& c, int tetrahedron) const {
    return 6 * (c[0] + cells_[0] * (c[1] + cells_[1] * c[2])) + tetrahedron;
  }
  Cell cell(std::int64_t element) const {
    const std::int64_t index = element / 6;
    return {index % cells_[0], index / cells_[0] % cells_[1], index / (cells_[0] * cells_[1])};
  }

  Behind behind_in_box(std::int64_t id, int face) const {
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

  Vec3 position(const Cell& corner) const {
    return {coordinate(0, corner), coordinate(1, corner), coordinate(2, corner)};
  }
  Vec3 centroid(std::int64_t element) const {
    Vec3 sum;
    visit_path(element, [&](int, const Cell& corner) { sum += position(corner); });
    return 0.25 * sum;
  }
  /// Tetrahedron i of the block, in the order of cells, as one of the box.
  std::int64_t in_box(std::int64_t i) const {
    const std::int64_t index = i / 6;
    return element({block_.low[0] + index % extent(0), block_.low[1] + index / extent(0) % extent(1),
                    block_.low[2] + index / (extent(0) * extent(1))},
                   static_cast<int>(i % 6));
  }
  Cell corner_of(std::size_t slot) const {
    const auto index = static_cast<std::int64_t>(slot);
    const std::int64_t along_x = extent(0) + 1, along_y = extent(1) + 1;
    return {block_.low[0] + index % along_x, block_.low[1] + index / along_x % along_y,
            block_.low[2] + index / (along_x * along_y)};
  }
  std::int64_t vertex(const Cell& corner) const {
    return corner[0] + (cells_[0] + 1) * (corner[1] + (cells_[1] + 1) * corner[2]);
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
    const auto mine = [&](int axis) { return c[axis] >= block_.low[axis] && c[axis] < block_.high[axis]; };
    if (!mine(0) || !mine(1) || !mine(2)) return {FaceLink::Kind::halo, face, 0, rank_of_cell(cells_, ranks_, c)};
    return {FaceLink::Kind::element, face, position_[static_cast<std::size_t>(6 * in_block(c, 0) + tetrahedron)], 0};
  }
  static Behind on_side(int side) { return {FaceLink::Kind::boundary, 0, static_cast<std::uint32_t>(side), 0}; }

  Cell cells_;
  Vec3 size_;
  int ranks_, rank_;
  CellBlock block_;                              // this rank's cells
  UninitialisedVector<std::uint32_t> position_;  // [tetrahedra of the block, in the order of cells] place on the curve
  UninitialisedVector<std::uint32_t> in_block_;  // [places on the curve] tetrahedron of the block
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
  Box box(cells, size, comm.size(), comm.rank());
  Subdomain subdomain = assemble(comm.rank(), box);
  subdomain.volume_names = {"box"};
  subdomain.surface_names = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  subdomain.global_elements = 6 * cells[0] * cells[1] * cells[2];
  subdomain.global_vertices = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
  return subdomain;
}

}  // namespace dgtd::mesh
