// Limits and levels have the same bits on any number of ranks.
#include <gtest/gtest.h>

#include <map>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/load.hpp"
#include "graded_meshes.hpp"

namespace dgtd::dg::test {
namespace {

struct Shared {
  mesh::Subdomain mesh;
  std::vector<double> limits;
  TimeLevels levels;
};

Shared share(const parallel::Communicator& comm, const std::vector<physics::BoundaryKind>& boundary_kind) {
  Shared s;
  const Vec3 size{1, 0.8, 1.2};
  s.mesh = mesh::make_box({9, 8, 10}, size, comm);
  s.mesh.volume_names = {"lower", "upper"};
  for (std::size_t e = 0; e < s.mesh.elements(); ++e) {
    const Vec3 centre = 0.25 * (s.mesh.vertex(e, 0) + s.mesh.vertex(e, 1) + s.mesh.vertex(e, 2) + s.mesh.vertex(e, 3));
    s.mesh.element_group[e] = centre.z > 0.6;
  }
  concentrate(s.mesh, size, {0.5, 0.4, 0.55}, 0.04);
  s.limits = local_step_limits(s.mesh, {{1, 1, 0}, {2, 1.5, 0.05}}, 2, comm);
  s.levels = assign_time_levels(s.mesh, s.limits, absorbing_elements(s.mesh, boundary_kind), 6, comm);
  return s;
}

void compare(physics::BoundaryKind side) {
  const std::vector<physics::BoundaryKind> kinds(6, side);
  const Shared mine = share(parallel::Communicator(MPI_COMM_WORLD), kinds);
  const Shared whole = share(parallel::Communicator(MPI_COMM_SELF), kinds);
  std::map<std::int64_t, std::size_t> place;  // global id -> element of the whole
  for (std::size_t e = 0; e < whole.mesh.elements(); ++e) place[whole.mesh.element_id[e]] = e;
  ASSERT_GE(whole.levels.finest, 3);
  EXPECT_EQ(mine.levels.finest, whole.levels.finest);
  EXPECT_EQ(mine.levels.elements, whole.levels.elements);
  EXPECT_EQ(mine.levels.gain, whole.levels.gain);
  EXPECT_EQ(mine.levels.coarse_limit, whole.levels.coarse_limit);
  ASSERT_EQ(mine.levels.of_element.size(), mine.mesh.elements());
  for (std::size_t e = 0; e < mine.mesh.elements(); ++e) {
    const std::size_t there = place.at(mine.mesh.element_id[e]);
    ASSERT_EQ(mine.limits[e], whole.limits[there]);
    ASSERT_EQ(mine.levels.of_element[e], whole.levels.of_element[there]);
    ASSERT_EQ(mine.levels.reach[e], whole.levels.reach[there]);
  }
  ASSERT_EQ(mine.levels.of_halo.size(), mine.mesh.halo_faces.size());
  for (std::size_t i = 0; i < mine.mesh.halo_faces.size(); ++i) {
    const mesh::HaloFace& face = mine.mesh.halo_faces[i];
    const auto& link = whole.mesh.element_faces[place.at(mine.mesh.element_id[face.element])][face.face];
    ASSERT_EQ(link.kind, mesh::FaceLink::Kind::element);
    EXPECT_EQ(mine.levels.of_halo[i], whole.levels.of_element[link.index]);
  }
}

// From the elements' levels alone the rest follows.
TEST(TimeLevels, AreHandedOnToAnotherPartition) {
  const parallel::Communicator comm;
  const Shared s = share(comm, std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::silver_muller));
  TimeLevels other = s.levels;
  other.of_element.clear(), other.of_halo.clear(), other.reach.clear();
  const TimeLevels there = levels_on(s.mesh, s.levels.of_element, other, comm);
  EXPECT_EQ(there.of_element, s.levels.of_element);
  EXPECT_EQ(there.of_halo, s.levels.of_halo);
  EXPECT_EQ(there.reach, s.levels.reach);
  EXPECT_EQ(there.elements, s.levels.elements);
  EXPECT_EQ(there.gain, s.levels.gain);
  EXPECT_EQ(there.updates, s.levels.updates);
  EXPECT_EQ(there.coarse_limit, s.levels.coarse_limit);
}

TEST(TimeLevels, DoNotDependOnThePartition) { compare(physics::BoundaryKind::pec); }
TEST(TimeLevels, DoNotDependOnThePartitionWithAbsorbingSides) { compare(physics::BoundaryKind::silver_muller); }

}  // namespace
}  // namespace dgtd::dg::test
