#pragma once
// The discrete problem of one rank on its block of cells: spacings, absorbing layers, media and poles as
// arrays that the kernels read, and the tiles in batches of one kind.
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "dgtd/base/timers.hpp"
#include "dgtd/base/uninitialised.hpp"
#include "dgtd/fdtd/kernels/views.hpp"
#include "dgtd/grid/setup.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::fdtd {

/// The largest stable time step, s: 2 over a bound of the operator's norm. With spacings d, index n,
/// poles' strengths w_p and resonances w_0:  (2/dt)^2 = 4 (c/n)^2 sum 1/d^2 + sum w_p^2 / eps + max w_0^2. A critical
/// point has the strength c - f d, if that is positive, and the resonance e (physics::SecondOrder).
double stability_limit(const grid::Setup& setup);

/// Steps of a pass over a volume, at most. It needs as many planes of the ranks below and above.
inline constexpr int most_steps_of_volume_pass = 4;

/// grid::Setup::margin for passes of several steps by so many ranks; 0 where sides or materials exclude passes, or
/// blocks along z would be too thin for them: absorbing layers along z and margins do not meet.
int margin_of_passes(const grid::Setup& setup, int ranks);

/// Along one axis, at the positions of E (or H) across it; padded to whole tiles.
template <class Real>
struct AxisArrays {
  std::vector<Real> inverse_distance, b, c;  // AxisView
};

/// Factors of E before and after its half step in adiabatic absorbers, along one axis: exp(-sigma dt / (2
/// eps)) at nodes and at centres; 1 outside. A component has the product of the three axes' factors at its place.
/// Padded to whole tiles.
template <class Real>
struct DampingArrays {
  std::vector<Real> nodes, centres;
};

/// Tiles that one kernel serves.
struct TileBatch {
  bool layered = false, mixed = false, dispersive = false;
  bool next_to_halo = false;  // reads ghosts that another rank fills
  std::vector<Tile> tiles;
};

/// Medium of a class of cells.
struct ClassMedium {
  double relative;      // permittivity, of H permeability; 0: a perfect conductor
  double conductivity;  // over the constant of vacuum, with that of poles, 1/s
};

template <class Real>
struct HalfStepArrays {
  std::array<AxisArrays<Real>, 3> axis;
  std::vector<MediumClass<Real>> classes;
  std::vector<ClassMedium> media;               // [class] of which `classes` has the coefficients
  UninitialisedVector<std::uint16_t> class_of;  // [slot][3][cells_of_tile]
  std::vector<TileBatch> batches;
};

/// E components with two materials in series (kernels/series_update.hpp); [2][n] but for the index and the media.
template <class Real>
struct SeriesArrays {
  std::vector<std::uint64_t> index;  // [n] in [component][reals]
  std::vector<MediumClass<Real>> medium;
  std::vector<Real> share;
  std::vector<int> pole_set, material;
  std::vector<ClassMedium> media;  // [materials]
};

struct PoleSets;

/// Rounding of permittivities and conductivities of E, so that 16 bits name all media of it.
struct MediaRounding {
  static constexpr std::int64_t most_classes = 65535;  // passes over volumes have one besides

  int bits = 13;             // of the binary fraction
  std::int64_t media = 0;    // different ones with 13 bits: of all ranks where there are too many, else of this one
  std::int64_t classes = 0;  // of this rank
  double largest_error() const { return std::ldexp(1.0, -bits - 1); }  // relative
};

template <class Real>
struct Discretisation {
  /// Throws Error where the media need more classes than a tile can name. timers: of the stages discretise/tiles,
  /// /media, /classes and /lists; may be null. comm: of all ranks, for one rounding of the media on all of them; null:
  /// there is only this one, or all have few media.
  Discretisation(const grid::Setup& setup, const grid::Media& media, double time_step, int rank, int ranks,
                 Timers* timers = nullptr, const parallel::Communicator* comm = nullptr);

  grid::CartesianGrid grid;
  grid::Block block;
  double time_step;
  int axes = 3;  // grid::Setup
  GridLayout layout;
  HalfStepArrays<Real> electric, magnetic;
  std::array<DampingArrays<Real>, 3> damping;  // of E
  MediaRounding rounding;                      // of E
  bool has_damping = false;                    // in some tile of this rank (Tile::damped)
  std::array<int, 3> layer_slots{};            // tiles with an absorbing layer along each axis
  std::array<int, 2> slots_of_plane{};         // of these, along x and y, in each plane of cells
  int pole_slots = 0;
  int pole_count = 0, resonant_count = 0, critical_count = 0;  // of the longest set
  std::vector<int> poles_of_class;                             // [electric class] set; 0: none
  std::vector<PoleCoefficients<Real>> poles;                   // [set][pole_count]; set 0 is empty
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
  /// Cb of an E component's medium (kernels/update_field.hpp), m.
  double electric_Cb(int component, int i, int j, int k) const;
  /// Number of values of the sums in an axis' absorbing layers (HalfStepView::layer), with those of the neighbours'
  /// planes.
  std::size_t layer_reals(int axis) const;
  /// Number of the class of an E component in a tile that contains its cell.
  std::size_t class_in(const Tile& tile, int component, int i, int j, int k) const;
  /// Volume around a component, m^3: primal along its own axis for E, dual for H.
  double volume(bool electric, int component, int i, int j, int k) const;
  /// Position of a component, m.
  Vec3 position(bool electric, int component, int i, int j, int k) const;

 private:
  void set_poles(const PoleSets& sets);
};

}  // namespace dgtd::fdtd
