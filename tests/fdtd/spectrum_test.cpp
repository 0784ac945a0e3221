// Spectra far below the band of a pulse: the pulse must not alias into them (physics/sampling.hpp).
#include <gtest/gtest.h>

#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

// Flux of a pulse in vacuum at a seventh of its carrier, where eight samples per period alias the carrier onto it:
// alone, and beside a frequency so high that every step is sampled.
TEST(Spectrum, OfLowFrequenciesDoesNotContainThePulse) {
  constexpr double carrier = 7e9, low = 1e9, spacing = 1e-3;
  GridProblem p = flat_problem(80, 1, spacing);
  physics::Source wave;
  wave.type = physics::Source::Type::sheet;
  wave.name = "wave";
  wave.centre = {30 * spacing, 0, 0};
  wave.size = {0, 1e9, 1e9};
  wave.direction = {1, 0, 0};
  wave.polarisation = {0, 0, 1};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, carrier, 2, 0.8 * carrier};
  p.sources = {wave};
  physics::Flux flux;
  flux.type = physics::Flux::Type::plane;
  flux.centre = {50 * spacing, 0, 0};
  flux.size = {0, 1e9, 1e9};
  flux.frequencies = {low};
  physics::Flux dense = flux;
  dense.frequencies = {low, 40 * carrier};
  p.fluxes = {flux, dense};
  const parallel::Communicator comm{MPI_COMM_SELF};
  auto solver = p.make<double>(comm);
  p.advance(*solver, 3000);
  const double expected = solver::flux(*solver, 1, comm)[0];
  EXPECT_GT(expected, 0);
  EXPECT_NEAR(solver::flux(*solver, 0, comm)[0] / expected, 1, 1e-3);
}

}  // namespace
}  // namespace dgtd::fdtd
