#pragma once
// Running Fourier sums of E and H on regions, planes and boxes: the one interface of both domains to the observers of
// monitors, fluxes and far fields.
#include <array>
#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "dgtd/physics/monitors.hpp"

namespace dgtd::grid {
struct CartesianGrid;
}

namespace dgtd::solver {

/// A box of a grid between nodes.
struct NodeBox {
  std::array<std::int64_t, 3> first{}, last{};
};

/// Faces between elements in a plane, inside of its size, as means of both sides of a face.
struct FacePlane {
  physics::Flux plane;
};

/// Region of a Fourier sum: components tangential to a surface (a plane, the faces of a box, or element faces), or E and
/// H at the cells of a plane or a box.
using Region = std::variant<physics::Flux, physics::Monitor, FacePlane>;

/// Cells of a grid between nodes. On a plane they are its faces.
struct RegionCells {
  const grid::CartesianGrid* grid = nullptr;  // it lives as long as the spectra
  NodeBox whole, mine;                        // of all ranks, and of this one
  bool empty = false;                         // this rank has none
};

/// Samples of a surface on this rank: pairs of a component of E and one of H at one place. Re sum E conj(H) area is the
/// power through the surface.
struct SurfacePairs {
  std::vector<double> area;    // [n] m^2, with the sign of the outward normal and of the product
  std::vector<Vec3> position;  // [n] m
  std::vector<std::uint8_t> electric_axis, magnetic_axis;  // [n]
};

/// Places of the samples of a region: one of the two.
struct RegionSamples {
  std::vector<double> frequencies;  // Hz
  RegionCells cells;
  SurfacePairs pairs;
};

/// Sets `count` values from the sample `first` on, real and imaginary parts: [count][3] at cells, [count] of pairs.
using RegionValues = std::function<void(std::size_t first, std::size_t count, double* real, double* imag)>;

/// Sums at one frequency on this rank, peak phasors or integrals over time (times s). At cells V/m and A/m, x fastest;
/// of pairs V/m, H times the impedance of vacuum. A field that the region does not keep is empty.
struct RegionSums {
  RegionValues electric, magnetic;
};

class RegionSpectra {
 public:
  virtual ~RegionSpectra() = default;
  /// Registers a region with its frequencies and returns its number. Throws Error (bad_input) where the domain has no
  /// such samples.
  virtual std::size_t add_region(const Region& region) = 0;
  virtual const RegionSamples& samples(std::size_t region) const = 0;
  /// Steps between two samples in time; 0 where the sums are those of the whole domain (Figures::accumulate_dft), to
  /// which accumulate() adds nothing.
  virtual std::int64_t sampling_interval(std::size_t region) const = 0;
  /// Adds the present fields, weighted by the seconds that the sample represents.
  virtual void accumulate(std::size_t region, double weight) = 0;
  /// Whether the sums are peak phasors of the last period, which a run has that reaches its last step; else they are
  /// integrals over the run so far.
  virtual bool are_phasors() const = 0;
  /// The sums so far, at one of the region's frequencies. Collective.
  virtual RegionSums sums(std::size_t region, std::size_t frequency) const = 0;
};

}  // namespace dgtd::solver
