#include "tile_media.hpp"

#include <algorithm>

#include "dgtd/base/error.hpp"

namespace dgtd::fdtd {
namespace {

/// Cells of a block, first <= i < end along each axis.
struct CellBox {
  int first[3], end[3];
  int size(int a) const { return end[a] - first[a]; }
};

// The material of all components of the cells, or -1. E stands on nodes, so its cells begin half a cell lower.
template <class Real>
int filling_of(const Discretisation<Real>& d, const grid::Media& media, const CellBox& box) {
  Vec3 low, high;
  for (int a = 0; a < 3; ++a) {
    low[a] = a < d.axes ? d.centres[a][box.first[a]] : d.grid.origin[a];
    high[a] = a < d.axes ? d.nodes[a][box.end[a] + 1] : -d.grid.origin[a];
  }
  return media.filling(0.5 * (low + high), high - low);
}

// Which of a tile's cells lie in absorbing layers.
template <class Real>
void find_layers(const Discretisation<Real>& d, PlacedTile& placed) {
  Tile& tile = placed.tile;
  for (int a = 0; a < 3; ++a)
    for (int i = tile.first[a]; i < placed.end[a]; ++i) {
      if (d.damping[a].nodes[i] != 1 || d.damping[a].centres[i] != 1) tile.damped = 1;
      if (d.electric.axis[a].drive[i] == 0 && d.magnetic.axis[a].drive[i] == 0) continue;
      tile.layer[a] = 0;
      placed.layered = true;
      if (a > 0) continue;
      tile.layer_lanes[0] = std::min(tile.layer_lanes[0], i - tile.first[0]);
      tile.layer_lanes[1] = i - tile.first[0] + 1;
    }
}

// The media of a tile's components. Boxes that one material fills are found by halving, the others' components one by
// one: most cells of a mixed tile lie beside the interface, not in it.
template <class Real>
class TileSurvey {
 public:
  TileSurvey(const Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys, PlacedTile& tile,
             std::uint16_t* electric, std::uint16_t* magnetic)
      : d_(d), media_(media), keys_(keys), tile_(tile), class_of_{electric, magnetic} {}

  MixedTile run() {
    const Tile& t = tile_.tile;
    halve({{t.first[0], t.first[1], t.first[2]}, {tile_.end[0], tile_.end[1], tile_.end[2]}});
    std::sort(series_.begin(), series_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return {electric_.list(), magnetic_.list(), std::move(series_)};
  }

 private:
  static constexpr int smallest_edge = 2;  // cells; smaller boxes cost more than they save

  // The box is known not to be filled by one material.
  void halve(const CellBox& box) {
    int axis = 0;
    for (int a : {1, 2})
      if (box.size(a) > box.size(axis)) axis = a;
    if (box.size(axis) <= smallest_edge) return each_component(box);
    const int middle = box.first[axis] + (box.size(axis) + 1) / 2;
    CellBox lower = box, upper = box;
    lower.end[axis] = upper.first[axis] = middle;
    for (const CellBox& half : {lower, upper}) {
      if (const int material = filling_of(d_, media_, half); material >= 0) fill(half, material);
      else halve(half);
    }
  }

  void fill(const CellBox& box, int material) {
    tile_.dispersive = tile_.dispersive || keys_.is_dispersive(material);
    const bool both = class_of_[1] != nullptr;
    const auto electric = number(electric_.of(keys_.electric(material)));
    const auto magnetic = both ? number(magnetic_.of(keys_.magnetic(material))) : std::uint16_t{0};
    for (int c = 0; c < 3; ++c)
      for (int k = box.first[2]; k < box.end[2]; ++k)
        for (int j = box.first[1]; j < box.end[1]; ++j) {
          const std::size_t row = cell(c, box.first[0], j, k);
          std::fill_n(class_of_[0] + row, box.size(0), electric);
          if (both) std::fill_n(class_of_[1] + row, box.size(0), magnetic);
        }
  }

  void each_component(const CellBox& box) {
    for (int c = 0; c < 3; ++c)
      for (int k = box.first[2]; k < box.end[2]; ++k)
        for (int j = box.first[1]; j < box.end[1]; ++j)
          for (int i = box.first[0]; i < box.end[0]; ++i) component(c, i, j, k);
  }

  void component(int c, int i, int j, int k) {
    const int at[3] = {i, j, k};
    Vec3 from, to;
    for (int a = 0; a < 3; ++a) {
      if (a >= d_.axes) {  // the grid's thickness, around 0
        from[a] = d_.grid.origin[a], to[a] = -d_.grid.origin[a];
        continue;
      }
      from[a] = a == c ? d_.nodes[a][at[a] + 1] : d_.centres[a][at[a]];
      to[a] = a == c ? d_.nodes[a][at[a] + 2] : d_.centres[a][at[a] + 1];
    }
    const grid::LocalMedium m = media_.electric(d_.position(true, c, i, j, k), 0.5 * (from + to), to - from, c);
    tile_.dispersive = tile_.dispersive || (m.second < 0 && keys_.is_dispersive(m.material));
    if (m.second >= 0)
      series_.push_back({static_cast<std::uint64_t>(c * d_.layout.reals + d_.layout.index(i, j, k)), m});
    class_of_[0][cell(c, i, j, k)] = number(electric_.of(keys_.electric(m)));
    if (class_of_[1] != nullptr)
      class_of_[1][cell(c, i, j, k)] =
          number(magnetic_.of(keys_.magnetic(media_.material_at(d_.position(false, c, i, j, k)))));
  }

  static std::uint16_t number(int n) { return static_cast<std::uint16_t>(n); }  // at most 3 * cells_of_tile
  std::size_t cell(int c, int i, int j, int k) const {
    const int* const first = tile_.tile.first;
    return std::size_t(c) * cells_of_tile + ((k - first[2]) * tile_cells(1) + j - first[1]) * tile_cells(0) + i -
           first[0];
  }

  const Discretisation<Real>& d_;
  const grid::Media& media_;
  const MediaKeys& keys_;
  PlacedTile& tile_;
  std::uint16_t* class_of_[2];  // electric, magnetic or null
  ClassTable electric_, magnetic_;
  std::vector<std::pair<std::uint64_t, grid::LocalMedium>> series_;
};

}  // namespace

template <class Real>
std::vector<PlacedTile> placed_tiles(const Discretisation<Real>& d, const grid::Media& media) {
  const int nx = d.layout.tiles[0], ny = d.layout.tiles[1];
  const std::int64_t count = std::int64_t{nx} * ny * d.layout.tiles[2];
  std::vector<PlacedTile> tiles(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t t = 0; t < count; ++t) {
    PlacedTile& placed = tiles[static_cast<std::size_t>(t)];
    const int at[3] = {int(t % nx), int(t / nx % ny), int(t / nx / ny)};
    placed.tile = {{at[0] * tile_cells(0), at[1] * tile_cells(1), at[2] * tile_cells(2)},
                   {-1, -1, -1},
                   {0, 0, 0},
                   {tile_cells(0), 0},
                   -1,
                   0,
                   -1};
    const int* const first = placed.tile.first;
    for (int a = 0; a < 3; ++a) placed.end[a] = std::min(first[a] + tile_cells(a), d.layout.cells[a]);
    find_layers(d, placed);
    const int* const end = placed.end;
    placed.filling = filling_of(d, media, {{first[0], first[1], first[2]}, {end[0], end[1], end[2]}});
  }
  return tiles;
}

// Tiles of an interface take about equally long, the few others no time: threads take them one by one.
template <class Real>
std::vector<MixedTile> mixed_tiles(Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys,
                                   std::vector<PlacedTile>& tiles) {
  std::vector<PlacedTile*> mixed;  // [slot]
  for (PlacedTile& placed : tiles) {
    if (placed.filling >= 0) continue;
    placed.tile.classes = static_cast<int>(mixed.size());
    mixed.push_back(&placed);
  }
  constexpr std::size_t entries = 3 * cells_of_tile;
  const bool both = keys.has_magnetic_media();
  d.electric.class_of.resize(mixed.size() * entries);
  d.magnetic.class_of.resize(both ? mixed.size() * entries : 0);
  std::vector<MixedTile> found(mixed.size());
  const auto count = static_cast<std::int64_t>(mixed.size());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t s = 0; s < count; ++s) {
    const auto slot = static_cast<std::size_t>(s);
    std::uint16_t* const magnetic = both ? d.magnetic.class_of.data() + slot * entries : nullptr;
    found[slot] =
        TileSurvey<Real>(d, media, keys, *mixed[slot], d.electric.class_of.data() + slot * entries, magnetic).run();
  }
  return found;
}

namespace {

// Numbers in another table.
std::vector<int> joined(const std::vector<MediumKey>& local, ClassTable& all) {
  std::vector<int> numbers;
  numbers.reserve(local.size());
  for (const MediumKey& key : local) numbers.push_back(all.of(key));
  return numbers;
}

void renumber(std::uint16_t* classes, const std::vector<int>& numbers, const std::vector<int>& of_run) {
  for (int i = 0; i < 3 * cells_of_tile; ++i)
    classes[i] = static_cast<std::uint16_t>(of_run[static_cast<std::size_t>(numbers[classes[i]])]);
}

// A run of tiles with a table of its own, and from there to all.
struct RunOfTiles {
  std::size_t first, last;  // tiles
  ClassTable electric, magnetic;
  std::vector<int> electric_to_all, magnetic_to_all;
};

std::vector<RunOfTiles> runs_of(std::size_t tiles) {
  constexpr std::size_t most = 64;
  std::vector<RunOfTiles> runs(std::clamp<std::size_t>(tiles, 1, most));
  for (std::size_t r = 0; r < runs.size(); ++r) {
    runs[r].first = tiles * r / runs.size();
    runs[r].last = tiles * (r + 1) / runs.size();
  }
  return runs;
}

}  // namespace

// The order of the tiles numbers the classes, so that the number of threads does not: runs of tiles, each numbered by
// one thread, are joined in their order.
template <class Real>
void number_classes(Discretisation<Real>& d, const MediaKeys& keys, std::vector<PlacedTile>& tiles,
                    const std::vector<MixedTile>& mixed) {
  std::vector<RunOfTiles> runs = runs_of(tiles.size());
  std::vector<std::vector<int>> electric_numbers(mixed.size()), magnetic_numbers(mixed.size());
  const auto count = static_cast<std::int64_t>(runs.size());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t r = 0; r < count; ++r) {
    RunOfTiles& run = runs[static_cast<std::size_t>(r)];
    for (std::size_t t = run.first; t < run.last; ++t) {
      PlacedTile& placed = tiles[t];
      if (placed.filling >= 0) {
        placed.electric_class = run.electric.of(keys.electric(placed.filling));
        placed.magnetic_class = run.magnetic.of(keys.magnetic(placed.filling));
        continue;
      }
      const auto slot = static_cast<std::size_t>(placed.tile.classes);
      electric_numbers[slot] = joined(mixed[slot].electric, run.electric);
      magnetic_numbers[slot] = joined(mixed[slot].magnetic, run.magnetic);
    }
  }
  ClassTable electric, magnetic;
  (void)magnetic.of(keys.magnetic(0));
  for (RunOfTiles& run : runs) {
    run.electric_to_all = joined(run.electric.list(), electric);
    run.magnetic_to_all = joined(run.magnetic.list(), magnetic);
  }
  if (electric.list().size() > 65536)
    throw Error("the shapes make more than 65536 different mixtures of materials; set grid.subpixel = off");
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t r = 0; r < count; ++r) {
    const RunOfTiles& run = runs[static_cast<std::size_t>(r)];
    for (std::size_t t = run.first; t < run.last; ++t) {
      PlacedTile& placed = tiles[t];
      if (placed.filling >= 0) {
        placed.electric_class = run.electric_to_all[static_cast<std::size_t>(placed.electric_class)];
        placed.magnetic_class = run.magnetic_to_all[static_cast<std::size_t>(placed.magnetic_class)];
        continue;
      }
      const auto slot = static_cast<std::size_t>(placed.tile.classes);
      renumber(d.electric.class_of.data() + slot * 3 * cells_of_tile, electric_numbers[slot], run.electric_to_all);
      if (!d.magnetic.class_of.empty())
        renumber(d.magnetic.class_of.data() + slot * 3 * cells_of_tile, magnetic_numbers[slot], run.magnetic_to_all);
    }
  }
  for (const MediumKey& key : electric.list()) {
    if (key.relative == MediumKey::series) d.series_class = static_cast<int>(d.poles_of_class.size());
    d.electric.classes.push_back(medium_class<Real>(key, d.time_step));
    d.poles_of_class.push_back(key.pole_set);
  }
  for (const MediumKey& key : magnetic.list()) d.magnetic.classes.push_back(medium_class<Real>(key, d.time_step));
}

template std::vector<PlacedTile> placed_tiles(const Discretisation<float>&, const grid::Media&);
template std::vector<PlacedTile> placed_tiles(const Discretisation<double>&, const grid::Media&);
template std::vector<MixedTile> mixed_tiles(Discretisation<float>&, const grid::Media&, const MediaKeys&,
                                            std::vector<PlacedTile>&);
template std::vector<MixedTile> mixed_tiles(Discretisation<double>&, const grid::Media&, const MediaKeys&,
                                            std::vector<PlacedTile>&);
template void number_classes(Discretisation<float>&, const MediaKeys&, std::vector<PlacedTile>&,
                             const std::vector<MixedTile>&);
template void number_classes(Discretisation<double>&, const MediaKeys&, std::vector<PlacedTile>&,
                             const std::vector<MixedTile>&);

}  // namespace dgtd::fdtd
