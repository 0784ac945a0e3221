#include "dgtd/observers/box_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "dgtd/base/error.hpp"

namespace dgtd::observers {

using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;

GridBoxCells::GridBoxCells(const physics::Snapshot& snapshot, const grid::GridSolver& solver) : solver_(solver) {
  const auto& grid = solver.grid();
  const grid::Block& block = solver.block();
  cells_.grid = &grid;
  for (int a = 0; a < 3; ++a) {
    std::int64_t& first = cells_.whole.first[a];
    std::int64_t& last = cells_.whole.last[a];
    first = 0, last = grid.cells(a);
    if (snapshot.size) {
      const double half = 0.5 * (*snapshot.size)[a];
      first = grid.nearest_node(a, snapshot.centre[a] - half);
      last = grid.nearest_node(a, snapshot.centre[a] + half);
    }
    if (first >= last)
      throw Error(fmt::format("{}: snapshot.{}: no cell of the grid is in its box", snapshot.origin, snapshot.name));
    cells_.mine.first[a] = std::max(first, block.first[a]);
    cells_.mine.last[a] = std::min(last, block.first[a] + block.cells[a]);
    cells_.empty = cells_.empty || cells_.mine.first[a] >= cells_.mine.last[a];
  }
}

std::vector<float> GridBoxCells::sample(Field field) const { return sample({field, Part::present, 0}); }

std::vector<float> GridBoxCells::sample(solver::Quantity quantity) const {
  const auto sampler = solver_.cell_sampler(quantity);
  if (cells_.empty) return {};
  std::array<int, 3> first, count;
  for (int a = 0; a < 3; ++a) {
    first[a] = static_cast<int>(cells_.mine.first[a] - solver_.block().first[a]);
    count[a] = static_cast<int>(cells_.mine.last[a] - cells_.mine.first[a]);
  }
  const std::size_t layer = 3 * std::size_t(count[0]) * std::size_t(count[1]);
  std::vector<float> values(layer * std::size_t(count[2]));
  std::vector<double> of_layer(layer);
  for (int k = 0; k < count[2]; ++k) {
    sampler->sample({first[0], first[1], first[2] + k}, {count[0], count[1], 1}, of_layer.data());
    std::transform(of_layer.begin(), of_layer.end(), values.begin() + static_cast<std::ptrdiff_t>(layer * k),
                   [](double x) { return static_cast<float>(x); });
  }
  return values;
}

namespace {

// The snapshot's box as that of a monitor; without a size the box around the mesh. Collective.
physics::Monitor monitor_of(const physics::Snapshot& snapshot, const mesh::Subdomain& mesh,
                            const parallel::Communicator& comm) {
  physics::Monitor monitor;
  monitor.name = snapshot.name;
  monitor.centre = snapshot.centre;
  monitor.fields = snapshot.fields;
  monitor.spacing = snapshot.spacing;
  monitor.origin = snapshot.origin;
  if (snapshot.size) {
    monitor.size = *snapshot.size;
    return monitor;
  }
  std::vector<double> reach(6, std::numeric_limits<double>::lowest());  // [axis] upwards, then downwards, m
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int v = 0; v < 4; ++v)
      for (int a = 0; a < 3; ++a) {
        const double x = mesh.vertex(e, v)[a];
        reach[a] = std::max(reach[a], x), reach[3 + a] = std::max(reach[3 + a], -x);
      }
  reach = comm.max(std::move(reach));
  for (int a = 0; a < 3; ++a) {
    monitor.size[a] = reach[a] + reach[3 + a];
    monitor.centre[a] = 0.5 * (reach[a] - reach[3 + a]);
  }
  return monitor;
}

}  // namespace

MeshBoxCells::MeshBoxCells(const physics::Snapshot& snapshot, const solver::ElementSolver& solver,
                           const mesh::Subdomain& mesh, int order, const parallel::Communicator& comm)
    : solver_(solver),
      lattice_(monitor_of(snapshot, mesh, comm), mesh, solver.stored_order(), order, comm, "snapshot") {}

std::vector<float> MeshBoxCells::sample(Field field) const {
  return lattice_.present(field, [&](Field of, Part part, const auto& points, const auto& elements, double* values) {
    solver_.sample({of, part, 0}, points, elements, values);
  });
}

}  // namespace dgtd::observers
