// Passes of several steps over a volume grid on a device against half step after half step there: the same bits.
#include <gtest/gtest.h>

#include <random>

#include "dgtd/parallel/cuda_device.hpp"
#include "fdtd/pass_problems.hpp"

namespace dgtd::fdtd {
namespace {

class VolumePasses : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  void compare(const GridProblem& problem, std::initializer_list<std::int64_t> stretches) {
    auto half_steps = problem.make<float>(comm_, true), passes = problem.make<float>(comm_, true);
    ASSERT_EQ(passes->start_volume_passes(), "");
    for (const std::int64_t steps : stretches) {
      problem.advance(*half_steps, steps);
      problem.advance(*passes, steps);
      ASSERT_EQ(half_steps->fields_hash(), passes->fields_hash())
          << half_steps->steps_done() << describe(*half_steps, *passes);
      EXPECT_EQ(half_steps->energy(), passes->energy());
      EXPECT_EQ(half_steps->source_work(), passes->source_work());
    }
    EXPECT_GT(passes->energy(), 0);
    EXPECT_EQ(half_steps->steps_done(), passes->steps_done());
  }
  // The first cells that differ.
  static std::string describe(FdtdSolver<float>& a, FdtdSolver<float>& b) {
    std::string text;
    int count = 0;
    const GridLayout& l = a.discretisation().layout;
    for (int f = 0; f < 2; ++f) {
      const float* const u = (f == 0 ? a.engine().electric() : a.engine().magnetic()).host();
      const float* const v = (f == 0 ? b.engine().electric() : b.engine().magnetic()).host();
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < l.cells[2]; ++k)
          for (int j = 0; j < l.cells[1]; ++j)
            for (int i = 0; i < l.cells[0]; ++i) {
              const auto n = static_cast<std::size_t>(c * l.reals + l.index(i, j, k));
              if (u[n] == v[n] || ++count > 12) continue;
              text += std::string("\n") + "EH"[f] + "xyz"[c] + " (" + std::to_string(i) + ", " + std::to_string(j) +
                      ", " + std::to_string(k) + "): " + std::to_string(u[n]) + " and " + std::to_string(v[n]);
            }
    }
    return text + "\n" + std::to_string(count) + " differ of " + std::to_string(l.cells[0]) + " x " +
           std::to_string(l.cells[1]) + " x " + std::to_string(l.cells[2]) + " cells";
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_F(VolumePasses, VacuumBetweenWalls) {
  compare(box(64, 40, 30, Kind::pec), {4, 8, 5, 80});
  compare(box(133, 59, 45, Kind::pec), {4, 3, 160});
  compare(box(130, 61, 37, Kind::pmc), {4, 3, 160});
}

TEST_F(VolumePasses, LayersAlongEachAxis) {
  for (int axes = 1; axes < 8; ++axes) {
    GridProblem p = box(160, 90, 61, Kind::pec, 6 + axes % 5);
    for (int a = 0; a < 3; ++a)
      if (axes >> a & 1) p.setup.sides[2 * a] = p.setup.sides[2 * a + 1] = Kind::cpml;
    SCOPED_TRACE(axes);
    compare(p, {4, 100, 3, 61, 120});
  }
}

// Little work, for compute-sanitizer's racecheck (docs/performance.md).
TEST_F(VolumePasses, FewSteps) {
  GridProblem p = box(70, 44, 14, Kind::cpml, 4);
  p.setup.materials = {grid::Material{}, grid::Material{4, 1, 0.05, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.35, 0.22, 0.07}, .radius = 0.05, .material = 1}};
  compare(p, {8});
}

TEST_F(VolumePasses, RandomProblems) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 32; ++trial) {
    const GridProblem p = random_pass_problem(random, 20, 80);
    SCOPED_TRACE(trial);
    try {
      compare(p, {5, 64, 2, 90});
    } catch (const std::exception& e) { ADD_FAILURE() << e.what(); }
    if (HasFatalFailure()) return;
  }
}

// Whichever way proves faster.
TEST_F(VolumePasses, MeasuredOnSmallGrids) {
  const GridProblem problem = box(133, 61, 37, Kind::cpml, 6);
  auto half_steps = problem.make<float>(comm_, true), chosen = problem.make<float>(comm_, true);
  ASSERT_EQ(chosen->start_volume_passes(0, true), "");
  EXPECT_NE(chosen->description_of_steps().find("or half steps if they are faster"), std::string::npos);
  for (const int steps : {37, 3, 100}) {
    half_steps->advance(steps);
    chosen->advance(steps);
    EXPECT_EQ(half_steps->fields_hash(), chosen->fields_hash());
    EXPECT_EQ(half_steps->source_work(), chosen->source_work());
  }
  EXPECT_GT(chosen->energy(), 0);
}

// What passes cannot do is left to half steps.
TEST_F(VolumePasses, OtherProblemsKeepHalfSteps) {
  EXPECT_EQ(scattering_problem().make<float>(comm_, true)->start_volume_passes(), "materials with poles");
  EXPECT_EQ(walls_problem().make<float>(comm_, true)->start_volume_passes(), "periodic sides");
  EXPECT_EQ(mur_problem().make<float>(comm_, true)->start_volume_passes(), "sides of type mur");
  EXPECT_EQ(bloch_problem().make<float>(comm_, true)->start_volume_passes(), "sides of type bloch");
  EXPECT_EQ(box(40, 40, 40, Kind::pec).make<double>(comm_, true)->start_volume_passes(), "double precision");
  EXPECT_EQ(box(40, 40, 40, Kind::pec).make<float>(comm_)->start_volume_passes(), "the CPU");
}

}  // namespace
}  // namespace dgtd::fdtd
