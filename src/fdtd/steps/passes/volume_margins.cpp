#include "fdtd/steps/passes/volume_margins.hpp"

#include <algorithm>

namespace dgtd::fdtd {
namespace {

constexpr int z = 2;

std::vector<float> part(const std::vector<float>& of_cells, int first, int count) {
  return {of_cells.begin() + first, of_cells.begin() + first + count};
}

// The components of E in the order of VolumeMargin::media.
std::vector<MediumClass<float>> media_of_planes(const Discretisation<float>& d, int first, int count) {
  const GridLayout& l = d.layout;
  std::vector<MediumClass<float>> media(std::size_t{3} * static_cast<std::size_t>(count) *
                                        static_cast<std::size_t>(l.cells[1]) * static_cast<std::size_t>(l.cells[0]));
  for (const TileBatch& batch : d.electric.batches)
    for (const Tile& tile : batch.tiles) {
      int end[3];
      for (int a = 0; a < 3; ++a) end[a] = std::min(tile.first[a] + tile_cells(a), l.cells[a]);
      for (int c = 0; c < 3; ++c)
        for (int k = std::max(tile.first[z], first); k < std::min(end[z], first + count); ++k)
          for (int j = tile.first[1]; j < end[1]; ++j)
            for (int i = tile.first[0]; i < end[0]; ++i)
              media[(static_cast<std::size_t>(c * count + k - first) * static_cast<std::size_t>(l.cells[1]) +
                     static_cast<std::size_t>(j)) *
                        static_cast<std::size_t>(l.cells[0]) +
                    static_cast<std::size_t>(i)] = d.electric.classes[d.class_in(tile, c, i, j, k)];
    }
  return media;
}

// Sends to one rank, and returns what the other has sent; -1: there is none.
template <class T>
std::vector<T> shifted(const std::vector<T>& mine, int to, int from, const parallel::Communicator& comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto rank = [](int r) { return r >= 0 ? r : MPI_PROC_NULL; };
  constexpr int tag = 24;
  std::int64_t count = static_cast<std::int64_t>(mine.size()), others = 0;
  MPI_Sendrecv(&count, 1, MPI_INT64_T, rank(to), tag, &others, 1, MPI_INT64_T, rank(from), tag, comm.handle(),
               MPI_STATUS_IGNORE);
  std::vector<T> values(static_cast<std::size_t>(others));
  MPI_Datatype item;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &item);
  MPI_Type_commit(&item);
  MPI_Sendrecv(mine.data(), static_cast<int>(count), item, rank(to), tag, values.data(), static_cast<int>(others), item,
               rank(from), tag, comm.handle(), MPI_STATUS_IGNORE);
  MPI_Type_free(&item);
  return values;
}

VolumeMargin shifted(const VolumeMargin& mine, int to, int from, const parallel::Communicator& comm) {
  VolumeMargin other;
  const auto shift = [&](auto member) { other.*member = shifted(mine.*member, to, from, comm); };
  for (int f = 0; f < 2; ++f) {
    other.inverse_distance[f] = shifted(mine.inverse_distance[f], to, from, comm);
    other.c[f] = shifted(mine.c[f], to, from, comm);
  }
  shift(&VolumeMargin::nodes);
  shift(&VolumeMargin::centres);
  shift(&VolumeMargin::media);
  shift(&VolumeMargin::magnetic);
  shift(&VolumeMargin::lists);
  shift(&VolumeMargin::entries);
  return other;
}

}  // namespace

VolumeMargin planes_of_block(const Discretisation<float>& d, const std::vector<SourceList>& sources, int first,
                             int count) {
  VolumeMargin margin;
  for (int f = 0; f < 2; ++f) {
    const AxisArrays<float>& axis = (f == 0 ? d.electric : d.magnetic).axis[z];
    margin.inverse_distance[f] = part(axis.inverse_distance, first, count);
    margin.c[f] = part(axis.c, first, count);
  }
  margin.nodes = part(d.damping[z].nodes, first, count);
  margin.centres = part(d.damping[z].centres, first, count);
  for (const MediumClass<float>& m : media_of_planes(d, first, count)) {
    if (margin.media.empty() || m.Ca != margin.media.back().medium.Ca || m.Cb != margin.media.back().medium.Cb)
      margin.media.push_back({m, 0});
    ++margin.media.back().count;
  }
  const auto number = static_cast<std::size_t>(d.magnetic.batches.front().tiles.front().medium_class);
  margin.magnetic = {d.magnetic.classes[number]};
  for (const auto& list : sources) {
    for (const SourceEntry& entry : list.entries) {
      const auto reals = static_cast<std::uint64_t>(d.layout.reals);
      const auto [i, j, k] = d.layout.cell_at(static_cast<std::int64_t>(entry.index % reals));
      if (k < first || k >= first + count) continue;
      margin.entries.push_back({static_cast<int>(margin.lists.size()),
                                static_cast<int>(entry.index / reals),
                                {i, j, k - first},
                                entry.weight,
                                entry.delay});
    }
    margin.lists.push_back({list.half, list.shape});
  }
  return margin;
}

VolumeMargins exchange_margins(const Discretisation<float>& d, const std::vector<SourceList>& sources,
                               const parallel::Communicator& comm) {
  const GridLayout& l = d.layout;
  const int lower = d.block.lower[z], upper = d.block.upper[z];
  VolumeMargin lowest, highest;
  if (l.below > 0) lowest = planes_of_block(d, sources, 0, l.below);
  if (l.above > 0) highest = planes_of_block(d, sources, l.cells[z] - l.above, l.above);
  VolumeMargins margins;
  margins.below = shifted(highest, upper, lower, comm);
  margins.above = shifted(lowest, lower, upper, comm);
  return margins;
}

std::vector<SourceList> sources_of_margins(const VolumeMargins& margins, const GridLayout& layout) {
  std::vector<SourceList> lists;
  const std::pair<const VolumeMargin&, int> first_planes[2] = {{margins.below, -layout.below},
                                                               {margins.above, layout.cells[z]}};
  for (const auto& [margin, first_plane] : first_planes) {
    const std::size_t first_list = lists.size();
    for (const auto& [half, shape] : margin.lists) lists.push_back({half, shape});
    for (const VolumeMargin::Entry& e : margin.entries) {
      const std::int64_t cell = layout.index(e.cell[0], e.cell[1], first_plane + e.cell[2]);
      lists[first_list + static_cast<std::size_t>(e.list)].entries.push_back(
          {static_cast<std::uint64_t>(e.component * layout.reals + cell), e.weight, e.delay});
    }
  }
  return lists;
}

}  // namespace dgtd::fdtd
