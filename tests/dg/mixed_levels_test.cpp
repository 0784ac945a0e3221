// Local time steps of elements of several orders: the filter against its definition, bounds, energy, order in time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "bent_mesh.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/physics/cavity_mode.hpp"
#include "mixed_problem.hpp"
#include "random_levels.hpp"

namespace dgtd::dg::test {
namespace {

constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
               absorbing = physics::BoundaryKind::silver_muller;

class MixedLevels : public testing::Test {
 protected:
  /// Three materials, the second one conductive; levels and orders change at other faces.
  static Problem box(double conductivity, physics::BoundaryKind first = pec) {
    return {tiny_mesh({3, 2, 2}, 3, 7),
            {{2.5, 1.0, 0.0}, {1.3, 1.7, conductivity}, {4.0, 1.2, 0.0}},
            {first, pec, pmc, pec, pec, pmc},
            {}};
  }
  // Levels at random, the finest one among them.
  static TimeLevels levels_of(const Problem& problem) {
    constexpr int finest = 3;
    for (unsigned seed = 1;; ++seed) {
      TimeLevels levels = random_levels(problem.mesh, problem.boundary_kind, finest, seed);
      if (levels.elements[finest] > 2) return levels;
    }
  }
  // A step whose bounds hold, s: elements of one size have about that of global steps on any level.
  double stable_step(const Problem& problem, const std::vector<int>& orders, const TimeLevels& levels) const {
    auto d = discretise_mixed<double>(problem, orders, self_, levels);
    auto step = d.level_time_step(self_);
    double dt = 0.9 * d.stability_limit(self_).time_step;
    for (int i = 0; i < 10; ++i, dt *= 0.9)
      if (step.bounds(dt).largest() < 0.985) return dt;
    ADD_FAILURE() << "no stable step";
    return 0;
  }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

// With one order the fields have the bits of the solver of one order.
TEST_F(MixedLevels, OfOneOrderAreThoseOfItsSolver) {
  const Problem problem = box(0.02);
  const std::vector<int> orders(problem.mesh.elements(), 2);
  const TimeLevels levels = levels_of(problem);
  const double dt = brisk_time_step(2);
  auto mixed = mixed_solver<double>(problem, orders, dt, self_, levels);
  auto plain = make_solver<double>(problem, 2, dt, self_, KernelFusion::fused, levels);
  mixed.randomise_fields(), plain.randomise_fields();
  mixed.advance(20), plain.advance(20);
  EXPECT_EQ(mixed.fields_hash(), plain.fields_hash());
  EXPECT_EQ(mixed.energy(), plain.energy());
  double updates = 0;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    updates += half_updates(levels, e) / 2 / static_cast<double>(problem.mesh.elements());
  EXPECT_NEAR(mixed.costs().updates_per_step, updates, 1e-12 * updates);
}

// F_l by its definition, from the operator of all elements and a selection of E by their levels: no ghost slots, fields
// or lists of levels.
template <class Real>
class FilterByDefinition {
 public:
  FilterByDefinition(const MixedDiscretisation<Real>& of, const TimeLevels& levels, double dt)
      : of_(of), whole_(of.whole()), levels_(levels), terms_{.length = speed_of_light * dt, .conduction = false} {}

  OwnedFields<Real> field() const {
    return {whole_.list(), [](const auto& d) { return d.blocks; }};
  }

  //   F_l h = y + a_l / dt^2 F_{l+1} (- dt C^T) P_l (dt C) y,   y = F_{l+1} h
  void apply(int level, OwnedFields<Real>& h) const {
    if (level > levels_.finest) return;
    apply(level + 1, h);
    auto zero = field(), electric = field(), magnetic = field();
    whole_.apply(HalfStep::electric, h.all(), zero.all(), electric.all(), terms_);
    for (std::size_t p = 0; p < whole_.size(); ++p) {
      const Discretisation<Real>& d = *of_.d[p];
      Real* const values = electric[p].host_for_writing();
      const std::vector<std::uint32_t>& elements = of_.parts.parts[p].elements;
      for (std::size_t e = 0; e < elements.size(); ++e)
        for (int i = 0; levels_.of_element[elements[e]] < level && i < 3 * d.layout.nodes; ++i)
          values[d.layout.first(d.slot_of_element[e]) + static_cast<std::size_t>(i) * d.layout.stride()] = 0;
    }
    whole_.apply(HalfStep::magnetic, electric.all(), zero.all(), magnetic.all(), terms_);
    apply(level + 1, magnetic);
    PartLoops<Real>(whole_, [](const auto& d) {
      return d.owned_blocks;
    }).add(magnetic.all(), filter_factor(level), h.all());
  }

 private:
  const MixedDiscretisation<Real>& of_;
  OperatorParts<Real> whole_;
  const TimeLevels& levels_;
  OperatorTerms terms_;
};

void expect_definition(const Problem& problem, const std::vector<int>& orders, const TimeLevels& levels,
                       const parallel::Communicator& self) {
  auto d = discretise_mixed<double>(problem, orders, self, levels);
  const double dt = 0.5 * d.stability_limit(self).time_step;
  for (std::size_t p = 0; p < d.d.size(); ++p) {
    d.d[p]->set_time_step(dt);
    d.executors[p]->load_half_steps();
  }
  const FilterByDefinition<double> definition(d, levels, dt);
  LocalSteps<double> steps(d.whole());
  auto unused = definition.field(), h = definition.field(), expected = definition.field();
  for (std::size_t p = 0; p < d.d.size(); ++p) {
    fill_random(*d.d[p], *d.executors[p], unused[p], h[p]);
    fill_random(*d.d[p], *d.executors[p], unused[p], expected[p]);
  }
  steps.start_random(h.all());
  definition.apply(1, expected);
  double difference = 0, change = 0;
  for (std::size_t p = 0; p < d.d.size(); ++p) {
    fill_random(*d.d[p], *d.executors[p], unused[p], unused[p]);
    for (std::size_t i = 0; i < d.d[p]->owned_reals(); ++i) {
      difference = std::max(difference, std::abs(h[p].host()[i] - expected[p].host()[i]));
      change = std::max(change, std::abs(unused[p].host()[i] - expected[p].host()[i]));
    }
  }
  EXPECT_LT(difference, 1e-13);
  EXPECT_GT(change, 1e-2);
}

TEST_F(MixedLevels, FilterIsTheDefinition) {
  const Problem problem = box(0, absorbing);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  const TimeLevels levels = levels_of(problem);
  std::set<std::pair<int, int>> joints;  // levels at both sides of faces between orders
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    for (const auto& link : problem.mesh.element_faces[e])
      if (link.kind == mesh::FaceLink::Kind::element && orders[e] < orders[link.index])
        joints.insert({levels.of_element[e], levels.of_element[link.index]});
  for (const std::pair<int, int>& at : {std::pair{0, 0}, {0, 1}, {1, 0}, {2, 1}, {1, 2}, {2, 2}})
    EXPECT_TRUE(joints.contains(at)) << at.first << " beside " << at.second;

  expect_definition(problem, orders, levels, self_);
}

// Half steps of levels without joints, one after the other in each part.
TEST_F(MixedLevels, FilterIsTheDefinitionWhereFineLevelsHaveOneOrder) {
  const Problem problem = box(0, absorbing);
  const TimeLevels levels = levels_of(problem);
  for (const int level : {1, 2, 3}) {
    const std::vector<int> orders = mixed_orders_below(level, problem.mesh, levels);
    const auto d = discretise_mixed<double>(problem, orders, self_, levels);
    EXPECT_TRUE(d.joints->has_joints(level - 1));
    EXPECT_FALSE(d.joints->has_joints(level));
    expect_definition(problem, orders, levels, self_);
  }
}

// The bounds of the levels are norms of the operator of all orders together: of levels that have all elements z_1 is
// that of leap-frog steps of half the length.
TEST_F(MixedLevels, BoundIsThatOfAllOrders) {
  const Problem problem = box(0);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  TimeLevels levels;
  levels.finest = 1;
  levels.of_element.assign(problem.mesh.elements(), 1);
  complete(levels, problem.mesh);
  auto d = discretise_mixed<double>(problem, orders, self_, levels);
  const double limit = d.stability_limit(self_).time_step;
  EXPECT_NEAR(d.level_time_step(self_).global_limit(), limit, 0.01 * limit);
}

// The half steps of levels are transposed to each other across faces between orders; poles and curved elements are
// matters of single elements. DGTD_FULL=1: in 100,000 steps of the longest elements, without poles, whose currents of
// frequency zero add up what is rounded (1.5e-12 after 30,000).
TEST_F(MixedLevels, ConserveEnergyInAClosedBox) {
  enum class Elements { straight, curved, curved_with_poles };
  for (const Elements kind : {Elements::straight, Elements::curved, Elements::curved_with_poles}) {
    const bool full = std::getenv("DGTD_FULL") != nullptr && kind != Elements::curved_with_poles;
    const int at_once = full ? 10'000 : 100;
    Problem problem = box(0);
    if (kind != Elements::straight) {
      bend(problem, 0.05);
      problem.curved = mesh::CurvedElements::full;
    }
    if (kind == Elements::curved_with_poles) problem.material[1].poles = {{physics::Pole::Type::drude, 2e9, 0, 0, 0}};
    const std::vector<int> orders = mixed_orders(problem.mesh);
    const TimeLevels levels = levels_of(problem);
    const double dt = (kind == Elements::straight ? 1 : 0.8) * stable_step(problem, orders, levels);
    auto solver = mixed_solver<double>(problem, orders, dt, self_, levels);
    solver.randomise_fields();
    const double first = solver.energy();
    EXPECT_GT(first, 0);
    double largest = 0;
    for (int i = 0; i < 10; ++i) {
      solver.advance(at_once);
      largest = std::max(largest, std::abs(solver.energy() / first - 1));
      ASSERT_LT(largest, 1e-12) << "after " << at_once * (i + 1) << " steps";
    }
    if (full)
      fmt::print("{} elements{}, orders 1 to 3, {} levels: largest relative drift of the energy {:.1e}\n",
                 problem.mesh.elements(), kind == Elements::curved ? ", curved" : "", levels.finest + 1, largest);
  }
}

TEST_F(MixedLevels, LoseEnergyThroughAbsorbingFacesAndConduction) {
  const Problem problem = box(0.02, absorbing);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  const TimeLevels levels = levels_of(problem);
  auto solver = mixed_solver<double>(problem, orders, stable_step(problem, orders, levels), self_, levels);
  solver.randomise_fields();
  const double first = solver.energy();
  double last = first;
  for (int i = 0; i < 20; ++i) {
    solver.advance(20);
    const double now = solver.energy();
    ASSERT_LT(now, last);
    last = now;
  }
  EXPECT_LT(last, 0.5 * first);
  EXPECT_GT(last, 0);
}

// Mode (1, 1, 0) of a cube whose halves have orders 2 and 3, with levels that change inside of both and between them:
// what levels change is of second order in the step, mesh and step refined together.
TEST_F(MixedLevels, AreOfSecondOrderInTime) {
  if (highest_order() < 3) GTEST_SKIP() << "needs order 3";
  const physics::CavityMode mode;
  const double end = 0.625 * 2 * pi / mode.angular_frequency();
  std::vector<double> differences;
  for (const std::int64_t cells : {4, 8}) {
    const Problem cube{mesh::make_box({cells, cells, cells}, {1, 1, 1}, self_), {{1, 1, 0}}, std::vector(6, pec), {}};
    std::vector<int> orders;
    TimeLevels levels;
    levels.finest = 1;
    for (std::size_t e = 0; e < cube.mesh.elements(); ++e) {
      const Vec3 centre = ElementGeometry(cube.mesh, e).centre();
      orders.push_back(centre.x < 0.5 ? 2 : 3);
      levels.of_element.push_back(centre.x > 0.25 && centre.x < 0.75 && centre.y < 0.5);
    }
    complete(levels, cube.mesh);
    const auto steps = 20 * cells;
    const double dt = end / static_cast<double>(steps);
    const auto after = [&](const TimeLevels& of) {
      auto solver = mixed_solver<double>(cube, orders, dt, self_, of);
      solver.set_fields([&](const Vec3& x) { return mode.electric(x, 0); },
                        [&](const Vec3& x) { return mode.magnetic(x, -0.5 * dt); });
      solver.advance(steps);
      std::vector<std::uint32_t> all(cube.mesh.elements());
      for (std::uint32_t e = 0; e < all.size(); ++e) all[e] = e;
      std::vector<double> values(3 * all.size());
      solver.sample({solver::Quantity::Field::electric}, {{0.25, 0.25, 0.25, 0.25}}, all, values.data());
      return values;
    };
    const std::vector<double> local = after(levels), global = after({});
    double difference = 0;
    for (std::size_t i = 0; i < local.size(); ++i) difference += std::pow(local[i] - global[i], 2);
    differences.push_back(std::sqrt(difference / static_cast<double>(local.size())));
  }
  RecordProperty("differences", fmt::format("{:.3e} {:.3e}", differences[0], differences[1]));
  EXPECT_GT(std::log2(differences[0] / differences[1]), 1.8);
  EXPECT_GT(differences[1], 0);
}

// The energy of a loaded state goes on as that of the one that was saved, with the unfiltered H of all parts.
TEST_F(MixedLevels, ContinueFromTheirState) {
  const Problem problem = box(0.02);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  const TimeLevels levels = levels_of(problem);
  const double dt = stable_step(problem, orders, levels);
  auto one = mixed_solver<double>(problem, orders, dt, self_, levels),
       other = mixed_solver<double>(problem, orders, dt, self_, levels);
  one.set_fields(
      [](const Vec3& x) {
        return Vec3{std::sin(3 * x.y), x.x * x.z, 1 - x.y};
      },
      [](const Vec3& x) {
        return 2e-3 * Vec3{x.z, std::cos(2 * x.x), x.y * x.y};
      });
  one.advance(7);
  copy_state(one, other);
  one.advance(13), other.advance(13);
  EXPECT_EQ(other.steps_done(), 20);
  EXPECT_EQ(other.fields_hash(), one.fields_hash());
}

}  // namespace
}  // namespace dgtd::dg::test
