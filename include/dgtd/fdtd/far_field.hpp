#pragma once
// Far fields from the fields on a closed surface (Balanis, Antenna Theory, ch. 12; Taflove, Hagness 2005, ch. 8).
#include <complex>
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/spectral_solver.hpp"

namespace dgtd::fdtd {

struct FluxSurface;

using solver::Direction, solver::FarPattern, solver::directions_of, solver::solid_angles;

/// This rank's part. sums: [4][n] of one frequency (Spectrum). permittivity and permeability: relative, of the
/// homogeneous, lossless medium outside. The time factor is exp(-i w t), the phase refers to the origin.
FarPattern far_field_of(const FluxSurface& surface, const double* sums, double angular_frequency,
                        const std::vector<Direction>& directions, double permittivity, double permeability);

/// Collective.
FarPattern sum_over_ranks(const FarPattern& mine, const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
