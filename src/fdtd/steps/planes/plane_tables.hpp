#pragma once
// Tables of a pass over a plane grid, on the host: axes, classes, tasks and source terms.
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/kernels/plane_view.hpp"

namespace dgtd::fdtd {

/// Components of E and H, [plane_u, plane_a, plane_b]: which field (0 E, 1 H) and along which axis.
struct PlaneComponent {
  int field, axis;
};
std::array<PlaneComponent, 3> plane_components(PlaneFields fields);

template <class Real>
struct PlaneTables {
  std::array<std::vector<Real>, 3> x[2], y[2];         // [E, H] inverse distance, b, c: PlaneAxis
  std::array<std::vector<std::uint16_t>, 3> class_of;  // [u, a, b][reals]; empty: all of class 0
  bool layered = false;
  std::vector<PlaneTask> plain, in_layers;  // tasks without and with absorbing layers in reach
};
/// rows_a_task: of a task at most.
template <class Real>
PlaneTables<Real> plane_tables(const Discretisation<Real>& d, PlaneFields fields, int rows_a_task);

/// All sources' additions to E and H, by row and column, in the order of the lists.
struct PlaneSourceTable {
  std::vector<int> row;  // [rows + 1]; empty without entries
  std::vector<PlaneSourceTerm> entry;
};
PlaneSourceTable plane_source_terms(const GridLayout& layout, PlaneFields fields, HalfStep half,
                                    const std::vector<SourceList>& sources);
/// Widens source_begin and source_end of tasks by the rows of the table.
void mark_source_rows(const PlaneSourceTable& table, std::vector<PlaneTask>& tasks);

}  // namespace dgtd::fdtd
