// Passes of several steps over a volume grid on ranks one above the other: what they exchange, and that the number of
// ranks never shows.
#include <gtest/gtest.h>

#include "fdtd/pass_problems.hpp"
#include "fdtd/port_records.hpp"
#include "fdtd/reference_volume_pass.hpp"

namespace dgtd::fdtd {
namespace {

template <class Stored = float>
std::unique_ptr<FdtdSolver<Stored>> make(const GridProblem& p, const parallel::Communicator& comm) {
  auto d = std::make_unique<Discretisation<float>>(p.setup, *p.media(), p.time_step(), comm.rank(), comm.size(),
                                                   nullptr, &comm);
  auto engine = std::make_unique<EngineOn<Stored, ReferenceBackend>>(
      *d, KernelFusion::fused, std::make_unique<ReferenceBackend>(d->layout, comm, std::nullopt));
  return std::make_unique<FdtdSolver<Stored>>(p.setup, std::move(d), std::move(engine), p.sources, comm, nullptr,
                                              p.ports);
}

// Steps one by one on one rank, and passes on all ranks.
template <class Stored>
void expect_equal(FdtdSolver<Stored>& half_steps, FdtdSolver<Stored>& passes, const parallel::Communicator& world,
                  std::initializer_list<std::int64_t> stretches) {
  for (const std::int64_t steps : stretches) {
    for (std::int64_t s = 0; s < steps; ++s) half_steps.advance(1);
    passes.advance(steps);
    ASSERT_EQ(world.sum(passes.fields_hash()), half_steps.fields_hash()) << half_steps.steps_done();
    const double work = half_steps.source_work();
    EXPECT_NEAR(world.sum(passes.energy()), half_steps.energy(), 1e-9 * half_steps.energy());
    EXPECT_NEAR(world.sum(passes.source_work()), work, 1e-12 * std::abs(work));
  }
  EXPECT_GT(half_steps.energy(), 0);
}

void compare(GridProblem p, std::initializer_list<std::int64_t> stretches) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  auto half_steps = p.make<float>(self);
  p.setup.margin = margin_of_passes(p.setup, world.size());
  ASSERT_EQ(p.setup.margin, world.size() > 1 ? most_steps_of_volume_pass : 0);
  auto passes = make(p, world);
  ASSERT_EQ(passes->start_volume_passes(0, true), "");
  expect_equal(*half_steps, *passes, world, stretches);
}

TEST(VolumePassPartition, LayersAlongEachAxis) {
  for (const int axes : {0, 1, 2, 4, 7}) {
    GridProblem p = box(70, 50, 61, Kind::pec, 6);
    for (int a = 0; a < 3; ++a)
      if (axes >> a & 1) p.setup.sides[2 * a] = p.setup.sides[2 * a + 1] = Kind::cpml;
    SCOPED_TRACE(axes);
    compare(p, {1, 8, 3, 18});
  }
}

// The upper of two ranks has an adiabatic absorber that begins with its first plane.
TEST(VolumePassPartition, AbsorberBesideACut) {
  GridProblem p = box(70, 50, 48, Kind::pec);
  p.setup.sides[5] = Kind::adiabatic;
  p.setup.adiabatic[5] = {0.24, 1, 1e-2};
  compare(p, {1, 8, 3, 40});
}

TEST(VolumePassPartition, RandomProblems) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 2; ++trial) {
    const GridProblem p = random_pass_problem(random, 56, 80);
    SCOPED_TRACE(trial);
    compare(p, {5, 10, 2, 4});
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Away from the cuts. A port whose edges are in planes that a neighbour computes again keeps half steps, on all ranks.
TEST(VolumePassPartition, Ports) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  GridProblem p = box_with_ports(Kind::cpml, 72);
  auto half_steps = p.make<float>(self);
  p.setup.margin = margin_of_passes(p.setup, world.size());
  auto passes = make(p, world);
  ASSERT_EQ(passes->start_volume_passes(0, false), "");
  expect_equal(*half_steps, *passes, world, {1, 8, 3, 18});
  if (!testing::Test::HasFatalFailure()) expect_the_same_port_records(*half_steps, *passes, 30);
  if (world.size() == 1) return;
  p.ports[1].centre.z += 0.01 * (72 / world.size() - 8);  // to a cut
  EXPECT_EQ(make(p, world)->start_volume_passes(0, false), "ports beside other ranks");
}

// In half precision half steps of one rank are computed in it, too, once there are passes, and ranks agree on the
// units: the most frequent medium of all is that of neither half of the grid, and the cut is in no tile's end.
void compare_in_half_precision(GridProblem p, std::initializer_list<std::int64_t> stretches) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  auto half_steps = make<Half>(p, self);
  ASSERT_EQ(half_steps->start_volume_passes(0, false), "");
  p.setup.margin = margin_of_passes(p.setup, world.size());
  auto passes = make<Half>(p, world);
  ASSERT_EQ(passes->start_volume_passes(0, false), "");
  ASSERT_EQ(passes->engine().magnetic_unit() / passes->engine().unit(),
            half_steps->engine().magnetic_unit() / half_steps->engine().unit());
  expect_equal(*half_steps, *passes, world, stretches);
}

// A third of the grid above and a third below are of media of their own.
GridProblem three_media(Kind sides) {
  GridProblem p = box(70, 58, 45, sides, 4);
  p.setup.materials = {physics::Medium{2.25, 1, 0, 0, {}}, physics::Medium{4, 1, 0.05, 0, {}},
                       physics::Medium{6, 1, 0, 0, {}}};
  const auto slab = [](double from, double to, int material) {
    return grid::Shape{.type = grid::Shape::Type::box,
                       .centre = {0.35, 0.29, 0.5 * (from + to)},
                       .size = {1, 1, to - from},
                       .material = material};
  };
  p.bodies = {slab(0, 0.16, 1), slab(0.28, 0.45, 2)};
  return p;
}

TEST(VolumePassPartition, HalfPrecision) {
  compare_in_half_precision(three_media(Kind::pec), {1, 8, 2, 5});
  GridProblem mixed = three_media(Kind::cpml);
  mixed.setup.sides[1] = Kind::pmc, mixed.setup.sides[2] = Kind::adiabatic;
  mixed.setup.adiabatic.fill({0.1, 2, 1e-2});
  for (auto& s : mixed.setup.grid.spacing[2]) s *= &s - mixed.setup.grid.spacing[2].data() < 20 ? 0.9 : 1;
  compare_in_half_precision(mixed, {1, 8, 2, 5});
}

TEST(VolumePassPartition, RandomProblemsInHalfPrecision) {
  std::mt19937 random(29);
  const GridProblem p = random_pass_problem(random, 56, 60);
  compare_in_half_precision(p, {4, 2, 6});
}

// The most frequent medium of all ranks, and where none is without losses the largest Cb of any.
TEST(VolumePassPartition, UnitsOfHalfPrecisionAreThoseOfOneRank) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const bool lossless : {true, false}) {
    GridProblem p = three_media(Kind::pec);
    if (!lossless)
      for (auto& m : p.setup.materials) m.conductivity = 0.05;
    const auto units = [&](const parallel::Communicator& comm) {
      p.setup.margin = margin_of_passes(p.setup, comm.size());
      const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.materials, p.averaging);
      const Discretisation<float> d(p.setup, media, p.time_step(), comm.rank(), comm.size(), nullptr, &comm);
      return units_of_half_arithmetic(d, comm);
    };
    const HalfUnits alone = units(self), together = units(world);
    EXPECT_EQ(together.magnetic_scale, alone.magnetic_scale);
    EXPECT_EQ(together.length, alone.length);
    EXPECT_NE(alone.magnetic_scale, 1);
  }
}

TEST(VolumePassPartition, FreeFormProblem) {
  std::mt19937 random(11);
  compare(random_free_form_problem(random, 56, 80), {5, 10, 2});
}

TEST(VolumePassPartition, ProblemsWithoutPasses) {
  const parallel::Communicator world(MPI_COMM_WORLD);
  GridProblem thin = box(70, 50, 15, Kind::pec, 6);  // 15 / 2 planes are fewer than 8
  EXPECT_EQ(margin_of_passes(thin.setup, 2), 0);
  EXPECT_EQ(margin_of_passes(box(70, 50, 16, Kind::pec, 6).setup, 2), 4);
  EXPECT_EQ(margin_of_passes(box(70, 50, 27, Kind::cpml, 10).setup, 2), 0);
  EXPECT_EQ(margin_of_passes(box(70, 50, 28, Kind::cpml, 10).setup, 2), 4);
  EXPECT_EQ(margin_of_passes(box(70, 50, 28, Kind::cpml, 10).setup, 1), 0);
  for (const GridProblem& p : {scattering_problem(), walls_problem(), mur_problem(), bloch_problem()})
    EXPECT_EQ(margin_of_passes(p.setup, 2), 0);
  if (world.size() > 1) {
    EXPECT_EQ(make(thin, world)->start_volume_passes(), "ranks with too few planes of cells along z");
    EXPECT_EQ(make(scattering_problem(), world)->start_volume_passes(), "materials with poles");
  }
  // A body that only one rank has: the same answer on all of them.
  GridProblem magnetic = box(70, 50, 61, Kind::pec, 6);
  magnetic.setup.materials.push_back({1, 2, 0, 0, {}});
  magnetic.bodies = {{.type = grid::Shape::Type::box, .centre = {0.3, 0.2, 0}, .size = {0.2, 0.2, 0.1}, .material = 1}};
  magnetic.setup.margin = margin_of_passes(magnetic.setup, world.size());
  EXPECT_EQ(make(magnetic, world)->start_volume_passes(), "magnetic materials");
  GridProblem weak = three_media(Kind::pec);
  weak.setup.materials[1].conductivity = 0.005;
  weak.setup.margin = margin_of_passes(weak.setup, world.size());
  EXPECT_EQ(make<Half>(weak, world)->start_volume_passes(),
            "half precision with a medium that takes less than 0.01 of the field per step");
}

}  // namespace
}  // namespace dgtd::fdtd
