#pragma once
// A method that integrates Fourier integrals of its fields on surfaces and in regions.
#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "dgtd/physics/monitors.hpp"

namespace dgtd::solver {

/// A box of a grid between nodes.
struct NodeBox {
  std::array<std::int64_t, 3> first{}, last{};
};

struct Direction {
  double theta, phi;  // rad, from +z and from +x towards +y
};

/// theta from 0 to pi, both ends, and at each of them phi from 0 to below 2 pi.
std::vector<Direction> directions_of(int thetas, int phis);
/// [directions] solid angles of such a set, sr; their sum is 4 pi.
std::vector<double> solid_angles(int thetas, int phis);

/// r E exp(-i k r) far away, [directions]; where the surface holds Fourier integrals, V s.
struct FarPattern {
  std::vector<std::complex<double>> theta, phi;
};

/// Nodes between which fields are shown, of all ranks and of this one.
struct MonitorExtent {
  NodeBox whole, mine;
  bool empty = false;  // this rank has none
};

/// Fields at a frequency, V s/m and A s/m: [cells of this rank][3], x fastest; empty where the monitor does not keep
/// the field.
struct MonitorFields {
  std::vector<float> electric_real, electric_imag, magnetic_real, magnetic_imag;
};

class SpectralSolver {
 public:
  virtual ~SpectralSolver() = default;

  /// Registers a plane or a closed box with the frequencies of its integrals and returns its number. Throws Error
  /// (bad_input) where it does not fit the grid.
  virtual std::size_t add_surface(const physics::Flux& surface) = 0;
  /// Adds the present fields on a surface, weighted by the seconds that the sample represents.
  virtual void accumulate_surface(std::size_t surface, double weight) = 0;
  /// Energy per frequency that has gone outwards through a surface so far, J/Hz (one-sided), all ranks; collective.
  virtual std::vector<double> flux(std::size_t surface) const = 0;
  /// Far fields of the currents on a surface, [frequency], all ranks; collective. permittivity and permeability:
  /// relative, of the homogeneous, lossless medium outside.
  virtual std::vector<FarPattern> far_fields(std::size_t surface, const std::vector<Direction>& directions,
                                             double permittivity, double permeability) const = 0;

  /// Registers a region and returns its number. Throws Error (bad_input) where the region does not fit the grid.
  virtual std::size_t add_monitor(const physics::Monitor& monitor) = 0;
  virtual void accumulate_monitor(std::size_t monitor, double weight) = 0;
  virtual MonitorExtent monitor_extent(std::size_t monitor) const = 0;
  /// Fields of a monitor at one of its frequencies so far, integrals over time. Collective.
  virtual MonitorFields monitor_fields(std::size_t monitor, std::size_t frequency) const = 0;
};

}  // namespace dgtd::solver
