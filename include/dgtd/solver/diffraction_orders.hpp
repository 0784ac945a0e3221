#pragma once
// Diffraction orders of a structure that repeats, from the Fourier sums on a plane (Petit, Electromagnetic Theory of
// Gratings, 1980, ch. 1).
#include <array>
#include <functional>
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/region_spectra.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::solver {

/// Periods along x, y, z, m, 0 where there is none, and phases of u(x + L) = exp(i phase) u(x), rad.
struct Lattice {
  std::array<double, 3> period{}, phase{};
};

/// A plane wave of the field on a plane, with k = (phase + 2 pi number) / period along its axes.
struct DiffractionOrder {
  std::array<int, 3> number{};  // along x, y, z; 0 where there is no period
  double polar = 0;             // rad, from the normal
  double azimuth = 0;           // rad, from the first axis of the plane towards the second, in the order x, y, z
  double energy = 0;            // J/Hz through the plane along its normal, as flux() has it
};

/// The orders that propagate in a lossless medium of this index at a frequency, Hz; energies are 0. normal: axis.
std::vector<DiffractionOrder> propagating_orders(const Lattice& lattice, int normal, double index, double frequency);

/// Area of a cell in the plane across order 0 in vacuum, m^2 (m with one period): the cosine of its angle times the
/// periods. 0 where it does not propagate.
double cell_across_wave(const Lattice& lattice, int normal, double frequency);

/// These orders of a surface that is a plane over whole periods, at one of its frequencies, with their energies, all
/// ranks. change: of the sums at the frequency's number. Collective.
std::vector<DiffractionOrder> diffraction_orders(const RegionSpectra& spectra, std::size_t surface,
                                                 std::size_t frequency, const Lattice& lattice, int normal,
                                                 double index, const parallel::Communicator& comm,
                                                 const std::function<void(std::size_t, PairSums&)>& change = {});

}  // namespace dgtd::solver
