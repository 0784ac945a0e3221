#include "dgtd/dosimetry/mass_average.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "enclosed_maximum.hpp"
#include "sum_table.hpp"

namespace dgtd::dosimetry {

namespace {

constexpr int faces = 6;
constexpr int chunk = 256;  // voxels that a thread takes at a time, each with the cube before it as the guess

// A voxel's numbers in the box around the tissue.
struct Place {
  int at[3];
};

// The search for a cube starts with the last one that was found.
class Search {
 public:
  Search(const SumTable& table, double mass) : table_(table), mass_(mass) {}

  /// density: of the voxel, kg/m^3, for the first guess.
  Cube expand(const Place& place, Orientation orientation, double density) {
    const Placement p = Placement::of(table_, place.at, orientation);
    const bool first = last_.half == 0;
    FaceCells cells;
    for (int a = 0; a < 3; ++a) {
      cells.low[a] = place.at[a], cells.high[a] = place.at[a];
      if (p.below[a] > 0 && !first) cells.low[a] = std::max(-1, place.at[a] - below_[a]);
      if (p.above[a] > 0 && !first) cells.high[a] = std::min(table_.cells[a], place.at[a] + above_[a]);
    }
    const Cube cube = dosimetry::expand(table_, p, mass_, first ? 0.5 * std::cbrt(mass_ / density) : last_.half, cells);
    if (!cube.found) return cube;
    last_ = cube;
    for (int a = 0; a < 3; ++a) {
      below_[a] = place.at[a] - cube.cells.low[a];
      above_[a] = cube.cells.high[a] - place.at[a];
    }
    return cube;
  }

 private:
  const SumTable& table_;
  double mass_;
  Cube last_;
  int below_[3]{}, above_[3]{};  // voxels from the last one to the faces of its cube
};

// Averages over one mass; passes over the tissue voxels in the order of the standard.
class Averaging {
 public:
  Averaging(const VoxelGrid& voxels, const TissueBox& box, const BoxSums& sums,
            const std::vector<std::uint32_t>& tissue, double mass)
      : voxels_(voxels), box_(box), table_(sums.table()), tissue_(tissue), result_{mass, {}, {}, {}, {}} {
    const auto count = static_cast<std::size_t>(voxels.cells());
    result_.sar.assign(count, 0);
    result_.status.assign(count, VoxelStatus::background);
    result_.orientation.assign(count, Orientation::none);
    result_.side.assign(count, 0);
  }

  AveragedSar run() {
    centre_cubes();
    take_from_enclosing_cubes();
    centre_on_faces();
    return std::move(result_);
  }

 private:
  Place place(std::uint32_t local) const {
    const auto nx = static_cast<std::uint32_t>(box_.cells(0)), ny = static_cast<std::uint32_t>(box_.cells(1));
    return {{static_cast<int>(local % nx), static_cast<int>(local / nx % ny), static_cast<int>(local / nx / ny)}};
  }
  std::size_t voxel(const Place& p) const {
    return static_cast<std::size_t>(((box_.first[2] + p.at[2]) * voxels_.cells(1) + box_.first[1] + p.at[1]) *
                                        voxels_.cells(0) +
                                    box_.first[0] + p.at[0]);
  }
  void set(std::size_t voxel, VoxelStatus status, double sar, Orientation orientation, double side) {
    result_.status[voxel] = status;
    result_.sar[voxel] = static_cast<float>(sar);
    result_.orientation[voxel] = orientation;
    result_.side[voxel] = static_cast<float>(side);
  }

  // work(search, index) for the entries of a list, in chunks. A chunk is the same for any number of threads.
  template <class Work>
  void for_chunks(std::size_t entries, const Work& work) const {
    const auto chunks = static_cast<std::ptrdiff_t>((entries + chunk - 1) / chunk);
#pragma omp parallel for schedule(dynamic, 4)
    for (std::ptrdiff_t c = 0; c < chunks; ++c)
      work(static_cast<std::size_t>(c) * chunk, std::min(entries, (static_cast<std::size_t>(c) + 1) * chunk));
  }

  // Valid voxels, and the voxels that their cubes enclose.
  void centre_cubes() {
    enclosed_.box.assign(tissue_.size(), EnclosedBox{});
    enclosed_.value.assign(tissue_.size(), 0);
    for_chunks(tissue_.size(), [&](std::size_t first, std::size_t last) {
      Search search(table_, result_.mass_kg);
      for (std::size_t i = first; i < last; ++i) {
        const Place p = place(tissue_[i]);
        const std::size_t v = voxel(p);
        const Cube cube = search.expand(p, Orientation::centred, voxels_.density[v]);
        EnclosedBox box{};
        const bool valid = cube.found && is_valid(table_, Placement::of(table_, p.at, Orientation::centred), cube, box);
        if (!valid) continue;
        set(v, VoxelStatus::valid, cube.sums.power / cube.sums.mass, Orientation::centred, 2 * cube.half);
        enclosed_.box[i] = box;
        enclosed_.value[i] = result_.sar[v];
      }
    });
  }

  // Used voxels: those inside of cubes of valid ones, with the largest SAR of these.
  void take_from_enclosing_cubes() {
    const auto largest = enclosed_maximum({box_.cells(0), box_.cells(1), box_.cells(2)}, enclosed_);
    enclosed_ = {};
    for (const std::uint32_t local : tissue_) {
      const std::size_t v = voxel(place(local));
      if (result_.status[v] == VoxelStatus::valid) continue;
      if (largest[local] == 0) unused_.push_back(local);
      else set(v, VoxelStatus::used, value_of_entry(largest[local]), Orientation::none, 0);
    }
  }

  // Unused voxels: of the cubes that have the voxel on a face, those at most 5 % larger than the smallest; of these the
  // largest SAR.
  void centre_on_faces() {
    constexpr double most_larger = 1.05, rounding = 1e-9;
    for_chunks(unused_.size(), [&](std::size_t first, std::size_t last) {
      std::vector<Search> search(faces, Search(table_, result_.mass_kg));
      for (std::size_t i = first; i < last; ++i) {
        const Place p = place(unused_[i]);
        const std::size_t v = voxel(p);
        Cube cubes[faces];
        double smallest = std::numeric_limits<double>::infinity();  // m^3, an eighth
        for (int f = 0; f < faces; ++f) {
          cubes[f] = search[f].expand(p, static_cast<Orientation>(f + 1), voxels_.density[v]);
          if (cubes[f].found) smallest = std::min(smallest, std::pow(cubes[f].half, 3));
        }
        set(v, VoxelStatus::no_cube, 0, Orientation::none, 0);
        double sar = -std::numeric_limits<double>::min();
        for (int f = 0; f < faces; ++f) {
          if (!cubes[f].found || std::pow(cubes[f].half, 3) > (most_larger + rounding) * smallest) continue;
          const double mean = cubes[f].sums.power / cubes[f].sums.mass;
          if (mean <= (1 + rounding) * sar) continue;  // of equal ones the first
          sar = mean;
          set(v, VoxelStatus::unused, sar, static_cast<Orientation>(f + 1), 2 * cubes[f].half);
        }
      }
    });
  }

  const VoxelGrid& voxels_;
  const TissueBox& box_;
  SumTable table_;
  const std::vector<std::uint32_t>& tissue_;  // numbers in the box
  AveragedSar result_;
  ValuedBoxes enclosed_;               // [tissue voxels]
  std::vector<std::uint32_t> unused_;  // numbers in the box
};

std::vector<std::uint32_t> tissue_voxels(const VoxelGrid& voxels, const TissueBox& box) {
  std::vector<std::uint32_t> list;
  std::uint32_t local = 0;
  for (std::int64_t k = box.first[2]; k < box.last[2]; ++k)
    for (std::int64_t j = box.first[1]; j < box.last[1]; ++j) {
      const float* const density = voxels.density.data() + (k * voxels.cells(1) + j) * voxels.cells(0);
      for (std::int64_t i = box.first[0]; i < box.last[0]; ++i, ++local)
        if (density[i] > 0) list.push_back(local);
    }
  return list;
}

}  // namespace

std::vector<AveragedSar> average_sar(const VoxelGrid& voxels, const std::vector<double>& masses) {
  for (const double mass : masses)
    if (!(mass > 0) || !std::isfinite(mass))
      throw Error(fmt::format("SAR cannot be averaged over a mass of {} g; allowed are positive masses", mass * 1e3));
  const TissueBox box = tissue_box(voxels);
  constexpr double most_voxels = 4e9;
  if (static_cast<double>(box.cells()) > most_voxels)
    throw Error(fmt::format("SAR is averaged on at most {:g} voxels, but the box around the tissue has {}", most_voxels,
                            box.cells()));
  std::vector<AveragedSar> averages;
  const BoxSums sums(voxels, box);
  const auto tissue = tissue_voxels(voxels, box);
  for (const double mass : masses) averages.push_back(Averaging(voxels, box, sums, tissue, mass).run());
  return averages;
}

}  // namespace dgtd::dosimetry
