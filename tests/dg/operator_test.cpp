// Executor::apply, the operator without a time step, against the half steps, and the states of elements.
#include <gtest/gtest.h>

#include "comparison.hpp"
#include "dgtd/dg/random_fields.hpp"
#include "problems.hpp"

namespace dgtd::dg::test {
namespace {

template <class Real>
class Operator : public testing::Test {
 protected:
  const parallel::Communicator self_{MPI_COMM_SELF};
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Operator, Reals);

template <class Real>
std::vector<Real> values(const Field<Real>& field, std::size_t reals) {
  return {field.host(), field.host() + reals};
}

// With L without and G with conduction, length = c0 dt and E' the field after the half step:
//   E' - E = L(H, E) + (G - L)(H, (E + E') / 2),   H' - H = L(E, H),
// curl and damping at the old values, the conduction current averaged in time.
TYPED_TEST(Operator, IsTheHalfStepOverItsTimeStep) {
  using Real = TypeParam;
  const Problem problem = mixed({2, 2, 2});
  for (const int order : {1, 2}) {
    Discretisation<Real> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes);
    const auto executor = make_cpu_executor(d, KernelFusion::fused, this->self_);
    const double dt = 2e-11;
    d.set_time_step(dt);
    executor->load_half_steps();
    const auto field = [&] { return Field<Real>(d.field_reals(), executor->memory()); };
    Field<Real> electric = field(), magnetic = field(), next = field(), lossless = field(), at_old = field(),
                at_new = field();
    fill_random(d, *executor, electric, magnetic);
    const OperatorTerms all{.length = speed_of_light * dt};
    const OperatorTerms without_conduction{.length = speed_of_light * dt, .conduction = false};
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic}) {
      Field<Real>& own = half == HalfStep::electric ? electric : magnetic;
      Field<Real>& source = half == HalfStep::electric ? magnetic : electric;
      executor->for_each(static_cast<std::int64_t>(own.size()), parallel::CopyReals<Real>{own.read(), next.write()});
      executor->update(half, source, next, d.batches);
      executor->apply(half, source, own, lossless, without_conduction);
      executor->apply(half, source, own, at_old, all);
      executor->apply(half, source, next, at_new, all);
      // apply(next) has damping of `next` as well: take its conduction alone.
      Field<Real> damped = field();
      executor->apply(half, source, next, damped, without_conduction);
      double largest = 0, difference = 0;
      for (std::size_t i = 0; i < d.owned_reals(); ++i) {
        const double conduction =
            0.5 * ((double(at_old.host()[i]) - lossless.host()[i]) + (double(at_new.host()[i]) - damped.host()[i]));
        const double change = double(next.host()[i]) - own.host()[i];
        largest = std::max(largest, std::abs(change));
        difference = std::max(difference, std::abs(change - lossless.host()[i] - conduction));
      }
      EXPECT_GT(largest, 0);
      EXPECT_LT(difference, 100 * std::numeric_limits<Real>::epsilon() * largest)
          << "P" << order << (half == HalfStep::electric ? ", E" : ", H");
    }
  }
}

bool is_conductive(const ElementTraits& traits) { return traits.medium == MediumKind::conductive; }

TYPED_TEST(Operator, StatesBelongToTheElementsOfTheirBatches) {
  using Real = TypeParam;
  const Problem problem = mixed({3, 3, 3});
  constexpr int entries = 5;
  const auto make = [&](bool with_state) {
    auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, 1, false,
                                                    cpu_field_lanes);
    if (with_state) d->add_state({"currents", entries, is_conductive});
    return d;
  };
  auto d = make(true);
  const Discretisation<Real>& of_solver = *d;
  std::int64_t blocks = 0;
  for (const auto* list : {&d->batches.interior, &d->batches.halo})
    for (const Batch& batch : *list)
      if (is_conductive(batch.traits)) blocks += batch.blocks;
  ASSERT_GT(blocks, 0);
  ASSERT_LT(blocks, d->owned_blocks);
  EXPECT_EQ(d->states.at(0).blocks, blocks);

  auto executor = make_cpu_executor(*d, KernelFusion::fused, this->self_);
  const auto without = make(false);
  const double bytes = make_cpu_executor(*without, KernelFusion::fused, this->self_)->memory_bytes();
  const double of_state = double(blocks) * entries * block_lanes * sizeof(Real);
  double listed = 0;  // blocks without state are in lists of their own
  for (const Batch& batch : d->batches.interior)
    if (!batch.traits.boundary && !d->has_own_kernel(batch.traits, HalfStepWork::layers_and_states))
      listed += double(batch.blocks);
  EXPECT_EQ(executor->memory_bytes() - bytes, of_state + listed * sizeof(LevelBlock));

  // A checkpoint finds each element's entries under its global number.
  Field<Real>& state = executor->states().at(0);
  ASSERT_EQ(state.bytes(), of_state);
  const auto value = [](std::int64_t id, std::size_t entry) { return Real(100 * id + std::int64_t(entry)); };
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const std::uint32_t slot = d->slot_of_element[e];
    const std::int64_t block = d->states[0].first[slot / block_lanes];
    for (std::size_t k = 0; block >= 0 && k < entries; ++k)
      state.host_for_writing()[(block * entries + k) * block_lanes + slot % block_lanes] =
          value(problem.mesh.element_id[e], k);
  }
  DgSolver<Real> solver(std::move(d), std::move(executor), 1e-12, {}, problem.mesh.volume_names, this->self_);
  bool found = false;
  for (const auto& array : solver.persistent_arrays()) {
    if (array.name != "currents") continue;
    found = true;
    EXPECT_EQ(array.offsets.size(), std::size_t{entries});
    std::size_t elements = 0;
    for (const auto& run : array.items->runs)
      for (std::int64_t i = 0; i < run.count; ++i, ++elements)
        for (std::size_t k = 0; k < entries; ++k)
          EXPECT_EQ(static_cast<const Real*>(array.read())[run.place + i + array.offsets[k]], value(run.number + i, k));
    std::size_t wanted = 0;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
      wanted += of_solver.states[0].first[of_solver.slot_of_element[e] / block_lanes] >= 0;
    EXPECT_EQ(elements, wanted);
  }
  EXPECT_TRUE(found);
}

// The place of entry 0 that a kernel's view computes for a block of the batch.
TEST(ElementStates, ViewsFindTheirBlock) {
  std::vector<double> values(3 * 4 * block_lanes);
  ElementArrays<double> arrays{};
  arrays.state[1] = {values.data(), nullptr, 7};  // the batch begins at block 8: state block 1
  const BlockView<1, double> view{arrays, 9, 5};
  EXPECT_EQ(view.state(1, 4) - values.data(), 2 * 4 * block_lanes + 5);
  view.set_state_entry(1, 4, 3, 0.5);
  EXPECT_EQ(values[(2 * 4 + 3) * block_lanes + 5], 0.5);
  EXPECT_EQ(view.state_entry(1, 4, 3), 0.5);
  std::vector<double> coefficients(3 * 2 * block_lanes);
  coefficients[(2 * 2 + 1) * block_lanes + 5] = 7;
  arrays.state[1].coefficients = coefficients.data();
  EXPECT_EQ(view.state_coefficient(1, 2, 1), 7);
}

}  // namespace
}  // namespace dgtd::dg::test
