#pragma once
// The discrete problem of one rank: its nodes of the plane, their classes of media, walls and scales.
#include <array>
#include <vector>

#include "dgtd/grid/setup.hpp"
#include "dgtd/hpf/formulation.hpp"
#include "dgtd/hpf/kernels/plane_view.hpp"
#include "dgtd/solver/half_step.hpp"

namespace dgtd::hpf {

struct Setup {
  grid::Setup grid;  // a cell thick along z; sides pec, pmc, mur, periodic; the background is the first material
  Stencil stencil = Stencil::laplacian;
  Potential potential = Potential::electric;
  solver::KernelFusion kernels = solver::KernelFusion::fused;
  int block_timesteps = 0;  // steps of a launch; 0: chosen
};

/// The largest stable time step, s: n_min / c over sqrt(1/dx^2 + 1/dy^2), or of lines n_min dy / c.
double stability_limit(const Setup& setup);

/// Rows of its neighbours that a rank keeps so that it can take `steps` steps between two exchanges; as many as there
/// are at most. 1 where no rows of others follow.
int ghost_rows_for(const Setup& setup, int steps, int ranks);

/// The medium of a class of nodes.
struct NodeClass {
  double permittivity = 1;  // relative
  double conductivity = 0;  // S/m
  bool conductor = false;   // psi is zero

  bool operator==(const NodeClass&) const = default;
};

struct Discretisation {
  /// ghost_rows: at least 1. Throws Error where the grid is not uniform or flat, its media need more classes than masks
  /// have numbers for, permeabilities differ, a side absorbs otherwise than by Mur's condition, or a rank has too few
  /// nodes.
  Discretisation(const Setup& setup, const grid::Media& media, double time_step, int ghost_rows, int rank, int ranks);

  grid::CartesianGrid grid;
  grid::Block block;  // this rank's cells
  Stencil stencil;
  Potential potential;
  double time_step;                       // s
  std::array<double, 2> spacing;          // m
  static constexpr double thickness = 1;  // m along z, for energies and currents
  std::array<std::int64_t, 2> global_nodes;
  std::array<std::int64_t, 2> first;  // global index of node (0, 0)
  int width, height, ghost_rows;      // nodes
  std::int64_t pitch;                 // reals per row
  bool wrap_x;
  std::array<Boundary, 4> walls;
  std::array<int, 2> neighbours{
      -1, -1};  // ranks that own the rows below and above (of lines, the columns left and right); -1: none
  std::array<bool, 2> periodic{};
  bool rows_of_others = false;                   // follow on some rank: steps at once are at most ghost_rows
  double background_permittivity, permeability;  // F/m, H/m
  bool lossy = false;                            // on any rank
  std::vector<NodeClass> classes;
  std::vector<std::uint8_t> class_of;  // [row with ghosts][width]

  std::int64_t reals() const { return pitch * (height + 2 * ghost_rows); }
  std::size_t index(int i, int j) const { return static_cast<std::size_t>((j + ghost_rows) * pitch + i); }
  int number_of_class(int i, int j) const { return class_of[static_cast<std::size_t>(j + ghost_rows) * width + i]; }
  /// Masks a row of nodes has: bits of a class' number.
  int planes() const;
  int words() const { return (width + 31) / 32; }
  std::vector<std::uint32_t> masks() const;  // PlaneView::masks
  /// Weights of a class in a step (update_node.hpp).
  template <class Real>
  Coefficients<Real> coefficients(const NodeClass& of_class) const;
  /// Neighbours along y relative to those along x, and the node's own weight.
  double ratio() const { return stencil == Stencil::line ? 1 : spacing[0] * spacing[0] / (spacing[1] * spacing[1]); }
  double centre() const { return stencil == Stencil::line ? -2 : -2 - 2 * ratio(); }
  /// d^2 of the weights that are 1, m^2.
  double reference_square() const {
    return stencil == Stencil::line ? spacing[1] * spacing[1] : spacing[0] * spacing[0];
  }
  /// Lengths around a node that lie in the grid, m.
  double dual_length(int axis, int local) const;
  Vec3 position(int i, int j) const;  // m

 private:
  void read_materials(const std::vector<physics::Medium>& materials);
  void place_block(const grid::Setup& setup, int rank, int ranks);
  void classify_nodes(const std::vector<physics::Medium>& materials, const grid::Media& media);
  std::uint8_t number_of(const NodeClass& found);  // adds the class where it is new
};

}  // namespace dgtd::hpf
