// Plane waves at normal incidence, a few cells wide with periodic sides: reflection and transmission of a slab
// against the exact formula, and what an absorbing layer sends back.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "physics/debye_fit.hpp"
#include "dgtd/physics/tissue.hpp"
#include "fdtd/problems.hpp"
#include "fdtd/slab_shares.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double h = 1e-3, area = 9 * h * h;
constexpr int cells = 160;

GridProblem column(double eps, double sigma) {
  GridProblem p = column_along_z(cells, h, physics::BoundaryKind::cpml);
  p.setup.layer_cells = 12;
  p.setup.materials = {physics::Medium{}, physics::Medium{eps, 1, sigma, 0, {}}};
  if (eps > 1 || sigma > 0)
    p.bodies = {{.type = grid::Shape::Type::box, .centre = {0, 0, 80 * h}, .size = {1, 1, 20 * h}, .material = 1}};
  physics::Source wave = wave_along_z({physics::Waveform::Type::modulated_gaussian, 5e9, 2, 4e9});
  wave.box_min = Vec3{-1, -1, 30 * h};
  wave.box_max = Vec3{1, 1, 1};
  p.sources = {wave};
  for (const double z : {20 * h, 130 * h}) {
    physics::Flux flux;
    flux.type = physics::Flux::Type::plane;
    flux.name = "plane";
    flux.centre = {1.5 * h, 1.5 * h, z};
    flux.size = {3 * h, 3 * h, 0};
    for (double f = 2e9; f < 6.1e9; f += 1e9) flux.frequencies.push_back(f);
    p.fluxes.push_back(flux);
  }
  return p;
}

TEST(Slab, ReflectsAndTransmitsAsTheFormulaSays) {
  for (const auto& [eps, sigma] : {std::pair{4.0, 0.0}, std::pair{4.0, 0.5}}) {
    const Shares s = measured_shares(column(eps, sigma), 4000, area);
    for (std::size_t f = 0; f < s.frequency.size(); ++f) {
      const SlabShares exact = slab_shares(permittivity_of(eps, sigma, s.frequency[f]), 20 * h, s.frequency[f]);
      EXPECT_NEAR(s.reflected[f], exact.reflected, 0.01) << s.frequency[f];
      EXPECT_NEAR(s.transmitted[f], exact.transmitted, 0.01) << s.frequency[f];
    }
  }
}

// The same of dry skin with three Debye poles at the largest stable step, against the Cole-Cole permittivity itself.
TEST(Slab, OfATissueWithDebyePoles) {
  const auto tissue = [](double omega) { return physics::tissue_permittivity("Skin (Dry)", omega / (2 * pi)); };
  const auto fit = physics::fit_debye(tissue, 3, 2 * pi * 1e8, 2 * pi * 1e10);
  GridProblem problem = column(2, 0);
  problem.cfl_fraction = 1;
  problem.setup.materials[1] = fit;
  problem.bodies[0].size = {1, 1, 4 * h};
  const Shares s = measured_shares(problem, 4000, area);
  for (std::size_t f = 0; f < s.frequency.size(); ++f) {
    const double frequency = s.frequency[f];
    const SlabShares exact = slab_shares(tissue(2 * pi * frequency), 4 * h, frequency);
    std::printf("%g Hz: reflected %.4f (exact %.4f), transmitted %.4f (%.4f)\n", frequency, s.reflected[f],
                exact.reflected, s.transmitted[f], exact.transmitted);
    EXPECT_NEAR(s.reflected[f], exact.reflected, 0.03) << frequency;
    EXPECT_NEAR(s.transmitted[f], exact.transmitted, 0.03) << frequency;
  }
}

// Nothing but the layer: what comes back is below -60 dB in power over the band.
TEST(AbsorbingLayer, ReflectsLittleAtNormalIncidence) {
  const Shares s = measured_shares(column(1, 0), 4000, area);
  double worst = 0;
  for (std::size_t f = 0; f < s.frequency.size(); ++f) {
    worst = std::max(worst, std::abs(s.reflected[f]));
    // The mean of H over both sides of a plane is short by cos(k h / 2).
    const double phase = 2 * pi * s.frequency[f] / speed_of_light * h / 2;
    EXPECT_NEAR(s.transmitted[f], std::cos(phase), 2e-4) << s.frequency[f];
  }
  std::printf("normal incidence: %.1f dB\n", 10 * std::log10(worst));
  EXPECT_LT(worst, 1e-6);
}

// Metal that goes into the layer, driven once: bounded for long.
TEST(AbsorbingLayer, MetalInTheLayerStaysBounded) {
  const parallel::Communicator comm;
  GridProblem problem = scattering_problem();
  problem.setup.grid = uniform_grid(24, 24, 24, 4e-9, {-48e-9, -48e-9, -48e-9});
  problem.bodies = {{.type = grid::Shape::Type::cylinder,
                     .centre = {0, 0, 0},
                     .radius = 16e-9,
                     .axis = {1, 0, 0},
                     .height = 1,
                     .material = 1}};
  problem.fluxes.clear();
  problem.sources.erase(problem.sources.begin());
  problem.sources[0].position = {0, 0, 0.02e-6};
  auto solver = problem.make<float>(comm);
  const bool full = std::getenv("DGTD_FULL") != nullptr;
  double peak = 0;
  for (int n = 0; n < (full ? 100000 : 6000); ++n) {
    const bool look = n % 100 == 0;
    solver->advance(1);
    if (look && n <= 1000) peak = std::max(peak, solver->energy());
  }
  std::printf("energy at the end %.3g of its peak\n", solver->energy() / peak);
  EXPECT_GT(peak, 0);
  EXPECT_LT(solver->energy(), 1e-3 * peak);
}

}  // namespace
}  // namespace dgtd::fdtd
