// The number of ranks never shows in the potential, nor in what is sampled of it.
#include <gtest/gtest.h>

#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

template <class Real>
std::uint64_t hash(const PlaneProblem& problem, const parallel::Communicator& comm, double* energy = nullptr) {
  auto solver = problem.make<Real>(comm);
  for (int n = 0; n < 60; ++n) {
    if (n == 59) (void)solver->energy();
    solver->advance(1);
  }
  if (energy != nullptr) *energy = comm.sum(solver->energy());
  return comm.sum(solver->fields_hash());
}

TEST(PlanePartition, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian})
    for (const bool lossy : {false, true})
      for (const auto side : {physics::BoundaryKind::mur, physics::BoundaryKind::periodic}) {
        auto p = mixed_problem(stencil, lossy);
        p.set_sides(side, side);
        EXPECT_EQ(hash<float>(p, world), hash<float>(p, self));
        double together = 0, alone = 0;
        EXPECT_EQ(hash<double>(p, world, &together), hash<double>(p, self, &alone));
        EXPECT_GT(alone, 0);
        EXPECT_NEAR(together / alone, 1, 1e-10);
      }
}

TEST(PlanePartition, NeverShowsInSamples) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  using Quantity = solver::Quantity;
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian})
    for (const auto side : {physics::BoundaryKind::mur, physics::BoundaryKind::periodic}) {
      auto p = mixed_problem(stencil, true);
      p.set_sides(side, side);
      auto alone = p.make<double>(self), together = p.make<double>(world);
      for (auto* solver : {alone.get(), together.get()}) {
        solver->start_dft({2 * pi * 1e9});
        for (int n = 0; n < 50; ++n) {
          solver->advance(1);
          solver->accumulate_dft(1e-11);
        }
      }
      const auto& block = together->block();
      const int nx = alone->block().cells[0];
      for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic})
        for (const auto part : {Quantity::Part::present, Quantity::Part::real, Quantity::Part::imaginary}) {
          const auto expected = alone->sample_cells({field, part, 0}), mine = together->sample_cells({field, part, 0});
          std::size_t at = 0, different = 0;
          double size = 0;
          for (int j = 0; j < block.cells[1]; ++j)
            for (int i = 0; i < block.cells[0]; ++i)
              for (int c = 0; c < 3; ++c) {
                size += std::abs(mine[at]);
                different += mine[at++] !=
                             expected[(static_cast<std::size_t>(block.first[1] + j) * nx + block.first[0] + i) * 3 + c];
              }
          EXPECT_EQ(different, 0u);
          EXPECT_GT(world.sum(size), 0);
        }
    }
}

}  // namespace
}  // namespace dgtd::hpf
