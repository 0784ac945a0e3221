// On devices, too, the number of ranks never shows, nor how halos are exchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "fdtd/pass_problems.hpp"
#include "fdtd/port_records.hpp"
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

// Records of ports are summed over ranks, and equal those of one rank and device up to rounding; fields to the bit.
TEST(CudaGridPartition, NeverShowsInPorts) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  const GridProblem problem = ports_problem();
  auto alone = problem.make<double>(self, true);
  alone->advance(300);
  parallel::for_each_transport(world, [&](parallel::Transport transport) {
    EXPECT_EQ(hash<float>(problem, world, transport), hash<float>(problem, self, parallel::Transport::mpi_host));
    auto together = problem.make<double>(world, true, transport);
    together->advance(300);
    EXPECT_EQ(world.sum(together->fields_hash()), alone->fields_hash());
    expect_the_same_port_records(*alone, *together, 300);
  });
}

// The first components of this rank's block that differ from those of one rank.
template <class Stored>
std::string differences(FdtdSolver<Stored>& alone, FdtdSolver<Stored>& together) {
  const Discretisation<float>& d = together.discretisation();
  const GridLayout &all = alone.discretisation().layout, &own = d.layout;
  std::string text;
  int count = 0;
  for (int f = 0; f < 2; ++f) {
    const Stored* const u = (f == 0 ? alone.engine().electric() : alone.engine().magnetic()).host();
    const Stored* const v = (f == 0 ? together.engine().electric() : together.engine().magnetic()).host();
    for (int k = 0; k < own.cells[2]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int j = 0; j < own.cells[1]; ++j)
          for (int i = 0; i < own.cells[0]; ++i) {
            const std::int64_t global = d.block.first[2] + k;
            const auto there = static_cast<float>(u[c * all.reals + all.index(i, j, static_cast<int>(global))]);
            const auto here = static_cast<float>(v[c * own.reals + own.index(i, j, k)]);
            if (there == here || ++count > 8) continue;
            text += std::string("\n") + "EH"[f] + "xyz"[c] + " (" + std::to_string(i) + ", " + std::to_string(j) +
                    ", " + std::to_string(global) + "): " + std::to_string(there) + " and " + std::to_string(here);
          }
  }
  return text + "\n" + std::to_string(count) + " differ in planes " + std::to_string(d.block.first[2]) + " to " +
         std::to_string(d.block.first[2] + own.cells[2] - 1);
}

// Passes of several steps on ranks one above the other, against half steps on one rank, which in half precision are
// those between passes. Problems that have none in half precision are left out; compared: counts the others.
template <class Stored>
void expect_same_passes(GridProblem problem, const parallel::Communicator& world, parallel::Transport transport,
                        bool measured, std::initializer_list<std::int64_t> stretches, int& compared) {
  const parallel::Communicator self(MPI_COMM_SELF);
  auto alone = problem.make<Stored>(self, true);
  if (is_compressed<Stored>) {
    const std::string why_not = alone->start_volume_passes(0, false);
    if (why_not.find("a medium that takes less than") != std::string::npos ||
        why_not.find("a grid narrower than a tile") != std::string::npos)
      return;
    ASSERT_EQ(why_not, "");
  }
  problem.setup.margin = margin_of_passes(problem.setup, world.size());
  auto passes = problem.make<Stored>(world, true, transport);
  ASSERT_EQ(passes->start_volume_passes(0, measured), "");
  for (const std::int64_t steps : stretches) {
    for (std::int64_t s = 0; s < steps; ++s) alone->advance(1);
    passes->advance(steps);
    ASSERT_EQ(world.sum(passes->fields_hash()), alone->fields_hash())
        << "after " << alone->steps_done() << " steps" << differences(*alone, *passes);
    EXPECT_NEAR(world.sum(passes->energy()), alone->energy(), 1e-9 * alone->energy());
    EXPECT_NEAR(world.sum(passes->source_work()), alone->source_work(), 1e-12 * std::abs(alone->source_work()));
  }
  if (!problem.ports.empty())
    expect_the_same_port_records(*alone, *passes, static_cast<std::size_t>(alone->steps_done()));
  EXPECT_GT(alone->energy(), 0);
  ++compared;
}

class CudaPassPartition : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(world_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  void compare(GridProblem problem, parallel::Transport transport, bool measured,
               std::initializer_list<std::int64_t> stretches) {
    expect_same_passes<float>(problem, world_, transport, measured, stretches, compared_[0]);
    if (HasFatalFailure()) return;
    SCOPED_TRACE("half precision");
    problem.averaging = false;  // components with a little of a lossy medium
    expect_same_passes<Half>(problem, world_, transport, measured, stretches, compared_[1]);
  }
  const parallel::Communicator world_{MPI_COMM_WORLD};
  int compared_[2] = {0, 0};  // problems in single, in half precision
};

TEST_F(CudaPassPartition, WallsAndLayersByAllTransports) {
  GridProblem mixed = box(133, 61, 97, Kind::cpml, 8);
  mixed.setup.sides = {Kind::adiabatic, Kind::pmc, Kind::cpml, Kind::cpml, Kind::adiabatic, Kind::cpml};
  mixed.setup.adiabatic.fill({0.3, 2, 1e-2});
  mixed.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}};
  mixed.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.5, 0.3, 0.47}, .radius = 0.2, .material = 1}};
  for (const GridProblem& problem : {box(133, 61, 97, Kind::pec), box(133, 61, 97, Kind::cpml, 10), mixed})
    parallel::for_each_transport(world_, [&](parallel::Transport transport) {
      compare(problem, transport, false, {4, 100, 3, 61, 120});
    });
}

// Away from the cuts, in single precision.
TEST_F(CudaPassPartition, Ports) {
  const GridProblem p = box_with_ports(Kind::cpml, 72);
  parallel::for_each_transport(world_, [&](parallel::Transport transport) {
    expect_same_passes<float>(p, world_, transport, false, {4, 100, 3, 61, 120}, compared_[0]);
  });
}

TEST_F(CudaPassPartition, RandomProblems) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 24; ++trial) {
    const GridProblem p = random_pass_problem(random, 56, 120);
    SCOPED_TRACE(trial);
    compare(p, parallel::Transport::automatic, false, {5, 64, 2, 90});
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(compared_[0], 24);
  EXPECT_GE(compared_[1], 20);
}

// Whichever way proves faster, the same on all ranks.
TEST_F(CudaPassPartition, MeasuredOnSmallGrids) {
  compare(box(70, 60, 60, Kind::cpml, 6), parallel::Transport::automatic, true, {37, 3, 100});
}

}  // namespace
}  // namespace dgtd::fdtd
