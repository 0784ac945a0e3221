// On devices, too, the number of ranks never shows, nor how halos are exchanged.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "fdtd/pass_problems.hpp"
#include "parallel/transports.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
std::uint64_t hash(const GridProblem& problem, const parallel::Communicator& comm, parallel::Transport transport) {
  auto solver = problem.make<Real>(comm, true, transport);
  for (int s = 0; s < 60; ++s) {
    if (s == 30) (void)solver->energy();
    solver->advance(1);
  }
  return comm.sum(solver->fields_hash());
}

TEST(CudaGridPartition, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  for (const GridProblem& problem :
       {scattering_problem(), adiabatic_problem(), walls_problem(), beams_problem(), mur_problem(), bloch_problem()}) {
    const auto alone = hash<float>(problem, self, parallel::Transport::mpi_host);
    const GridProblem of_half = poles_removed(problem);
    const auto half_alone = hash<Half>(of_half, self, parallel::Transport::mpi_host);
    parallel::for_each_transport(world, [&](parallel::Transport transport) {
      EXPECT_EQ(hash<float>(problem, world, transport), alone);
      EXPECT_EQ(hash<Half>(of_half, world, transport), half_alone);
    });
  }
}

// Passes of several steps on ranks one above the other, against half steps on one rank.
void expect_same_passes(GridProblem problem, const parallel::Communicator& world, parallel::Transport transport,
                        bool measured, std::initializer_list<std::int64_t> stretches) {
  const parallel::Communicator self(MPI_COMM_SELF);
  auto alone = problem.make<float>(self, true);
  problem.setup.margin = margin_of_passes(problem.setup, world.size());
  auto passes = problem.make<float>(world, true, transport);
  ASSERT_EQ(passes->start_volume_passes(0, measured), "");
  for (const std::int64_t steps : stretches) {
    alone->advance(steps);
    passes->advance(steps);
    ASSERT_EQ(world.sum(passes->fields_hash()), alone->fields_hash()) << alone->steps_done();
    EXPECT_NEAR(world.sum(passes->energy()), alone->energy(), 1e-9 * alone->energy());
    EXPECT_NEAR(world.sum(passes->source_work()), alone->source_work(), 1e-12 * std::abs(alone->source_work()));
  }
  EXPECT_GT(alone->energy(), 0);
}

class CudaPassPartition : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(world_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  const parallel::Communicator world_{MPI_COMM_WORLD};
};

TEST_F(CudaPassPartition, WallsAndLayersByAllTransports) {
  GridProblem mixed = box(133, 61, 97, Kind::cpml, 8);
  mixed.setup.sides = {Kind::adiabatic, Kind::pmc, Kind::cpml, Kind::cpml, Kind::adiabatic, Kind::cpml};
  mixed.setup.adiabatic.fill({0.3, 2, 1e-2});
  mixed.setup.materials = {grid::Material{}, grid::Material{4, 1, 0.05, 0, {}}};
  mixed.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.5, 0.3, 0.47}, .radius = 0.2, .material = 1}};
  for (const GridProblem& problem : {box(133, 61, 97, Kind::pec), box(133, 61, 97, Kind::cpml, 10), mixed})
    parallel::for_each_transport(world_, [&](parallel::Transport transport) {
      expect_same_passes(problem, world_, transport, false, {4, 100, 3, 61, 120});
    });
}

TEST_F(CudaPassPartition, RandomProblems) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 24; ++trial) {
    const GridProblem p = random_pass_problem(random, 56, 120);
    SCOPED_TRACE(trial);
    expect_same_passes(p, world_, parallel::Transport::automatic, false, {5, 64, 2, 90});
    if (HasFatalFailure()) return;
  }
}

// Whichever way proves faster, the same on all ranks.
TEST_F(CudaPassPartition, MeasuredOnSmallGrids) {
  expect_same_passes(box(70, 44, 60, Kind::cpml, 6), world_, parallel::Transport::automatic, true, {37, 3, 100});
}

// Speed per transport and order of work.
TEST_F(CudaPassPartition, DISABLED_Speed) {
  for (const Kind sides : {Kind::pec, Kind::cpml})
    for (const bool weak : {true, false}) {
      GridProblem p = box(512, 512, weak ? 512 * world_.size() : 512, sides, 10);
      p.setup.courant = 0.9;
      p.sources[0].position = {2.557, 2.511, 2.533};
      p.setup.margin = margin_of_passes(p.setup, world_.size());
      parallel::for_each_transport(world_, [&](parallel::Transport transport) {
        if (transport == parallel::Transport::mpi_cuda || (world_.size() == 1 && transport != parallel::Transport::automatic)) return;
        if (!weak && transport != parallel::Transport::automatic) return;
        auto solver = p.make<float>(world_, true, transport);
        const std::string why = solver->start_volume_passes();
        if (!why.empty()) std::printf("no passes: %s\n", why.c_str());
        for (const char* trial : {"", "serial", "none"}) {
          if (world_.size() == 1 && trial[0] != 0) continue;
          setenv("DGTD_PASS_TRIAL", trial, 1);
          solver->advance(80);
          solver->wait();
          world_.barrier();
          const auto start = std::chrono::steady_clock::now();
          solver->advance(400);
          solver->wait();
          const double seconds = world_.max(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
          const auto& g = solver->discretisation().global_cells;
          const double rate = 400.0 * double(g[0]) * double(g[1]) * double(g[2]) / seconds / 1e9;
          if (world_.is_root())
            std::printf("SPEED %s %lld planes, %d ranks, %-10s %-7s %8.1f Gcells/s, %7.1f per GPU\n", sides == Kind::pec ? "walls" : "cpml ",
                        static_cast<long long>(g[2]), world_.size(), std::string(parallel::name_of(transport)).c_str(), trial, rate, rate / world_.size());
          std::fflush(stdout);
        }
      });
    }
}

}  // namespace
}  // namespace dgtd::fdtd
