#pragma once
// Sources of the potentials: parts of rows, each with a time series.
#include <functional>
#include <vector>

#include "dgtd/hpf/discretisation.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::hpf {

/// A series' value in the step from n to n + 1; called with n = 0, 1, 2, … in turn.
using Series = std::function<double(std::int64_t step)>;

/// A row adds weight series(n) to the difference L psi of its nodes (kernels/update_node.hpp).
struct SourceRows {
  std::vector<RowSource<double>> rows;  // rows and columns of this rank; series count from 0
  std::vector<Series> series;
};

/// A line current along z (type dipole; its moment is that of the grid's thickness), spread linearly over the nearest
/// nodes, of the electric potential: lap psi - mu eps psi'' = -P / eps_b with P the current density's integral over
/// time. Or a sheet (type sheet) across y that launches psi ~ f(t) to one or both sides; its amplitude is that of E at
/// the carrier frequency. Throws Error (bad_input) for others, and for places outside the grid.
SourceRows source_rows(const Discretisation& d, const physics::Source& source);

}  // namespace dgtd::hpf
