// Local limits against the dense operator, and levels against their definition by distances between elements.
#include "dgtd/dg/time_levels.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>

#include "dgtd/mesh/load.hpp"
#include "graded_meshes.hpp"
#include "problems.hpp"

namespace dgtd::dg::test {
namespace {

using Kind = mesh::FaceLink::Kind;
using Flags = std::vector<std::uint8_t>;

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

bool is_inner(const mesh::Subdomain& mesh, std::size_t e) {
  return std::none_of(mesh.element_faces[e].begin(), mesh.element_faces[e].end(),
                      [](const auto& link) { return link.kind == Kind::boundary; });
}

// The fit is that of a mesh of a head, where it is off by -7 to +21 %; 10 % for cubes with slightly displaced corners.
TEST(LocalStepLimits, AreNearThoseOfTheDenseOperator) {
  for (const int order : {1, 2, 3, 4, 5}) {
    const Problem p{
        tiny_mesh({2, 2, 2}, 2, 4), {{2.5, 1.4, 0}, {1, 1.4, 0.3}}, std::vector<physics::BoundaryKind>(6, pec), {}};
    const NodalReference reference(p.mesh, p.material, p.boundary_kind, order, {});
    const std::vector<double> limits = local_step_limits(p.mesh, p.material, order, self());
    ASSERT_EQ(limits.size(), p.mesh.elements());
    int checked = 0;
    for (std::size_t e = 0; e < limits.size() && checked < 4; ++e) {
      if (!is_inner(p.mesh, e)) continue;
      ++checked;
      EXPECT_NEAR(limits[e] * reference.largest_local_eigenvalue(e) / 2, 1, 0.1) << "P" << order << " element " << e;
    }
    EXPECT_EQ(checked, 4);
  }
}

TEST(LocalStepLimits, ScaleWithLengthsAndTheSpeedOfLight) {
  mesh::Subdomain mesh = tiny_mesh({2, 2, 2}, 1, 4);
  const std::vector<double> limits = local_step_limits(mesh, {{}}, 2, self());
  const std::vector<double> slower = local_step_limits(mesh, {{8, 2, 1}}, 2, self());
  for (Vec3& x : mesh.vertices) x = 8.0 * x;
  const std::vector<double> larger = local_step_limits(mesh, {{}}, 2, self());
  for (std::size_t e = 0; e < limits.size(); ++e) {
    EXPECT_NEAR(slower[e], 4 * limits[e], 1e-13 * limits[e]);
    EXPECT_NEAR(larger[e], 8 * limits[e], 1e-12 * limits[e]);
  }
}

/// [elements] faces on the way to the nearest element of a set.
std::vector<int> distances(const mesh::Subdomain& mesh, const Flags& from) {
  std::vector<int> distance(mesh.elements(), 1 << 20);
  std::deque<std::uint32_t> next;
  for (std::uint32_t e = 0; e < distance.size(); ++e)
    if (from[e]) distance[e] = 0, next.push_back(e);
  for (; !next.empty(); next.pop_front())
    for (const auto& link : mesh.element_faces[next.front()])
      if (link.kind == Kind::element && distance[link.index] > distance[next.front()] + 1)
        distance[link.index] = distance[next.front()] + 1, next.push_back(link.index);
  return distance;
}

/// Definition: with the lowest level n of each element whose step is within its limit, level of x =
/// max over y of n(y) - max(0, distance of x and y - 1).
std::vector<int> levels_by_definition(const mesh::Subdomain& mesh, const std::vector<double>& limits, double coarse) {
  std::vector<int> natural(limits.size()), level(limits.size());
  for (std::size_t e = 0; e < limits.size(); ++e)
    natural[e] = std::max(0, static_cast<int>(std::ceil(std::log2(coarse / limits[e]) - 1e-9)));
  for (int l = 1; l <= *std::max_element(natural.begin(), natural.end()); ++l) {
    Flags has(natural.size());
    for (std::size_t e = 0; e < has.size(); ++e) has[e] = natural[e] == l;
    const std::vector<int> distance = distances(mesh, has);
    for (std::size_t e = 0; e < has.size(); ++e) level[e] = std::max(level[e], l - std::max(0, distance[e] - 1));
  }
  return level;
}

struct Graded {
  mesh::Subdomain mesh;
  std::vector<double> limits;
  Flags closed;  // no absorbing element

  explicit Graded(double smallest, const Vec3& centre = {0.45, 0.5, 0.55}) {
    mesh = mesh::make_box({10, 10, 10}, {1, 1, 1}, self());
    concentrate(mesh, {1, 1, 1}, centre, smallest);
    limits = local_step_limits(mesh, {{}}, 1, self());
    closed.assign(mesh.elements(), 0);
  }
  TimeLevels levels(const Flags& absorbing, int most) const {
    return assign_time_levels(mesh, limits, absorbing, most, self());
  }
  double shortest() const { return *std::min_element(limits.begin(), limits.end()); }
};

void expect_consistent(const Graded& g, const TimeLevels& levels) {
  const std::vector<int> expected = levels_by_definition(g.mesh, g.limits, levels.coarse_limit);
  ASSERT_EQ(levels.of_element.size(), expected.size());
  std::vector<std::int64_t> elements(static_cast<std::size_t>(levels.finest) + 1);
  double half_updates = 0;
  for (std::size_t e = 0; e < expected.size(); ++e) {
    ASSERT_EQ(levels.of_element[e], expected[e]) << e;
    ASSERT_LE(levels.coarse_limit, std::ldexp(g.limits[e], levels.of_element[e]) * (1 + 1e-12));
    int reach = expected[e];
    for (const auto& link : g.mesh.element_faces[e])
      if (link.kind == Kind::element) reach = std::max(reach, expected[link.index]);
    ASSERT_EQ(levels.reach[e], reach);
    ++elements.at(static_cast<std::size_t>(expected[e]));
    half_updates += std::exp2(expected[e]) + std::exp2(reach);
  }
  EXPECT_EQ(levels.elements, elements);
  EXPECT_GT(elements.back(), 0);
  EXPECT_GT(elements.front(), 0);
  const double global_steps = levels.coarse_limit / g.shortest();
  EXPECT_NEAR(levels.gain, 2 * static_cast<double>(expected.size()) * global_steps / half_updates, 1e-12 * levels.gain);
  EXPECT_TRUE(levels.of_halo.empty());

  // Stages of the work: level l > 0 is updated 2^(l-1) times, E on its elements, H also beside them.
  const mesh::ElementWork work = work_of_levels(levels);
  ASSERT_EQ(work.stages, levels.finest + 1);
  ASSERT_EQ(work.of_element.size(), expected.size() * elements.size());
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const int* const of_stage = &work.of_element[e * elements.size()];
    EXPECT_EQ(std::accumulate(of_stage, of_stage + work.stages, 0), (1 << expected[e]) + (1 << levels.reach[e]));
    EXPECT_EQ(of_stage[0], 2);
    for (int l = 1; l < work.stages; ++l) {
      EXPECT_EQ(of_stage[l] > 0, levels.reach[e] >= l);
      EXPECT_EQ(of_stage[l] == 1 << l, expected[e] >= l);
    }
  }
}

TEST(TimeLevels, FollowTheirDefinition) {
  const Graded g(0.03);
  for (const int most : {2, 3, 4}) {
    const TimeLevels levels = g.levels(g.closed, most);
    EXPECT_EQ(levels.finest, most - 1);
    EXPECT_DOUBLE_EQ(levels.coarse_limit, std::ldexp(g.shortest(), most - 1));
    expect_consistent(g, levels);
  }
  // More levels than are of use are not made.
  const TimeLevels levels = g.levels(g.closed, 12);
  EXPECT_GT(levels.finest, 2);
  EXPECT_LT(levels.finest, 8);
  EXPECT_GE(levels.gain, g.levels(g.closed, 4).gain / 1.02);
  expect_consistent(g, levels);
}

// A few elements anywhere have short limits, so that levels are raised around them up to their neighbours' neighbours.
TEST(TimeLevels, FollowTheirDefinitionForLimitsAtRandom) {
  Graded g(1.0);
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    for (double& limit : g.limits) limit = random() % 400 == 0 ? std::exp2(-6.0 * random() / 4294967296.0) : 1.0;
    Flags absorbing = g.closed;
    for (const int most : {3, 5, 7}) {
      const TimeLevels levels = g.levels(g.closed, most);
      ASSERT_GT(levels.finest, 0);
      expect_consistent(g, levels);
    }
    absorbing[random() % absorbing.size()] = 1;
    const TimeLevels levels = g.levels(absorbing, 7);
    if (levels.finest == 0) continue;
    expect_consistent(g, levels);
    for (std::size_t e = 0; e < absorbing.size(); ++e) ASSERT_FALSE(absorbing[e] && levels.reach[e] > 0);
  }
}

TEST(TimeLevels, AreNotMadeWhereTheyBringNothing) {
  const Graded uniform(1.0);
  for (const TimeLevels& levels : {uniform.levels(uniform.closed, 6), Graded(0.03).levels(uniform.closed, 1)}) {
    EXPECT_EQ(levels.finest, 0);
    EXPECT_EQ(levels.gain, 1);
    EXPECT_EQ(levels.coarse_limit, 0);
    EXPECT_TRUE(levels.of_element.empty() && levels.of_halo.empty() && levels.reach.empty() && levels.elements.empty());
    EXPECT_EQ(work_of_levels(levels).stages, 0);
  }
}

// Also with the finest elements two layers from the boundary, where the bound of the coarse step is below twice and
// not a power of two times the shortest limit, and with one of the smallest elements absorbing.
TEST(TimeLevels, AbsorbingElementsAndTheirNeighboursAreOnLevelZero) {
  for (const double x : {0.5, 0.3, 0.15}) {
    const Graded g(0.03, {x, 0.5, 0.55});
    const Flags absorbing =
        absorbing_elements(g.mesh, std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::silver_muller));
    EXPECT_GT(std::accumulate(absorbing.begin(), absorbing.end(), 0), 1000);
    const TimeLevels levels = g.levels(absorbing, 8);
    EXPECT_LE(levels.coarse_limit, g.levels(g.closed, 8).coarse_limit);
    ASSERT_GT(levels.finest, 0) << x;
    expect_consistent(g, levels);
    for (std::size_t e = 0; e < absorbing.size(); ++e) EXPECT_FALSE(absorbing[e] && levels.reach[e] > 0) << e;
  }
}

TEST(TimeLevels, CoarseStepIsTheLongestThatAbsorbingElementsAllow) {
  const Graded g(0.03, {0.15, 0.5, 0.55});
  const Flags absorbing = absorbing_elements(g.mesh, {physics::BoundaryKind::silver_muller, pec, pec, pec, pec, pec});
  const TimeLevels levels = g.levels(absorbing, 8);
  EXPECT_LT(levels.coarse_limit, std::ldexp(g.shortest(), levels.finest));
  bool reached = false;
  const std::vector<int> longer = levels_by_definition(g.mesh, g.limits, 1.0001 * levels.coarse_limit);
  for (std::size_t e = 0; e < absorbing.size(); ++e)
    for (const auto& link : g.mesh.element_faces[e])
      reached |= absorbing[e] && link.kind == Kind::element && longer[link.index] > 0;
  EXPECT_TRUE(reached);
}

TEST(TimeLevels, CoarseStepIsNotLongerThanAsked) {
  const Graded g(0.03);
  const double unbounded = g.levels(g.closed, 8).coarse_limit / g.shortest();
  for (const double times : {0.5, 1.0, 2.9, 5.7, 1000.0}) {
    const TimeLevels levels = assign_time_levels(g.mesh, g.limits, g.closed, 8, self(), times * g.shortest());
    if (times <= 1) {
      EXPECT_EQ(levels.finest, 0);
      continue;
    }
    EXPECT_NEAR(levels.coarse_limit / g.shortest(), std::min(times, unbounded), 1e-12 * times);
    expect_consistent(g, levels);
  }
}

TEST(TimeLevels, ASmallestElementThatAbsorbsLeavesOneLevel) {
  const Graded g(0.03);
  Flags absorbing = g.closed;
  absorbing[static_cast<std::size_t>(std::min_element(g.limits.begin(), g.limits.end()) - g.limits.begin())] = 1;
  EXPECT_EQ(g.levels(absorbing, 8).finest, 0);
}

TEST(AbsorbingElements, HaveAnAbsorbingFace) {
  const mesh::Subdomain mesh = tiny_mesh({3, 3, 3}, 1, 4);
  const Flags flags = absorbing_elements(mesh, {pec, absorbing, pmc, pec, pec, absorbing});
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    bool expected = false;
    for (const auto& link : mesh.element_faces[e])
      expected |= link.kind == Kind::boundary && (link.index == 1 || link.index == 5);
    EXPECT_EQ(flags[e], expected);
  }
}

}  // namespace
}  // namespace dgtd::dg::test
