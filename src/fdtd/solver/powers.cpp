// Powers from the phasors of the DFT: what materials and cells take up, and what leaves a box.
#include "fdtd/solver/powers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/first_exception.hpp"
#include "dgtd/fdtd/flux.hpp"

namespace dgtd::fdtd {

namespace {

// The material that takes up a component's losses: the one at its place, or where that has none the first lossy one at
// the faces and corners of its cell.
int lossy_material(const grid::Media& media, const std::vector<bool>& lossy, const Vec3& centre, const Vec3& size) {
  const int here = media.material_at(centre);
  if (lossy[here]) return here;
  for (const int corners : {1, 3})  // shifted along that many axes, faces first
    for (int shift = 0; shift < 27; ++shift) {
      const int s[3] = {shift % 3 - 1, shift / 3 % 3 - 1, shift / 9 - 1};
      if ((s[0] != 0) + (s[1] != 0) + (s[2] != 0) != corners) continue;
      const int there = media.material_at(centre + Vec3{0.5 * s[0] * size.x, 0.5 * s[1] * size.y, 0.5 * s[2] * size.z});
      if (lossy[there]) return there;
    }
  return here;
}

}  // namespace

template <class Stored>
typename Powers<Stored>::Losses Powers<Stored>::losses(HalfStep half, double angular_frequency) const {
  const bool of_electric = half == HalfStep::electric;
  const HalfStepArrays<Real>& arrays = of_electric ? d_.electric : d_.magnetic;
  const auto admittance_of = [&](const ClassMedium& medium, int set) {
    return admittance(medium, d_.poles.data() + std::size_t(set) * d_.pole_count, set > 0 ? d_.pole_count : 0,
                      angular_frequency, d_.time_step);
  };
  Losses losses;
  for (std::size_t m = 0; m < arrays.media.size(); ++m) {
    const bool has_own = arrays.media[m].relative != 0 &&
                         !(of_electric && static_cast<int>(m) == d_.series_class);  // not a perfect conductor
    losses.of_class.push_back(has_own ? loss(admittance_of(arrays.media[m], of_electric ? d_.poles_of_class[m] : 0),
                                             angular_frequency, d_.time_step)
                                      : 0);
  }
  if (!of_electric) return losses;
  // In series D is of one value: 1 / Y = sum share_m / Y_m.
  losses.series_class = d_.series_class;
  const SeriesArrays<Real>& series = d_.series;
  const std::size_t n = series.index.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::complex<double> inverse = 0;
    for (const std::size_t at : {i, n + i})
      inverse += double(series.share[at]) /
                 admittance_of(series.media[static_cast<std::size_t>(series.material[at])], series.pole_set[at]);
    losses.of_series[series.index[i]] = loss(1.0 / inverse, angular_frequency, d_.time_step);
  }
  return losses;
}

// The box around all tiles of all ranks with losses. A cell's upper edges are lower ones of the next cell, so the box
// is a cell larger at its lower sides; round a periodic axis it is the whole axis.
template <class Stored>
LossyBox Powers<Stored>::lossy_box(HalfStep half, const Losses& losses) const {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  const GridLayout& l = d_.layout;
  const grid::Block& block = d_.block;
  std::array<std::int64_t, 3> low{none, none, none}, high{none, none, none};  // -first, last
  const bool all_zero = losses.are_zero();
  for (const TileBatch& batch : (half == HalfStep::electric ? d_.electric : d_.magnetic).batches)
    for (const Tile& tile : batch.tiles) {
      if (all_zero || (tile.classes < 0 && tile.medium_class != losses.series_class &&
                       losses.of_class[static_cast<std::size_t>(tile.medium_class)] == 0))
        continue;
      for (int a = 0; a < 3; ++a) {
        low[a] = std::max(low[a], -(block.first[a] + tile.first[a]));
        high[a] = std::max(high[a], block.first[a] + std::min(l.cells[a], tile.first[a] + tile_cells(a)));
      }
    }
  for (int a = 0; a < 3; ++a) low[a] = comm_.max(low[a]), high[a] = comm_.max(high[a]);
  LossyBox box;
  if (high[0] == none) return box;
  std::array<int, 3> cells{};
  for (int a = 0; a < 3; ++a) {
    const bool round = d_.periodic[a] && low[a] == 0;
    const std::int64_t first = round ? 0 : std::max<std::int64_t>(0, -low[a] - 1),
                       last = round ? d_.global_cells[a] : high[a], begin = block.first[a], end = begin + l.cells[a];
    box.first[a] = static_cast<int>(std::max(first, begin) - begin);
    cells[a] = static_cast<int>(std::min(last, end) - begin) - box.first[a];
    if (cells[a] <= 0) return LossyBox{};
    box.layers.below[a] = first < begin || (round && begin == 0) ? block.lower[a] : -1;
    box.layers.above[a] = last > end || (round && end == last) ? block.upper[a] : -1;
  }
  box.layers.points = cells;
  return box;
}

namespace {

// Those with cells in the box, in the order of memory.
template <class Real>
std::vector<const Tile*> tiles_in(const HalfStepArrays<Real>& arrays, const LossyBox& box) {
  std::vector<const Tile*> tiles;
  for (const TileBatch& batch : arrays.batches)
    for (const Tile& tile : batch.tiles) {
      bool meets = !box.empty();
      for (int a = 0; a < 3; ++a)
        meets = meets && tile.first[a] < box.end(a) && tile.first[a] + tile_cells(a) > box.first[a];
      if (meets) tiles.push_back(&tile);
    }
  std::sort(tiles.begin(), tiles.end(), [](const Tile* a, const Tile* b) {
    return std::tie(a->first[2], a->first[1], a->first[0]) < std::tie(b->first[2], b->first[1], b->first[0]);
  });
  return tiles;
}

}  // namespace

// In parallel, body(number of the tile, component, cell, conductivity in S/m, squared amplitude) where there is a
// conductivity. A device's phasors come in pieces of the box, a layer of tiles each: while threads work on one, the
// first of them fetches the next.
template <class Stored>
template <class Body>
void Powers<Stored>::for_losses(HalfStep half, const Phasor<Real>& phasor, const Losses& losses, const LossyBox& box,
                                const std::vector<const Tile*>& tiles, Body body) const {
  const bool of_electric = half == HalfStep::electric;
  const HalfStepArrays<Real>& arrays = of_electric ? d_.electric : d_.magnetic;
  const parallel::Array<Real>* const parts[2] = {of_electric ? &phasor.electric_real : &phasor.magnetic_real,
                                                 of_electric ? &phasor.electric_imag : &phasor.magnetic_imag};
  const GridLayout& l = d_.layout;
  struct Piece {
    std::int64_t begin = 0;      // place in a component's array of its first value
    const Real* values[2][3]{};  // [part][component]
    std::vector<Real> buffers[2][3];
  };
  const auto fetch = [&](int lowest_of_tiles, Piece& piece) {
    const int lower = std::max(lowest_of_tiles, box.first[2]),
              upper = std::min(lowest_of_tiles + tile_cells(2), box.end(2));
    piece.begin = l.index(box.first[0], box.first[1], lower);
    const std::int64_t count = l.index(box.end(0) - 1, box.end(1) - 1, upper - 1) + 1 - piece.begin;
    for (int part = 0; part < 2; ++part)
      for (int c = 0; c < 3; ++c)
        piece.values[part][c] = parts[part]->piece(static_cast<std::size_t>(c * l.reals + piece.begin),
                                                   static_cast<std::size_t>(count), piece.buffers[part][c]);
  };
  const auto visit = [&](std::size_t number, const Piece& piece) {
    const Tile& tile = *tiles[number];
    int low[3], high[3];
    for (int a = 0; a < 3; ++a)
      low[a] = std::max(tile.first[a], box.first[a]), high[a] = std::min(tile.first[a] + tile_cells(a), box.end(a));
    for (int c = 0; c < 3; ++c)
      for (int k = low[2]; k < high[2]; ++k)
        for (int j = low[1]; j < high[1]; ++j)
          for (int i = low[0]; i < high[0]; ++i) {
            const int cell =
                ((k - tile.first[2]) * tile_cells(1) + j - tile.first[1]) * tile_cells(0) + i - tile.first[0];
            const int of_class = tile.classes < 0
                                     ? tile.medium_class
                                     : arrays.class_of[(std::size_t(tile.classes) * 3 + c) * cells_of_tile + cell];
            const std::int64_t at = l.index(i, j, k);
            const double conductivity = losses.at(of_class, static_cast<std::uint64_t>(c * l.reals + at));
            if (conductivity == 0) continue;
            const double real = piece.values[0][c][at - piece.begin], imag = piece.values[1][c][at - piece.begin];
            body(number, c, std::array{i, j, k}, conductivity, real * real + imag * imag);
          }
  };
  Piece pieces[2];
  FirstException error;
  if (!tiles.empty()) fetch(tiles.front()->first[2], pieces[0]);
  for (std::size_t first = 0, end, layer = 0; first < tiles.size(); first = end, ++layer) {
    for (end = first; end < tiles.size() && tiles[end]->first[2] == tiles[first]->first[2];) ++end;
#pragma omp parallel
    {
#pragma omp master
      if (end < tiles.size()) error.catch_from([&] { fetch(tiles[end]->first[2], pieces[(layer + 1) % 2]); });
#pragma omp for schedule(dynamic, 4)
      for (std::size_t t = first; t < end; ++t) visit(t, pieces[layer % 2]);
    }
    error.rethrow();
  }
}

template <class Stored>
void Powers<Stored>::add_absorbed(HalfStep half, const Phasor<Real>& phasor, const grid::Media& media,
                                  const NodeBox& box, std::vector<double>& of_material, EdgeLosses<Real>* edges) const {
  const bool of_electric = half == HalfStep::electric;
  const Losses losses_of = losses(half, phasor.angular_frequency);
  const LossyBox lossy_cells = lossy_box(half, losses_of);
  std::vector<bool> lossy;
  for (const auto& m : materials_)
    lossy.push_back(of_electric ? m.conductivity > 0 || !m.poles.empty() : m.magnetic_conductivity > 0);
  const GridLayout& l = d_.layout;
  std::vector<double> inside[2][3];  // [between nodes][axis][cells] m
  for (const bool between : {false, true})
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < l.cells[a]; ++i) inside[between][a].push_back(length_inside(d_, box, a, between, i));

  const std::size_t materials = of_material.size();
  const auto tiles = tiles_in(of_electric ? d_.electric : d_.magnetic, lossy_cells);
  std::vector<double> of_tile(tiles.size() * materials, 0);
  for_losses(half, phasor, losses_of, lossy_cells, tiles,
             [&](std::size_t tile, int c, const std::array<int, 3>& at, double conductivity, double square) {
               const double density = 0.5 * conductivity * square;
               if (edges != nullptr) edges->set(c, at[0], at[1], at[2], conductivity, square);
               double volume = 1;
               Vec3 size;
               for (int a = 0; a < 3; ++a) {
                 const bool between = (a == c) == of_electric;
                 volume *= inside[between][a][at[a]];
                 if (a < d_.axes)
                   size[a] = between ? d_.nodes[a][at[a] + 2] - d_.nodes[a][at[a] + 1]
                                     : d_.centres[a][at[a] + 1] - d_.centres[a][at[a]];
               }
               if (volume == 0) return;
               const int material =
                   lossy_material(media, lossy, d_.position(of_electric, c, at[0], at[1], at[2]), size);
               of_tile[tile * materials + material] += density * volume;
             });
  for (std::size_t i = 0; i < of_tile.size(); ++i) of_material[i % materials] += of_tile[i];
}

template <class Stored>
std::vector<double> Powers<Stored>::absorbed(const Phasor<Real>& phasor, const grid::Media& media, const NodeBox& box,
                                             EdgeLosses<Real>* edges) const {
  std::vector<double> of_material(materials_.size(), 0);
  add_absorbed(HalfStep::electric, phasor, media, box, of_material, edges);
  add_absorbed(HalfStep::magnetic, phasor, media, box, of_material, nullptr);
  return comm_.sum(std::move(of_material));
}

template <class Stored>
std::vector<double> Powers<Stored>::absorbed(const Phasor<Real>& phasor, const grid::Media& media,
                                             const NodeBox& box) const {
  return absorbed(phasor, media, box, nullptr);
}

template <class Stored>
std::vector<double> Powers<Stored>::absorbed(const Phasor<Real>& phasor, const grid::Media& media, const NodeBox& box,
                                             const CellsOfMaterials& cells) const {
  const double omega = phasor.angular_frequency;
  std::vector<double> conductivity;  // [materials] S/m
  for (const auto& m : materials_) conductivity.push_back(physics::conductivity(m, omega));
  EdgeLosses<Real> edges(lossy_box(HalfStep::electric, losses(HalfStep::electric, omega)), d_.axes);
  auto of_material = absorbed(phasor, media, box, &edges);
  edges.fill_layers(comm_);
  const auto nx = static_cast<std::size_t>(shown_.cells[0]), ny = static_cast<std::size_t>(shown_.cells[1]);
  const auto count = static_cast<std::int64_t>(cells.number.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < count; ++n) {
    const auto at = static_cast<std::size_t>(n);
    const std::size_t cell = cells.number[at];
    cells.mean_square[at] =
        edges.mean_square(int(cell % nx), int(cell / nx % ny), int(cell / nx / ny), conductivity[cells.material[at]]);
  }
  return of_material;
}

// The losses on edges, and two pieces of what they are made of where that is on a device.
template <class Stored>
double Powers<Stored>::absorbed_bytes(double angular_frequency) const {
  double edges = 0, pieces = 0;
  for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic}) {
    const LossyBox box = lossy_box(half, losses(half, angular_frequency));
    if (half == HalfStep::electric) edges = EdgeLosses<Real>::bytes(box);
    if (box.empty() || engine_.memory().is_host()) continue;
    const int planes = std::min(box.layers.points[2], tile_cells(2));
    const std::int64_t values =
        d_.layout.index(box.layers.points[0] - 1, box.layers.points[1] - 1, planes - 1) + 1 - d_.layout.index(0, 0, 0);
    pieces = std::max(pieces, 12.0 * sizeof(Real) * double(values));
  }
  return edges + pieces;
}

// 1/2 Re sum E conj(H) cos(w dt / 2) area / Z0, E and H each at its own time.
template <class Stored>
double Powers<Stored>::outflow(const Phasor<Real>& phasor, const NodeBox& box) const {
  double power = 0;
  for (const FluxSurface& face : box_faces(d_, box)) {
    const SpectrumSamples& s = face.samples;
    const auto e = engine_.gather({&phasor.electric_real, &phasor.electric_imag}, s.electric),
               below = engine_.gather({&phasor.magnetic_real, &phasor.magnetic_imag}, s.magnetic_below),
               above = engine_.gather({&phasor.magnetic_real, &phasor.magnetic_imag}, s.magnetic_above);
    for (std::size_t i = 0; i < s.electric.size(); ++i) {
      const auto magnetic = [&](int part) {
        return s.weight_below[i] * double(below[part][i]) + (1 - s.weight_below[i]) * double(above[part][i]);
      };
      power += face.pairs.area[i] * (double(e[0][i]) * magnetic(0) + double(e[1][i]) * magnetic(1));
    }
  }
  return comm_.sum(0.5 / vacuum_impedance * std::cos(0.5 * phasor.angular_frequency * d_.time_step) * power);
}

template class Powers<Half>;
template class Powers<float>;
template class Powers<double>;

}  // namespace dgtd::fdtd
