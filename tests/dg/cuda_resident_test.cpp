// Steps whose fields stay in the shared memory of the device have the bits of steps of launches. Label gpu, skipped where
// no device answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/leap_frog.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "problems.hpp"
#include "resident_clusters.hpp"

namespace dgtd::dg::test {
namespace {

const std::optional no_currents = std::vector<StepCurrent>();

// Each trace in shared memory is that of the neighbour: of an element of the cluster, or of a ghost, whose partner is
// sent what is behind it, and which has this one as its partner.
TEST(ResidentClusters, GhostsAndElementsAreTheNeighbours) {
  const Problem problem = mixed({6, 5, 4});
  for (const ClusterBy by : {ClusterBy::curve, ClusterBy::metis}) {
    const int order = by == ClusterBy::curve ? 1 : 2;
    const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cuda_field_lanes);
    const ResidentClusters c = make_resident_clusters(d, 7, by, parallel::Communicator(MPI_COMM_SELF));
    ASSERT_EQ(c.clusters, 7);
    const int nodes = tetrahedron_nodes(order), reals = 3 * nodes * block_lanes;
    const int ghost_reals = 2 * triangle_nodes(order) * block_lanes;
    const auto neighbour = [&](std::uint32_t slot, int f) {
      return d.neighbour[(slot / block_lanes * 4 + std::uint32_t(f)) * block_lanes + slot % block_lanes];
    };
    std::vector<int> seen(d.element_of_slot.size(), 0);
    int remote = 0, absorbing_faces = 0;
    for (int k = 0; k < c.clusters; ++k) {
      const std::size_t first = std::size_t(c.first_block[std::size_t(k)]) * block_lanes;
      const auto element_of = [&](std::uint32_t code) {  // NeighbourCode of a ResidentCode of this cluster's elements
        const int face = int(code & 3u), offset = int(code >> 3);
        return NeighbourCode::encode(c.slot[first + std::size_t(offset / reals * block_lanes + offset % block_lanes)], face);
      };
      for (std::size_t i = first; i < std::size_t(c.first_block[std::size_t(k) + 1]) * block_lanes; ++i) {
        if (c.slot[i] == ResidentClusters::no_slot) continue;
        ++seen[c.slot[i]];
        for (int f = 0; f < 4; ++f) {
          const std::uint32_t code = c.code[(i / block_lanes * 4 + std::size_t(f)) * block_lanes + i % block_lanes];
          const std::uint32_t wanted = neighbour(c.slot[i], f);
          if ((code & 4u) == 0) {
            EXPECT_EQ(element_of(code), wanted);
            continue;
          }
          const int offset = int(code >> 3), ghost = offset / ghost_reals * block_lanes + offset % block_lanes;
          if (ghost == c.ghosts[std::size_t(k)]) {
            EXPECT_EQ(NeighbourCode::slot(wanted), d.zero_slot);
            ++absorbing_faces;
            continue;
          }
          ++remote;
          EXPECT_LT((i - first) / block_lanes, std::size_t(c.surface_blocks[std::size_t(k)]));
          const std::size_t place = std::size_t(c.first_ghost_block[std::size_t(k)] * block_lanes + ghost);
          EXPECT_EQ(element_of(c.own[place]), NeighbourCode::encode(c.slot[i], f));
          EXPECT_EQ(c.partner[c.partner[place]], place);
          const auto after = std::upper_bound(c.first_ghost_block.begin(), c.first_ghost_block.end(),
                                              int(c.partner[place] / block_lanes));
          const auto other = std::size_t(after - c.first_ghost_block.begin() - 1);
          const std::uint32_t sent = c.own[c.partner[place]];
          const int face = int(sent & 3u), at = int(sent >> 3);
          const std::size_t there = std::size_t(c.first_block[other] * block_lanes + at / reals * block_lanes + at % block_lanes);
          EXPECT_EQ(NeighbourCode::encode(c.slot[there], face), wanted);
        }
      }
    }
    for (std::size_t s = 0; s < seen.size(); ++s) EXPECT_EQ(seen[s], d.element_of_slot[s] >= 0 ? 1 : 0);
    EXPECT_GT(remote, 0);
    EXPECT_EQ(std::size_t(absorbing_faces), d.absorbing_faces.size());
  }
}

class Resident : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!parallel::take_cuda_device(self).found)
      GTEST_SKIP() << "no CUDA device: " << parallel::take_cuda_device(self).why_not;
  }
  template <class Real>
  struct Parts {
    std::unique_ptr<Discretisation<Real>> d;
    std::unique_ptr<Executor<Real>> executor;
  };
  template <class Real>
  Parts<Real> parts(const Problem& problem, KernelFusion fusion = KernelFusion::fused) const {
    Parts<Real> result;
    result.d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, GetParam(),
                                                      problem.has_wave(), cuda_field_lanes, TimeLevels{}, problem.layers);
    result.executor = make_cuda_executor(*result.d, fusion, parallel::Transport::mpi_host, self);
    result.d->set_time_step(brisk_time_step(GetParam()));
    result.executor->load_half_steps();
    return result;
  }
  DgSolver<float> solver(const Problem& problem, std::int64_t expected = 0) const {
    auto [d, executor] = parts<float>(problem);
    EXPECT_TRUE(executor->can_take_steps(no_currents, expected));
    const double dt = brisk_time_step(GetParam());
    DgSolver<float> solver(std::move(d), std::move(executor), dt, problem.sources, problem.mesh.volume_names, self,
                           leap_frog<float>(dt, expected));
    fill_at_random(solver);
    return solver;
  }
  // By launches: too few steps at once for the other form.
  static void advance_by_launches(DgSolver<float>& solver, std::int64_t steps) {
    for (; steps > 0; steps -= least_resident_steps - 1)
      solver.advance(std::min<std::int64_t>(steps, least_resident_steps - 1));
  }
  static void expect_equal(DgSolver<float>& resident, DgSolver<float>& launched) {
    EXPECT_EQ(resident.fields_hash(), launched.fields_hash());
    EXPECT_EQ(resident.energy(), launched.energy());
    EXPECT_NEAR(resident.source_work(), launched.source_work(), 1e-12 * std::abs(launched.source_work()));
  }
  void expect_same_bits(const Problem& problem) const {
    auto resident = solver(problem), launched = solver(problem);
    for (const std::int64_t steps : {8, 37, 3, 16, 129}) {
      resident.advance(steps);
      advance_by_launches(launched, steps);
      expect_equal(resident, launched);
    }
  }
  const parallel::Communicator self{MPI_COMM_SELF};
};

TEST_P(Resident, LosslessElementsHaveTheBitsOfLaunches) { expect_same_bits(closed_vacuum({6, 5, 4})); }

// Absorbing, metallic and magnetic sides, three media of which one conducts, in one cluster and in many.
TEST_P(Resident, BoundariesAndConductionHaveTheBitsOfLaunches) {
  expect_same_bits(mixed({2, 1, 1}));
  expect_same_bits(mixed({6, 5, 4}));
}

// A dipole in one element and one in many, which share coefficients, and their work.
TEST_P(Resident, DipolesHaveTheBitsOfLaunches) {
  Problem problem = mixed({6, 5, 4});
  problem.sources = {dipole_source(), dipole_source()};
  problem.sources[1].radius.reset();
  expect_same_bits(problem);
}

// Several blocks in every cluster, and more steps than one launch takes.
TEST_P(Resident, LongRunsOfManyClustersHaveTheBitsOfLaunches) {
  Problem problem = mixed({18, 15, 14});
  problem.sources = {dipole_source()};
  constexpr std::int64_t many = 1'000'000;  // by METIS
  auto resident = solver(problem), by_metis = solver(problem, many), launched = solver(problem);
  for (auto* run : {&resident, &by_metis}) run->advance(most_resident_steps + 100);
  advance_by_launches(launched, most_resident_steps + 100);
  expect_equal(resident, launched);
  expect_equal(by_metis, launched);
}

TEST_P(Resident, ACheckpointBetweenStepsIsThatOfLaunches) {
  Problem problem = mixed({6, 5, 4});
  problem.sources = {dipole_source()};
  auto resident = solver(problem), launched = solver(problem), restarted = solver(problem);
  resident.advance(21);
  const auto copy = [](const Field<float>& from, Field<float>& to) {
    std::copy_n(from.host(), from.size(), to.host_for_writing());
  };
  copy(resident.electric(), restarted.electric());
  copy(resident.magnetic(), restarted.magnetic());
  restarted.load(resident.save());
  for (auto* run : {&resident, &restarted}) run->advance(33);
  advance_by_launches(launched, 54);
  expect_equal(resident, launched);
  EXPECT_EQ(restarted.fields_hash(), launched.fields_hash());
  EXPECT_EQ(restarted.source_work(), resident.source_work());
}

TEST_P(Resident, OtherElementsTakeStepsOfLaunches) {
  Problem poles = mixed({3, 2, 2});
  poles.material[2].poles = {{physics::Pole::Type::debye, 3, 0, 0, 4e-11}};
  EXPECT_FALSE(parts<float>(poles).executor->can_take_steps(no_currents, 0));
  EXPECT_FALSE(parts<float>(mixed_with_layers({3, 2, 2})).executor->can_take_steps(no_currents, 0));
  EXPECT_FALSE(parts<float>(mixed({3, 2, 2}), KernelFusion::split).executor->can_take_steps(no_currents, 0));
  EXPECT_FALSE(parts<double>(mixed({3, 2, 2})).executor->can_take_steps(no_currents, 0));
}

INSTANTIATE_TEST_SUITE_P(Degree, Resident, testing::Range(1, std::min(highest_order(), 3) + 1),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

}  // namespace
}  // namespace dgtd::dg::test
