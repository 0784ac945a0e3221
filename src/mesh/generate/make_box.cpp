// A box of cubes, each cut into the six tetrahedra of Kuhn and Freudenthal: one for each order in
// which a path along the edges from the cube's low corner to its high corner takes the three axes.
// All share that diagonal and neighbouring cubes cut their common square alike, so faces conform
// and everything about a neighbour follows from a formula.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/mesh/load.hpp"
#include "mesh/compact/assemble.hpp"
#include "mesh/compact/hilbert.hpp"
#include "mesh/generate/add_layers.hpp"
#include "mesh/generate/box_blocks.hpp"
#include "mesh/generate/layer_bounds.hpp"

namespace dgtd::mesh {
namespace {

constexpr int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                            {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};  // [tetrahedra][steps] axis

constexpr int path_number(int first, int second) { return 2 * first + (second > 3 - first - second ? 1 : 0); }
static_assert(path_number(0, 1) == 0 && path_number(0, 2) == 1 && path_number(1, 0) == 2 && path_number(1, 2) == 3 &&
              path_number(2, 0) == 4 && path_number(2, 1) == 5);

constexpr std::int64_t most_cells = std::int64_t{1} << 20;  // along an axis: ids then fit into 64 bits

/// The corners of cells along one axis: those of the box, and on both sides those of its layers.
struct Spacing {
  std::int64_t cells = 0;              // of the box
  double size = 0;                     // m, of the box
  std::int64_t before = 0, after = 0;  // cells of layers
  double low = 0, high = 0;            // m, thickness of layers

  std::int64_t all() const { return before + cells + after; }
  bool in_layer(std::int64_t cell) const { return cell < before || cell >= before + cells; }
  /// The same expression on every rank, hence the same bits.
  double coordinate(std::int64_t corner) const {
    const std::int64_t c = corner - before;
    if (c < 0) return static_cast<double>(c) * low / static_cast<double>(before);
    if (c > cells) return size + static_cast<double>(c - cells) * high / static_cast<double>(after);
    return static_cast<double>(c) * size / static_cast<double>(cells);
  }
};

/// A rank's block of the box with its layers as formulas, in the terms of assemble().
class Box {
 public:
  Box(const std::array<Spacing, 3>& axes, const std::array<bool, 3>& periodic, int ranks, int rank)
      : axes_(axes),
        periodic_(periodic),
        cells_{axes[0].all(), axes[1].all(), axes[2].all()},
        ranks_(ranks),
        rank_(rank),
        block_(block_of_rank(cells_, ranks, rank)),
        position_(6 * static_cast<std::size_t>(block_.count())) {
    const auto curve = along_hilbert_curve(
        static_cast<std::int64_t>(position_.size()),
        HilbertCube({-axes[0].low, -axes[1].low, -axes[2].low},
                    {axes[0].size + axes[0].high, axes[1].size + axes[1].high, axes[2].size + axes[2].high}),
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
  /// Group 1 is that of the layers.
  std::uint16_t group(std::int64_t e) const {
    const Cell c = cell(id(e));
    return axes_[0].in_layer(c[0]) || axes_[1].in_layer(c[1]) || axes_[2].in_layer(c[2]);
  }
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
    const std::int64_t here = 4 * id + face;
    if (face == 1) return inside(here, c, path_number(second, first), 1);
    if (face == 2) return inside(here, c, path_number(first, third), 2);
    // Face 0 lies on the cube's high side of the first axis: the next cube takes that axis last.
    if (face == 0) {
      if (++c[first] == cells_[first]) {
        if (!periodic_[first]) return on_side(2 * first + 1);
        c[first] = 0;
      }
      return inside(here, c, path_number(second, third), 3);
    }
    // Face 3 lies on the low side of the third axis: the cube before takes that axis first.
    if (c[third]-- == 0) {
      if (!periodic_[third]) return on_side(2 * third);
      c[third] = cells_[third] - 1;
    }
    return inside(here, c, path_number(third, first), 0);
  }

  Vec3 position(const Cell& corner) const {
    return {axes_[0].coordinate(corner[0]), axes_[1].coordinate(corner[1]), axes_[2].coordinate(corner[2])};
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
  std::int64_t extent(int axis) const { return block_.high[axis] - block_.low[axis]; }
  /// Number of a cell (more = 0) or a cell corner (more = 1) in this rank's block.
  std::int64_t in_block(const Cell& c, int more) const {
    return c[0] - block_.low[0] +
           (extent(0) + more) * (c[1] - block_.low[1] + (extent(1) + more) * (c[2] - block_.low[2]));
  }
  /// here: the number of the face (Behind) from the other side.
  Behind inside(std::int64_t here, const Cell& c, int tetrahedron, std::uint8_t face) const {
    const auto mine = [&](int axis) { return c[axis] >= block_.low[axis] && c[axis] < block_.high[axis]; };
    const std::int64_t there = 4 * element(c, tetrahedron) + face;
    if (!mine(0) || !mine(1) || !mine(2))
      return {FaceLink::Kind::halo,
              face,
              0,
              rank_of_cell(cells_, ranks_, c),
              {std::min(here, there), std::max(here, there)}};
    return {FaceLink::Kind::element, face, position_[static_cast<std::size_t>(6 * in_block(c, 0) + tetrahedron)], 0};
  }
  static Behind on_side(int side) { return {FaceLink::Kind::boundary, 0, static_cast<std::uint32_t>(side), 0}; }

  std::array<Spacing, 3> axes_;
  std::array<bool, 3> periodic_;
  Cell cells_;  // those of layers as well
  int ranks_, rank_;
  CellBlock block_;                              // this rank's cells
  UninitialisedVector<std::uint32_t> position_;  // [tetrahedra of the block, in the order of cells] place on the curve
  UninitialisedVector<std::uint32_t> in_block_;  // [places on the curve] tetrahedron of the block
};

void check_arguments(const Cell& cells, const Vec3& size) {
  for (int axis = 0; axis < 3; ++axis) {
    if (cells[axis] < 1 || cells[axis] > most_cells)
      throw Error(
          fmt::format("box: cells {} {} {}: each must lie between 1 and {}", cells[0], cells[1], cells[2], most_cells));
    if (!(size[axis] > 0 && std::isfinite(size[axis])))
      throw Error(fmt::format("box: size {} {} {} m: each must be positive", size.x, size.y, size.z));
  }
}

std::array<Spacing, 3> spacings(const Cell& cells, const Vec3& size, const std::vector<AddedLayers>& layers) {
  check_arguments(cells, size);
  std::array<Spacing, 3> axes;
  for (int axis = 0; axis < 3; ++axis) axes[axis] = {cells[axis], size[axis]};
  for (const AddedLayers& one : layers) {
    if (!one.groups.empty())
      throw Error(
          fmt::format("box: volume group \"{}\" as the layer of surface {}: a generated box has the layers that are "
                      "added, without group",
                      one.groups.front(), one.surface));
    const auto side =
        std::find_if(box_sides.begin(), box_sides.end(), [&](BoxSide s) { return s.name() == one.surface; });
    if (side == box_sides.end())
      throw Error(
          fmt::format("box: layers outside of surface \"{}\"; its surfaces are xmin, xmax, ymin, ymax, zmin "
                      "and zmax",
                      one.surface));
    Spacing& axis = axes[side->axis];
    const double edge = axis.size / static_cast<double>(axis.cells);
    const int strata = strata_of(one, edge);
    const double thickness = one.thickness > 0 ? one.thickness : strata * edge;
    (side->high ? axis.after : axis.before) = strata;
    (side->high ? axis.high : axis.low) = thickness;
  }
  for (const Spacing& axis : axes)
    if (axis.all() > most_cells)
      throw Error(
          fmt::format("box: {} cells along an axis with those of its layers; at most {}", axis.all(), most_cells));
  return axes;
}

}  // namespace

Subdomain make_box(const std::array<std::int64_t, 3>& cells, const Vec3& size, const parallel::Communicator& comm,
                   const std::vector<AddedLayers>& wanted, const std::array<bool, 3>& periodic) {
  std::vector<std::string> surfaces;
  for (const BoxSide side : box_sides) surfaces.emplace_back(side.name());
  check_layers(wanted, "box");
  const std::vector<AddedLayers> layers = layers_by_surface(wanted, surfaces);
  const std::array<Spacing, 3> axes = spacings(cells, size, layers);
  const std::int64_t nx = axes[0].all(), ny = axes[1].all(), nz = axes[2].all();
  if (comm.size() > nx * ny * nz)
    throw Error(fmt::format("box: {} ranks for {} cells; at most a rank a cell", comm.size(), nx * ny * nz));
  for (const BoxSide side : box_sides)
    if (const Spacing& axis = axes[side.axis]; periodic[side.axis] && (side.high ? axis.after : axis.before) > 0)
      throw Error(fmt::format("box: surface {} has layers and is periodic; one of them is allowed", side.name()));
  Box box(axes, periodic, comm.size(), comm.rank());
  Subdomain subdomain = assemble(comm.rank(), box);
  subdomain.volume_names = {"box"};
  if (!layers.empty()) subdomain.volume_names.push_back("box" + std::string(layer_suffix));
  subdomain.surface_names = std::move(surfaces);
  subdomain.global_elements = 6 * nx * ny * nz;
  subdomain.global_vertices = (nx + 1) * (ny + 1) * (nz + 1);
  return subdomain;
}

}  // namespace dgtd::mesh
