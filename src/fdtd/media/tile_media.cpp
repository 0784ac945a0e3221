#include "fdtd/media/tile_media.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace dgtd::fdtd {
namespace {

/// Cells of a block, first <= i < end along each axis.
struct CellBox {
  int first[3], end[3];
  int size(int a) const { return end[a] - first[a]; }
};

// Ends along axis a of the cell around component i of E; along axes of no cells the grid's thickness, around 0.
template <class Real>
std::pair<double, double> cell_around(const Discretisation<Real>& d, int component, int a, int i) {
  if (a >= d.axes) return {d.grid.origin[a], -d.grid.origin[a]};
  return a == component ? std::pair{d.nodes[a][i + 1], d.nodes[a][i + 2]}
                        : std::pair{d.centres[a][i], d.centres[a][i + 1]};
}

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

// Components of E along an axis in a box of at most a tile's cells.
template <class Real>
class Components {
 public:
  Components(const Discretisation<Real>& d, int axis, const CellBox& box) {
    box_.axis = axis;
    for (int a = 0; a < 3; ++a) {
      const auto b = static_cast<std::size_t>(a);
      box_.count[b] = box.size(a);
      box_.place[b] = (a == axis ? d.centres : d.nodes)[a].data() + box.first[a] + 1;
      box_.centre[b] = centre_[a];
      box_.size[b] = size_[a];
      for (int i = 0; i < box.size(a); ++i) {
        const auto [from, to] = cell_around(d, axis, a, box.first[a] + i);
        centre_[a][i] = 0.5 * (from + to), size_[a][i] = to - from;
      }
    }
  }
  Components(const Components&) = delete;
  const grid::ComponentBox& box() const { return box_; }

 private:
  grid::ComponentBox box_;
  double centre_[3][tile_cells(0)], size_[3][tile_cells(0)];
};

// Cells of a tile that are in absorbing layers.
template <class Real>
void find_layers(const Discretisation<Real>& d, PlacedTile& placed) {
  Tile& tile = placed.tile;
  for (int a = 0; a < 3; ++a)
    for (int i = tile.first[a]; i < placed.end[a]; ++i) {
      if (d.damping[a].nodes[i] != 1 || d.damping[a].centres[i] != 1) tile.damped = 1;
      if (d.electric.axis[a].c[i] == 0 && d.magnetic.axis[a].c[i] == 0) continue;
      tile.layer[a] = 0;
      placed.layered = true;
      if (a > 0) continue;
      tile.layer_lanes[0] = std::min(tile.layer_lanes[0], i - tile.first[0]);
      tile.layer_lanes[1] = i - tile.first[0] + 1;
    }
}

// The media of a tile's components. Those in arrays are found in whole boxes, component by component. Of others boxes
// that one material fills are found by halving, the others' components one by one: most cells of a mixed tile lie
// beside the interface, not in it.
template <class Real>
class TileSurvey {
 public:
  TileSurvey(const Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys, PlacedTile& tile,
             TileClasses& classes, std::uint16_t* electric, std::uint16_t* magnetic)
      : d_(d),
        media_(media),
        keys_(keys),
        tile_(tile),
        class_of_{electric, magnetic},
        electric_(classes.electric),
        magnetic_(classes.magnetic) {}

  /// The components in series.
  std::vector<std::pair<std::uint64_t, grid::LocalMedium>> run() {
    const Tile& t = tile_.tile;
    const CellBox box{{t.first[0], t.first[1], t.first[2]}, {tile_.end[0], tile_.end[1], tile_.end[2]}};
    if (!divide_at_arrays(box)) halve(box, all_components);
    std::sort(series_.begin(), series_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return std::move(series_);
  }

 private:
  static constexpr int smallest_edge = 2;    // cells; smaller boxes cost more than they save
  static constexpr int all_components = -1;  // of E and H; else one of E

  // The box is known not to be filled by one material.
  void halve(const CellBox& box, int which) {
    int axis = 0;
    for (int a : {1, 2})
      if (box.size(a) > box.size(axis)) axis = a;
    if (box.size(axis) <= smallest_edge) return each_component(box, which);
    const int middle = box.first[axis] + (box.size(axis) + 1) / 2;
    CellBox lower = box, upper = box;
    lower.end[axis] = upper.first[axis] = middle;
    for (const CellBox& half : {lower, upper}) {
      const int material = which == all_components ? filling_of(d_, media_, half) : filling_behind_arrays(half, which);
      if (material >= 0) fill(half, which, material);
      else halve(half, which);
    }
  }

  // Whether there are any. Where an array ends in a tile, it is not the same cells whose components it contains along
  // each axis.
  bool divide_at_arrays(const CellBox& box) {
    if (array_key_.relative == 0) return false;  // a perfect conductor
    const auto touches = [&](int c) { return !media_.part_in_array(Components<Real>(d_, c, box).box()).empty(); };
    if (!touches(0) && !touches(1) && !touches(2)) return false;
    for (int c = 0; c < 3; ++c) divide_at_arrays(box, c);
    if (class_of_[1] == nullptr) return true;
    for (int c = 0; c < 3; ++c) each_cell(box, [&](int i, int j, int k) { magnetic_component(c, i, j, k); });
    return true;
  }
  void divide_at_arrays(const CellBox& box, int c) {
    const Components<Real> components(d_, c, box);
    const grid::ComponentRange part = media_.part_in_array(components.box());
    if (part.empty()) {
      if (const int material = filling_behind_arrays(box, c); material >= 0) return fill(box, c, material);
      return halve(box, c);
    }
    CellBox rest = box;
    for (const int a : {2, 1, 0}) {  // what is beside it
      const auto b = static_cast<std::size_t>(a);
      CellBox below = rest, above = rest;
      rest.first[a] = below.end[a] = box.first[a] + part.first[b];
      rest.end[a] = above.first[a] = box.first[a] + part.end[b];
      if (below.size(a) > 0) divide_at_arrays(below, c);
      if (above.size(a) > 0) divide_at_arrays(above, c);
    }
    take_permittivities(rest, c);
  }
  void take_permittivities(const CellBox& box, int c) {
    thread_local std::vector<double> values(cells_of_tile);
    const Components<Real> components(d_, c, box);
    [[maybe_unused]] const bool all = media_.permittivities(components.box(), values.data());
    assert(all);
    const double* from = values.data();
    for (int k = box.first[2]; k < box.end[2]; ++k)
      for (int j = box.first[1]; j < box.end[1]; ++j, from += box.size(0))
        electric_.of_permittivities(array_key_, from, static_cast<std::size_t>(box.size(0)),
                                    class_of_[0] + cell(c, box.first[0], j, k));
    tile_.dispersive = tile_.dispersive || keys_.is_dispersive(0);
  }
  // The material of components of which none is in an array, or -1.
  int filling_behind_arrays(const CellBox& box, int c) const {
    Vec3 low, high;
    for (int a = 0; a < 3; ++a) {
      low[a] = cell_around(d_, c, a, box.first[a]).first;
      high[a] = cell_around(d_, c, a, box.end[a] - 1).second;
    }
    return media_.filling_behind_arrays(0.5 * (low + high), high - low);
  }

  void fill(const CellBox& box, int which, int material) {
    tile_.dispersive = tile_.dispersive || keys_.is_dispersive(material);
    const bool both = which == all_components && class_of_[1] != nullptr;
    const auto electric = number(electric_.of(keys_.electric(material)));
    const auto magnetic = both ? number(magnetic_.of(keys_.magnetic(material))) : std::uint16_t{0};
    for_components(which, [&](int c) {
      for (int k = box.first[2]; k < box.end[2]; ++k)
        for (int j = box.first[1]; j < box.end[1]; ++j) {
          const std::size_t row = cell(c, box.first[0], j, k);
          std::fill_n(class_of_[0] + row, box.size(0), electric);
          if (both) std::fill_n(class_of_[1] + row, box.size(0), magnetic);
        }
    });
  }

  void each_component(const CellBox& box, int which) {
    const bool both = which == all_components && class_of_[1] != nullptr;
    for_components(which, [&](int c) {
      each_cell(box, [&](int i, int j, int k) {
        electric_component(c, i, j, k);
        if (both) magnetic_component(c, i, j, k);
      });
    });
  }
  template <class Visit>
  static void for_components(int which, const Visit& visit) {
    for (int c = 0; c < 3; ++c)
      if (which == all_components || which == c) visit(c);
  }
  template <class Visit>
  static void each_cell(const CellBox& box, const Visit& visit) {
    for (int k = box.first[2]; k < box.end[2]; ++k)
      for (int j = box.first[1]; j < box.end[1]; ++j)
        for (int i = box.first[0]; i < box.end[0]; ++i) visit(i, j, k);
  }

  void electric_component(int c, int i, int j, int k) {
    const int at[3] = {i, j, k};
    Vec3 from, to;
    for (int a = 0; a < 3; ++a) std::tie(from[a], to[a]) = cell_around(d_, c, a, at[a]);
    const grid::LocalMedium m = media_.electric(d_.position(true, c, i, j, k), 0.5 * (from + to), to - from, c);
    tile_.dispersive = tile_.dispersive || (m.second < 0 && keys_.is_dispersive(m.material));
    if (m.second >= 0)
      series_.push_back({static_cast<std::uint64_t>(c * d_.layout.reals + d_.layout.index(i, j, k)), m});
    class_of_[0][cell(c, i, j, k)] = number(electric_.of(keys_.electric(m)));
  }
  void magnetic_component(int c, int i, int j, int k) {
    class_of_[1][cell(c, i, j, k)] =
        number(magnetic_.of(keys_.magnetic(media_.material_at(d_.position(false, c, i, j, k)))));
  }

  static std::uint16_t number(int n) { return static_cast<std::uint16_t>(n); }
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
  ClassTable &electric_, &magnetic_;
  const MediumKey array_key_ = keys_.electric(grid::LocalMedium{0, 1, 0});  // of arrays, but for the permittivity
  std::vector<std::pair<std::uint64_t, grid::LocalMedium>> series_;
};

// The permittivity of an array that all components of E in the cells have, or -1.
template <class Real>
double permittivity_of(const Discretisation<Real>& d, const grid::Media& media, const CellBox& box) {
  double of_all = 0;
  for (int c = 0; c < 3; ++c) {
    const double value = media.common_permittivity(Components<Real>(d, c, box).box());
    if (value == 0 || (c > 0 && value != of_all)) return -1;
    of_all = value;
  }
  return of_all;
}

}  // namespace

template <class Real>
std::vector<PlacedTile> placed_tiles(const Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys) {
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
    const CellBox box{{first[0], first[1], first[2]}, {end[0], end[1], end[2]}};
    placed.filling = filling_of(d, media, box);
    if (placed.filling >= 0 || keys.has_magnetic_media()) continue;
    placed.permittivity = permittivity_of(d, media, box);
    if (placed.permittivity > 0) placed.filling = 0;
  }
  return tiles;
}

namespace {

// Tables of a thread's tiles: a full one is followed by another, so that 16 bits name all classes of a tile.
class OfThread {
 public:
  explicit OfThread(MixedTiles& all) : all_(all) {}
  TileClasses& classes() {
    constexpr std::size_t most = 65536 - 3 * cells_of_tile;
    if (classes_ == nullptr || classes_->electric.list().size() > most || classes_->magnetic.list().size() > most) {
      auto made = std::make_unique<TileClasses>();
      classes_ = made.get();
#pragma omp critical(dgtd_mixed_tiles)
      all_.classes.push_back(std::move(made));
    }
    return *classes_;
  }

 private:
  MixedTiles& all_;
  TileClasses* classes_ = nullptr;
};

}  // namespace

namespace {

// Each thread touches what lies together: threads that take tile after tile would touch the same pages at once.
void touch_pages(UninitialisedVector<std::uint16_t>& values) {
  constexpr std::int64_t page = 4096 / sizeof(std::uint16_t);
  const auto pages = static_cast<std::int64_t>(values.size()) / page;
#pragma omp parallel for schedule(static)
  for (std::int64_t p = 0; p < pages; ++p) values[static_cast<std::size_t>(p * page)] = 0;
}

}  // namespace

// Tiles of an interface take about equally long, the few others no time: threads take them one by one.
template <class Real>
MixedTiles mixed_tiles(Discretisation<Real>& d, const grid::Media& media, const MediaKeys& keys,
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
  touch_pages(d.electric.class_of);
  touch_pages(d.magnetic.class_of);
  MixedTiles found;
  found.tiles.resize(mixed.size());
  const auto count = static_cast<std::int64_t>(mixed.size());
#pragma omp parallel
  {
    OfThread mine(found);
#pragma omp for schedule(dynamic)
    for (std::int64_t s = 0; s < count; ++s) {
      const auto slot = static_cast<std::size_t>(s);
      TileClasses& classes = mine.classes();
      std::uint16_t* const electric = d.electric.class_of.data() + slot * entries;
      std::uint16_t* const magnetic = both ? d.magnetic.class_of.data() + slot * entries : nullptr;
      found.tiles[slot] = {&classes, TileSurvey<Real>(d, media, keys, *mixed[slot], classes, electric, magnetic).run()};
    }
  }
  return found;
}

template std::vector<PlacedTile> placed_tiles(const Discretisation<float>&, const grid::Media&, const MediaKeys&);
template std::vector<PlacedTile> placed_tiles(const Discretisation<double>&, const grid::Media&, const MediaKeys&);
template MixedTiles mixed_tiles(Discretisation<float>&, const grid::Media&, const MediaKeys&, std::vector<PlacedTile>&);
template MixedTiles mixed_tiles(Discretisation<double>&, const grid::Media&, const MediaKeys&,
                                std::vector<PlacedTile>&);

}  // namespace dgtd::fdtd
