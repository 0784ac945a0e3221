// The spectral radius of a whole step with absorbing layers: of E, H and all that layers keep, as a dense matrix.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "damped_layers.hpp"
#include "dg/random_levels.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::verification {
namespace {

using Matrix = std::vector<double>;  // [n][n] by rows

/// Where the numbers are that a step changes.
std::vector<double*> unknowns(dg::DgSolver<double>& solver) {
  std::vector<double*> all;
  for (const solver::PersistentArray& array : solver.persistent_arrays()) {
    auto* const values = static_cast<double*>(array.write());
    for (const solver::ItemRun& run : array.items->runs)
      for (std::int64_t i = 0; i < run.count; ++i)
        for (const std::uint64_t offset : array.offsets) all.push_back(values + run.place + std::uint64_t(i) + offset);
  }
  return all;
}

/// Column j: the unknowns after a step from the j-th one alone. (The first step of all makes what local steps keep.)
Matrix matrix_of_step(dg::DgSolver<double>& solver) {
  solver.advance(1);
  const std::size_t n = unknowns(solver).size();
  Matrix matrix(n * n);
  for (std::size_t column = 0; column < n; ++column) {
    const auto start = unknowns(solver);
    for (double* const x : start) *x = 0;
    *start[column] = 1;
    solver.advance(1);
    const auto end = unknowns(solver);
    for (std::size_t row = 0; row < n; ++row) matrix[row * n + column] = *end[row];
  }
  return matrix;
}

Matrix square_of(const Matrix& a, std::size_t n) {
  Matrix product(n * n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = &product[i * n];
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      if (factor == 0) continue;
      const double* const other = &a[k * n];
#pragma omp simd
      for (std::size_t j = 0; j < n; ++j) row[j] += factor * other[j];
    }
  }
  return product;
}

/// A bound of the spectral radius rho of M, less 1: rho <= |M^N|^(1/N) in the Frobenius norm, N = 2^squarings. Where the
/// powers are bounded it falls as ln |M^N| / N; rounding adds about 1e-15.
double excess_of_radius(Matrix power, int squarings) {
  const auto n = static_cast<std::size_t>(std::llround(std::sqrt(double(power.size()))));
  double log_scale = 0;  // M^N = exp(log_scale) power
  for (int i = 0;; ++i) {
    double square = 0;
    for (const double x : power) square += x * x;
    log_scale += std::log(std::sqrt(square));
    if (i == squarings) return std::expm1(std::ldexp(log_scale, -squarings));
    for (double& x : power) x /= std::sqrt(square);
    power = square_of(power, n);
    log_scale *= 2;
  }
}

struct Layers {
  const char* name;
  std::optional<double> loss;  // of convolutional ones
  physics::LayerProfile profile;
};

constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
               absorbing = physics::BoundaryKind::silver_muller;

/// A duct along z of one cube of 1/6 m across with layers at its ends. Its upper part and the layer there are filled by
/// a dielectric, or its middle has levels of local time steps.
struct Duct {
  Problem problem;
  dg::TimeLevels levels;
};

Duct duct(const Layers& kind, bool has_levels) {
  const int cubes = has_levels ? 6 : 3;
  constexpr int strata = 2;
  constexpr double edge = 1.0 / 6;
  const std::vector<mesh::AddedLayers> layers{{"zmin", strata, strata * edge}, {"zmax", strata, strata * edge}};
  Duct duct{{mesh::make_box({1, 1, cubes}, {edge, edge, cubes * edge}, alone(), layers),
             {{}, {}, {12, 1, 0}},
             {pec, pec, has_levels ? pmc : pec, has_levels ? pmc : pec, absorbing, absorbing},
             {}},
            {}};
  Problem& problem = duct.problem;
  problem.mesh.volume_names = {"box", "box (layer)", "dielectric"};
  damp(problem, layers, kind.profile, kind.loss);
  if (has_levels) duct.levels.of_element.assign(problem.mesh.elements(), 0);
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const double z = dg::ElementGeometry(problem.mesh, e).centre().z;
    if (!has_levels && z > 0.6 * cubes * edge) problem.mesh.element_group[e] = 2;
    const double from_middle = std::abs(z - cubes * edge / 2) / edge;
    if (has_levels) duct.levels.of_element[e] = from_middle < 0.5 ? 2 : from_middle < 1 ? 1 : 0;
  }
  if (has_levels) {
    duct.levels.finest = 2;
    dg::test::raise_neighbours(duct.levels.of_element, problem.mesh);
    dg::test::complete(duct.levels, problem.mesh);
  }
  return duct;
}

double excess_of(const Layers& kind, bool has_levels, int squarings) {
  const Duct d = duct(kind, has_levels);
  const double dt =
      has_levels ? largest_time_step(d.problem, 1, d.levels) : 0.95 * largest_time_step<double>(d.problem, 1);
  const auto solver = make_solver<double>(d.problem, 1, dt, d.levels);
  const Matrix step = matrix_of_step(*solver);
  const double excess = excess_of_radius(step, squarings);
  fmt::print("{}, {}, {} elements, {} unknowns: spectral radius - 1 at most {:.1e}\n", kind.name,
             has_levels ? "three levels" : "dielectric", d.problem.mesh.global_elements,
             std::sqrt(double(step.size())), excess);
  std::fflush(stdout);
  return excess;
}

constexpr physics::LayerProfile steep{3, 1e-8};
const Layers passive{"passive", {}, steep}, lossy{"cpml, loss 0.2", 0.2, steep}, lossless{"cpml, loss 0", 0.0, steep};

// Without the loss waves grow by 1.6e-3 per step beside a dielectric and by 5.3e-3 beside levels.
TEST(LayerRadius, IsAboveOneForConvolutionalLayersWithoutLossOnly) {
  for (const bool has_levels : {false, true}) {
    if (has_levels && !full_study()) continue;
    EXPECT_GT(excess_of(lossless, has_levels, 12), 1e-3);
    EXPECT_LE(excess_of(lossy, has_levels, full_study() ? 46 : 12), full_study() ? 1e-12 : 1e-3);
    if (full_study()) {
      EXPECT_LE(excess_of(passive, has_levels, 46), 1e-13);
    }
  }
}

}  // namespace
}  // namespace dgtd::verification
