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
  for (const GridProblem& problem : {scattering_problem(), walls_problem()}) {
    EXPECT_EQ(hash<float>(problem, world), hash<float>(problem, self));
    EXPECT_EQ(hash<double>(problem, world), hash<double>(problem, self));
  }
  double together = 0, alone = 0;
  hash<double>(scattering_problem(), world, &together);
  hash<double>(scattering_problem(), self, &alone);
  EXPECT_NE(alone, 0);
  EXPECT_NEAR(together / alone, 1, 1e-10);
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
