// Mass-averaged SAR against a slow reference and against closed formulas.
#include "dgtd/dosimetry/mass_average.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <random>

#include "mass_average_reference.hpp"
#include "random_body.hpp"
#include "support/error_message.hpp"

namespace {

using namespace dgtd;
using dosimetry::AveragedSar, dosimetry::Orientation, dosimetry::VoxelGrid, dosimetry::VoxelStatus;
using dosimetry::fill, dosimetry::grid_of, dosimetry::random_body;

constexpr double millimetre = 1e-3, gram = 1e-3;

AveragedSar average(const VoxelGrid& voxels, double mass) { return dosimetry::average_sar(voxels, {mass}).front(); }

VoxelGrid uniform(int nx, int ny, int nz, double width) {
  return grid_of({std::vector<double>(nx, width), std::vector<double>(ny, width), std::vector<double>(nz, width)});
}

void expect_as_reference(const VoxelGrid& g, double mass, const std::string& what,
                         std::array<int, 5>* states = nullptr) {
  const AveragedSar fast = average(g, mass);
  const auto slow = reference::MassAverage(g, mass).run();
  for (std::size_t v = 0; v < slow.size(); ++v) {
    if (states) ++(*states)[slow[v].status];
    ASSERT_EQ(static_cast<int>(fast.status[v]), slow[v].status) << what << ", voxel " << v;
    ASSERT_NEAR(fast.sar[v], slow[v].sar, 1e-6 * slow[v].sar) << what << ", voxel " << v;
    ASSERT_NEAR(fast.side[v], slow[v].side, 1e-6 * slow[v].side) << what << ", voxel " << v;
    ASSERT_EQ(static_cast<int>(fast.orientation[v]), slow[v].orientation) << what << ", voxel " << v;
  }
}

// Every state but background occurs among the bodies, each several times.
TEST(MassAverage, RandomBodiesAreAveragedAsByTheReference) {
  std::array<int, 5> states{};
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const double width = 2 * millimetre;
    const VoxelGrid g = random_body(
        seed, {std::vector<double>(11, width), std::vector<double>(10, width), std::vector<double>(12, width)});
    for (const double mass : {0.05, 0.37, 1.0})
      expect_as_reference(g, mass * gram, "seed " + std::to_string(seed) + ", mass " + std::to_string(mass), &states);
  }
  for (const int state : {1, 2, 3}) EXPECT_GT(states[state], 200) << state;
}

TEST(MassAverage, SpacingsMayVary) {
  std::array<std::vector<double>, 3> widths;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> width(0.8 * millimetre, 3 * millimetre);
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 10 + a; ++i) widths[a].push_back(width(random));
  std::array<int, 5> states{};
  for (unsigned seed = 11; seed <= 12; ++seed)
    for (const double mass : {0.04, 0.3})
      expect_as_reference(random_body(seed, widths), mass * gram, "seed " + std::to_string(seed), &states);
  for (const int state : {1, 2, 3}) EXPECT_GT(states[state], 80) << state;
}

// Faces of cubes lie exactly on planes between voxels: a cube of water of 1 g has a side of five voxels.
TEST(MassAverage, FacesMayLieOnPlanesBetweenVoxels) {
  VoxelGrid g = uniform(11, 11, 11, 2 * millimetre);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  fill(
      g, [&](auto i, auto j, auto k) { return i == 0 || (i == 5 && j == 5 && k > 7) ? 0 : 1000; },
      [&](auto, auto, auto) { return uniform(random); });
  expect_as_reference(g, 1 * gram, "planes");
}

// A face on a plane touches the tissue behind it: the outermost layer of these cubes of eleven voxels is background, a
// layer of one voxel.
TEST(MassAverage, FacesOnPlanesTouchWhatIsBehind) {
  VoxelGrid g = uniform(22, 11, 11, millimetre);
  fill(
      g, [](auto i, auto, auto) { return i == 10 ? 0 : 1000; }, [](auto i, auto, auto) { return i < 10 ? 1 : 3; });
  const AveragedSar averages = average(g, 1.21 * gram);
  for (const int i : {5, 15}) {
    const auto voxel = static_cast<std::size_t>((5 * 11 + 5) * 22 + i);
    EXPECT_EQ(averages.status[voxel], VoxelStatus::valid) << i;
    EXPECT_NEAR(averages.side[voxel], 0.011, 1e-8) << i;
    EXPECT_NEAR(averages.sar[voxel], i < 10 ? 1 : 3, 1e-6) << i;
  }
}

// Voxels larger than a cube, which is then inside of one voxel.
TEST(MassAverage, CubesMayBeSmallerThanVoxels) {
  std::array<int, 5> states{};
  const VoxelGrid g =
      random_body(5, {std::vector<double>(6, 0.02), std::vector<double>(7, 0.02), std::vector<double>(5, 0.03)});
  expect_as_reference(g, 1 * gram, "large voxels", &states);
  EXPECT_GT(states[1], 0);
}

// A homogeneous cube of tissue with one SAR everywhere has that average everywhere; with a SAR that is linear in space
// the average over a cube inside of it is the value at the cube's centre.
TEST(MassAverage, HomogeneousCubeHasTheFormulasOfItsGeometry) {
  constexpr int n = 24;
  const double side = 10 * millimetre;  // of 1 g at 1000 kg/m^3
  VoxelGrid g = uniform(n, n, n, millimetre);
  const auto linear = [&](auto i, auto j, auto k) { return 5 + 0.1 * i + 0.05 * j - 0.02 * k; };
  fill(
      g, [](auto, auto, auto) { return 1000; }, linear);
  const AveragedSar averages = average(g, 1 * gram);
  const auto depth = [&](std::int64_t i) { return std::min(i, n - 1 - i); };
  for (std::int64_t v = 0; v < g.cells(); ++v) {
    const auto at = g.at(v);
    const std::int64_t least = std::min({depth(at[0]), depth(at[1]), depth(at[2])});
    // The cube must not leave the tissue: depth + 1/2 >= 5 voxels. The outermost valid cube begins half a voxel inside,
    // so that all voxels but the outermost layer are wholly inside of one.
    const VoxelStatus expected = least >= 5 ? VoxelStatus::valid : least >= 1 ? VoxelStatus::used : VoxelStatus::unused;
    ASSERT_EQ(averages.status[v], expected) << v;
    if (expected != VoxelStatus::valid) continue;
    EXPECT_NEAR(averages.sar[v], linear(at[0], at[1], at[2]), 1e-6 * averages.sar[v]);
    EXPECT_NEAR(averages.side[v], side, 1e-6 * side);
  }
  fill(
      g, [](auto, auto, auto) { return 1000; }, [](auto, auto, auto) { return 1.75; });
  for (const float sar : average(g, 1 * gram).sar) EXPECT_NEAR(sar, 1.75, 1e-6);
}

// In front of a half space whose SAR falls as exp(-x / d) the surface voxels are unused, and of their six cubes the
// inward one is the smallest: S0 d / L (1 - exp(-L / d)) with the side L.
TEST(MassAverage, HalfSpaceWithAnExponentialHasItsClosedFormula) {
  constexpr int n = 40;
  const double w = millimetre, d = 7 * millimetre, density = 1050, s0 = 3;
  VoxelGrid g = uniform(n, n, n, w);
  // Means over the voxels, so that averages over whole layers are exact.
  const auto mean = [&](double from, double to) {
    return s0 * d / (to - from) * (std::exp(-from / d) - std::exp(-to / d));
  };
  // None far from the axis: at the edges of a finite body cubes are others.
  const auto is_near = [&](auto j) { return std::abs(j - n / 2) <= 12; };
  fill(
      g, [&](auto, auto, auto) { return density; },
      [&](auto i, auto j, auto k) { return is_near(j) && is_near(k) ? mean(i * w, (i + 1) * w) : 0; });
  for (const double mass : {1 * gram, 2.5 * gram}) {
    const double side = std::cbrt(mass / density);
    const AveragedSar averages = average(g, mass);
    // Inside of a voxel SAR is constant; faces inside of one therefore see its mean.
    const auto integral = [&](double x) {  // from 0 to x
      const double whole = std::floor(x / w) * w;
      return whole * (whole > 0 ? mean(0, whole) : 0) + (x - whole) * mean(whole, whole + w);
    };
    const auto layer = [&](int i) { return static_cast<std::size_t>((n / 2 * n + n / 2) * n + i); };
    EXPECT_EQ(averages.status[layer(0)], VoxelStatus::unused);
    EXPECT_EQ(averages.orientation[layer(0)], Orientation::lower_x);
    EXPECT_NEAR(averages.side[layer(0)], side, 1e-6 * side);
    EXPECT_NEAR(averages.sar[layer(0)], integral(side) / side, 1e-6 * s0);
    const int first_valid = static_cast<int>(std::ceil(0.5 * side / w - 0.5));
    const auto valid = [&](int i) {
      const double centre = (i + 0.5) * w;
      return (integral(centre + 0.5 * side) - integral(centre - 0.5 * side)) / side;
    };
    for (int i = 0; i < n / 2; ++i) {
      if (i >= first_valid) {
        EXPECT_EQ(averages.status[layer(i)], VoxelStatus::valid) << i;
        EXPECT_NEAR(averages.sar[layer(i)], valid(i), 1e-6 * s0) << i;
      } else if (i * w >= (first_valid + 0.5) * w - 0.5 * side) {
        EXPECT_EQ(averages.status[layer(i)], VoxelStatus::used) << i;
        EXPECT_NEAR(averages.sar[layer(i)], valid(first_valid), 1e-6 * s0) << i;
      }
    }
    const auto peak = dosimetry::peaks(g, averages).peak;
    ASSERT_TRUE(peak);
    EXPECT_NEAR(peak->sar, averages.sar[layer(0)], 1e-6 * s0);
    EXPECT_EQ(peak->orientation, Orientation::lower_x);
    EXPECT_NEAR(peak->at.x, g.nodes[0][0] + 0.5 * w, 1e-12);
    EXPECT_NEAR(peak->lower.x, g.nodes[0][0], 1e-9);
    EXPECT_NEAR(peak->upper.x, g.nodes[0][0] + side, 1e-6 * side);
    EXPECT_NEAR(peak->upper.y - peak->lower.y, side, 1e-6 * side);
  }
}

TEST(MassAverage, LightBodiesAreMarked) {
  VoxelGrid g = uniform(8, 8, 8, millimetre);
  fill(
      g, [](auto i, auto, auto) { return i < 4 ? 1000 : 0; }, [](auto, auto, auto) { return 1; });
  const AveragedSar averages = average(g, 1 * gram);
  for (std::int64_t v = 0; v < g.cells(); ++v) {
    EXPECT_EQ(averages.status[v], g.at(v)[0] < 4 ? VoxelStatus::no_cube : VoxelStatus::background);
    EXPECT_EQ(averages.sar[v], 0);
  }
  const auto peaks = dosimetry::peaks(g, averages);
  EXPECT_FALSE(peaks.peak);
  EXPECT_EQ(peaks.voxels_in[4], 256);
  // A body of the very mass has a cube: its mass is met to 1e-6.
  fill(
      g, [](auto, auto, auto) { return 1000; }, [](auto, auto, auto) { return 2; });
  const auto whole = dosimetry::peaks(g, average(g, 0.512 * gram));
  ASSERT_TRUE(whole.peak);
  EXPECT_NEAR(whole.peak->sar, 2, 1e-6);
  expect_as_reference(g, 0.512 * gram, "the whole body");
}

TEST(MassAverage, NothingButBackground) {
  const VoxelGrid g = uniform(3, 4, 5, millimetre);
  const AveragedSar averages = average(g, 1 * gram);
  for (const VoxelStatus status : averages.status) EXPECT_EQ(status, VoxelStatus::background);
  EXPECT_FALSE(dosimetry::peaks(g, averages).peak);
}

TEST(MassAverage, DoesNotDependOnTheNumberOfThreads) {
  const double width = 2 * millimetre;
  const VoxelGrid g =
      random_body(4, {std::vector<double>(40, width), std::vector<double>(30, width), std::vector<double>(35, width)});
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const AveragedSar one = average(g, 1 * gram);
  omp_set_num_threads(3);
  const AveragedSar three = average(g, 1 * gram);
  omp_set_num_threads(threads);
  EXPECT_EQ(one.sar, three.sar);
  EXPECT_EQ(one.status, three.status);
  EXPECT_EQ(one.orientation, three.orientation);
  EXPECT_EQ(one.side, three.side);
}

TEST(MassAverage, PeaksOfTissues) {
  VoxelGrid g = uniform(12, 12, 12, millimetre);
  fill(
      g, [](auto, auto, auto) { return 1000; }, [](auto i, auto, auto) { return 1 + i; });
  g.tissue_names = {"skin", "brain", "nowhere"};
  for (std::int64_t v = 0; v < g.cells(); ++v) g.tissue.push_back(g.at(v)[0] < 6 ? 1 : 0);
  const auto averages = average(g, 0.064 * gram);
  const auto peaks = dosimetry::peaks(g, averages);
  ASSERT_EQ(peaks.of_tissues.size(), 2u);
  EXPECT_EQ(peaks.of_tissues[0].tissue, "skin");
  EXPECT_EQ(peaks.of_tissues[1].tissue, "brain");
  EXPECT_EQ(peaks.peak->tissue, "skin");
  EXPECT_GT(peaks.of_tissues[0].sar, peaks.of_tissues[1].sar);
  EXPECT_EQ(peaks.peak->sar, peaks.of_tissues[0].sar);
}

TEST(MassAverage, ErrorsSayWhatIsAllowed) {
  VoxelGrid g = uniform(2, 2, 2, millimetre);
  EXPECT_EQ(message([&] { dosimetry::average_sar(g, {0.0}); }),
            "SAR cannot be averaged over a mass of 0 g; allowed are positive masses");
  g.density[5] = -1;
  EXPECT_EQ(message([&] { check(g, "a.vti"); }),
            "a.vti: density of voxel (1, 0, 1) is -1 kg/m^3; it must be finite and not negative");
  g.density[5] = 0;
  g.nodes[1][1] = g.nodes[1][0];
  EXPECT_EQ(message([&] { check(g, "a.vti"); }),
            "a.vti: y coordinate 1 is -0.02; coordinates must be finite and ascending");
}

}  // namespace
