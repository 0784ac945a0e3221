// Passes of several steps over a volume grid on a device against half step after half step there: the same bits.
#include <gtest/gtest.h>

#include <random>

#include "dgtd/parallel/cuda_device.hpp"
#include "fdtd/pass_problems.hpp"
#include "fdtd/port_records.hpp"

namespace dgtd::fdtd {
namespace {

class VolumePasses : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  void compare(const GridProblem& problem, std::initializer_list<std::int64_t> stretches) {
    compare_stored<float>(problem, stretches);
    if (HasFatalFailure()) return;
    GridProblem without_weak_losses = problem;  // of components with a little of a lossy medium
    without_weak_losses.averaging = false;
    compare_stored<Half>(without_weak_losses, stretches);
  }
  // Half precision: half steps compute in it only where passes do, so they are those of passes that never have four
  // steps at once.
  template <class Stored>
  void compare_stored(const GridProblem& problem, std::initializer_list<std::int64_t> stretches) {
    SCOPED_TRACE(is_compressed<Stored> ? "half" : "single");
    auto half_steps = problem.make<Stored>(comm_, true), passes = problem.make<Stored>(comm_, true);
    const std::string why_not = passes->start_volume_passes();
    if (is_compressed<Stored>) {
      const auto part_of = [&](const char* text) { return why_not.find(text) != std::string::npos; };
      if (part_of("a medium that takes less than") || part_of("a grid narrower than a tile")) return;
      ASSERT_EQ(half_steps->start_volume_passes(), why_not);
    }
    ASSERT_EQ(why_not, "");
    ++compared_[is_compressed<Stored>];
    for (const std::int64_t steps : stretches) {
      if (is_compressed<Stored>)
        for (std::int64_t s = 0; s < steps; ++s) half_steps->advance(1);
      else problem.advance(*half_steps, steps);
      problem.advance(*passes, steps);
      ASSERT_EQ(half_steps->fields_hash(), passes->fields_hash())
          << half_steps->steps_done() << describe(*half_steps, *passes);
      EXPECT_EQ(half_steps->energy(), passes->energy());
      EXPECT_EQ(half_steps->source_work(), passes->source_work());
      expect_equal_ports(*half_steps, *passes, problem.ports.size());
    }
    EXPECT_GT(passes->energy(), 0);
    for (std::size_t port = 0; port < problem.ports.size(); ++port)
      EXPECT_NE(passes->port_record(port).current.back(), 0);
    EXPECT_EQ(half_steps->steps_done(), passes->steps_done());
  }
  // The first cells that differ.
  template <class Stored>
  static std::string describe(FdtdSolver<Stored>& a, FdtdSolver<Stored>& b) {
    std::string text;
    int count = 0;
    const GridLayout& l = a.discretisation().layout;
    for (int f = 0; f < 2; ++f) {
      const Stored* const u = (f == 0 ? a.engine().electric() : a.engine().magnetic()).host();
      const Stored* const v = (f == 0 ? b.engine().electric() : b.engine().magnetic()).host();
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < l.cells[2]; ++k)
          for (int j = 0; j < l.cells[1]; ++j)
            for (int i = 0; i < l.cells[0]; ++i) {
              const auto n = static_cast<std::size_t>(c * l.reals + l.index(i, j, k));
              if (float(u[n]) == float(v[n]) || ++count > 12) continue;
              text += std::string("\n") + "EH"[f] + "xyz"[c] + " (" + std::to_string(i) + ", " + std::to_string(j) +
                      ", " + std::to_string(k) + "): " + std::to_string(float(u[n])) + " and " +
                      std::to_string(float(v[n]));
            }
    }
    return text + "\n" + std::to_string(count) + " differ of " + std::to_string(l.cells[0]) + " x " +
           std::to_string(l.cells[1]) + " x " + std::to_string(l.cells[2]) + " cells";
  }
  /// Problems drawn at random, all of which have passes in single precision, and so many in half precision.
  void compare_random(GridProblem (*draw)(std::mt19937&, int, int), unsigned seed, int problems, int least_in_half) {
    std::mt19937 random(seed);
    for (int n = 0; n < problems; ++n) {
      const GridProblem p = draw(random, 20, 80);
      SCOPED_TRACE(n);
      try {
        compare(p, {5, 64, 2, 90});
      } catch (const std::exception& e) { ADD_FAILURE() << e.what(); }
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(compared_[0], problems);
    EXPECT_GE(compared_[1], least_in_half);
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
  int compared_[2] = {0, 0};  // problems in single, in half precision
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

// Little work, for compute-sanitizer's racecheck (docs/notebook/2026-11-23-grids-several-steps-per-pass.md).
TEST_F(VolumePasses, FewSteps) {
  GridProblem p = box(70, 44, 14, Kind::cpml, 4);
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.35, 0.22, 0.07}, .radius = 0.05, .material = 1}};
  compare(p, {8});
}
TEST_F(VolumePasses, FewStepsOfAFreeFormDesign) {
  GridProblem p = box(70, 44, 40, Kind::adiabatic, 4);
  p.setup.sides[4] = p.setup.sides[5] = Kind::cpml;
  p.setup.adiabatic.fill({0.1, 2, 1e-2});
  grid::PermittivityArray design;
  design.low = {0, 0, 0.17}, design.spacing = {0.01, 0.01, 0.01}, design.size = {70, 44, 3};
  for (int n = 0; n < 70 * 44 * 3; ++n) design.values.push_back(2 + 0.001f * static_cast<float>(n % 5000));
  p.arrays = {design};
  p.averaging = false;
  p.sources[0].position.z = 0.05;  // apart from the design
  compare(p, {8});
}

// Tiles with lumped ports in each kernel that serves them; 300 steps, since a port's records are taken every 256.
TEST_F(VolumePasses, Ports) {
  for (const Kind sides : {Kind::pec, Kind::cpml, Kind::adiabatic}) {
    GridProblem p = box_with_ports(sides, 40);
    p.setup.adiabatic.fill({0.1, 2, 1e-2});
    SCOPED_TRACE(int(sides));
    compare_stored<float>(p, {4, 3, 300, 1, 8});
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(box_with_ports(Kind::pec).make<Half>(comm_, true)->start_volume_passes(), "ports in half precision");
}

TEST_F(VolumePasses, MoreMediaThanATileKeeps) { compare(problem_of_many_classes(), {4, 4}); }
TEST_F(VolumePasses, RandomProblems) { compare_random(random_pass_problem, 5, 32, 12); }

// A Cb per component and cell.
TEST_F(VolumePasses, FreeFormProblems) { compare_random(random_free_form_problem, 7, 24, 8); }

// Half precision: passes differ from single precision by a walk of roundings (HalfArithmetic.ErrorIsARandomWalk), and
// by the rounded index of the sphere.
TEST_F(VolumePasses, HalfPrecisionIsNearSingle) {
  GridProblem p = box(96, 72, 52, Kind::pec);
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.45, 0.3, 0.2}, .radius = 0.12, .material = 1}};
  auto half = p.make<Half>(comm_, true);
  auto single = p.make<float>(comm_, true);
  ASSERT_EQ(half->start_volume_passes(), "");
  half->advance(400);
  single->advance(400);
  const GridLayout& l = single->discretisation().layout;
  double difference = 0, all = 0;
  for (int f = 0; f < 2; ++f) {
    const Half* const u = (f == 0 ? half->engine().electric() : half->engine().magnetic()).host();
    const float* const v = (f == 0 ? single->engine().electric() : single->engine().magnetic()).host();
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < l.cells[2]; ++k)
        for (int j = 0; j < l.cells[1]; ++j)
          for (int i = 0; i < l.cells[0]; ++i) {
            const auto n = static_cast<std::size_t>(c * l.reals + l.index(i, j, k));
            const double unit = f == 0 ? half->engine().unit() : half->engine().magnetic_unit();
            const double d = unit * double(float(u[n])) - double(v[n]);
            difference += d * d, all += double(v[n]) * double(v[n]);
          }
  }
  RecordProperty("error", std::to_string(std::sqrt(difference / all)));
  std::printf("half precision after 400 steps: %.2e of the field\n", std::sqrt(difference / all));
  EXPECT_LT(std::sqrt(difference / all), 0.02);
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

// Problems that passes cannot compute take half steps.
TEST_F(VolumePasses, OtherProblemsKeepHalfSteps) {
  EXPECT_EQ(scattering_problem().make<float>(comm_, true)->start_volume_passes(), "materials with poles");
  EXPECT_EQ(walls_problem().make<float>(comm_, true)->start_volume_passes(), "periodic sides");
  EXPECT_EQ(mur_problem().make<float>(comm_, true)->start_volume_passes(), "sides of type mur");
  EXPECT_EQ(bloch_problem().make<float>(comm_, true)->start_volume_passes(), "sides of type bloch");
  EXPECT_EQ(box(40, 40, 40, Kind::pec).make<double>(comm_, true)->start_volume_passes(), "double precision");
  EXPECT_EQ(box(40, 40, 40, Kind::pec).make<float>(comm_)->start_volume_passes(), "the CPU");
  GridProblem lossy = box(40, 40, 40, Kind::pec);
  lossy.setup.materials = {physics::Medium{4, 1, 0.005, 0, {}}};
  EXPECT_EQ(lossy.make<Half>(comm_, true)->start_volume_passes(),
            "half precision with a medium that takes less than 0.01 of the field per step");
}

}  // namespace
}  // namespace dgtd::fdtd
