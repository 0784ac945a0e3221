#include "fdtd/discretisation/persistent_items.hpp"

#include <fmt/format.h>

namespace dgtd::fdtd {

namespace {

template <class Real>
std::int64_t all_cells(const Discretisation<Real>& d) {
  return d.global_cells[0] * d.global_cells[1] * d.global_cells[2];
}

/// The tile of each cell.
class Tiles {
 public:
  template <class Real>
  Tiles(const Discretisation<Real>& d, const HalfStepArrays<Real>& arrays) : layout_(d.layout) {
    tiles_.resize(static_cast<std::size_t>(layout_.tiles[0]) * layout_.tiles[1] * layout_.tiles[2], nullptr);
    for (const TileBatch& batch : arrays.batches)
      for (const Tile& tile : batch.tiles) tiles_[number(tile.first[0], tile.first[1], tile.first[2])] = &tile;
  }
  const Tile& at(int i, int j, int k) const { return *tiles_[number(i, j, k)]; }
  static int cell(const Tile& tile, int i, int j, int k) {
    return ((k - tile.first[2]) * tile_cells(1) + j - tile.first[1]) * tile_cells(0) + i - tile.first[0];
  }

 private:
  std::size_t number(int i, int j, int k) const {
    const auto n = (k / tile_cells(2) * layout_.tiles[1] + j / tile_cells(1)) * layout_.tiles[0] + i / tile_cells(0);
    return static_cast<std::size_t>(n);
  }
  GridLayout layout_;
  std::vector<const Tile*> tiles_;
};

// visit(i, j, k) of all cells of the block, their numbers ascending.
template <class Visit>
void for_cells(const GridLayout& l, Visit visit) {
  for (int k = 0; k < l.cells[2]; ++k)
    for (int j = 0; j < l.cells[1]; ++j)
      for (int i = 0; i < l.cells[0]; ++i) visit(i, j, k);
}

}  // namespace

template <class Real>
std::int64_t component_number(const Discretisation<Real>& d, std::uint64_t index) {
  const auto reals = static_cast<std::uint64_t>(d.layout.reals);
  const auto [i, j, k] = d.layout.cell_at(static_cast<std::int64_t>(index % reals));
  return static_cast<std::int64_t>(index / reals) * all_cells(d) + d.global_index(i, j, k);
}

template <class Real>
std::shared_ptr<const solver::Items> cell_items(const Discretisation<Real>& d) {
  auto items = std::make_shared<solver::Items>();
  items->name = "cells";
  items->end = all_cells(d);
  items->complete = true;
  for_cells(d.layout, [&](int i, int j, int k) {
    items->add(d.global_index(i, j, k), static_cast<std::uint64_t>(d.layout.index(i, j, k)));
  });
  return items;
}

template <class Real>
std::shared_ptr<const solver::Items> layer_items(const Discretisation<Real>& d, HalfStep half, int axis,
                                                 bool of_plane_passes) {
  const HalfStepArrays<Real>& arrays = half == HalfStep::electric ? d.electric : d.magnetic;
  const std::vector<Real>& c = arrays.axis[static_cast<std::size_t>(axis)].c;
  const Tiles tiles(d, arrays);
  auto items = std::make_shared<solver::Items>();
  items->name = fmt::format("cells of {}", layer_name(half, axis, 0));
  items->end = all_cells(d);
  for_cells(d.layout, [&](int i, int j, int k) {
    const int at[3] = {i, j, k};
    if (c.empty() || c[static_cast<std::size_t>(at[axis])] == 0) return;
    std::int64_t place = d.layout.index(i, j, k);
    if (!of_plane_passes) {
      const Tile& tile = tiles.at(i, j, k);
      const int cell = Tiles::cell(tile, i, j, k);
      const std::int64_t plane = tile.layer[axis] + std::int64_t{cell / cells_of_tile_plane} * tile.layer_stride[axis];
      place = plane * 2 * cells_of_tile_plane + cell % cells_of_tile_plane;
    }
    items->add(d.global_index(i, j, k), static_cast<std::uint64_t>(place));
  });
  return items;
}

template <class Real>
std::shared_ptr<const solver::Items> pole_items(const Discretisation<Real>& d) {
  auto items = std::make_shared<solver::Items>();
  items->name = "components with poles";
  items->end = 3 * all_cells(d);
  if (d.pole_slots == 0) return items;
  const Tiles tiles(d, d.electric);
  const int states = d.pole_count + d.resonant_count;
  for (int c = 0; c < 3; ++c)
    for_cells(d.layout, [&](int i, int j, int k) {
      const Tile& tile = tiles.at(i, j, k);
      if (tile.poles < 0) return;
      const int cell = Tiles::cell(tile, i, j, k);
      const int number =
          tile.classes < 0
              ? tile.medium_class
              : d.electric.class_of[(static_cast<std::size_t>(tile.classes) * 3 + static_cast<std::size_t>(c)) *
                                        cells_of_tile +
                                    static_cast<std::size_t>(cell)];
      if (d.poles_of_class[static_cast<std::size_t>(number)] == 0) return;
      items->add(c * all_cells(d) + d.global_index(i, j, k),
                 static_cast<std::uint64_t>(current_place(tile.poles, c, states, cell)));
    });
  return items;
}

std::shared_ptr<const solver::Items> list_items(std::string name, const std::vector<std::int64_t>& numbers,
                                                std::int64_t end) {
  auto items = std::make_shared<solver::Items>();
  items->name = std::move(name);
  items->end = end;
  for (std::size_t i = 0; i < numbers.size(); ++i) items->runs.push_back({numbers[i], 1, i});
  items->sort();
  return items;
}

template <class Real>
std::shared_ptr<const solver::Items> list_items(const Discretisation<Real>& d, std::string name,
                                                const std::vector<std::uint64_t>& indices) {
  std::vector<std::int64_t> numbers;
  for (const std::uint64_t index : indices) numbers.push_back(component_number(d, index));
  return list_items(std::move(name), numbers, 3 * all_cells(d));
}

std::string layer_name(HalfStep half, int axis, int which) {
  return fmt::format("psi of {} along {}, {}", half == HalfStep::electric ? "E" : "H", "xyz"[axis], which);
}

#define DGTD_INSTANTIATE(Real)                                                                                 \
  template std::int64_t component_number(const Discretisation<Real>&, std::uint64_t);                          \
  template std::shared_ptr<const solver::Items> cell_items(const Discretisation<Real>&);                       \
  template std::shared_ptr<const solver::Items> layer_items(const Discretisation<Real>&, HalfStep, int, bool); \
  template std::shared_ptr<const solver::Items> pole_items(const Discretisation<Real>&);                       \
  template std::shared_ptr<const solver::Items> list_items(const Discretisation<Real>&, std::string,           \
                                                           const std::vector<std::uint64_t>&);
DGTD_INSTANTIATE(float)
DGTD_INSTANTIATE(double)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
