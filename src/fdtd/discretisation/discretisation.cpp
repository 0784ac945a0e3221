#include "dgtd/fdtd/discretisation.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "fdtd/discretisation/block_axes.hpp"
#include "fdtd/media/tile_lists.hpp"

namespace dgtd::fdtd {

double stability_limit(const grid::Setup& setup) {
  double curl = 0, index = 1e300, poles = 0;
  for (int a = 0; a < setup.axes; ++a) {
    const double d = *std::min_element(setup.grid.spacing[a].begin(), setup.grid.spacing[a].end());
    curl += 4 * speed_of_light * speed_of_light / (d * d);
  }
  for (const auto& m : setup.materials) {
    if (m.perfect_conductor) continue;
    index = std::min(index, m.permittivity * m.permeability);
    double strength = 0, resonance = 0;
    for (const auto& p : m.poles) {
      if (p.type == physics::Pole::Type::debye) continue;
      const auto [c_, d, f, e] = physics::second_order(p);
      strength += std::max(c_ - f * d, 0.0) / m.permittivity;
      resonance = std::max(resonance, e);
    }
    poles = std::max(poles, strength + resonance);
  }
  index = std::min(index, setup.least_permittivity * setup.materials.front().permeability);
  return 2 / std::sqrt(curl / index + poles);
}

int margin_of_passes(const grid::Setup& setup, int ranks) {
  constexpr int margin = most_steps_of_volume_pass;
  if (ranks == 1 || setup.axes < 3) return 0;
  const auto excludes = [](physics::BoundaryKind kind) {
    return kind == physics::BoundaryKind::mur || kind == physics::BoundaryKind::periodic;
  };
  if (std::any_of(setup.sides.begin(), setup.sides.end(), excludes)) return 0;
  if (std::any_of(setup.materials.begin(), setup.materials.end(), [](const auto& m) { return !m.poles.empty(); }))
    return 0;
  const bool layers = setup.sides[4] == physics::BoundaryKind::cpml || setup.sides[5] == physics::BoundaryKind::cpml;
  return setup.grid.cells(2) / ranks >= margin + std::max(margin, layers ? setup.layer_cells : 0) ? margin : 0;
}

template <class Real>
Vec3 Discretisation<Real>::position(bool of_electric, int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  Vec3 x;
  for (int a = 0; a < 3; ++a) x[a] = ((a == component) == of_electric ? centres : nodes)[a][at[a] + 1];
  return x;
}

template <class Real>
bool Discretisation<Real>::is_zero(bool of_electric, int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  for (int a = 0; a < 3; ++a) {
    const bool on_node = (a != component) == of_electric;
    const auto& half = on_node ? electric : magnetic;
    if (half.axis[a].inverse_distance[at[a]] == 0) return true;
  }
  return false;
}

// E reads H below, H reads E above.
template <class Real>
bool Discretisation<Real>::next_to_halo(bool of_electric, const std::array<int, 3>& cell) const {
  for (int a = 0; a < 3; ++a) {
    const int tile = cell[a] / tile_cells(a);
    if (of_electric ? tile == 0 && block.lower[a] >= 0 : tile == layout.tiles[a] - 1 && block.upper[a] >= 0)
      return true;
  }
  return false;
}

template <class Real>
double Discretisation<Real>::electric_Cb(int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  for (const TileBatch& batch : electric.batches)
    for (const Tile& tile : batch.tiles) {
      bool here = true;
      for (int a = 0; a < 3; ++a) here = here && at[a] >= tile.first[a] && at[a] < tile.first[a] + tile_cells(a);
      if (here) return double(electric.classes[class_in(tile, component, i, j, k)].Cb);
    }
  return 0;
}

template <class Real>
std::size_t Discretisation<Real>::layer_reals(int axis) const {
  const int margin = axis < 2 ? (layout.below + layout.above) * slots_of_plane[static_cast<std::size_t>(axis)] : 0;
  const int slots = layer_slots[static_cast<std::size_t>(axis)] * tile_cells(2) + margin;
  return static_cast<std::size_t>(slots) * 2 * cells_of_tile_plane;
}

template <class Real>
std::size_t Discretisation<Real>::class_in(const Tile& tile, int component, int i, int j, int k) const {
  if (tile.classes < 0) return static_cast<std::size_t>(tile.medium_class);
  const int cell = ((k - tile.first[2]) * tile_cells(1) + j - tile.first[1]) * tile_cells(0) + i - tile.first[0];
  return electric.class_of[(std::size_t(tile.classes) * 3 + component) * cells_of_tile + cell];
}

template <class Real>
double Discretisation<Real>::volume(bool of_electric, int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  double v = 1;
  for (int a = 0; a < 3; ++a)
    v *= (a == component) == of_electric ? nodes[a][at[a] + 2] - nodes[a][at[a] + 1]
                                         : centres[a][at[a] + 1] - centres[a][at[a]];
  return v;
}

template <class Real>
Discretisation<Real>::Discretisation(const grid::Setup& setup, const grid::Media& media, double dt, int rank, int ranks,
                                     Timers* timers, const parallel::Communicator* comm)
    : grid(setup.grid), time_step(dt), axes(setup.axes), periodic(setup.periodic()) {
  Timers unused;
  Timers& t = timers != nullptr ? *timers : unused;
  const PoleSets sets = pole_sets(setup.materials);
  const MediaKeys keys(setup.materials, sets);
  set_poles(sets);
  std::vector<PlacedTile> tiles;
  MixedTiles mixed;
  {
    const auto stage = t.measure("discretise/tiles");
    set_axes(*this, setup, rank, ranks);
    tiles = placed_tiles(*this, media, keys);
  }
  {
    const auto stage = t.measure("discretise/media");
    mixed = mixed_tiles(*this, media, keys, tiles);
  }
  {
    const auto stage = t.measure("discretise/classes");
    number_classes(*this, keys, tiles, mixed, comm);
  }
  const auto stage = t.measure("discretise/lists");
  make_batches(*this, keys, tiles);
  make_series(*this, keys, sets, mixed.tiles);
}

template <class Real>
void Discretisation<Real>::set_poles(const PoleSets& sets) {
  pole_count = sets.most_poles;
  resonant_count = sets.most_resonant;
  critical_count = sets.most_critical;
  for (const auto& set : sets.sets)
    for (int p = 0; p < pole_count; ++p)
      poles.push_back(p < static_cast<int>(set.size()) ? pole_coefficients<Real>(set[p], time_step)
                                                       : PoleCoefficients<Real>{0, 0, 0, 0});
}

template struct Discretisation<float>;
template struct Discretisation<double>;

}  // namespace dgtd::fdtd
