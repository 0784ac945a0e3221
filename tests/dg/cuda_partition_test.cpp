// On devices, too, nothing depends on how many ranks share the work, nor on how halos are exchanged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/dg/leap_frog.hpp"
#include "dgtd/dg/time_step.hpp"
#include "cuda_mixed.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "element_work.hpp"
#include "parallel/kernel_messages.hpp"
#include "parallel/transports.hpp"
#include "partition_problem.hpp"
#include "port_problem.hpp"
#include "resident_clusters.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

class CudaPartition : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(world_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  template <class Real>
  std::uint64_t hash(const parallel::Communicator& comm, parallel::Transport transport, Steps steps,
                     Media media = Media::simple, double upwind = 0) const {
    const auto [problem, levels] = partition_problem(comm, true, steps, media);
    auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, GetParam(),
                                                    true, cuda_field_lanes, levels, problem.layers, problem.bloch,
                                                    problem.curved, upwind);
    auto executor = make_cuda_executor(*d, KernelFusion::fused, transport, comm);
    DgSolver<Real> solver(std::move(d), std::move(executor), brisk_time_step(GetParam()), problem.sources,
                          problem.mesh.volume_names, comm);
    if (steps == Steps::local) solver.randomise_fields();
    else fill_at_random(solver);
    for (int i = 0; i < 20; ++i) {
      if (i == 10) (void)solver.energy();
      solver.advance(1);
    }
    return comm.sum(solver.fields_hash());
  }
  const parallel::Communicator world_{MPI_COMM_WORLD}, self_{MPI_COMM_SELF};
};

TEST_P(CudaPartition, NeverShowsInTheFields) {
  for (const Steps steps : {Steps::global, Steps::local}) {
    const auto alone = hash<float>(self_, parallel::Transport::mpi_host, steps);
    const auto alone_double = hash<double>(self_, parallel::Transport::mpi_host, steps);
    parallel::for_each_transport(world_, [&](parallel::Transport transport) {
      EXPECT_EQ(hash<float>(world_, transport, steps), alone);
      EXPECT_EQ(hash<double>(world_, transport, steps), alone_double);
    });
  }
}

TEST_P(CudaPartition, NeverShowsWithAPenaltyOfJumps) {
  const auto alone = hash<float>(self_, parallel::Transport::mpi_host, Steps::global, Media::layers, 0.2);
  parallel::for_each_transport(world_, [&](parallel::Transport transport) {
    EXPECT_EQ(hash<float>(world_, transport, Steps::global, Media::layers, 0.2), alone);
  });
}

// State of poles, of both kinds of layers and of curved elements.
TEST_P(CudaPartition, NeverShowsWithStateInElements) {
  for (const Steps steps : {Steps::global, Steps::local})
    for (const Media media : {Media::dispersive, Media::dispersive_layers, Media::cpml, Media::curved}) {
      constexpr auto transport = parallel::Transport::mpi_host;
      EXPECT_EQ(hash<float>(world_, transport, steps, media), hash<float>(self_, transport, steps, media));
      EXPECT_EQ(hash<double>(world_, transport, steps, media), hash<double>(self_, transport, steps, media));
    }
}

// Elements of several orders: orders by the global element number, so that faces between ranks are between orders, too.
TEST(CudaPartitionOfOrders, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  for (const Steps steps : {Steps::global, Steps::local}) {
    const auto hash = [&](const parallel::Communicator& comm, parallel::Transport transport) {
      auto [problem, levels] = partition_problem(comm, true, steps, Media::simple);
      problem.sources.erase(problem.sources.begin());  // the dipole, which reaches across orders
      auto solver =
          cuda_mixed_solver<float>(problem, mixed_orders(problem.mesh), brisk_time_step(3), comm, levels, transport);
      solver.randomise_fields();
      solver.advance(10);
      (void)solver.energy();
      solver.advance(10);
      return comm.sum(solver.fields_hash());
    };
    const auto alone = hash(self, parallel::Transport::mpi_host);
    parallel::for_each_transport(world,
                                 [&](parallel::Transport transport) { EXPECT_EQ(hash(world, transport), alone); });
  }
}

PortExecutor on_device(parallel::Transport transport) {
  return {cuda_field_lanes, [=](const Discretisation<double>& d, const parallel::Communicator& comm) {
            return make_cuda_executor(d, KernelFusion::fused, transport, comm);
          }};
}

// Lumped ports with faces on several ranks, whose steps wait for a message; alone with the voltages of a CPU.
TEST(CudaPartitionOfPorts, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  for (const bool local_steps : {false, true}) {
    const PortOutcome alone = run_ports(self, local_steps, on_device(parallel::Transport::mpi_host));
    parallel::for_each_transport(world, [&](parallel::Transport transport) {
      expect_same(run_ports(world, local_steps, on_device(transport)), alone);
    });
    const PortOutcome by_cpu = run_ports(self, local_steps);
    for (std::size_t n = 0; n < by_cpu.voltage.size(); ++n)
      EXPECT_NEAR(alone.voltage[n], by_cpu.voltage[n], 1e-10 * std::abs(by_cpu.voltage[n])) << n;
    EXPECT_NEAR(alone.work, by_cpu.work, 1e-10 * std::abs(by_cpu.work));
  }
}

// Ports across guides: fields to the bit; work and energies, which are sums over ranks, and those of a CPU to rounding.
TEST(CudaPartitionOfPorts, NeverShowsInGuides) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  const GuideOutcome alone = run_guide_ports(self, on_device(parallel::Transport::mpi_host));
  parallel::for_each_transport(world, [&](parallel::Transport transport) {
    const GuideOutcome together = run_guide_ports(world, on_device(transport));
    EXPECT_EQ(together.hash, alone.hash);
    expect_near(together, alone, 1e-12);
  });
  expect_near(alone, run_guide_ports(self), 1e-10);
}

/// Several clusters per rank, all of them with boundary faces or conduction somewhere.
Problem box_of_clusters(const parallel::Communicator& comm) {
  constexpr auto pec = physics::BoundaryKind::pec, absorbing = physics::BoundaryKind::silver_muller;
  return halved_box(
      {{8, 6, 8}, {1, 0.8, 1.2}, {absorbing, absorbing, pec, pec, absorbing, pec}, {0.5, 0.4, 0.6}, {}, {}}, comm,
      false);
}

// Fields in shared memory on all ranks, whose messages go to the clusters of the others; alone by launches.
TEST_P(CudaPartition, NeverShowsWhereFieldsStayInSharedMemory) {
  std::string reason;
  bool has_peer = parallel::KernelMessages::can_be_used(world_);
  try {
    parallel::choose_transport(parallel::Transport::peer, world_, reason);
  } catch (const Error&) { has_peer = false; }
  if (!has_peer) GTEST_SKIP() << "ranks need devices of their own, which map each other's memory";
  const auto hash = [&](const parallel::Communicator& comm, std::int64_t at_once) {
    const Problem problem = box_of_clusters(comm);
    auto d = std::make_unique<Discretisation<float>>(problem.mesh, problem.material, problem.boundary_kind, GetParam(),
                                                     false, cuda_field_lanes);
    auto executor = make_cuda_executor(*d, KernelFusion::fused, parallel::Transport::peer, comm);
    const double dt = brisk_time_step(GetParam());
    d->set_time_step(dt);
    executor->load_half_steps();
    EXPECT_TRUE(executor->can_take_steps(std::vector<StepCurrent>(), 0));
    DgSolver<float> solver(std::move(d), std::move(executor), dt, problem.sources, problem.mesh.volume_names, comm,
                           leap_frog<float>(dt, 0));
    fill_at_random(solver);
    std::vector<double> seen;
    for (const std::int64_t steps : {40, 3, most_resident_steps + 21}) {
      for (std::int64_t left = steps; left > 0; left -= at_once) solver.advance(std::min(left, at_once));
      seen.push_back(double(comm.sum(solver.fields_hash()) >> 12));
      seen.push_back(float(comm.sum(solver.energy())));  // the order of additions depends on ranks
    }
    return seen;
  };
  EXPECT_EQ(hash(world_, 1'000'000), hash(self_, least_resident_steps - 1));
}

TEST_P(CudaPartition, NeverShowsInTheTimeStep) {
  const auto limit = [&](const parallel::Communicator& comm) {
    const Problem problem = box(comm, false);
    Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, GetParam(), false, cuda_field_lanes);
    return stability_limit(d, *make_cuda_executor(d, KernelFusion::fused, parallel::Transport::mpi_host, comm), comm)
        .time_step;
  };
  EXPECT_EQ(limit(world_), limit(self_));
}

// A ghost's partner at the halo is the ghost of the other rank that has this one as its partner.
TEST(ClustersOfRanks, GhostsArePartners) {
  const parallel::Communicator world(MPI_COMM_WORLD);
  constexpr int order = 2;
  const Problem problem = box_of_clusters(world);
  const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cuda_field_lanes);
  const ResidentClusters c = make_resident_clusters(d, 5, ClusterBy::curve, world);
  const int reals = 3 * tetrahedron_nodes(order) * block_lanes;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> of_code;  // NeighbourCode: its ghost, the partner
  for (std::size_t k = 0; k < std::size_t(c.clusters); ++k)
    for (int g = 0; g < c.ghosts[k]; ++g) {
      const auto ghost = std::uint32_t(c.first_ghost_block[k] * block_lanes + g);
      const int offset = int(c.own[ghost] >> 3);
      const std::size_t slot =
          std::size_t(c.first_block[k] * block_lanes + offset / reals * block_lanes + offset % block_lanes);
      of_code[NeighbourCode::encode(c.slot[slot], int(c.own[ghost] & 3u))] = {ghost, c.partner[ghost]};
    }
  std::vector<std::int32_t> ghost, partner;
  std::vector<std::uint32_t> all;
  for (const auto& n : problem.mesh.halo_neighbours)
    for (std::uint32_t i = n.first; i < n.first + n.count; ++i) {
      const auto& face = problem.mesh.halo_faces[i];
      const auto found = of_code.find(NeighbourCode::encode(d.slot_of_element[face.element], face.face));
      ASSERT_NE(found, of_code.end());
      const auto [own, other] = found->second;
      EXPECT_EQ(problem.mesh.halo_neighbours.at(GhostPlace::neighbour(other) - 1).rank, n.rank);
      ghost.push_back(std::int32_t(own)), partner.push_back(std::int32_t(GhostPlace::ghost(other)));
      all.push_back(i);
    }
  EXPECT_EQ(parallel::exchange_face_values(halo_plan(d, all), ghost, world), partner);
  EXPECT_EQ(world.sum(std::int64_t(all.size())) > 0, world.size() > 1);
}

INSTANTIATE_TEST_SUITE_P(Degree, CudaPartition, testing::ValuesIn(built_orders({1, 3})),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

}  // namespace
}  // namespace dgtd::dg::test
