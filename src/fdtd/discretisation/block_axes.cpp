#include "fdtd/discretisation/block_axes.hpp"

#include <cmath>

#include "dgtd/physics/update_coefficients.hpp"
#include "fdtd/discretisation/axis.hpp"

namespace dgtd::fdtd {
namespace {

// Distances and layers of one field along an axis, global, from position 0 on.
struct FieldAxis {
  const std::vector<double>&inverse, &conductivity, &alpha;
};

template <class Real>
AxisArrays<Real> axis_arrays(const FieldAxis& from, std::int64_t first, int cells, std::size_t padded, double dt) {
  AxisArrays<Real> to;
  to.inverse_distance.assign(padded, 0);
  to.b = to.c = to.inverse_distance;
  for (int i = 0; i < cells; ++i) {
    const auto at = static_cast<std::size_t>(first + i);
    to.inverse_distance[i] = static_cast<Real>(from.inverse[at]);
    if (from.conductivity[at] == 0) continue;
    const auto [b, c] = physics::layer_coefficients(from.conductivity[at], from.alpha[at], dt);
    to.b[i] = static_cast<Real>(b);
    to.c[i] = static_cast<Real>(c * from.inverse[at]);
  }
  return to;
}

// exp(-loss dt / 2).
template <class Real>
std::vector<Real> damping_factors(const std::vector<double>& loss, std::int64_t first, int cells, std::size_t padded,
                                  double dt) {
  std::vector<Real> factors(padded, 1);
  for (int i = 0; i < cells; ++i)
    factors[static_cast<std::size_t>(i)] =
        static_cast<Real>(std::exp(-0.5 * dt * loss[static_cast<std::size_t>(first + i)]));
  return factors;
}

// A cell more on both ends: mirrored, or the other end's where the axis is periodic.
template <class Real>
void set_places(Discretisation<Real>& d, const grid::CartesianGrid& stored, int a) {
  if (a >= d.axes) {
    d.nodes[a] = {-1, 0, 1, 2};
    d.centres[a] = {-1, 0, 1};
    return;
  }
  const auto& spacing = stored.spacing[a];
  const auto x = stored.nodes(a);
  const auto n = static_cast<std::int64_t>(spacing.size());
  const auto node = [&](std::int64_t i) {
    if (i < 0) return x[0] - (d.periodic[a] ? spacing[n - 1] : spacing[0]);
    if (i > n) return x[n] + (d.periodic[a] ? spacing[0] : spacing[n - 1]);
    return x[i];
  };
  auto& nodes = d.nodes[a];
  for (std::int64_t i = -1; i <= d.block.cells[a] + 1; ++i) nodes.push_back(node(d.block.first[a] + i));
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) d.centres[a].push_back(0.5 * (nodes[i] + nodes[i + 1]));
}

}  // namespace

template <class Real>
void set_axes(Discretisation<Real>& d, const grid::Setup& setup, int rank, int ranks) {
  grid::CartesianGrid stored = setup.grid;
  GlobalAxis axis[3];
  for (int a = 0; a < 3; ++a) {
    axis[a] = make_axis(setup, a);
    stored.spacing[a] = axis[a].spacing;
    d.global_cells[a] = stored.cells(a);
  }
  d.block = grid::block_of_rank(stored, setup.periodic(), rank, ranks, setup.margin > 0);
  for (int a = d.axes; a < 3; ++a) d.block.lower[a] = d.block.upper[a] = -1;  // such a layer is its own neighbour
  d.layout = GridLayout(d.block.cells[0], d.block.cells[1], d.block.cells[2], d.axes,
                        d.block.lower[2] >= 0 ? setup.margin : 0, d.block.upper[2] >= 0 ? setup.margin : 0);
  for (int a = 0; a < 3; ++a) {
    const GlobalAxis& g = axis[a];
    const std::size_t padded = static_cast<std::size_t>(d.layout.tiles[a]) * tile_cells(a);
    const auto arrays = [&](const FieldAxis& from) {
      return axis_arrays<Real>(from, d.block.first[a], d.block.cells[a], padded, d.time_step);
    };
    d.electric.axis[a] = arrays({g.electric_inverse, g.electric_conductivity, g.electric_alpha});
    d.magnetic.axis[a] = arrays({g.magnetic_inverse, g.magnetic_conductivity, g.magnetic_alpha});
    d.damping[a] = {damping_factors<Real>(g.node_loss, d.block.first[a], d.block.cells[a], padded, d.time_step),
                    damping_factors<Real>(g.centre_loss, d.block.first[a], d.block.cells[a], padded, d.time_step)};
    set_places(d, stored, a);
  }
}

template void set_axes(Discretisation<float>&, const grid::Setup&, int, int);
template void set_axes(Discretisation<double>&, const grid::Setup&, int, int);

}  // namespace dgtd::fdtd
