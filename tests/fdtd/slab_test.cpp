// Plane waves at normal incidence, a few cells wide with periodic sides: reflection and transmission of a slab
// against the exact formula, and what an absorbing layer sends back.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/debye_fit.hpp"
#include "dgtd/physics/tissue.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double h = 1e-3;
constexpr int cells = 160;

GridProblem column(double eps, double sigma) {
  GridProblem p;
  p.setup.grid = uniform_grid(3, 3, cells, h);
  p.setup.sides = {grid::BoundaryKind::periodic, grid::BoundaryKind::periodic, grid::BoundaryKind::periodic,
                   grid::BoundaryKind::periodic, grid::BoundaryKind::cpml,     grid::BoundaryKind::cpml};
  p.setup.layer_cells = 12;
  p.setup.materials = {grid::Material{}, grid::Material{eps, 1, sigma, 0, {}}};
  if (eps > 1 || sigma > 0)
    p.bodies = {{.type = grid::Shape::Type::box, .centre = {0, 0, 80 * h}, .size = {1, 1, 20 * h}, .material = 1}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0, 0, 1};
  wave.polarisation = {1, 0, 0};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, 5e9, 2, 4e9};
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

struct Shares {
  std::vector<double> frequency, reflected, transmitted;
};

Shares measured(const GridProblem& problem) {
  const parallel::Communicator comm;
  auto solver = problem.make<double>(comm);
  std::vector<std::complex<double>> incident(problem.fluxes[0].frequencies.size());
  const auto shape = physics::shape_of(problem.sources[0].waveform);
  const double dt = solver->time_step();
  for (int n = 0; n < 4000; ++n) {
    problem.advance(*solver, 1);
    for (std::size_t f = 0; f < incident.size(); ++f)
      incident[f] +=
          dt * physics::value(shape, n * dt) * std::polar(1.0, 2 * pi * problem.fluxes[0].frequencies[f] * n * dt);
  }
  const auto back = solver->flux(0), forth = solver->flux(1);
  Shares s;
  for (std::size_t f = 0; f < incident.size(); ++f) {
    const double all = 2 * std::norm(incident[f]) / vacuum_impedance * 9 * h * h;
    s.frequency.push_back(problem.fluxes[0].frequencies[f]);
    s.reflected.push_back(-back[f] / all);
    s.transmitted.push_back(forth[f] / all);
  }
  return s;
}

// A slab of thickness d in vacuum: r = r1 (1 - p^2) / (1 - r1^2 p^2), t = (1 - r1^2) p / (1 - r1^2 p^2) with
// r1 = (1 - n) / (1 + n), p = exp(i n k d).
TEST(Slab, ReflectsAndTransmitsAsTheFormulaSays) {
  for (const auto& [eps, sigma] : {std::pair{4.0, 0.0}, std::pair{4.0, 0.5}}) {
    const Shares s = measured(column(eps, sigma));
    for (std::size_t f = 0; f < s.frequency.size(); ++f) {
      using Complex = std::complex<double>;
      const double omega = 2 * pi * s.frequency[f];
      const Complex n = std::sqrt(Complex(eps, sigma / (omega * vacuum_permittivity)));
      const Complex r1 = (1.0 - n) / (1.0 + n), p = std::exp(Complex(0, 1) * n * omega / speed_of_light * (20 * h));
      const Complex r = r1 * (1.0 - p * p) / (1.0 - r1 * r1 * p * p), t = (1.0 - r1 * r1) * p / (1.0 - r1 * r1 * p * p);
      EXPECT_NEAR(s.reflected[f], std::norm(r), 0.01) << s.frequency[f];
      EXPECT_NEAR(s.transmitted[f], std::norm(t), 0.01) << s.frequency[f];
    }
  }
}

// The same of dry skin with three Debye poles at the largest stable step, against the Cole-Cole permittivity itself.
TEST(Slab, OfATissueWithDebyePoles) {
  const auto tissue = [](double omega) { return physics::tissue_permittivity("Skin (Dry)", omega / (2 * pi)); };
  const auto fit = physics::fit_debye(tissue, 3, 2 * pi * 1e8, 2 * pi * 1e10);
  GridProblem problem = column(2, 0);
  problem.setup.courant = 1;
  problem.setup.materials[1] = grid::Material{fit.eps_infinity, 1, fit.sigma, 0, fit.poles};
  problem.bodies[0].size = {1, 1, 4 * h};
  const Shares s = measured(problem);
  for (std::size_t f = 0; f < s.frequency.size(); ++f) {
    using Complex = std::complex<double>;
    const double omega = 2 * pi * s.frequency[f];
    const Complex n = std::sqrt(tissue(omega));
    const Complex r1 = (1.0 - n) / (1.0 + n), p = std::exp(Complex(0, 1) * n * omega / speed_of_light * (4 * h));
    const Complex r = r1 * (1.0 - p * p) / (1.0 - r1 * r1 * p * p), t = (1.0 - r1 * r1) * p / (1.0 - r1 * r1 * p * p);
    std::printf("%g Hz: reflected %.4f (exact %.4f), transmitted %.4f (%.4f)\n", s.frequency[f], s.reflected[f],
                std::norm(r), s.transmitted[f], std::norm(t));
    EXPECT_NEAR(s.reflected[f], std::norm(r), 0.03) << s.frequency[f];
    EXPECT_NEAR(s.transmitted[f], std::norm(t), 0.03) << s.frequency[f];
  }
}

// Nothing but the layer: what comes back is below -60 dB in power over the band.
TEST(AbsorbingLayer, ReflectsLittleAtNormalIncidence) {
  const Shares s = measured(column(1, 0));
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
