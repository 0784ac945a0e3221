#pragma once
// The discrete problem of one rank on its block of cells: spacings, absorbing layers, media and poles as
// arrays that the kernels read, and the tiles in batches of one kind.
#include <array>
#include <functional>
#include <vector>

#include "dgtd/fdtd/kernels/views.hpp"
#include "dgtd/mesh/grid.hpp"
#include "dgtd/physics/dispersion.hpp"

namespace dgtd::fdtd {

/// What ends the grid on a side.
enum class Side { pec, pmc, absorbing, periodic, mur };  // absorbing: a layer; mur: a condition on the wall

struct Material {
  double permittivity = 1, permeability = 1;   // relative; permittivity without the poles' part
  double conductivity = 0, magnetic_loss = 0;  // S/m, ohm/m
  std::vector<physics::Pole> poles;
  bool perfect_conductor = false;  // E is zero inside; the rest does not count
};

/// The medium of one field component: a material, a mixture of two without poles, or two in series.
struct LocalMedium {
  int material = 0;  // whose poles it has; of a mixture the first
  double permittivity = 1, conductivity = 0;
  int second = -1;  // material in series with the first (kernels/series_update.hpp); -1: none
  double share_of_second = 0;
};

/// What fills the grid.
class Media {
 public:
  virtual ~Media() = default;
  /// The material that fills a box, or -1 where more than one may.
  virtual int filling(const Vec3& centre, const Vec3& size) const = 0;
  /// Of the E component along an axis at a place, in the cell centre +- size/2 around it. Where spacings change the
  /// place is not the centre.
  virtual LocalMedium electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const = 0;
  /// The material at a point (H components take theirs there).
  virtual int material_at(const Vec3& x) const = 0;
};

struct Setup {
  mesh::Grid grid;
  std::array<Side, 6> sides{Side::pec, Side::pec, Side::pec,
                            Side::pec, Side::pec, Side::pec};  // xmin xmax ymin ymax zmin zmax
  int axes = 3;  // fields vary along the first of x, y, z; the others have one cell, are periodic, and count a metre
  int components = 6;                          // of E and H that are not zero everywhere
  int layer_cells = 10;                        // of an absorbing side
  std::vector<Material> materials;             // at least one
  std::array<double, 3> bloch_phase{0, 0, 0};  // of periodic axes: u(x + L) = exp(i phase) u(x), rad
  double courant = 0.95;

  /// m; 1 along axes that the fields do not vary along.
  double length(int axis) const { return axis < axes ? grid.nodes(axis).back() - grid.origin[axis] : 1; }
  /// Whether waves leave the grid there, and how many cells that takes.
  bool is_open(int side) const { return sides[side] == Side::absorbing || sides[side] == Side::mur; }
  int cells_of_layer(int side) const { return sides[side] == Side::absorbing ? layer_cells : 0; }
  bool has_bloch_phase() const { return bloch_phase[0] != 0 || bloch_phase[1] != 0 || bloch_phase[2] != 0; }
  std::array<bool, 3> periodic() const {
    return {sides[0] == Side::periodic, sides[2] == Side::periodic, sides[4] == Side::periodic};
  }
};

/// The largest stable time step, s: 2 over a bound of the operator's norm. With spacings d, index n,
/// poles' strengths w_p and resonances w_0:  (2/dt)^2 = 4 (c/n)^2 sum 1/d^2 + sum w_p^2 / eps + max w_0^2.
double stability_limit(const Setup& setup);

/// Along one axis, at the positions of E (or H) across it; padded to whole tiles.
template <class Real>
struct AxisArrays {
  std::vector<Real> inverse_distance, decay, drive;  // AxisView
};

/// Tiles that one kernel serves.
struct TileBatch {
  bool layered = false, mixed = false, dispersive = false;
  bool next_to_halo = false;  // reads ghosts that another rank fills
  std::vector<Tile> tiles;
};

template <class Real>
struct HalfStepArrays {
  std::array<AxisArrays<Real>, 3> axis;
  std::vector<MediumClass<Real>> classes;
  std::vector<std::uint16_t> class_of;  // [slot][3][cells_of_tile]
  std::vector<TileBatch> batches;
};

/// E components with two materials in series (kernels/series_update.hpp); [2][n] but for the index.
template <class Real>
struct SeriesArrays {
  std::vector<std::uint64_t> index;  // [n] in [component][reals]
  std::vector<MediumClass<Real>> medium;
  std::vector<Real> share;
  std::vector<int> pole_set;
};

template <class Real>
struct Discretisation {
  /// Throws Error where the media need more classes than a tile can name.
  Discretisation(const Setup& setup, const Media& media, double time_step, int rank, int ranks);

  mesh::Grid grid;
  mesh::GridBlock block;
  double time_step;
  int axes = 3;  // Setup
  GridLayout layout;
  HalfStepArrays<Real> electric, magnetic;
  std::array<int, 3> layer_slots{};  // tiles with an absorbing layer along each axis
  int pole_slots = 0;
  int pole_count = 0, resonant_count = 0;     // of the longest set
  std::vector<int> poles_of_class;            // [electric class] set; 0: none
  std::vector<PoleCoefficients<Real>> poles;  // [set][pole_count]; set 0 is empty
  SeriesArrays<Real> series;
  int series_class = -1;  // class of electric.classes that they have; -1: there are none
  /// [owned + 2] m, from index -1: positions of E across the axis, and of H. Along axes that the fields do not vary
  /// along both are whole metres, and all components lie at 0.
  std::vector<double> nodes[3], centres[3];

  /// Global index of a component at a local one; for hashes and samples.
  std::int64_t global_index(int i, int j, int k) const {
    return ((block.first[2] + k) * global_cells[1] + block.first[1] + j) * global_cells[0] + block.first[0] + i;
  }
  std::array<std::int64_t, 3> global_cells{};  // with the layer of an upper magnetic wall
  std::array<bool, 3> periodic{};
  /// Whether the tile of a cell reads ghosts that another rank fills.
  bool next_to_halo(bool electric, const std::array<int, 3>& cell) const;
  /// Whether a wall holds a component at zero: E along an electric wall or H across it, and what lies beyond the
  /// layer of E on an upper magnetic wall.
  bool is_zero(bool electric, int component, int i, int j, int k) const;
  /// rate of an E component's medium (kernels/update_field.hpp), m.
  double electric_rate(int component, int i, int j, int k) const;
  /// Volume around a component, m^3: primal along its own axis for E, dual for H.
  double volume(bool electric, int component, int i, int j, int k) const;
  /// Position of a component, m.
  Vec3 position(bool electric, int component, int i, int j, int k) const;
};

}  // namespace dgtd::fdtd
