// Field monitors: spectra of E and H in boxes and on planes.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;
using Type = physics::Monitor::Type;

physics::Monitor monitor_at(Type type, Vec3 centre, Vec3 size, std::vector<double> frequencies) {
  physics::Monitor m;
  m.name = "m";
  m.origin = "a.cfg:1";
  m.type = type;
  m.centre = centre, m.size = size;
  m.frequencies = std::move(frequencies);
  return m;
}

Complex at(const std::vector<float>& real, const std::vector<float>& imag, std::size_t cell, int component) {
  return {double(real[3 * cell + component]), double(imag[3 * cell + component])};
}

// A plane wave along z in vacuum, E along x: E = S(w) exp(i w (z - z_0) / c), H_y = E / Z0, S the waveform's transform.
// The grid's wave number is off by k (k h)^2 / 24 (1 - (c dt / h)^2) (Taflove and Hagness 2005, sec. 4.5, second
// order), and the mean of two values half a cell away is short by (k h)^2 / 8.
TEST(FieldMonitor, HasThePhasorOfAPlaneWave) {
  constexpr double h = 1e-3, start = 30 * h;
  GridProblem p = column_along_z(140, h, physics::BoundaryKind::cpml);
  physics::Source wave = wave_along_z({physics::Waveform::Type::modulated_gaussian, 5e9, 2, 4e9});
  wave.box_min = Vec3{-1, -1, start};
  wave.box_max = Vec3{1, 1, 1};
  p.sources = {wave};
  const std::vector<double> frequencies = {3e9, 4e9, 6e9};
  const std::vector<physics::Monitor> monitors = {
      monitor_at(Type::plane, {0, 0, 100 * h}, {1, 1, 0}, frequencies),
      monitor_at(Type::plane, {2 * h, 0, 100 * h}, {0, 1, 40 * h}, frequencies),
      monitor_at(Type::plane, {0, h, 100 * h}, {1, 0, 40 * h}, frequencies),
      monitor_at(Type::box, {0, 0, 100 * h}, {1, 1, 40 * h}, frequencies)};
  const parallel::Communicator comm;
  auto solver = p.make<double>(comm);
  for (const auto& m : monitors) solver->add_region(m);
  const auto shape = physics::shape_of(wave.waveform);
  const double dt = solver->time_step();
  std::vector<Complex> sent(frequencies.size());
  for (int n = 0; n < 3000; ++n) {
    p.advance(*solver, 1, monitors);
    for (std::size_t f = 0; f < sent.size(); ++f)
      sent[f] += dt * physics::value(shape, n * dt) * std::polar(1.0, 2 * pi * frequencies[f] * n * dt);
  }
  for (std::size_t m = 0; m < monitors.size(); ++m)
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const auto fields = cell_sums(*solver, m, f);
      const auto extent = solver->samples(m).cells;
      const double k = 2 * pi * frequencies[f] / speed_of_light, kh = k * h, courant = speed_of_light * dt / h;
      std::int64_t cells[3];
      for (int a = 0; a < 3; ++a) cells[a] = std::max<std::int64_t>(1, extent.mine.last[a] - extent.mine.first[a]);
      ASSERT_EQ(fields.electric_real.size(), static_cast<std::size_t>(3 * cells[0] * cells[1] * cells[2]));
      ASSERT_EQ(fields.magnetic_imag.size(), fields.electric_real.size());
      double worst = 0, allowed = 0;
      for (std::int64_t n = 0; n < cells[0] * cells[1] * cells[2]; ++n) {
        const std::int64_t plane = extent.mine.first[2] + n / (cells[0] * cells[1]);
        const double z = (double(plane) + (extent.whole.first[2] == extent.whole.last[2] ? 0 : 0.5)) * h;
        const Complex exact = sent[f] * std::polar(1.0, k * (z - start));
        const double tolerance = k * (z - start) * kh * kh / 24 * (1 - courant * courant) + kh * kh / 8;
        const Complex e[3] = {at(fields.electric_real, fields.electric_imag, n, 0),
                              at(fields.electric_real, fields.electric_imag, n, 1),
                              at(fields.electric_real, fields.electric_imag, n, 2)};
        const Complex y = vacuum_impedance * at(fields.magnetic_real, fields.magnetic_imag, n, 1);
        worst = std::max({worst, std::abs(e[0] - exact) / std::abs(exact), std::abs(y - exact) / std::abs(exact)});
        allowed = std::max(allowed, 1.1 * tolerance);
        EXPECT_LT(std::abs(e[0] - exact), 1.1 * tolerance * std::abs(exact)) << "monitor " << m << " z " << z;
        EXPECT_LT(std::abs(y - exact), 1.1 * tolerance * std::abs(exact)) << "monitor " << m << " z " << z;
        EXPECT_LT(std::abs(e[1]) + std::abs(e[2]), 1e-9 * std::abs(exact));
      }
      std::printf("monitor %zu, %.0f GHz: worst %.5f, allowed %.5f\n", m, frequencies[f] / 1e9, worst, allowed);
    }
}

// Relative difference of two arrays.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0, size = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]), size += double(b[i]) * b[i];
  EXPECT_GT(size, 0);
  return std::sqrt(sum / size);
}

// A box against the transform of the whole volume, which knows no lists: its cells' values where the sums have the same
// samples.
template <class Real>
void expect_the_volumes_transform(const GridProblem& problem, const physics::Monitor& monitor, double tolerance) {
  const parallel::Communicator comm;
  auto solver = problem.make<Real>(comm);
  solver->add_region(monitor);
  std::vector<double> angular;
  for (const double f : monitor.frequencies) angular.push_back(2 * pi * f);
  solver->start_dft(angular);
  const auto every = static_cast<std::int64_t>(1 / (8 * monitor.frequencies.back() * solver->time_step()));
  ASSERT_GT(every, 1);
  for (int n = 1; n <= 203; ++n) {
    if (n == 100) (void)solver->energy();
    problem.advance(*solver, 1, {monitor});
    if (n % every == 0) solver->accumulate_dft(double(every) * solver->time_step());
  }
  const auto extent = solver->samples(problem.region_of(0)).cells;
  const auto& block = solver->block();
  using Quantity = solver::Quantity;
  for (std::size_t f = 0; f < angular.size(); ++f) {
    const auto fields = cell_sums(*solver, problem.region_of(0), f);
    const auto same_cells = [&](Quantity::Field field, Quantity::Part part) {
      const auto all = solver->sample_cells({field, part, f});
      std::vector<float> values;
      for (auto k = extent.mine.first[2]; k < extent.mine.last[2]; ++k)
        for (auto j = extent.mine.first[1]; j < extent.mine.last[1]; ++j)
          for (auto i = extent.mine.first[0]; i < extent.mine.last[0]; ++i)
            for (int c = 0; c < 3; ++c)
              values.push_back(all[static_cast<std::size_t>(((k * block.cells[1] + j) * block.cells[0] + i) * 3 + c)]);
      return values;
    };
    EXPECT_LT(difference(fields.electric_real, same_cells(Quantity::Field::electric, Quantity::Part::real)), tolerance);
    EXPECT_LT(difference(fields.electric_imag, same_cells(Quantity::Field::electric, Quantity::Part::imaginary)),
              tolerance);
    EXPECT_LT(difference(fields.magnetic_real, same_cells(Quantity::Field::magnetic, Quantity::Part::real)), tolerance);
    EXPECT_LT(difference(fields.magnetic_imag, same_cells(Quantity::Field::magnetic, Quantity::Part::imaginary)),
              tolerance);
  }
}

TEST(FieldMonitor, OfABoxIsTheVolumesTransform) {
  const std::vector<double> light = {4e14, 6e14, 7e14}, waves = {1e9, 2e9};
  const GridProblem scattering = scattering_problem();
  expect_the_volumes_transform<double>(scattering, monitor_at(Type::box, {0.01e-6, 0, 0}, {60e-9, 55e-9, 1}, light),
                                       1e-7);
  expect_the_volumes_transform<float>(scattering, monitor_at(Type::box, {0.01e-6, 0, 0}, {60e-9, 55e-9, 1}, light),
                                      3e-6);
  expect_the_volumes_transform<double>(walls_problem(), monitor_at(Type::box, {0.2, 0, 0.2}, {0.3, 1, 0.3}, waves),
                                       1e-7);
  expect_the_volumes_transform<double>(bloch_problem(), monitor_at(Type::box, {0.2, 0, 0.2}, {1, 1, 0.3}, waves), 1e-7);
  GridProblem flat = walls_problem();  // of two dimensions
  flat.setup.grid = uniform_grid(33, 18, 1, 0.01, {0, 0, -0.005});
  flat.setup.axes = 2;
  flat.setup.sides[4] = flat.setup.sides[5] = physics::BoundaryKind::periodic;
  flat.sources[0].position.z = 0;
  expect_the_volumes_transform<double>(flat, monitor_at(Type::box, {0.2, 0, 0}, {0.2, 1, 1}, waves), 1e-7);
}

// A plane by definition, on a graded grid: sums of every component at every step, and means of them to the faces'
// centres. Along the normal E_n and tangential H are means of both sides, weighted so that a linear field is exact.
TEST(FieldMonitor, OnAPlaneIsTheMeanOfItsNeighbours) {
  const parallel::Communicator comm;
  const double f = 7e14;
  for (int normal = 0; normal < 3; ++normal) {
    physics::Monitor m = monitor_at(Type::plane, {0.01e-6, 0.0083e-6, 0}, {50e-9, 60e-9, 70e-9}, {f});
    m.size[normal] = 0;
    const GridProblem problem = scattering_problem();
    auto solver = problem.make<double>(comm);
    solver->add_region(m);
    const Discretisation<double>& d = solver->discretisation();
    const std::size_t n = solver->engine().electric().size();
    std::vector<Complex> sums[2] = {std::vector<Complex>(n), std::vector<Complex>(n)};
    const double dt = solver->time_step();
    const auto every = static_cast<std::int64_t>(1 / (8 * f * dt));
    for (int step = 1; step <= 120; ++step) {
      problem.advance(*solver, 1, {m});
      if (step % every != 0) continue;
      const double *const e = solver->engine().electric().host(), *const h = solver->engine().magnetic().host();
      const Complex at_e = every * dt * std::polar(1.0, 2 * pi * f * step * dt),
                    at_h = every * dt * std::polar(1.0, 2 * pi * f * (step - 0.5) * dt);
      for (std::size_t i = 0; i < n; ++i) sums[0][i] += at_e * e[i], sums[1][i] += at_h * h[i] / vacuum_impedance;
    }
    const auto fields = cell_sums(*solver, problem.region_of(0), 0);
    const auto extent = solver->samples(problem.region_of(0)).cells;
    const auto node = extent.whole.first[normal];
    const double below = d.grid.spacing[normal][node - 1], above = d.grid.spacing[normal][node];
    const int u = (normal + 1) % 3, v = (normal + 2) % 3;
    const std::int64_t normal_stride = d.layout.stride(normal);
    std::size_t cell = 0;
    double worst = 0, size = 0;
    std::int64_t last[3];
    for (int a = 0; a < 3; ++a) last[a] = std::max(extent.whole.last[a], extent.whole.first[a] + 1);
    for (auto k = extent.whole.first[2]; k < last[2]; ++k)
      for (auto j = extent.whole.first[1]; j < last[1]; ++j)
        for (auto i = extent.whole.first[0]; i < last[0]; ++i, ++cell) {
          const auto value = [&](int field, int c, std::int64_t shift) {
            return sums[field]
                       [static_cast<std::size_t>(c * d.layout.reals + d.layout.index(int(i), int(j), int(k)) + shift)];
          };
          const auto across = [&](int field, int c, std::int64_t shift) {  // linear between the cells below and above
            return (above * value(field, c, shift - normal_stride) + below * value(field, c, shift)) / (below + above);
          };
          const std::int64_t su = d.layout.stride(u), sv = d.layout.stride(v);
          Complex e[3], h[3];
          e[u] = 0.5 * (value(0, u, 0) + value(0, u, sv));
          e[v] = 0.5 * (value(0, v, 0) + value(0, v, su));
          e[normal] = 0.25 * (across(0, normal, 0) + across(0, normal, su) + across(0, normal, sv) +
                              across(0, normal, su + sv));
          h[u] = 0.5 * (across(1, u, 0) + across(1, u, su));
          h[v] = 0.5 * (across(1, v, 0) + across(1, v, sv));
          h[normal] = value(1, normal, 0);
          for (int c = 0; c < 3; ++c) {
            worst =
                std::max({worst, std::abs(at(fields.electric_real, fields.electric_imag, cell, c) - e[c]),
                          vacuum_impedance * std::abs(at(fields.magnetic_real, fields.magnetic_imag, cell, c) - h[c])});
            size = std::max(size, std::abs(e[c]));
          }
        }
    EXPECT_EQ(3 * cell, fields.electric_real.size());
    EXPECT_GT(size, 0);
    EXPECT_LT(worst, 2e-7 * size) << normal;
  }
}

TEST(FieldMonitor, KeepsOnlyTheFieldsAskedFor) {
  const parallel::Communicator comm;
  physics::Monitor m = monitor_at(Type::box, {0.1, 0.1, 0.1}, {0.05, 0.05, 0.05}, {2e9});
  auto both = walls_problem().make<double>(comm), magnetic = walls_problem().make<double>(comm);
  const double before = both->memory_bytes();
  both->add_region(m);
  m.fields = {"H"};
  magnetic->add_region(m);
  EXPECT_LT(magnetic->memory_bytes() - before, 0.7 * (both->memory_bytes() - before));
  walls_problem().advance(*both, 50, {m}), walls_problem().advance(*magnetic, 50, {m});
  const auto a = cell_sums(*both, 0, 0), b = cell_sums(*magnetic, 0, 0);
  EXPECT_TRUE(b.electric_real.empty() && b.electric_imag.empty());
  EXPECT_EQ(a.magnetic_real, b.magnetic_real);
  EXPECT_EQ(a.magnetic_imag, b.magnetic_imag);
}

TEST(FieldMonitor, RegionsThatDoNotFitSayWhatDoes) {
  const grid::CartesianGrid grid = uniform_grid(10, 10, 1, 0.1);
  const auto message = [&](Type type, Vec3 centre, Vec3 size, std::array<bool, 3> periodic = {}) {
    return dgtd::message([&] { field_region(grid, periodic, monitor_at(type, centre, size, {1e9})); });
  };
  EXPECT_EQ(message(Type::plane, {1, 0, 0}, {0, 1, 1}),
            "a.cfg:1: monitor.m: x = 1 m is not inside the grid; a plane across x may lie from 0.1 to 0.9 m");
  EXPECT_EQ(message(Type::plane, {0, 0, 0}, {1, 1, 0}),
            "a.cfg:1: monitor.m: a plane across z needs two cells along z, and the grid has one; take type = box");
  EXPECT_EQ(message(Type::plane, {0.5, 3, 0}, {0, 1, 1}),
            "a.cfg:1: monitor.m: from 2.5 to 3.5 m along y there is no cell; the grid goes from 0 to 1 m, in cells of "
            "0.1 m and more");
  EXPECT_EQ(message(Type::box, {0.52, 0.5, 0}, {0.01, 1, 1}),
            "a.cfg:1: monitor.m: from 0.515 to 0.525 m along x there is no cell; the grid goes from 0 to 1 m, in cells "
            "of 0.1 m and more");
  EXPECT_EQ(message(Type::box, {1, 0.5, 0}, {1, 1, 1}, {true, false, false}),
            "a.cfg:1: monitor.m: reaches the upper end of the periodic axis x, 1 m, but not the lower one, 0 m; it "
            "must reach both or stay below the upper one");
  EXPECT_NO_THROW(field_region(grid, {true, true, true}, monitor_at(Type::box, {0.4, 0.5, 0}, {0.9, 2, 1}, {1e9})));
}

}  // namespace
}  // namespace dgtd::fdtd
