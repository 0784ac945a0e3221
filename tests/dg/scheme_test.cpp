// The kernels against the report's equations (3) to (8) and (10) in nodal form, nodal_reference.hpp.
#include <gtest/gtest.h>

#include "dgtd/dg/kernel_table.hpp"
#include "problems.hpp"

namespace dgtd::dg::test {
namespace {

/// Rounding of a few hundred operations on numbers of one size.
template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;

class Scheme : public testing::TestWithParam<int> {
 protected:
  // Two cubes an axis give elements of all kinds: interior and boundary, lossless and conductive.
  std::array<int, 3> cells() const { return GetParam() <= 4 ? std::array{2, 2, 2} : std::array{2, 2, 1}; }
  int steps() const { return GetParam() <= 4 ? 4 : 1; }

  template <class Real>
  void expect_agreement(const Problem& problem) const {
    for (const KernelFusion schedule : {KernelFusion::fused, KernelFusion::split}) {
      const auto [electric, magnetic] =
          difference_after<Real>(problem, GetParam(), steps(), brisk_time_step(GetParam()), schedule);
      EXPECT_LT(electric, tolerance<Real>);
      EXPECT_LT(magnetic, tolerance<Real>);
    }
  }
};

TEST_P(Scheme, AgreesInAClosedVacuumBox) { expect_agreement<double>(closed_vacuum(cells())); }

TEST_P(Scheme, AgreesWithMixedMaterialsAndBoundaries) { expect_agreement<double>(mixed(cells())); }

// Eq. (10), in a conductive element and in a lossless one.
TEST_P(Scheme, AgreesWithADipole) {
  for (const double conductivity : {0.0, 0.2}) {
    Problem problem = closed_vacuum(cells());
    problem.material[0].conductivity = conductivity;
    problem.sources = {dipole_source()};
    expect_agreement<double>(problem);
  }
}

// Two waves, so that one overwrites the ghosts and the other adds to them.
TEST_P(Scheme, AgreesWithIncidentPlaneWaves) {
  Problem problem = mixed(cells());
  make_exterior_uniform(problem);
  problem.sources = {wave_source({0.6, 0.8, 0}, {0, 0, 1}), wave_source({0, -0.8, 0.6}, {1, 0, 0})};
  expect_agreement<double>(problem);
}

TEST_P(Scheme, AgreesWithLayers) { expect_agreement<double>(mixed_with_layers(cells())); }

TEST_P(Scheme, AgreesWithAPenaltyOfJumps) {
  for (Problem problem : {mixed(cells()), mixed_with_layers(cells())}) {
    problem.upwind = 0.6;
    expect_agreement<double>(problem);
  }
}

TEST_P(Scheme, AgreesInSinglePrecision) {
  expect_agreement<float>(mixed(cells()));
  expect_agreement<float>(mixed_with_layers(cells()));
}

// The reference itself: S of the two equations are transposes (eq. 7), whatever the boundary.
TEST(NodalReference, CouplingsAreTransposes) {
  const Problem problem = mixed({2, 1, 1});
  EXPECT_LT(NodalReference(problem.mesh, problem.material, problem.boundary_kind, 2, {}).transposition_defect(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Order, Scheme, testing::Range(1, highest_order() + 1));

}  // namespace
}  // namespace dgtd::dg::test
