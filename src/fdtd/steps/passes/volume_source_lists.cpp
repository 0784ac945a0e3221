#include "fdtd/steps/passes/volume_source_lists.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace dgtd::fdtd {

namespace {

using Shape = VolumeTileShape;
constexpr int x = 0, y = 1, z = 2;

}  // namespace

VolumeSourceLists::VolumeSourceLists(const GridLayout& layout, const std::vector<SourceList>& sources,
                                     const std::vector<std::uint64_t>& ports, int planes, int steps, int row_groups)
    : rows_(layout.cells[y]), planes_(planes), steps_(steps), row_groups_(row_groups) {
  for (const SourceList& list : sources)
    for (const SourceEntry& entry : list.entries)
      place(layout, entry.index, list.half == HalfStep::electric ? 0 : 1, static_cast<int>(placed_.size()));
  for (std::size_t n = 0; n < ports.size(); ++n) place(layout, ports[n], of_ports, static_cast<int>(n));
  std::stable_sort(placed_.begin(), placed_.end(), [](const PlacedEntry& a, const PlacedEntry& b) {
    return std::tie(a.cell[2], a.cell[1]) < std::tie(b.cell[2], b.cell[1]);
  });
  for (const PlacedEntry& e : placed_)
    if (e.field == of_ports) ports_.push_back(e);
  row_begin_.assign(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(planes_) + 1, 0);
  for (const PlacedEntry& e : placed_)
    ++row_begin_[static_cast<std::size_t>(e.cell[z]) * static_cast<std::size_t>(rows_) +
                 static_cast<std::size_t>(e.cell[y]) + 1];
  std::partial_sum(row_begin_.begin(), row_begin_.end(), row_begin_.begin());
  for (const PlacedEntry& e : placed_) column_.push_back(e.cell[x]);
  const auto at = [&](std::size_t row) { return column_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row]); };
  for (std::size_t row = 0; row + 1 < row_begin_.size(); ++row)
    if (row_begin_[row] < row_begin_[row + 1]) std::sort(at(row), at(row + 1));
}

void VolumeSourceLists::place(const GridLayout& layout, std::uint64_t index, int field, int number) {
  const auto reals = static_cast<std::uint64_t>(layout.reals);
  const auto [i, j, k] = layout.cell_at(static_cast<std::int64_t>(index % reals));
  placed_.push_back({{i, j, layout.below + k}, static_cast<int>(index / reals), field, number});
}

std::size_t VolumeSourceLists::row_begin(int k, int j) const {
  return row_begin_[static_cast<std::size_t>(k) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(j)];
}
int VolumeSourceLists::first_plane(const VolumeTask& task) const { return std::max(task.first[z] - steps_, 0); }
int VolumeSourceLists::end_plane(const VolumeTask& task) const { return std::min(task.end[z] + steps_ - 1, planes_); }

bool VolumeSourceLists::has_entries(const VolumeRegion& r, int k) const {
  if (row_begin(k, r.first[y]) == row_begin(k, r.end[y])) return false;
  for (int j = r.first[y]; j < r.end[y]; ++j) {
    const int *const begin = column_.data() + row_begin(k, j), *const end = column_.data() + row_begin(k, j + 1);
    const int* const found = std::lower_bound(begin, end, r.first[x]);
    if (found != end && *found < r.end[x]) return true;
  }
  return false;
}

std::pair<int, int> VolumeSourceLists::planes_in(const VolumeRegion& r) const {
  int first = r.end[z], end = r.first[z];
  for (int k = r.first[z]; k < r.end[z]; ++k)
    if (has_entries(r, k)) first = std::min(first, k), end = k + 1;
  return {first, end};
}

bool VolumeSourceLists::has_ports(const VolumeRegion& r) const {
  const auto first =
      std::partition_point(ports_.begin(), ports_.end(), [&](const PlacedEntry& e) { return e.cell[z] < r.first[z]; });
  for (auto e = first; e != ports_.end() && e->cell[z] < r.end[z]; ++e)
    if (e->cell[x] >= r.first[x] && e->cell[x] < r.end[x] && e->cell[y] >= r.first[y] && e->cell[y] < r.end[y])
      return true;
  return false;
}

bool VolumeSourceLists::add(VolumeTask& task, const VolumeRegion& r, VolumeTables& tables) const {
  const int planes = end_plane(task) - first_plane(task);
  bool with_ports = false;
  std::vector<std::vector<Term>> terms;  // [plane][field][warp]
  for (int k = first_plane(task); k < end_plane(task); ++k)
    for (std::size_t n = row_begin(k, r.first[y]); n < row_begin(k, r.end[y]); ++n) {
      const PlacedEntry* const entry = &placed_[n];
      const int column = entry->cell[x] - task.x, row = entry->cell[y] - task.y;
      if (column < 0 || column >= Shape::columns || row < 0 || row >= row_groups_ * Shape::rows_of_group) continue;
      if (terms.empty()) terms.resize(static_cast<std::size_t>(planes) * fields * Shape::warps);
      const int group = row / Shape::rows_of_group, warp = row % Shape::rows_of_group / Shape::rows_per_warp;
      const int lane = column / Shape::cells_per_lane;
      const int at = ((entry->component * row_groups_ + group) * Shape::rows_per_warp + row % Shape::rows_per_warp) *
                         Shape::cells_per_lane +
                     column % Shape::cells_per_lane;
      auto& of_warp = terms[static_cast<std::size_t>(
          ((entry->cell[z] - first_plane(task)) * fields + entry->field) * Shape::warps + warp)];
      auto term = std::find_if(of_warp.begin(), of_warp.end(),
                               [&](const Term& t) { return t.at == at && t.entry[lane] == nullptr; });
      if (term == of_warp.end()) term = of_warp.insert(of_warp.end(), Term{at, {}});
      term->entry[lane] = entry;
      with_ports = with_ports || entry->field == of_ports;
      if (task.source_planes[0] == task.source_planes[1]) task.source_planes[0] = entry->cell[z];
      task.source_planes[1] = entry->cell[z] + 1;
    }
  if (terms.empty()) return false;
  task.sources = static_cast<int>(tables.source_begin.size());
  for (std::size_t n = 0; n < terms.size(); ++n) {
    if (!with_ports && n / Shape::warps % fields == of_ports) continue;
    tables.source_begin.push_back(static_cast<int>(tables.source_terms.size()));
    for (const Term& term : terms[n]) add_term(task, term, tables);
  }
  tables.source_begin.push_back(static_cast<int>(tables.source_terms.size()));
  return with_ports;
}

void VolumeSourceLists::add_term(const VolumeTask& task, const Term& term, VolumeTables& tables) {
  const auto& of_lanes = term.entry;
  const PlacedEntry* const any = *std::find_if(of_lanes, of_lanes + 32, [](const auto* e) { return e != nullptr; });
  auto& [entry_at, stored_at] = any->field == of_ports ? tables.ports : tables.sources;
  VolumeSourceTerm made{term.at, 0, static_cast<int>(entry_at.size())};
  for (int lane = 0; lane < 32; ++lane) {
    if (term.entry[lane] == nullptr) continue;
    const PlacedEntry& entry = *term.entry[lane];
    bool stored = true;
    for (int a = 0; a < 3; ++a) stored = stored && entry.cell[a] >= task.first[a] && entry.cell[a] < task.end[a];
    if (stored) stored_at[static_cast<std::size_t>(entry.number)] = static_cast<int>(entry_at.size());
    entry_at.push_back(entry.number);
    made.lanes |= 1u << lane;
  }
  tables.source_terms.push_back(made);
}

void VolumeSourceLists::add_none(VolumeTask& task, VolumeTables& tables) const {
  task.sources = static_cast<int>(tables.source_begin.size());
  const auto ranges = static_cast<std::size_t>((end_plane(task) - first_plane(task)) * 2 * Shape::warps) + 1;
  tables.source_begin.insert(tables.source_begin.end(), ranges, static_cast<int>(tables.source_terms.size()));
}

}  // namespace dgtd::fdtd
