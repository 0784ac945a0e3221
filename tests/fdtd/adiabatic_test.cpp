// Adiabatic absorbers: what comes back from the wall and from the rise of the conductivity, in any medium; nothing
// grows.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "fdtd/steady_state.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double h = 1e-3;
constexpr int steps_per_period = 20;

/// |B / A| of E = A exp(i k x) + B exp(-i k x) between a sheet and the upper end of a line, at normal incidence. cells:
/// of the layer, of that kind. permittivity: of the medium from the sheet on, into the layer, of which the background
/// is `background`.
double reflection(physics::BoundaryKind kind, int cells, grid::AdiabaticLayer layer, double permittivity = 1,
                  double background = 1) {
  const parallel::Communicator comm;
  const int inside = 100, lower = 40, all = lower + inside + cells;
  GridProblem p = flat_problem(all, 1, h);
  p.setup.layer_cells = kind == physics::BoundaryKind::cpml ? cells : lower / 2;
  p.setup.sides[1] = kind;
  p.setup.adiabatic[1] = layer;
  p.setup.materials = {physics::Medium{background, 1, 0, 0, {}}, physics::Medium{permittivity, 1, 0, 0, {}}};
  if (permittivity != background) {
    grid::Shape medium;
    medium.centre = {(lower + 20 + 0.5 * all) * h, 0, 0};
    medium.size = {all * h, 1, 1};
    medium.material = 1;
    p.bodies = {medium};
  }
  // A whole number of steps per period, so that Fourier sums are exact.
  const double dt = p.time_step(), frequency = 1 / (steps_per_period * dt);
  physics::Source sheet;
  sheet.type = physics::Source::Type::sheet;
  sheet.name = "sheet";
  sheet.centre = {lower * h, 0, 0};
  sheet.size = {0, 1, 1};
  sheet.polarisation = {0, 0, 1};
  sheet.waveform = {physics::Waveform::Type::ramped_sine, frequency, 10};
  p.sources = {sheet};
  auto solver = p.make<double>(comm);
  const double n = std::sqrt(permittivity),
               k = 2 / h * std::asin(n * h / (speed_of_light * dt) * std::sin(pi / steps_per_period));
  const int first = lower + 40, apart = std::max(1, static_cast<int>(std::lround(0.25 * 2 * pi / (k * h))));
  // Ten times to the end and back.
  const int start = 10 * steps_per_period + static_cast<int>(20 * all * n * h / (speed_of_light * dt));
  const auto e = steady_phasors(*solver, 2, {{first, 0, 0}, {first + apart, 0, 0}}, frequency, start);
  const auto turn = std::polar(1.0, k * apart * h);
  const std::complex<double> forward = (e[1] - e[0] / turn) / (turn - 1.0 / turn), backward = e[0] - forward;
  return std::abs(backward / forward);
}

double adiabatic(int cells, int order, double wall, double permittivity = 1, double background = 1) {
  return reflection(physics::BoundaryKind::adiabatic, cells, {cells * h, order, wall}, permittivity, background);
}

// Group index of the grid's waves in a medium of index n, along a line of vacuum:
// from sin(k h / 2) / h = n sin(w dt / 2) / (c dt).
double group_index(double n) {
  const double phase = pi / steps_per_period;  // w dt / 2
  return n * std::cos(phase) / std::cos(std::asin(n / 0.95 * std::sin(phase)));
}

// In the background the wall gives what the case asks for; a medium of index n has n times the exponent, because the
// conductivity is in proportion to its permittivity (sigma / eps the same) and the wave is as much slower.
TEST(AdiabaticAbsorber, WallReflectsByTheFormula) {
  for (const double wall : {1e-1, 1e-2}) {
    const double vacuum = adiabatic(160, 2, wall), same = adiabatic(160, 2, wall, 4, 4),
                 denser = adiabatic(160, 2, wall, 2.25);
    std::printf("wall %.0e: vacuum %.3e, background of index 2 %.3e, medium of index 1.5 %.3e\n", wall, vacuum, same,
                denser);
    EXPECT_NEAR(vacuum / wall, 1, 0.03);
    EXPECT_NEAR(same / wall, 1, 0.03);
    EXPECT_NEAR(denser / std::pow(wall, group_index(1.5)), 1, 0.03);
  }
}

// The rise of an absorber of order m reflects in proportion to L^-(m + 1) (Oskooi et al. 2008, eq. (15)): twice the
// length, so much less. The table is in docs/verification.md; 19 cells per wavelength.
TEST(AdiabaticAbsorber, RiseReflectsByItsLengthAndOrder) {
  const double wavelength = 0.95 * steps_per_period;  // cells
  std::printf("%-24s", "wavelengths");
  for (const double length : {1, 2, 4, 8}) std::printf("%12g", length);
  for (const int order : {1, 2, 3, 4}) {
    std::printf("\norder %d%17s", order, "");
    double before = 1;
    for (const double length : {1, 2, 4, 8}) {
      const double r = adiabatic(static_cast<int>(std::lround(length * wavelength)), order, 1e-8);
      std::printf("%9.1f dB", 20 * std::log10(r));
      if (length > 1 && r > 1e-7) { EXPECT_LT(r, before * 2 * std::pow(0.5, order + 1)) << order << " " << length; }
      before = r;
    }
  }
  std::printf("\ncpml of as many cells   ");
  for (const double length : {0.5, 1.0, 2.0})
    std::printf("%9.1f dB (%g)",
                20 * std::log10(reflection(physics::BoundaryKind::cpml,
                                           static_cast<int>(std::lround(length * wavelength)), {})),
                length);
  std::printf("\n");
}

// Random fields in gold, magnetic dielectrics and vacuum, all of them reaching into the absorbers: energy only falls.
TEST(AdiabaticAbsorber, EnergyNeverGrows) {
  const parallel::Communicator comm;
  GridProblem p = adiabatic_problem();
  p.sources.clear();
  p.fluxes.clear();
  auto solver = p.make<double>(comm);
  solver->randomise_fields();
  double before = solver->energy();
  const double first = before;
  for (int s = 0; s < 60; ++s) {
    solver->advance(10);
    const double now = solver->energy();
    EXPECT_LT(now, before * (1 + 1e-12)) << s;
    before = now;
  }
  EXPECT_LT(before, 0.5 * first);
}

}  // namespace
}  // namespace dgtd::fdtd
