#pragma once
// Fluxes and far fields from the Fourier sums on surfaces (Balanis, Antenna Theory, ch. 12; Taflove, Hagness 2005,
// ch. 8).
#include <complex>
#include <functional>
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::solver {

/// Sums of a surface's pairs at one of its frequencies, [n] each, as RegionSums has them.
struct PairSums {
  /// Collective.
  PairSums(const RegionSpectra& spectra, std::size_t surface, std::size_t frequency);
  std::vector<double> electric_real, electric_imag, magnetic_real, magnetic_imag;
};

/// Energy per frequency that has gone outwards through a surface so far, [frequencies] J/Hz (one-sided: its integral
/// over f > 0 is the energy), all ranks: 2 Re sum E conj(H) area. change: of the sums at a frequency's number, before
/// they are multiplied. Collective.
std::vector<double> flux(const RegionSpectra& spectra, std::size_t surface, const parallel::Communicator& comm,
                         const std::function<void(std::size_t, PairSums&)>& change = {});

struct Direction {
  double theta, phi;  // rad, from +z and from +x towards +y
};

/// theta from 0 to pi, both ends, and at each of them phi from 0 to below 2 pi.
std::vector<Direction> directions_of(int thetas, int phis);
/// [directions] solid angles of such a set, sr; their sum is 4 pi.
std::vector<double> solid_angles(int thetas, int phis);

/// r E exp(-i k r) far away, [directions] V s; phases refer to the origin, the time factor is exp(-i w t).
struct FarPattern {
  std::vector<std::complex<double>> theta, phi;
};

/// Across an axis, with images of all fields behind it. With R the reflection of a vector in the plane, the field behind an
/// electric one (pec) is E(R x) = -R E(x), behind a magnetic one (pmc) R E(x), and so is the far field over directions.
struct ImagePlane {
  int axis;
  double place;  // m
  bool is_electric;
  bool operator==(const ImagePlane&) const = default;
};

/// Far fields of the currents on a closed surface, [frequencies], all ranks. permittivity and permeability: relative,
/// of the homogeneous, lossless medium outside. planes: at most one per axis, where the surface ends, so that it is closed
/// with its images, whose currents count. Collective.
std::vector<FarPattern> far_fields(const RegionSpectra& spectra, std::size_t surface,
                                   const std::vector<Direction>& directions, double permittivity, double permeability,
                                   const parallel::Communicator& comm, const std::vector<ImagePlane>& planes = {});

}  // namespace dgtd::solver
