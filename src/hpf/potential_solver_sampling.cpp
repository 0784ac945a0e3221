// E and H from the potential, (2) and (3) of the paper as docs/theory.md has them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/hpf/potential_solver.hpp"

namespace dgtd::hpf {

namespace {
using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;
}  // namespace

// A rank's nodes and those above it that its cells need: [height + 1][width + 1]. Collective.
template <class Real>
std::vector<double> PotentialSolver<Real>::with_upper_nodes(const std::function<double(int i, int j)>& value) const {
  const int nx = d_->width + 1, ny = d_->height + 1;
  std::vector<double> values(static_cast<std::size_t>(nx) * ny, 0);
  const auto at = [&](int i, int j) -> double& { return values[static_cast<std::size_t>(j) * nx + i]; };
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i) at(i, j) = value(i, j);
  const int split = d_->stencil == Stencil::line ? 0 : 1;
  // The other end of a periodic axis first, then the neighbour's first row (of lines, column) with its end.
  const auto wrap = [&](int a) {
    for (int k = 0; k < (a == 0 ? ny : nx); ++k) a == 0 ? at(d_->width, k) = at(0, k) : at(k, d_->height) = at(k, 0);
  };
  if (d_->periodic[1 - split]) wrap(1 - split);
  if (d_->neighbours[0] >= 0 || d_->neighbours[1] >= 0) {
    const int length = split == 0 ? ny : nx;
    std::vector<double> send(length), receive(length);
    for (int k = 0; k < length; ++k) send[k] = split == 0 ? at(0, k) : at(k, 0);
    const auto rank = [](int r) { return r >= 0 ? r : MPI_PROC_NULL; };
    MPI_Sendrecv(send.data(), length, MPI_DOUBLE, rank(d_->neighbours[0]), 29, receive.data(), length, MPI_DOUBLE,
                 rank(d_->neighbours[1]), 29, comm_.handle(), MPI_STATUS_IGNORE);
    for (int k = 0; k < length && d_->neighbours[1] >= 0; ++k)
      (split == 0 ? at(d_->width, k) : at(k, d_->height)) = receive[k];
  }
  return values;
}

// E_z = -mu eps_b psi'', or H_z = -mu eps psi'' - mu sigma psi', at a node between the two increments.
template <class Real>
double PotentialSolver<Real>::along_z(double increment, double next, int i, int j) const {
  const double dt = d_->time_step, mu = d_->permeability;
  if (d_->potential == Potential::electric) return -mu * d_->background_permittivity * (next - increment) / (dt * dt);
  const NodeClass& c = d_->classes[d_->number_of_class(i, j)];
  return -mu * vacuum_permittivity * c.permittivity * (next - increment) / (dt * dt) -
         mu * c.conductivity * (next + increment) / (2 * dt);
}

// H = eps_b curl(z d psi/dt), or E = -mu curl(z d psi/dt): of an increment.
template <class Real>
double PotentialSolver<Real>::in_plane_factor() const {
  return (d_->potential == Potential::electric ? d_->background_permittivity : -d_->permeability) / d_->time_step;
}

template <class Real>
typename PotentialSolver<Real>::Levels PotentialSolver<Real>::levels(solver::Quantity quantity) const {
  const bool electric = d_->potential == Potential::electric;
  const double factor = in_plane_factor();
  Levels made;
  if (quantity.part == Part::present) {
    compute_next_level();
    const Real* const v = engine_->increment().host();
    const Real* const next = engine_->new_increment().host();
    made.along_z = with_upper_nodes(
        [&](int i, int j) { return along_z(double(v[d_->index(i, j)]), double(next[d_->index(i, j)]), i, j); });
    const Real* const of_curl = electric ? v : next;
    made.in_plane = with_upper_nodes([&](int i, int j) { return factor * double(of_curl[d_->index(i, j)]); });
    return made;
  }
  // With v = Re V exp(-i w t) the increments before and after a level are V exp(+-i w dt / 2).
  const Phasor& p = phasors_[quantity.frequency];
  const Real *const re = p.real.host(), *const im = p.imag.host();
  const double half = 0.5 * p.angular_frequency * d_->time_step, c = std::cos(half), s = std::sin(half);
  const bool real = quantity.part == Part::real;
  made.along_z = with_upper_nodes([&](int i, int j) {
    const std::size_t n = d_->index(i, j);
    const double x = re[n], y = im[n];
    return real ? along_z(c * x - s * y, c * x + s * y, i, j) : along_z(c * y + s * x, c * y - s * x, i, j);
  });
  made.in_plane = with_upper_nodes([&](int i, int j) { return factor * double((real ? re : im)[d_->index(i, j)]); });
  return made;
}

// At a cell's centre: the mean of four nodes, and of the curl on its four edges.
template <class Real>
std::vector<float> PotentialSolver<Real>::sample_cells(solver::Quantity quantity) const {
  const Levels l = levels(quantity);
  const bool of_nodes = (quantity.field == Field::electric) == (d_->potential == Potential::electric);
  const int nx = d_->width + 1;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(d_->block.cells[0]) * d_->block.cells[1] * 3);
  for (int j = 0; j < d_->block.cells[1]; ++j)
    for (int i = 0; i < d_->block.cells[0]; ++i) {
      const double* const f = (of_nodes ? l.along_z : l.in_plane).data() + static_cast<std::size_t>(j) * nx + i;
      const double f00 = f[0], f10 = f[1], f01 = f[nx], f11 = f[nx + 1];
      if (of_nodes) values.insert(values.end(), {0.0f, 0.0f, static_cast<float>(0.25 * (f00 + f10 + f01 + f11))});
      else
        values.insert(values.end(), {static_cast<float>(0.5 * (f01 - f00 + f11 - f10) / d_->spacing[1]),
                                     static_cast<float>(-0.5 * (f10 - f00 + f11 - f01) / d_->spacing[0]), 0.0f});
    }
  return values;
}

template <class Real>
std::vector<double> PotentialSolver<Real>::potential() const {
  compute_due_steps();
  const Real* const p = engine_->psi().host();
  std::vector<double> values;
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i) values.push_back(p[d_->index(i, j)]);
  return values;
}

template <class Real>
std::array<double, 4> PotentialSolver<Real>::squared_errors(const solver::VectorFunction& electric,
                                                            const solver::VectorFunction& magnetic) const {
  std::array<double, 4> sums{0, 0, 0, 0};
  const double area = d_->spacing[0] * d_->spacing[1] * d_->thickness;
  for (int f = 0; f < 2; ++f) {
    const auto values = sample_cells({f == 0 ? Field::electric : Field::magnetic, Part::present, 0});
    std::size_t n = 0;
    for (int j = 0; j < d_->block.cells[1]; ++j)
      for (int i = 0; i < d_->block.cells[0]; ++i) {
        const Vec3 exact =
            (f == 0 ? electric : magnetic)(d_->position(i, j) + Vec3{0.5 * d_->spacing[0], 0.5 * d_->spacing[1], 0});
        for (int c = 0; c < 3; ++c, ++n) {
          sums[2 * f] += area * (double(values[n]) - exact[c]) * (double(values[n]) - exact[c]);
          sums[2 * f + 1] += area * exact[c] * exact[c];
        }
      }
  }
  return sums;
}

// FNV-1a over a node's global number, psi and its increment; the sum has no order.
template <class Real>
std::uint64_t PotentialSolver<Real>::fields_hash() const {
  compute_due_steps();
  const Real *const p = engine_->psi().host(), *const v = engine_->increment().host();
  std::uint64_t total = 0;
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i) {
      const std::int64_t id = (d_->first[1] + j) * d_->global_nodes[0] + d_->first[0] + i;
      const std::size_t n = d_->index(i, j);
      total += Hash().add(id).add(p[n] + Real(0)).add(v[n] + Real(0)).value();  // -0 and 0 are one value
    }
  return total;
}

template <class Real>
solver::Instability PotentialSolver<Real>::find_instability(double& severity) const {
  const Real* const v = engine_->increment().host();
  severity = -1;
  int worst[2] = {0, 0};
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i) {
      const double u = v[d_->index(i, j)], square = std::isfinite(u) ? u * u : std::numeric_limits<double>::max();
      if (square > severity) severity = square, worst[0] = i, worst[1] = j;
    }
  return {(d_->first[1] + worst[1]) * d_->global_nodes[0] + d_->first[0] + worst[0], d_->position(worst[0], worst[1]),
          "grid"};
}

// A node's field along z, and what the field in the plane is the curl of, from the increments on either side of it.
template <class Real>
std::array<double, 2> PotentialSolver<Real>::node_values(int i, int j) const {
  const std::size_t n = d_->index(i, j);
  const double v = engine_->increment().part(n, 1)[0], next = engine_->new_increment().part(n, 1)[0];
  return {along_z(v, next, i, j), in_plane_factor() * (d_->potential == Potential::electric ? v : next)};
}

// Both nodes of a cell along an axis, in this rank's numbers; -1: the upper one is of another rank.
template <class Real>
std::array<int, 2> PotentialSolver<Real>::nodes_of_cell(int axis, int cell) const {
  const int n = axis == 0 ? d_->width : d_->height;
  return {cell, cell + 1 < n ? cell + 1 : d_->periodic[axis] && n == d_->global_nodes[axis] ? 0 : -1};
}

template <class Real>
void PotentialSolver<Real>::refresh_probes() {
  compute_next_level();
  const int split = d_->stencil == Stencil::line ? 0 : 1;
  above_probes_ = values_above_probes(
      split, 4,
      [&](const std::vector<std::array<int, 3>>& cells) {
        std::vector<double> values;  // [cells][2 nodes across the axis][2]
        for (const auto& cell : cells)
          for (const int node : nodes_of_cell(1 - split, cell[1 - split])) {
            const auto of_node = split == 0 ? node_values(0, node) : node_values(node, 0);
            values.insert(values.end(), of_node.begin(), of_node.end());
          }
        return values;
      },
      comm_);
}

// As sample_cells, at the centre of the cell that holds the point.
template <class Real>
solver::FieldSample PotentialSolver<Real>::probe(const std::string& name) const {
  const auto& cell = probe_cell(name);
  const bool electric = d_->potential == Potential::electric;
  double z[2][2], curl[2][2];
  const std::array<int, 2> at[2] = {nodes_of_cell(0, cell[0]), nodes_of_cell(1, cell[1])};
  const auto above = above_probes_.find(name);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const bool of_other = at[0][i] < 0 || at[1][j] < 0;
      const std::size_t across = 2 * static_cast<std::size_t>(at[0][i] < 0 ? j : i);
      const auto values = of_other ? std::array<double, 2>{above->second[across], above->second[across + 1]}
                                   : node_values(at[0][i], at[1][j]);
      z[j][i] = values[0], curl[j][i] = values[1];
    }
  const double mean = 0.25 * (z[0][0] + z[0][1] + z[1][0] + z[1][1]);
  const Vec3 plane{0.5 * (curl[1][0] - curl[0][0] + curl[1][1] - curl[0][1]) / d_->spacing[1],
                   -0.5 * (curl[0][1] - curl[0][0] + curl[1][1] - curl[1][0]) / d_->spacing[0], 0};
  const Vec3 normal{0, 0, mean};
  return electric ? solver::FieldSample{normal, plane} : solver::FieldSample{plane, normal};
}

template class PotentialSolver<float>;
template class PotentialSolver<double>;

}  // namespace dgtd::hpf
