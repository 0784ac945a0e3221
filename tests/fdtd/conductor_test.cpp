// Perfect conductors inside the grid, line currents, and an antenna of both.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "fdtd/grid_problem.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;
const physics::Medium metal{1, 1, 0, 0, {}, true};

double electric(FdtdSolver<double>& solver, int component, int i, int j, int k) {
  const auto& d = solver.discretisation();
  return solver.engine().electric().part(static_cast<std::size_t>(component * d.layout.reals + d.layout.index(i, j, k)),
                                         1)[0];
}

// A cavity between plates of metal two cells thick is the cavity with electric walls, to the last digits; whichever
// material the plates cut.
TEST(Conductor, PlatesAreElectricWalls) {
  const parallel::Communicator comm;
  const double h = 0.1;
  const int n = 8, plate = 2;
  const auto field = [=](const Vec3& x) {
    for (int a = 0; a < 3; ++a)
      if (x[a] < 0 || x[a] > n * h) return Vec3{};
    return Vec3{std::sin(pi * x.y / (n * h)) * std::sin(pi * x.z / (n * h)), 0,
                std::sin(pi * x.x / (n * h)) * std::sin(2 * pi * x.y / (n * h))};
  };
  for (const bool averaging : {true, false}) {
    GridProblem walls, plates;
    walls.setup.grid = uniform_grid(n, n, n, h);
    plates.setup.grid =
        uniform_grid(n + 2 * plate, n + 2 * plate, n + 2 * plate, h, {-plate * h, -plate * h, -plate * h});
    walls.averaging = plates.averaging = averaging;
    for (auto* p : {&walls, &plates}) {
      p->setup.materials = {physics::Medium{}, metal, physics::Medium{2, 1, 0, 0, {}}};
      p->bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.8, 0.3, 0.4}, .radius = 0.31, .material = 2}};
    }
    const double middle = 0.5 * n * h, edge = (n + 2 * plate) * h;
    for (int a = 0; a < 3; ++a)
      for (const double at : {-0.5 * plate * h, n * h + 0.5 * plate * h}) {
        grid::Shape body{.type = grid::Shape::Type::box,
                         .centre = {middle, middle, middle},
                         .size = {edge, edge, edge},
                         .material = 1};
        body.centre[a] = at;
        body.size[a] = plate * h;
        plates.bodies.push_back(body);
      }
    auto a = walls.make<double>(comm), b = plates.make<double>(comm);
    ASSERT_EQ(a->time_step(), b->time_step());
    for (auto* solver : {a.get(), b.get()}) {
      solver->set_fields(field, [](const Vec3&) { return Vec3{}; });
      for (int s = 0; s < 60; ++s) {
        if (s == 59) (void)solver->energy();
        solver->advance(1);
      }
    }
    EXPECT_NEAR(b->energy() / a->energy(), 1, 1e-12);
    for (int c = 0; c < 3; ++c)
      for (int k = 1; k < n; ++k)
        for (int i = 1; i < n; ++i)
          ASSERT_NEAR(electric(*b, c, i + plate, 3 + plate, k + plate), electric(*a, c, i, 3, k), 1e-12)
              << c << " " << i << " " << k;
    for (int c = 0; c < 3; ++c) EXPECT_EQ(electric(*b, c, 1, 5, 5), 0);
  }
}

// A line is the sum of the dipoles on its edges: the same moment, and a uniform current.
TEST(LineDipole, IsTheSumOfItsEdges) {
  const parallel::Communicator comm;
  const double h = 0.01;
  GridProblem line, points;
  for (auto* p : {&line, &points}) p->setup.grid = uniform_grid(12, 12, 12, h);
  physics::Source s;
  s.name = "line";
  s.direction = {0, 0, -1};
  s.position = {0.06, 0.055, 0.06};
  s.moment = 2;
  s.length = 3.5 * h;
  s.waveform = {physics::Waveform::Type::sine, 1e9};
  line.sources = {s};
  s.length = 0;
  for (const auto& [z, edges] : {std::pair{4, 0.75}, std::pair{5, 1.0}, std::pair{6, 1.0}, std::pair{7, 0.75}}) {
    s.position.z = (z + 0.5) * h;
    s.moment = 2 * edges / 3.5;
    points.sources.push_back(s);
  }
  auto a = line.make<double>(comm), b = points.make<double>(comm);
  for (auto* solver : {a.get(), b.get()})
    for (int n = 0; n < 20; ++n) solver->advance(1);
  const double size = std::abs(electric(*a, 2, 6, 5, 5));
  EXPECT_GT(size, 0);
  for (int k = 0; k < 12; ++k)
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(electric(*a, 2, i, 5, k), electric(*b, 2, i, 5, k), 1e-12 * size);
  line.sources[0].length = 0.2;
  line.sources[0].origin = "a.cfg:3";
  const std::string text = message([&] { line.make<double>(comm); });
  EXPECT_TRUE(
      text.starts_with("a.cfg:3: source.line: length = 0.2: its line leaves the grid, whose z goes from 0 to 0.1"))
      << text;
}

// The input impedance of a dipole of 41 cells, fed by a current in the gap of one cell, from the gap's voltage. A wire
// one cell's edges wide acts as one of the radius 0.135 h (Taflove, Hagness 2005, sec. 10.6), so length / diameter =
// 150; the charge of its last nodes reaches half a cell further. C. A. Balanis, Antenna Theory (2005), sec. 4.6:
// resonant at 0.47 to 0.48 wavelengths, where a wire of 73 ohm at 0.5 wavelengths has a few less.
TEST(Antenna, HalfWaveDipoleIsResonantBelowHalfAWavelength) {
  const parallel::Communicator comm;
  const double h = 5e-3;
  const bool full = std::getenv("DGTD_FULL") != nullptr;  // cells of half the size
  const int arm = full ? 41 : 20, layer = 8, margin = full ? 30 : 15, across = margin + layer,
            along = 2 * arm + 1 + 2 * (margin + layer);
  const double length = (2 * arm + 2) * h, middle = 0.475 * speed_of_light / length;
  GridProblem p;
  p.setup.grid = uniform_grid(across, across, along, h, {0, 0, -0.5 * along * h});
  p.setup.sides = {physics::BoundaryKind::pmc,  physics::BoundaryKind::cpml, physics::BoundaryKind::pmc,
                   physics::BoundaryKind::cpml, physics::BoundaryKind::cpml, physics::BoundaryKind::cpml};
  p.setup.layer_cells = layer;
  p.setup.materials = {physics::Medium{}, metal};
  for (const double way : {-1.0, 1.0})
    p.bodies.push_back({.type = grid::Shape::Type::cylinder,
                        .centre = {0, 0, way * 0.5 * (arm + 1) * h},
                        .radius = 0.3 * h,
                        .axis = {0, 0, 1},
                        .height = arm * h,
                        .material = 1});
  physics::Source feed;
  feed.name = "feed";
  feed.direction = {0, 0, 1};
  feed.length = h;
  feed.moment = h;  // 1 A
  feed.waveform = {physics::Waveform::Type::modulated_gaussian, middle, 2, middle};
  p.sources = {feed};
  auto solver = p.make<double>(comm);
  const int gap = along / 2;
  const std::vector<double> electrical{0.45, 0.46, 0.47, 0.48, 0.49, 0.50};  // lengths in wavelengths
  std::vector<Complex> voltage(electrical.size()), current(electrical.size());
  const auto shape = physics::shape_of(feed.waveform);
  const double dt = solver->time_step();
  for (int n = 0; n < (full ? 3600 : 1800); ++n) {
    solver->advance(1);
    const double v = -electric(*solver, 2, 0, 0, gap) * h;
    for (std::size_t f = 0; f < electrical.size(); ++f) {
      const double omega = 2 * pi * electrical[f] * speed_of_light / length;
      voltage[f] += v * std::polar(1.0, -omega * (n + 1) * dt);
      current[f] += physics::value(shape, (n + 0.5) * dt) * std::polar(1.0, -omega * (n + 0.5) * dt);
    }
  }
  double resonance = 0, resistance = 0;
  for (std::size_t f = 0; f < electrical.size(); ++f) {
    const Complex z = voltage[f] / current[f];
    std::printf("%.2f wavelengths: %6.1f %+6.1fi ohm\n", electrical[f], z.real(), z.imag());
    if (f == 0 || z.imag() < 0 || resonance > 0) continue;
    const Complex before = voltage[f - 1] / current[f - 1];
    const double t = -before.imag() / (z.imag() - before.imag());
    resonance = electrical[f - 1] + t * (electrical[f] - electrical[f - 1]);
    resistance = before.real() + t * (z.real() - before.real());
  }
  std::printf("resonance at %.4f wavelengths, %.1f ohm\n", resonance, resistance);
  EXPECT_NEAR(resonance, 0.475, 0.01);
  EXPECT_NEAR(resistance, 70, 5);
}

}  // namespace
}  // namespace dgtd::fdtd
