// Numbers of classes for a whole block, from those of its tiles.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "dgtd/base/error.hpp"
#include "fdtd/media/tile_media.hpp"

namespace dgtd::fdtd {
namespace {

constexpr std::int64_t most_classes = MediaRounding::most_classes;
constexpr int fewest_bits = 7;  // 0.4 %

bool before(const MediumKey& a, const MediumKey& b) {
  return std::tie(a.pole_set, a.conductivity, a.relative) < std::tie(b.pole_set, b.conductivity, b.relative);
}

// Sorted, so that neither threads nor the order of the tiles number the classes. Keys of tables are rounded already.
std::vector<MediumKey> sorted(std::vector<MediumKey> keys, int bits) {
  if (bits < ClassTable::bits)
    for (MediumKey& key : keys) key = rounded(key, bits);
  std::sort(keys.begin(), keys.end(), before);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// Key of the classes of a tile that one medium fills.
MediumKey electric_key(const PlacedTile& placed, const MediaKeys& keys) {
  return placed.permittivity > 0 ? keys.electric(grid::LocalMedium{0, placed.permittivity, 0})
                                 : keys.electric(placed.filling);
}

// Bits that leave few enough keys, and how many keys there are with all bits.
std::pair<int, std::int64_t> bits_for(std::vector<MediumKey> keys) {
  const auto all = static_cast<std::int64_t>(keys.size());
  int bits = ClassTable::bits;
  while (bits >= fewest_bits && static_cast<std::int64_t>(keys.size()) > most_classes)
    keys = sorted(std::move(keys), --bits);
  return {bits, all};
}

// The same bits on all ranks, from the keys of all of them.
MediaRounding rounding_of(const std::vector<MediumKey>& keys, const parallel::Communicator* comm) {
  const auto mine = static_cast<std::int64_t>(keys.size());
  MediaRounding rounding;
  rounding.media = mine;
  const bool alone = comm == nullptr || comm->size() == 1;
  if (!alone && comm->sum(mine) <= most_classes) return rounding;
  if (alone) std::tie(rounding.bits, rounding.media) = bits_for(keys);
  else {
    std::vector<MediumKey> of_all = comm->gather_vectors(keys);
    if (comm->is_root())
      std::tie(rounding.bits, rounding.media) = bits_for(sorted(std::move(of_all), ClassTable::bits));
    rounding = comm->broadcast_value(rounding);
  }
  if (rounding.bits < fewest_bits)
    throw Error(
        fmt::format("the grid has {} different mixtures of materials, too many to be rounded to {}; set "
                    "grid.subpixel = off",
                    rounding.media, most_classes));
  return rounding;
}

// Numbers in the list of all keys: [number in the table].
std::vector<std::uint16_t> joined(const ClassTable& table, const std::vector<MediumKey>& all, int bits) {
  std::vector<std::uint16_t> numbers;
  numbers.reserve(table.list().size());
  for (const MediumKey& key : table.list()) {
    const MediumKey wanted = bits < ClassTable::bits ? rounded(key, bits) : key;
    numbers.push_back(
        static_cast<std::uint16_t>(std::lower_bound(all.begin(), all.end(), wanted, before) - all.begin()));
  }
  return numbers;
}

// Numbers beyond the tile's cells are 0.
void renumber(std::uint16_t* classes, const PlacedTile& placed, const std::vector<std::uint16_t>& numbers) {
  int cells[3];
  for (int a = 0; a < 3; ++a) cells[a] = placed.end[a] - placed.tile.first[a];
  const std::uint16_t* const of = numbers.data();
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < tile_cells(2); ++k)
      for (int j = 0; j < tile_cells(1); ++j, classes += tile_cells(0)) {
        const int inside = j < cells[1] && k < cells[2] ? cells[0] : 0;
        for (int i = 0; i < inside; ++i) classes[i] = of[classes[i]];
        std::fill(classes + inside, classes + tile_cells(0), std::uint16_t{0});
      }
}

// All keys of the tables, sorted.
std::vector<MediumKey> united(const std::vector<const ClassTable*>& tables) {
  std::vector<std::vector<MediumKey>> lists(tables.size());
  const auto count = static_cast<std::int64_t>(tables.size());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t t = 0; t < count; ++t)
    lists[static_cast<std::size_t>(t)] = sorted(tables[static_cast<std::size_t>(t)]->list(), ClassTable::bits);
  std::vector<MediumKey> all, others;
  for (const auto& list : lists) {
    others.clear();
    std::set_difference(list.begin(), list.end(), all.begin(), all.end(), std::back_inserter(others), before);
    const auto end_before = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), others.begin(), others.end());
    std::inplace_merge(all.begin(), all.begin() + end_before, all.end(), before);
  }
  return all;
}

// The classes of a field: keys, and for each table the numbers of its own ones.
struct Classes {
  std::vector<MediumKey> keys;
  std::vector<std::vector<std::uint16_t>> numbers;  // [table][number in it]

  Classes(const std::vector<const ClassTable*>& tables, std::vector<MediumKey> all, int bits)
      : keys(bits < ClassTable::bits ? sorted(std::move(all), bits) : std::move(all)), numbers(tables.size()) {
    const auto count = static_cast<std::int64_t>(tables.size());
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t t = 0; t < count; ++t)
      numbers[static_cast<std::size_t>(t)] = joined(*tables[static_cast<std::size_t>(t)], keys, bits);
  }
};

template <class Real>
void add_class(HalfStepArrays<Real>& half, const MediumKey& key, double time_step) {
  half.classes.push_back(medium_class<Real>(key, time_step));
  half.media.push_back({key.relative, key.conductivity});
}

// Numbers the media of tiles that one medium fills.
TileClasses classes_of_filled(std::vector<PlacedTile>& tiles, const MediaKeys& keys) {
  TileClasses filled;
  (void)filled.magnetic.of(keys.magnetic(0));  // H has it where it has no media of its own
  for (PlacedTile& placed : tiles) {
    if (placed.filling < 0) continue;
    placed.electric_class = filled.electric.of(electric_key(placed, keys));
    placed.magnetic_class = filled.magnetic.of(keys.magnetic(placed.filling));
  }
  return filled;
}

}  // namespace

template <class Real>
void number_classes(Discretisation<Real>& d, const MediaKeys& keys, std::vector<PlacedTile>& tiles,
                    const MixedTiles& mixed, const parallel::Communicator* comm) {
  const TileClasses filled = classes_of_filled(tiles, keys);
  std::vector<const ClassTable*> of_electric{&filled.electric}, of_magnetic{&filled.magnetic};
  for (const auto& classes : mixed.classes) {
    of_electric.push_back(&classes->electric);
    of_magnetic.push_back(&classes->magnetic);
  }
  std::vector<MediumKey> all = united(of_electric);
  d.rounding = rounding_of(all, comm);
  const Classes electric(of_electric, std::move(all), d.rounding.bits);
  const Classes magnetic(of_magnetic, united(of_magnetic), ClassTable::bits);
  const auto table_of = [&](const TileClasses* classes) {  // [0] is of filled tiles
    const auto at = std::find_if(mixed.classes.begin(), mixed.classes.end(),
                                 [&](const auto& candidate) { return candidate.get() == classes; });
    return static_cast<std::size_t>(at - mixed.classes.begin()) + 1;
  };
  const auto count = static_cast<std::int64_t>(tiles.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t t = 0; t < count; ++t) {
    PlacedTile& placed = tiles[static_cast<std::size_t>(t)];
    if (placed.filling >= 0) {
      placed.electric_class = electric.numbers[0][static_cast<std::size_t>(placed.electric_class)];
      placed.magnetic_class = magnetic.numbers[0][static_cast<std::size_t>(placed.magnetic_class)];
      continue;
    }
    const auto slot = static_cast<std::size_t>(placed.tile.classes);
    const std::size_t table = table_of(mixed.tiles[slot].classes);
    renumber(d.electric.class_of.data() + slot * 3 * cells_of_tile, placed, electric.numbers[table]);
    if (!d.magnetic.class_of.empty())
      renumber(d.magnetic.class_of.data() + slot * 3 * cells_of_tile, placed, magnetic.numbers[table]);
  }
  for (const MediumKey& key : electric.keys) {
    if (key.relative == MediumKey::series) d.series_class = static_cast<int>(d.poles_of_class.size());
    add_class(d.electric, key, d.time_step);
    d.poles_of_class.push_back(key.pole_set);
  }
  for (const MediumKey& key : magnetic.keys) add_class(d.magnetic, key, d.time_step);
  d.rounding.classes = static_cast<std::int64_t>(electric.keys.size());
}

template void number_classes(Discretisation<float>&, const MediaKeys&, std::vector<PlacedTile>&, const MixedTiles&,
                             const parallel::Communicator*);
template void number_classes(Discretisation<double>&, const MediaKeys&, std::vector<PlacedTile>&, const MixedTiles&,
                             const parallel::Communicator*);

}  // namespace dgtd::fdtd
