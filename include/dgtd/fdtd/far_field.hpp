#pragma once
// Far fields from the fields on a closed surface (Balanis, Antenna Theory, ch. 12; Taflove, Hagness 2005, ch. 8).
#include <complex>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::fdtd {

struct FluxSurface;

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

/// This rank's part. sums: [4][n] of one frequency (Spectrum). permittivity and permeability: relative, of the
/// homogeneous, lossless medium outside. The time factor is exp(-i w t), the phase refers to the origin.
FarPattern far_field_of(const FluxSurface& surface, const double* sums, double angular_frequency,
                        const std::vector<Direction>& directions, double permittivity, double permeability);

/// Collective.
FarPattern sum_over_ranks(const FarPattern& mine, const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
