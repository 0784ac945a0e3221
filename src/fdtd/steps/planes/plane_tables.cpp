#include "fdtd/steps/planes/plane_tables.hpp"

#include <algorithm>
#include <numeric>

namespace dgtd::fdtd {

namespace {

/// An axis' numbers with zeros around them, wherever a strip may read.
template <class Real>
std::vector<Real> padded(const std::vector<Real>& of_cells, int cells) {
  std::vector<Real> values(static_cast<std::size_t>(cells) + 3 * strip_columns, Real(0));
  std::copy_n(of_cells.begin(), cells, values.begin() + strip_columns);
  return values;
}

template <class Real>
bool has_layer(const Discretisation<Real>& d, int axis, int first, int last) {
  for (int i = std::max(first, 0); i < std::min(last, d.layout.cells[axis]); ++i)
    if (d.electric.axis[axis].c[i] != 0 || d.magnetic.axis[axis].c[i] != 0) return true;
  return false;
}

}  // namespace

std::array<PlaneComponent, 3> plane_components(PlaneFields fields) {
  if (fields == PlaneFields::ez) return {{{0, 2}, {1, 0}, {1, 1}}};
  return {{{1, 2}, {0, 0}, {0, 1}}};
}

template <class Real>
PlaneTables<Real> plane_tables(const Discretisation<Real>& d, PlaneFields fields, int rows_a_task) {
  PlaneTables<Real> tables;
  const GridLayout& l = d.layout;
  for (int field = 0; field < 2; ++field) {
    const auto& half = field == 0 ? d.electric : d.magnetic;
    const auto fill = [&](int axis, std::array<std::vector<Real>, 3>& to) {
      const auto& from = half.axis[axis];
      to = {padded(from.inverse_distance, l.cells[axis]), padded(from.b, l.cells[axis]), padded(from.c, l.cells[axis])};
      // A field does not vary along a missing axis: differences across the grid's ends, where zeros lie, do not count.
      if (axis >= d.axes) std::fill(to[0].begin(), to[0].end(), Real(0));
    };
    fill(0, tables.x[field]);
    fill(1, tables.y[field]);
  }
  const auto components = plane_components(fields);
  for (int c = 0; c < 3; ++c) {
    const auto& half = components[c].field == 0 ? d.electric : d.magnetic;
    if (half.classes.size() == 1) continue;
    auto& class_of = tables.class_of[c];
    class_of.assign(static_cast<std::size_t>(l.reals), 0);
    for (const TileBatch& batch : half.batches)
      for (const Tile& tile : batch.tiles)
        for (int j = tile.first[1]; j < std::min(tile.first[1] + tile_cells(1), l.cells[1]); ++j)
          for (int i = tile.first[0]; i < std::min(tile.first[0] + tile_cells(0), l.cells[0]); ++i) {
            const std::size_t cell = static_cast<std::size_t>((j - tile.first[1]) * tile_cells(0) + i - tile.first[0]);
            class_of[static_cast<std::size_t>(l.index(i, j, 0))] =
                tile.classes < 0
                    ? static_cast<std::uint16_t>(tile.medium_class)
                    : half.class_of[(std::size_t(tile.classes) * 3 + components[c].axis) * cells_of_tile + cell];
          }
  }
  for (int row = 0; row < l.cells[1]; row += rows_a_task)
    for (int column = 0; column < l.cells[0]; column += strip_columns - 2 * strip_halo) {
      const PlaneTask task{column - strip_halo, row, std::min(row + rows_a_task, l.cells[1])};
      const bool layered = has_layer(d, 0, task.first_column, task.first_column + strip_columns) ||
                           has_layer(d, 1, task.row_begin - strip_halo, task.row_end + strip_halo);
      (layered ? tables.in_layers : tables.plain).push_back(task);
    }
  tables.layered = !tables.in_layers.empty();
  return tables;
}

PlaneSourceTable plane_source_terms(const GridLayout& layout, PlaneFields fields, HalfStep half,
                                    const std::vector<SourceList>& sources) {
  const int field = half == HalfStep::electric ? 0 : 1;
  const auto components = plane_components(fields);
  struct Placed {
    int row;
    PlaneSourceTerm term;
  };
  std::vector<Placed> all;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (sources[s].half != half) continue;
    for (const SourceEntry& entry : sources[s].entries) {
      const int axis = static_cast<int>(entry.index / static_cast<std::uint64_t>(layout.reals));
      const auto cell =
          layout.cell_at(static_cast<std::int64_t>(entry.index % static_cast<std::uint64_t>(layout.reals)));
      for (int c = 0; c < 3; ++c)
        if (components[c].field == field && components[c].axis == axis)
          all.push_back({cell.j, {entry, cell.i, c, static_cast<int>(s), sources[s].replaces}});
    }
  }
  if (all.empty()) return {};
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    return std::pair{a.row, a.term.column} < std::pair{b.row, b.term.column};
  });
  PlaneSourceTable table;
  table.row.assign(static_cast<std::size_t>(layout.cells[1]) + 1, 0);
  for (const Placed& p : all) {
    ++table.row[static_cast<std::size_t>(p.row) + 1];
    table.entry.push_back(p.term);
  }
  std::partial_sum(table.row.begin(), table.row.end(), table.row.begin());
  return table;
}

void mark_source_rows(const PlaneSourceTable& table, std::vector<PlaneTask>& tasks) {
  const int rows = static_cast<int>(table.row.size()) - 1;
  for (PlaneTask& task : tasks)
    for (int row = std::max(task.row_begin - most_steps_a_pass, 0);
         row < std::min(task.row_end + most_steps_a_pass, rows); ++row) {
      const auto begin = table.entry.begin() + table.row[static_cast<std::size_t>(row)],
                 end = table.entry.begin() + table.row[static_cast<std::size_t>(row) + 1];
      const auto first = std::lower_bound(begin, end, task.first_column,
                                          [](const PlaneSourceTerm& term, int column) { return term.column < column; });
      if (first == end || first->column >= task.first_column + strip_columns) continue;
      task.source_begin = task.source_begin == PlaneTask::no_row ? row : std::min(task.source_begin, row);
      task.source_end = std::max(task.source_end, row + 1);
    }
}

template PlaneTables<float> plane_tables<float>(const Discretisation<float>&, PlaneFields, int);
template PlaneTables<double> plane_tables<double>(const Discretisation<double>&, PlaneFields, int);

}  // namespace dgtd::fdtd
