// Nothing depends on how many ranks or threads share the work: time step and fields have the same bits.
#include <cmath>
#include <gtest/gtest.h>
#include <omp.h>

#include <set>

#include "bloch_problem.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "graded_problem.hpp"
#include "mixed_problem.hpp"
#include "partition_problem.hpp"
#include "support/built_orders.hpp"
#include "total_field_problem.hpp"

namespace dgtd::dg::test {
namespace {

struct Outcome {
  std::uint64_t hash = 0;
  double energy = 0, work = 0;
};

/// work() with a number of OpenMP threads.
template <class Work>
auto with_threads(int threads, const Work& work) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  const auto result = work();
  omp_set_num_threads(before);
  return result;
}

template <class Real>
Outcome outcome(DgSolver<Real>& solver, Steps steps, const parallel::Communicator& comm) {
  if (steps == Steps::local) solver.randomise_fields();
  else fill_at_random(solver);
  for (int i = 0; i < 20; ++i) {
    if (i == 19) (void)solver.energy();
    solver.advance(1);
  }
  return {comm.sum(solver.fields_hash()), comm.sum(solver.energy()), comm.sum(solver.source_work())};
}

template <class Real>
Outcome run(const parallel::Communicator& comm, int order, bool with_wave, Steps steps = Steps::global,
            Media media = Media::simple) {
  const auto [problem, levels] = partition_problem(comm, with_wave, steps, media);
  EXPECT_EQ(levels.finest, steps == Steps::local ? 3 : 0);
  auto solver = make_solver<Real>(problem, order, brisk_time_step(order), comm, KernelFusion::fused, levels);
  return outcome(solver, steps, comm);
}

/// With a wave in a total field and a dipole, one of whose sides absorbs.
template <class Real>
Outcome run_total_field(const parallel::Communicator& comm, int order, Steps steps) {
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
                 absorbing = physics::BoundaryKind::silver_muller;
  const Problem problem = with_sheets(total_field_box({pmc, absorbing, pec, pmc, pec, pec}, comm));
  TimeLevels levels;
  if (steps ==
      Steps::local) {  // the finest elements are at the low end of the total field, on both sides of its surface
    std::vector<double> limits;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const double x = ElementGeometry(problem.mesh, e).centre().x;
      limits.push_back(x < 0.12 ? 0.25 : x < 0.25 ? 0.5 : 1);
    }
    levels = assign_time_levels(problem.mesh, limits, absorbing_elements(problem.mesh, problem.boundary_kind), 8, comm);
    EXPECT_EQ(levels.finest, 2);
  }
  auto solver = make_solver<Real>(problem, order, brisk_time_step(order), comm, KernelFusion::fused, levels);
  return outcome(solver, steps, comm);
}

template <class Real>
double limit(const parallel::Communicator& comm, int order) {
  const Problem problem = box(comm, false);
  Discretisation<Real> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes);
  return stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, comm), comm).time_step;
}

template <class Real>
std::vector<double> level_bounds(const parallel::Communicator& comm, int order) {
  const Problem problem = graded_bar(comm, false);
  Discretisation<Real> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes,
                         graded_levels(problem, comm));
  const auto executor = make_cpu_executor(d, KernelFusion::fused, comm);
  LevelTimeStep<Real> step(d, *executor, comm);
  auto result = step.bounds(0.5 * step.global_limit()).z;
  result.push_back(step.global_limit());
  return result;
}

template <class Real>
class Partition : public testing::Test {
 protected:
  void compare(int order, bool with_wave, Steps steps = Steps::global, Media media = Media::simple) const {
    compare_runs([&](const auto& comm) { return run<Real>(comm, order, with_wave, steps, media); });
  }
  template <class Run>
  void compare_runs(const Run& run) const {
    const Outcome alone = with_threads(1, [&] { return run(self_); });
    for (const int threads : {1, 2}) {
      const Outcome together = with_threads(threads, [&] { return run(world_); });
      EXPECT_EQ(together.hash, alone.hash);
      // A spread dipole lies on several ranks: its work is a sum over them, which may round differently.
      EXPECT_NEAR(together.work, alone.work, 1e-12 * std::abs(alone.work));
      // A sum of a monitor rounds in the order of ranks and threads.
      EXPECT_NEAR(together.energy, alone.energy, 1e-13 * alone.energy);
    }
  }
  const parallel::Communicator world_{MPI_COMM_WORLD}, self_{MPI_COMM_SELF};
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Partition, Reals);

TYPED_TEST(Partition, NeverShowsInTheFields) {
  for (const int order : built_orders({1, 2, 3})) this->compare(order, false);
}

TYPED_TEST(Partition, NeverShowsWithAnIncidentWave) { this->compare(2, true); }

TYPED_TEST(Partition, NeverShowsWithATotalField) {
  for (const auto steps : {Steps::global, Steps::local})
    for (const int order : built_orders({1, 2}))
      this->compare_runs([&](const auto& comm) { return run_total_field<TypeParam>(comm, order, steps); });
}

TYPED_TEST(Partition, NeverShowsWithLocalSteps) {
  for (const int order : built_orders({1, 2, 3})) this->compare(order, order == 2, Steps::local);
}

TYPED_TEST(Partition, NeverShowsWithPoles) {
  for (const auto steps : {Steps::global, Steps::local}) this->compare(2, false, steps, Media::dispersive);
  EXPECT_NE(run<TypeParam>(this->self_, 2, false, Steps::global, Media::dispersive).hash,
            run<TypeParam>(this->self_, 2, false).hash);
}

// Traces at both times are those of other ranks.
TYPED_TEST(Partition, NeverShowsWithAPenaltyOfJumps) {
  const auto with_penalty = [](const parallel::Communicator& comm, Media media, double upwind) {
    Problem problem = partition_problem(comm, media == Media::simple, Steps::global, media).problem;
    problem.upwind = upwind;
    auto solver = make_solver<TypeParam>(problem, 2, 0.7 * brisk_time_step(2), comm);
    return outcome(solver, Steps::global, comm);
  };
  for (const Media media : {Media::simple, Media::layers, Media::cpml, Media::dispersive, Media::curved}) {
    this->compare_runs([&](const auto& comm) { return with_penalty(comm, media, 0.3); });
    EXPECT_NE(with_penalty(this->self_, media, 0.3).hash, with_penalty(this->self_, media, 0).hash);
  }
}

TYPED_TEST(Partition, NeverShowsInTheTimeStepWithAPenaltyOfJumps) {
  const auto step = [](const parallel::Communicator& comm) {
    const Problem problem = box(comm, false);
    Discretisation<TypeParam> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes, {},
                                {}, {}, problem.curved, 0.5);
    return stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, comm), comm).time_step;
  };
  const double alone = step(this->self_);
  EXPECT_EQ(step(this->world_), alone);
  EXPECT_LT(alone, limit<TypeParam>(this->self_, 1));
}

TYPED_TEST(Partition, NeverShowsWithCurvedElements) {
  for (const auto steps : {Steps::global, Steps::local}) this->compare(2, false, steps, Media::curved);
  EXPECT_NE(run<TypeParam>(this->self_, 2, false, Steps::global, Media::curved).hash,
            run<TypeParam>(this->self_, 2, false).hash);
}

TYPED_TEST(Partition, NeverShowsWithLayers) {
  for (const auto steps : {Steps::global, Steps::local}) {
    std::set<std::uint64_t> hashes;
    for (const auto media : {Media::simple, Media::dispersive, Media::layers, Media::dispersive_layers, Media::cpml}) {
      if (media >= Media::layers) this->compare(2, false, steps, media);
      hashes.insert(static_cast<std::uint64_t>(run<TypeParam>(this->self_, 2, false, steps, media).hash));
    }
    EXPECT_EQ(hashes.size(), 5u);
  }
}

TYPED_TEST(Partition, NeverShowsBetweenBlochSides) {
  this->compare_runs([&](const auto& comm) {
    Problem problem = bloch_box({0.7, -1.9, 2.6}, comm);
    auto solver = make_solver<TypeParam>(problem, 2, brisk_time_step(2), comm);
    return outcome(solver, Steps::global, comm);
  });
}

TYPED_TEST(Partition, NeverShowsBetweenBlochSidesWithLocalSteps) {
  this->compare_runs([&](const auto& comm) {
    const Problem problem = graded_bloch_box(comm);
    auto solver = make_solver<TypeParam>(problem, 1, brisk_time_step(1), comm, KernelFusion::fused,
                                         levels_in_the_middle(problem, comm));
    return outcome(solver, Steps::local, comm);
  });
}

TYPED_TEST(Partition, NeverShowsInTheBoundsOfLocalSteps) {
  const auto alone = with_threads(1, [&] { return level_bounds<TypeParam>(this->self_, 1); });
  for (const double z : alone) EXPECT_TRUE(std::isfinite(z));
  for (const int threads : {1, 2})
    EXPECT_EQ(with_threads(threads, [&] { return level_bounds<TypeParam>(this->world_, 1); }), alone);
}

TYPED_TEST(Partition, NeverShowsInTheTimeStep) {
  const double alone = with_threads(1, [&] { return limit<TypeParam>(this->self_, 1); });
  for (const int threads : {1, 2})
    EXPECT_EQ(with_threads(threads, [&] { return limit<TypeParam>(this->world_, 1); }), alone);
}

template <class Real>
Outcome outcome_of_parts(MixedSolver<Real>& solver, const parallel::Communicator& comm) {
  solver.randomise_fields();
  solver.advance(10);
  (void)solver.energy();
  solver.advance(10);
  return {comm.sum(solver.fields_hash()), comm.sum(solver.energy()), comm.sum(solver.source_work())};
}

// Orders by the global element number, so that faces between ranks are between orders as well; with a wave, and with a
// dipole inside of elements of one order.
template <class Real>
Outcome run_mixed(const parallel::Communicator& comm, bool with_dipole) {
  Problem problem = box(comm, true);
  std::vector<int> orders = mixed_orders(problem.mesh);
  if (with_dipole) {
    for (std::size_t e = 0; e < orders.size(); ++e)
      if (ElementGeometry(problem.mesh, e).centre().x < 0.75) orders[e] = 2;
    problem.sources[0].radius = 0.2;
  } else {
    problem.sources.erase(problem.sources.begin());
  }
  auto solver = mixed_solver<Real>(problem, orders, brisk_time_step(4), comm);
  return outcome_of_parts(solver, comm);
}

TYPED_TEST(Partition, NeverShowsInElementsOfSeveralOrders) {
  for (const bool with_dipole : {false, true})
    this->compare_runs([&](const auto& comm) { return run_mixed<TypeParam>(comm, with_dipole); });
}

// Levels and orders change at other faces.
TYPED_TEST(Partition, NeverShowsInElementsOfSeveralOrdersWithLocalSteps) {
  this->compare_runs([&](const auto& comm) {
    Problem problem = graded_bar(comm, true);
    problem.sources.erase(problem.sources.begin());
    auto solver = mixed_solver<TypeParam>(problem, mixed_orders(problem.mesh), brisk_time_step(4), comm,
                                          graded_levels(problem, comm));
    return outcome_of_parts(solver, comm);
  });
}

TYPED_TEST(Partition, NeverShowsInTheBoundsOfSeveralOrders) {
  const auto bounds_of = [](const parallel::Communicator& comm) {
    const Problem problem = graded_bar(comm, false);
    auto d = discretise_mixed<TypeParam>(problem, mixed_orders(problem.mesh), comm, graded_levels(problem, comm));
    auto step = d.level_time_step(comm);
    return step.bounds(0.5 * step.global_limit()).z;
  };
  const auto alone = with_threads(1, [&] { return bounds_of(this->self_); });
  for (const double z : alone) EXPECT_TRUE(std::isfinite(z));
  EXPECT_EQ(with_threads(2, [&] { return bounds_of(this->world_); }), alone);
}

TYPED_TEST(Partition, NeverShowsInTheTimeStepOfSeveralOrders) {
  const auto limit_of = [](const parallel::Communicator& comm) {
    const Problem problem = box(comm, false);
    return discretise_mixed<TypeParam>(problem, mixed_orders(problem.mesh), comm).stability_limit(comm).time_step;
  };
  const double alone = with_threads(1, [&] { return limit_of(this->self_); });
  for (const int threads : {1, 2}) EXPECT_EQ(with_threads(threads, [&] { return limit_of(this->world_); }), alone);
}

// Elements of a batch have its traits; those with a boundary face share a batch, conductive or not.
TEST(Batches, HaveElementsOfEqualTraits) {
  const parallel::Communicator world(MPI_COMM_WORLD);
  const Problem problem = box(world, false);
  const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
  std::int64_t next_block = 0;
  std::size_t elements = 0;
  const auto check = [&](const Batch& batch, bool halo) {
    EXPECT_EQ(batch.first_block, next_block);
    next_block += batch.blocks;
    EXPECT_EQ(batch.traits.halo, halo);
    MediumKind highest = MediumKind::lossless;
    for (auto slot = batch.first_block * block_lanes; slot < next_block * block_lanes; ++slot) {
      const std::int64_t e = d.element_of_slot[slot];
      if (e < 0) continue;
      ++elements;
      ElementTraits traits;
      for (const auto& link : problem.mesh.element_faces[e]) {
        traits.halo |= link.kind == mesh::FaceLink::Kind::halo;
        traits.boundary |= link.kind == mesh::FaceLink::Kind::boundary;
      }
      if (d.material_of(e).conductivity > 0) traits.medium = MediumKind::conductive;
      EXPECT_EQ(traits.halo, halo);
      EXPECT_EQ(traits.boundary, batch.traits.boundary);
      EXPECT_TRUE(batch.traits.boundary || traits.medium == batch.traits.medium);
      highest = std::max(highest, traits.medium);
    }
    EXPECT_EQ(highest, batch.traits.medium);
  };
  for (const Batch& batch : d.batches.interior) check(batch, false);
  for (const Batch& batch : d.batches.halo) check(batch, true);
  EXPECT_EQ(next_block, d.owned_blocks);
  EXPECT_EQ(elements, problem.mesh.elements());
  EXPECT_EQ(d.batches.interior.size(), world.size() == 1 ? 3u : d.batches.interior.size());
}

// Equal hashes would say nothing if other fields had the same one.
TYPED_TEST(Partition, HashTellsFieldsApart) {
  EXPECT_NE(run<TypeParam>(this->self_, 1, false).hash, run<TypeParam>(this->self_, 1, true).hash);
}

}  // namespace
}  // namespace dgtd::dg::test
