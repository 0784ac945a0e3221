#include "dgtd/hpf/discretisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::hpf {

namespace {

constexpr int most_classes = 1 << most_planes;
constexpr double mixtures = 128;  // between the extreme permittivities

// Condition on the potential at a side: E_z of an electric one and H_z of a magnetic one are its second derivative in
// time.
Boundary wall_of(physics::BoundaryKind side, Potential potential) {
  const bool electric = potential == Potential::electric;
  switch (side) {
    case physics::BoundaryKind::pec: return electric ? Boundary::zero : Boundary::mirror;
    case physics::BoundaryKind::pmc: return electric ? Boundary::mirror : Boundary::zero;
    case physics::BoundaryKind::mur: return Boundary::mur;
    case physics::BoundaryKind::periodic: return Boundary::none;
    default: throw Error("hpf2d: a side is of a type that it does not have; allowed are pec, pmc, mur, periodic");
  }
}

void check_grid(const grid::CartesianGrid& grid) {
  if (grid.cells(2) != 1)
    throw Error(fmt::format("hpf2d: the grid has {} cells along z; it must be flat", grid.cells(2)));
  for (int a = 0; a < 2; ++a) {
    const auto [least, most] = std::minmax_element(grid.spacing[a].begin(), grid.spacing[a].end());
    if (*most > *least * (1 + 1e-9))
      throw Error(
          fmt::format("hpf2d: grid spacings along {} go from {} to {} m; they must be equal", "xy"[a], *least, *most));
    if (grid.cells(a) < 4)
      throw Error(fmt::format("hpf2d: the grid has {} cells along {}; at least 4 are needed", grid.cells(a), "xy"[a]));
  }
}

double least_index(const grid::Setup& grid) {
  double least = 1e300;
  for (const auto& m : grid.materials)
    if (!m.perfect_conductor) least = std::min(least, std::sqrt(m.permittivity * m.permeability));
  return least;
}

}  // namespace

double stability_limit(const Setup& setup) {
  check_grid(setup.grid.grid);
  const double dx = setup.grid.grid.spacing[0].front(), dy = setup.grid.grid.spacing[1].front();
  const double norm = setup.stencil == Stencil::line ? 1 / dy : std::sqrt(1 / (dx * dx) + 1 / (dy * dy));
  return least_index(setup.grid) / (speed_of_light * norm);
}

int ghost_rows_for(const Setup& setup, int steps, int ranks) {
  const bool rows = setup.stencil == Stencil::laplacian;  // that ranks take
  if (setup.grid.sides[2] != physics::BoundaryKind::periodic && !(ranks > 1 && rows)) return 1;
  return static_cast<int>(
      std::max<std::int64_t>(1, std::min<std::int64_t>(steps, setup.grid.grid.cells(1) / (rows ? ranks : 1))));
}

Discretisation::Discretisation(const Setup& setup, const grid::Media& media, double dt, int ghosts, int rank, int ranks)
    : grid(setup.grid.grid), stencil(setup.stencil), potential(setup.potential), time_step(dt), ghost_rows(ghosts) {
  check_grid(grid);
  spacing = {grid.spacing[0].front(), grid.spacing[1].front()};
  read_materials(setup.grid.materials);
  place_block(setup.grid, rank, ranks);
  classify_nodes(setup.grid.materials, media);
}

void Discretisation::read_materials(const std::vector<physics::Medium>& materials) {
  background_permittivity = vacuum_permittivity * materials.front().permittivity;
  permeability = vacuum_permeability * materials.front().permeability;
  for (const auto& m : materials) {
    if (m.permeability != materials.front().permeability && !m.perfect_conductor)
      throw Error(fmt::format("hpf2d: materials have the permeabilities {} and {}; it has one for the whole grid",
                              materials.front().permeability, m.permeability));
    if (!m.poles.empty() || m.magnetic_conductivity != 0)
      throw Error("hpf2d: materials with poles or magnetic losses are not among its media");
    lossy = lossy || (m.conductivity > 0 && !m.perfect_conductor);
  }
}

// Lines are independent: ranks take some of them each. Of the five-point stencil they take rows.
void Discretisation::place_block(const grid::Setup& setup, int rank, int ranks) {
  for (int s = 0; s < 4; ++s) walls[s] = wall_of(setup.sides[s], potential);
  for (int a = 0; a < 2; ++a) {
    periodic[a] = setup.sides[2 * a] == physics::BoundaryKind::periodic;
    global_nodes[a] = grid.cells(a) + (periodic[a] ? 0 : 1);
  }
  const int split = stencil == Stencil::line ? 0 : 1;
  const std::int64_t cells = grid.cells(split), low = cells * rank / ranks, high = cells * (rank + 1) / ranks;
  if (cells / ranks < 4)
    throw Error(fmt::format("hpf2d: {} ranks for {} cells along {}; a rank needs at least 4: use fewer ranks", ranks,
                            cells, "xy"[split]));
  block.cells = {static_cast<int>(grid.cells(0)), static_cast<int>(grid.cells(1)), 1};
  block.first[split] = low;
  block.cells[split] = static_cast<int>(high - low);
  first = {block.first[0], block.first[1]};
  const auto nodes = [&](int a) {
    return block.cells[a] + (!periodic[a] && (a != split || rank == ranks - 1) ? 1 : 0);
  };
  width = nodes(0), height = nodes(1);
  if (height < ghost_rows)
    throw Error(fmt::format("hpf2d: a rank has {} rows, fewer than the {} that it exchanges", height, ghost_rows));
  rows_of_others = periodic[1] || (ranks > 1 && split == 1);
  pitch = (width + 31) / 32 * 32;
  wrap_x = stencil == Stencil::laplacian && periodic[0];
  if (ranks == 1 && !periodic[split]) return;
  const bool at_end = periodic[split];  // whether the first rank and the last one are neighbours
  neighbours = {rank > 0 || at_end ? (rank + ranks - 1) % ranks : -1,
                rank < ranks - 1 || at_end ? (rank + 1) % ranks : -1};
  if (neighbours[0] >= 0) walls[2 * split] = Boundary::none, block.lower[split] = neighbours[0];
  if (neighbours[1] >= 0) walls[2 * split + 1] = Boundary::none, block.upper[split] = neighbours[1];
}

// A node's medium is the mean over the rectangle around it, of a field along z. A curved surface has many mixtures, and
// a class has one: they count in steps far below the error of the surface.
void Discretisation::classify_nodes(const std::vector<physics::Medium>& materials, const grid::Media& media) {
  class_of.assign(static_cast<std::size_t>(height + 2 * ghost_rows) * width, 0);
  const Vec3 size{spacing[0], spacing[1], grid.spacing[2].front()};
  double least = 1e300, most = 0, most_lossy = 0;  // permittivities, S/m
  for (const auto& m : materials)
    if (!m.perfect_conductor)
      least = std::min(least, m.permittivity), most = std::max(most, m.permittivity),
      most_lossy = std::max(most_lossy, m.conductivity);
  const auto class_at = [&](const Vec3& x) -> NodeClass {
    if (const int material = media.filling(x, size); material >= 0) {
      const auto& m = materials[material];
      return {m.permittivity, m.conductivity, m.perfect_conductor};
    }
    const auto medium = media.electric(x, x, size, 2);
    NodeClass found{medium.permittivity, medium.conductivity, materials[medium.material].perfect_conductor};
    if (most > least)
      found.permittivity =
          least + (most - least) / mixtures * std::round(mixtures * (found.permittivity - least) / (most - least));
    if (most_lossy > 0)
      found.conductivity = most_lossy / mixtures * std::round(mixtures * found.conductivity / most_lossy);
    return found;
  };
  for (int j = -ghost_rows; j < height + ghost_rows; ++j) {
    if ((j < 0 && walls[2] != Boundary::none) || (j >= height && walls[3] != Boundary::none)) continue;
    const std::int64_t row = (first[1] + j + global_nodes[1]) % global_nodes[1];
    for (int i = 0; i < width; ++i)
      class_of[static_cast<std::size_t>(j + ghost_rows) * width + i] =
          number_of(class_at(position(i, static_cast<int>(row - first[1]))));
  }
  if (classes.empty()) classes.emplace_back();
}

std::uint8_t Discretisation::number_of(const NodeClass& found) {
  const NodeClass node = found.conductor ? NodeClass{1, 0, true} : found;
  auto at = std::find(classes.begin(), classes.end(), node);
  if (at == classes.end()) {
    if (classes.size() == most_classes)
      throw Error(
          fmt::format("hpf2d: nodes have more than {} different media; grid.subpixel = off gives each node one of "
                      "the materials",
                      most_classes));
    at = classes.insert(classes.end(), node);
  }
  return static_cast<std::uint8_t>(at - classes.begin());
}

int Discretisation::planes() const {
  int bits = 0;
  while ((std::size_t{1} << bits) < classes.size()) ++bits;
  return bits;
}

std::vector<std::uint32_t> Discretisation::masks() const {
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(height + 2 * ghost_rows) * planes() * words(), 0);
  for (int j = -ghost_rows; j < height + ghost_rows; ++j)
    for (int i = 0; i < width; ++i)
      for (int k = 0; k < planes(); ++k)
        bits[(static_cast<std::size_t>(j + ghost_rows) * planes() + k) * words() + i / 32] |=
            std::uint32_t(number_of_class(i, j) >> k & 1) << (i % 32);
  return bits;
}

// update_node.hpp; Mur's factors with the medium's own speed.
template <class Real>
Coefficients<Real> Discretisation::coefficients(const NodeClass& m) const {
  if (m.conductor) return {};
  const double eps = vacuum_permittivity * m.permittivity, a = permeability * eps / (time_step * time_step),
               s = permeability * m.conductivity / (2 * time_step);
  const double step = time_step / std::sqrt(permeability * eps);
  const auto mur = [&](double d) { return static_cast<Real>((step - d) / (step + d)); };
  return {static_cast<Real>((a - s) / (a + s)), static_cast<Real>(1 / (reference_square() * (a + s))), mur(spacing[0]),
          mur(spacing[1])};
}

double Discretisation::dual_length(int axis, int local) const {
  const std::int64_t at = first[axis] + local;
  const bool end = !periodic[axis] && (at == 0 || at == global_nodes[axis] - 1);
  return end ? 0.5 * spacing[axis] : spacing[axis];
}

Vec3 Discretisation::position(int i, int j) const {
  return {grid.origin.x + double(first[0] + i) * spacing[0], grid.origin.y + double(first[1] + j) * spacing[1], 0};
}

template Coefficients<float> Discretisation::coefficients<float>(const NodeClass&) const;
template Coefficients<double> Discretisation::coefficients<double>(const NodeClass&) const;

}  // namespace dgtd::hpf
