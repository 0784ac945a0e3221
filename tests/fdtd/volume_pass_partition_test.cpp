// Passes of several steps over a volume grid on ranks one above the other: what they exchange, and that the number of
// ranks never shows.
#include <gtest/gtest.h>

#include "fdtd/pass_problems.hpp"
#include "fdtd/reference_volume_pass.hpp"

namespace dgtd::fdtd {
namespace {

std::unique_ptr<FdtdSolver<float>> make(const GridProblem& p, const parallel::Communicator& comm) {
  auto d = std::make_unique<Discretisation<float>>(p.setup, *p.media(), p.setup.courant * stability_limit(p.setup),
                                                   comm.rank(), comm.size(), nullptr, &comm);
  auto engine = std::make_unique<EngineOn<float, ReferenceBackend>>(
      *d, KernelFusion::fused, std::make_unique<ReferenceBackend>(d->layout, comm, std::nullopt));
  return std::make_unique<FdtdSolver<float>>(p.setup, std::move(d), std::move(engine), p.sources, comm);
}

void compare(GridProblem p, std::initializer_list<std::int64_t> stretches) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  auto half_steps = p.make<float>(self);
  p.setup.margin = margin_of_passes(p.setup, world.size());
  ASSERT_EQ(p.setup.margin, world.size() > 1 ? most_steps_of_volume_pass : 0);
  auto passes = make(p, world);
  ASSERT_EQ(passes->start_volume_passes(0, true), "");
  for (const std::int64_t steps : stretches) {
    half_steps->advance(steps);
    passes->advance(steps);
    ASSERT_EQ(world.sum(passes->fields_hash()), half_steps->fields_hash()) << half_steps->steps_done();
    const double work = half_steps->source_work();
    EXPECT_NEAR(world.sum(passes->energy()), half_steps->energy(), 1e-9 * half_steps->energy());
    EXPECT_NEAR(world.sum(passes->source_work()), work, 1e-12 * std::abs(work));
  }
  EXPECT_GT(half_steps->energy(), 0);
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

TEST(VolumePassPartition, RandomProblems) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 2; ++trial) {
    const GridProblem p = random_pass_problem(random, 56, 80);
    SCOPED_TRACE(trial);
    compare(p, {5, 10, 2, 4});
    if (testing::Test::HasFatalFailure()) return;
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
}

}  // namespace
}  // namespace dgtd::fdtd
