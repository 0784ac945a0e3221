// The number of ranks never shows in the fields.
#include <gtest/gtest.h>

#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
std::uint64_t hash(const GridProblem& problem, const parallel::Communicator& comm, double* flux = nullptr) {
  auto solver = problem.make<Real>(comm);
  for (int s = 0; s < 60; ++s) solver->advance(s == 30);
  if (flux != nullptr) *flux = solver->flux(0)[0];
  return comm.sum(solver->fields_hash());
}

TEST(GridPartition, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const GridProblem& problem : {scattering_problem(), walls_problem(), beams_problem(), mur_problem(), bloch_problem()}) {
    EXPECT_EQ(hash<float>(problem, world), hash<float>(problem, self));
    EXPECT_EQ(hash<double>(problem, world), hash<double>(problem, self));
  }
  double together = 0, alone = 0;
  hash<double>(scattering_problem(), world, &together);
  hash<double>(scattering_problem(), self, &alone);
  EXPECT_NE(alone, 0);
  EXPECT_NEAR(together / alone, 1, 1e-10);
}

// Cells' values next to another rank come from both sides.
void expect_same_samples(const GridProblem& problem) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  using Quantity = physics::Quantity;
  auto alone = problem.make<double>(self), together = problem.make<double>(world);
  const Vec3 place{0.162, 0.085, 0.121};
  alone->add_probe("p", place, "test");
  const bool here = together->add_probe("p", place, "test");
  for (auto* solver : {alone.get(), together.get()}) {
    solver->start_dft({2e9});
    for (int s = 0; s < 40; ++s) {
      solver->advance(false);
      solver->accumulate_dft(1e-12);
    }
  }
  const auto& whole = alone->block();
  const auto& block = together->block();
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic})
    for (const auto part : {Quantity::Part::present, Quantity::Part::real}) {
      const auto expected = alone->sample_cells({field, part, 0}), mine = together->sample_cells({field, part, 0});
      std::size_t at = 0, different = 0;
      for (int k = 0; k < block.cells[2]; ++k)
        for (int j = 0; j < block.cells[1]; ++j)
          for (int i = 0; i < block.cells[0]; ++i)
            for (int c = 0; c < 3; ++c)
              different += mine[at++] != expected[static_cast<std::size_t>((((block.first[2] + k) * whole.cells[1] + block.first[1] + j) * whole.cells[0] + block.first[0] + i) * 3 + c)];
      EXPECT_EQ(different, 0u) << "field " << int(field) << " part " << int(part);
    }
  if (here) {
    EXPECT_EQ(together->probe("p").electric, alone->probe("p").electric);
    EXPECT_GT(norm(alone->probe("p").electric), 0);
  }
}

// Ranks side by side along x, along y, and along both.
TEST(GridPartition, NeverShowsInTheFieldsOfFlatGrids) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const GridProblem& problem :
       {flat_scattering_problem(150, 40), flat_scattering_problem(40, 150), flat_scattering_problem(70, 70), flat_walls_problem(), line_problem()}) {
    EXPECT_EQ(hash<float>(problem, world), hash<float>(problem, self));
    EXPECT_EQ(hash<double>(problem, world), hash<double>(problem, self));
  }
  EXPECT_NE(hash<double>(flat_walls_problem(), self), hash<double>(line_problem(), self));
}

TEST(GridPartition, NeverShowsInSamples) {
  expect_same_samples(walls_problem());
  expect_same_samples(bloch_problem());
}

TEST(GridPartition, EnergyIsTheSumOverRanks) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto energy = [&](const parallel::Communicator& comm) {
    auto solver = walls_problem().make<double>(comm);
    for (int s = 0; s < 40; ++s) solver->advance(s == 39);
    return comm.sum(solver->energy());
  };
  const double alone = energy(self);
  EXPECT_GT(alone, 0);
  EXPECT_NEAR(energy(world) / alone, 1, 1e-12);
}

}  // namespace
}  // namespace dgtd::fdtd
