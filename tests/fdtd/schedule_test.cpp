// The paper's two kernels and the fused one: the same arithmetic. The hash that compares them. The energy.
#include <gtest/gtest.h>

#include "fdtd/host_hash.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

TEST(GridSchedule, SplitAndFusedAreTheSame) {
  const parallel::Communicator comm;
  std::uint64_t hashes[2];
  for (const KernelFusion fusion : {KernelFusion::fused, KernelFusion::split}) {
    GridProblem problem = scattering_problem();
    problem.fusion = fusion;
    auto solver = problem.make<double>(comm);
    for (int s = 0; s < 60; ++s) solver->advance(1);
    hashes[fusion == KernelFusion::split] = solver->fields_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

// In blocks whose cells are no multiple of what one sum takes, in three dimensions and two.
TEST(GridSchedule, HashIsThatOfAPlainLoop) {
  const parallel::Communicator comm;
  for (const GridProblem& problem : {scattering_problem(), flat_walls_problem()}) {
    auto solver = problem.make<float>(comm);
    const std::uint64_t before = host_hash(*solver);
    EXPECT_EQ(solver->fields_hash(), before);
    solver->advance(20);
    EXPECT_EQ(solver->fields_hash(), host_hash(*solver));
    EXPECT_NE(solver->fields_hash(), before);
  }
}

// Values of H after a half step that is stored and taken back, and after the same that is not stored.
template <class Stored>
void compare_energies(const GridProblem& problem) {
  const parallel::Communicator comm;
  auto solver = problem.make<Stored>(comm);
  solver->advance(25);
  auto& engine = solver->engine();
  const std::uint64_t before = solver->fields_hash();
  engine.refresh_ghosts(HalfStep::magnetic);
  const double ahead = engine.energy_ahead();
  EXPECT_EQ(solver->fields_hash(), before);
  engine.store_magnetic();
  engine.update_interior(HalfStep::magnetic);
  EXPECT_EQ(engine.energy(), ahead);
  EXPECT_NE(solver->fields_hash(), before);
  engine.restore_magnetic();
  EXPECT_EQ(engine.energy_ahead(), ahead);  // the layers' sums are restored, and were not stored before
  EXPECT_GT(ahead, 0);
}

TEST(GridSchedule, EnergyOfAHalfStepThatIsNotStored) {
  for (const GridProblem& problem : {scattering_problem(), adiabatic_problem(), mur_problem()}) {
    compare_energies<double>(problem);
    compare_energies<float>(problem);
    compare_energies<Half>(poles_removed(problem));
  }
}

}  // namespace
}  // namespace dgtd::fdtd
