// SAR of the cells of a grid against exact fields: behind the surface of a half space, and in a lossy sphere voxel by
// voxel, with its averages over 1 g and 10 g. Grey matter's values at 1.8 GHz.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <string>

#include "dgtd/base/constants.hpp"
#include "dgtd/dosimetry/mass_average.hpp"
#include "dgtd/fdtd/power.hpp"
#include "dgtd/observers/grid_powers.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "fdtd/grid_problem.hpp"
#include "support/exact_layered_sphere.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double permittivity = 40, conductivity = 1.4, density = 1000;

bool gpu() {
#if DGTD_CUDA
  return parallel::take_cuda_device(parallel::Communicator()).found;
#else
  return false;
#endif
}

struct CellSar {
  std::vector<double> sar;  // [cells of the grid] W/kg
  std::vector<dosimetry::TissueRow> rows;
  double frequency = 0;  // Hz, near the one asked for: a period is a whole number of steps
};

// In the steady state. amplitude: of the wave, V/m.
template <class Real>
CellSar steady_sar(GridProblem& problem, double frequency, int periods, bool cuda) {
  const parallel::Communicator comm;
  const int steps = static_cast<int>(std::ceil(1 / (frequency * problem.time_step())));
  CellSar result;
  result.frequency = frequency = 1 / (steps * problem.time_step());
  problem.sources = {wave_along_z({physics::Waveform::Type::ramped_sine, frequency, 2, 0})};
  problem.sources[0].amplitude = 100;
  auto solver = problem.make<Real>(comm, cuda);
  solver->advance(std::int64_t{steps} * (periods - 1));
  solver->start_dft({2 * pi * frequency});
  for (int n = 0; n < steps; ++n) {
    solver->advance(1);
    solver->accumulate_dft(2.0 / steps);
  }
  std::vector<physics::Material> materials(problem.setup.materials.size());
  for (std::size_t m = 0; m < materials.size(); ++m) {
    static_cast<physics::Medium&>(materials[m]) = problem.setup.materials[m];
    materials[m].name = "material " + std::to_string(m);
    if (m > 0) materials[m].density = density;
  }
  const auto media = problem.media();
  observers::FourierPlan plan;
  plan.frequencies = {frequency};
  const observers::GridPowers powers(*solver, *media, materials, power_box(problem.setup, problem.sources), plan, 3,
                                     comm);
  const auto measured = powers.measure(0);
  result.sar.assign(static_cast<std::size_t>(problem.setup.grid.cells()), 0);
  for (std::size_t n = 0; n < measured.exposure.group.size(); ++n)
    result.sar[measured.exposure.listed[n]] = dosimetry::local_sar(measured.exposure, n);
  result.rows = measured.rows;
  return result;
}

double sum_of_cells(const GridProblem& problem, const CellSar& cells, int material) {
  const auto media = problem.media();
  const auto& grid = problem.setup.grid;
  const auto x = grid.nodes(0), y = grid.nodes(1), z = grid.nodes(2);
  double sum = 0;
  std::size_t cell = 0;
  for (std::size_t k = 0; k + 1 < z.size(); ++k)
    for (std::size_t j = 0; j + 1 < y.size(); ++j)
      for (std::size_t i = 0; i + 1 < x.size(); ++i, ++cell) {
        const Vec3 low{x[i], y[j], z[k]}, high{x[i + 1], y[j + 1], z[k + 1]}, size = high - low;
        if (media->material_at(0.5 * (low + high)) == material)
          sum += density * cells.sar[cell] * size.x * size.y * size.z;
      }
  return sum;
}

// 120 mm of tissue behind air, the wave has 1e-2 of its amplitude at its end. The exact field in a layer of cells:
// T = 2 / (1 + n), |E|^2 = |T|^2 exp(-2 Im(k) z).
double half_space_sar(double z, double length, double frequency) {
  const double omega = 2 * pi * frequency;
  const std::complex<double> n =
      std::sqrt(std::complex<double>(permittivity, conductivity / (omega * vacuum_permittivity)));
  const double decay = 2 * omega / speed_of_light * n.imag();
  return 1e4 * 0.5 * conductivity / density * std::norm(2.0 / (1.0 + n)) * std::exp(-decay * z) *
         (1 - std::exp(-decay * length)) / (decay * length);
}

// The same over the exact one for the steady field of the scheme itself, with small time steps: E_j = T' exp(i K z_j)
// with sin(K d / 2) = k d / 2 in either medium and, at the node on the surface, which has the mean permittivity,
//
//     E_1 - 2 E_0 + E_-1 + (w d / c)^2 (1 + eps) / 2 E_0 = 0.
//
// A cell has the mean of |E|^2 at its two nodes.
double half_space_sar_of_the_scheme(double d, double depth, double frequency) {
  using namespace std::complex_literals;
  const double omega = 2 * pi * frequency, k = omega / speed_of_light;
  const std::complex<double> eps(permittivity, conductivity / (omega * vacuum_permittivity));
  const std::complex<double> inside = std::exp(2i * std::asin(k * std::sqrt(eps) * d / 2.0));  // exp(i K d)
  const std::complex<double> outside = std::exp(2i * std::asin(k * d / 2));
  const std::complex<double> surface =
      (outside - 1.0 / outside) / (inside - 2.0 + k * k * d * d * (1.0 + eps) / 2.0 + outside);
  double sum = 0, square = std::norm(surface);
  for (int n = 0; n * d < depth - 1e-9; ++n) {
    const double next = square * std::norm(inside);
    sum += 0.5 * (square + next) * std::min(d, depth - n * d);
    square = next;
  }
  return 1e4 * 0.5 * conductivity / density * sum / depth;
}

// Components on the surface have half of the tissue's conductivity. Layers are as thick as the cubes of 1 g and 10 g of
// water. At 2 mm the scheme's own field has 1.050 of |E|^2 at the surface and decays 3.0 % too fast ((k d)^2 / 8), at
// 1 mm a quarter of that; cells follow it to 0.5 %: the first one is weighted towards its inner nodes.
TEST(VoxelSar, BehindTheSurfaceOfAHalfSpace) {
  struct Row {
    double spacing, first, layers;
  };
  for (const Row row : {Row{2e-3, 0.05, 0.04}, Row{1e-3, 0.03, 0.01}}) {
    const int air = static_cast<int>(std::lround(0.04 / row.spacing));
    GridProblem problem = column_along_z(4 * air, row.spacing, physics::BoundaryKind::cpml);
    problem.setup.sides[5] = physics::BoundaryKind::pec;  // no total-field box may end in the tissue
    problem.setup.layer_cells = 10;
    problem.setup.materials = {physics::Medium{}, physics::Medium{permittivity, 1, conductivity, 0, {}}};
    problem.bodies = {{.type = grid::Shape::Type::box, .centre = {0, 0, 1.04}, .size = {2, 2, 2}, .material = 1}};
    const CellSar cells = steady_sar<double>(problem, 1.8e9, 12, false);
    const auto mean = [&](double depth) {  // from the surface to a depth
      double sum = 0;
      for (int n = 0; n * row.spacing < depth - 1e-9; ++n)
        sum += cells.sar[static_cast<std::size_t>(9 * (air + n) + 4)] * std::min(row.spacing, depth - n * row.spacing);
      return sum / depth;
    };
    for (const double depth : {row.spacing, 0.01, 0.0215}) {
      const double ratio = mean(depth) / half_space_sar(0, depth, cells.frequency);
      const double scheme = half_space_sar_of_the_scheme(row.spacing, depth, cells.frequency);
      std::printf("cells of %.0f mm, the first %.1f mm: mean over exact %.4f, over that of the scheme %.4f\n",
                  row.spacing * 1e3, depth * 1e3, ratio, mean(depth) / scheme);
      EXPECT_NEAR(ratio, 1, depth == row.spacing ? row.first : row.layers) << row.spacing;
      EXPECT_NEAR(mean(depth) / scheme, 1, depth == row.spacing ? 0.03 : 0.005) << row.spacing;
    }
    EXPECT_NEAR(sum_of_cells(problem, cells, 1) / cells.rows[1].absorbed_W, 1, 1e-6);
  }
}

// Wherever surfaces cut cells, cells have the power that the table of tissues says.
TEST(VoxelSar, AddsUpToTheTable) {
  GridProblem problem;
  problem.setup.grid = uniform_grid(30, 28, 26, 0.01, {-0.151, -0.138, -0.13});
  for (int i = 12; i < 18; ++i) problem.setup.grid.spacing[0][static_cast<std::size_t>(i)] = 0.008;
  problem.setup.sides.fill(physics::BoundaryKind::cpml);
  problem.setup.layer_cells = 4;
  problem.setup.materials = {physics::Medium{}, physics::Medium{30, 1, 0.8, 0, {}}, physics::Medium{10, 1, 0.2, 0, {}},
                             physics::Medium{3, 1, 0, 0, {{physics::Pole::Type::debye, 20, 0, 0, 2e-11}}}};
  using Type = grid::Shape::Type;
  problem.bodies = {{.type = Type::sphere, .centre = {0, 0, 0}, .radius = 0.0352, .material = 2},
                    {.type = Type::sphere, .centre = {0, 0, 0}, .radius = 0.0313, .material = 1},
                    {.type = Type::box, .centre = {-0.03, 0.003, 0.002}, .size = {0.033, 0.031, 0.027}, .material = 3}};
  const CellSar cells = steady_sar<double>(problem, 1.2e9, 8, false);
  EXPECT_EQ(cells.rows[0].absorbed_W, 0);
  for (int m = 1; m < 4; ++m) {
    const double absorbed = cells.rows[static_cast<std::size_t>(m)].absorbed_W;
    EXPECT_GT(absorbed, 0) << m;
    EXPECT_NEAR(sum_of_cells(problem, cells, m) / absorbed, 1, 1e-6) << m;
  }
}

struct Sphere {
  dosimetry::VoxelGrid computed, exact;                   // W/kg
  std::vector<bool> at_surface;                           // [voxels] beside one that is no tissue
  double absorbed = 0, of_cells = 0, exact_absorbed = 0;  // W
};

// A sphere of 30 mm.
template <class Real>
Sphere sphere(double h, bool cuda) {
  constexpr double radius = 0.03;
  const int layer = 8, reach = static_cast<int>(std::lround(radius / h)) + 3 + 4 + layer;
  GridProblem problem;
  problem.setup.grid = uniform_grid(2 * reach, 2 * reach, 2 * reach, h, {-reach * h, -reach * h, -reach * h});
  problem.setup.sides.fill(physics::BoundaryKind::cpml);
  problem.setup.layer_cells = layer;
  problem.setup.materials = {physics::Medium{}, physics::Medium{permittivity, 1, conductivity, 0, {}}};
  problem.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0, 0, 0}, .radius = radius, .material = 1}};
  const CellSar cells = steady_sar<Real>(problem, 1.8e9, 8, cuda);
  Sphere s;
  s.absorbed = cells.rows[1].absorbed_W;
  s.of_cells = sum_of_cells(problem, cells, 1);
  const exact::LayeredSphere series({{radius, permittivity, conductivity}}, cells.frequency, 100);
  s.exact_absorbed = series.powers().absorbed;
  for (int a = 0; a < 3; ++a) s.computed.nodes[a] = problem.setup.grid.nodes(a);
  const auto voxels = static_cast<std::size_t>(s.computed.cells());
  s.computed.density.assign(voxels, 0);
  s.computed.sar.assign(voxels, 0);
  s.exact = s.computed;
  s.at_surface.assign(voxels, false);
  const auto is_tissue = [&](std::int64_t v) { return norm(s.computed.centre(v)) <= radius; };
  const std::int64_t n = s.computed.cells(0);
  for (std::int64_t v = 0; v < s.computed.cells(); ++v) {
    if (!is_tissue(v)) continue;
    const auto i = static_cast<std::size_t>(v);
    for (const std::int64_t step : {std::int64_t{1}, n, n * n})
      if (!is_tissue(v - step) || !is_tissue(v + step)) s.at_surface[i] = true;
    s.computed.density[i] = s.exact.density[i] = static_cast<float>(density);
    s.computed.sar[i] = static_cast<float>(cells.sar[i]);
    double square = 0;  // mean over those of 27 points that are in the sphere
    int points = 0;
    for (int p = 0; p < 27; ++p) {
      const Vec3 x = s.computed.centre(v) + h / 3 * Vec3{double(p % 3 - 1), double(p / 3 % 3 - 1), double(p / 9 - 1)};
      if (norm(x) > radius) continue;
      const auto e = series.field(x).electric;
      for (int a = 0; a < 3; ++a) square += std::norm(e[a]);
      ++points;
    }
    s.exact.sar[i] = static_cast<float>(0.5 * conductivity * square / points / density);
  }
  return s;
}

struct Errors {
  double surface_mean, surface_rms, inner_mean, inner_rms;  // relative; rms over the mean SAR
  double peak_1g, peak_10g;                                 // relative
};

Errors errors(const Sphere& s) {
  double mean[2] = {}, exact[2] = {}, square[2] = {};
  int count[2] = {};
  for (std::size_t v = 0; v < s.computed.sar.size(); ++v) {
    if (s.computed.density[v] == 0) continue;
    const int k = s.at_surface[v] ? 0 : 1;
    mean[k] += s.computed.sar[v], exact[k] += s.exact.sar[v], ++count[k];
    square[k] += std::pow(double(s.computed.sar[v]) - double(s.exact.sar[v]), 2);
  }
  const auto rms = [&](int k) { return std::sqrt(square[k] / count[k]) / (exact[k] / count[k]); };
  const auto computed_averages = dosimetry::average_sar(s.computed, {1e-3, 1e-2}),
             exact_averages = dosimetry::average_sar(s.exact, {1e-3, 1e-2});
  const auto peak = [&](int m) {
    return peaks(s.computed, computed_averages[m]).peak->sar / peaks(s.exact, exact_averages[m]).peak->sar - 1;
  };
  const Errors e{mean[0] / exact[0] - 1, rms(0), mean[1] / exact[1] - 1, rms(1), peak(0), peak(1)};
  std::printf(
      "absorbed %+.2f %% of the series, cells over table %+.1e; surface voxels mean %+.2f %%, rms %.2f %%; inner mean "
      "%+.2f %%, rms %.2f %%; peak 1 g %+.2f %%, 10 g %+.2f %%\n",
      100 * (s.absorbed / s.exact_absorbed - 1), s.of_cells / s.absorbed - 1, 100 * e.surface_mean, 100 * e.surface_rms,
      100 * e.inner_mean, 100 * e.inner_rms, 100 * e.peak_1g, 100 * e.peak_10g);
  return e;
}

// Mixtures at oblique surfaces make the absorbed power too large, which is the scheme's error (of second order). Before
// cells had the power of their tissue, those at the surface had 45 % too little, and the peaks 6 to 7 % too much.
TEST(VoxelSar, OfALossySphere) {
  const Sphere s = sphere<float>(2e-3, gpu());
  const Errors e = errors(s);
  EXPECT_NEAR(s.of_cells / s.absorbed, 1, 1e-6);
  EXPECT_NEAR(s.absorbed / s.exact_absorbed, 1, 0.05);
  EXPECT_NEAR(e.surface_mean, 0, 0.12);
  EXPECT_NEAR(e.inner_mean, 0, 0.06);
  EXPECT_NEAR(e.peak_1g, 0, 0.03);
  EXPECT_NEAR(e.peak_10g, 0, 0.03);
}

TEST(VoxelSar, OfALossySphereOnFineCells) {
  if (std::getenv("DGTD_FULL") == nullptr) GTEST_SKIP() << "set DGTD_FULL=1";
  const Sphere s = sphere<float>(1e-3, gpu());
  const Errors e = errors(s);
  EXPECT_NEAR(s.of_cells / s.absorbed, 1, 1e-6);
  EXPECT_NEAR(s.absorbed / s.exact_absorbed, 1, 0.025);
  EXPECT_NEAR(e.surface_mean, 0, 0.12);
  EXPECT_NEAR(e.inner_mean, 0, 0.03);
  EXPECT_NEAR(e.peak_1g, 0, 0.03);
  EXPECT_NEAR(e.peak_10g, 0, 0.03);
}

}  // namespace
}  // namespace dgtd::fdtd
