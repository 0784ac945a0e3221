// make_box: counts, volumes, conformity, and the same mesh for any number of ranks.
#include <cmath>

#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/quality.hpp"
#include "global_view.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::ElementView;

const std::array<std::int64_t, 3> cells{5, 3, 4};
const Vec3 size{1.0, 0.3, 0.7};

double volume(const ElementView& e) {
  return dot(cross(e.position[1] - e.position[0], e.position[2] - e.position[0]), e.position[3] - e.position[0]) / 6;
}

TEST(Box, IsTheSameForAnyNumberOfRanks) {
  const parallel::Communicator comm, self(MPI_COMM_SELF);
  const Subdomain mine = make_box(cells, size, comm);
  testing::expect_sound(mine);
  const auto view = testing::global_view(mine, comm);
  if (!comm.is_root()) return;
  EXPECT_EQ(view, testing::global_view(make_box(cells, size, self), self));
}

TEST(Box, ConformsAndFillsTheBox) {
  const parallel::Communicator comm;
  const auto view = testing::global_view(make_box(cells, size, comm), comm);
  if (!comm.is_root()) return;
  ASSERT_EQ(view.size(), 6u * 5 * 3 * 4);
  testing::expect_conforming(view);
  double filled = 0;
  int positive = 0;
  for (std::size_t e = 0; e < view.size(); ++e) {
    EXPECT_EQ(view[e].id, static_cast<std::int64_t>(e));
    const double v = volume(view[e]);
    EXPECT_NEAR(std::abs(v), 1.0 * 0.3 * 0.7 / (6 * 5 * 3 * 4), 1e-16);
    filled += std::abs(v);
    positive += v > 0;
  }
  EXPECT_NEAR(filled, 1.0 * 0.3 * 0.7, 1e-14);
  EXPECT_EQ(positive, 3 * 5 * 3 * 4);  // even permutations of the axes
}

TEST(Box, SidesLieWhereTheirNamesSay) {
  const parallel::Communicator comm;
  const Subdomain mine = make_box(cells, size, comm);
  EXPECT_EQ(mine.surface_names, (std::vector<std::string>{"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}));
  EXPECT_EQ(mine.volume_names, std::vector<std::string>{"box"});
  EXPECT_EQ(mine.global_elements, 360);
  EXPECT_EQ(mine.global_vertices, 6 * 4 * 5);
  const auto view = testing::global_view(mine, comm);
  std::array<int, 6> faces{};
  for (const ElementView& element : view)
    for (int f = 0; f < 4; ++f) {
      if (element.behind[f] >= 0) continue;
      const auto side = -1 - element.behind[f];
      ++faces.at(side);
      for (int c = 0; c < 4; ++c)
        if (c != f) { EXPECT_EQ(element.position[c][side / 2], side % 2 ? size[side / 2] : 0.0); }
    }
  if (!comm.is_root()) return;
  EXPECT_EQ(faces, (std::array<int, 6>{24, 24, 40, 40, 30, 30}));
}

TEST(Box, VertexIdsFollowTheFormula) {
  const parallel::Communicator comm;
  const Subdomain mine = make_box(cells, size, comm);
  for (std::size_t v = 0; v < mine.vertices.size(); ++v) {
    const std::int64_t id = mine.vertex_id[v], i = id % 6, j = id / 6 % 4, k = id / 24;
    EXPECT_EQ(mine.vertices[v], (Vec3{i * 1.0 / 5, j * 0.3 / 3, k * 0.7 / 4}));
  }
}

TEST(Box, ElementsFollowTheHilbertCurve) {
  const parallel::Communicator comm;
  const Subdomain mine = make_box({8, 8, 8}, {1, 1, 1}, comm);
  testing::expect_along_hilbert_curve(mine, {1, 1, 1});
}

TEST(Box, RefusesWhatMakesNoMesh) {
  const parallel::Communicator comm;
  using testing::message_of;
  EXPECT_EQ(message_of([&] {
              make_box({0, 1, 1}, size, comm);
            }),
            "box: cells 0 1 1: each must lie between 1 and 1048576");
  EXPECT_EQ(message_of([&] { make_box(cells, {1, -1, 1}, comm); }), "box: size 1 -1 1 m: each must be positive");
  if (comm.size() == 1) return;
  EXPECT_EQ(message_of([&] {
              make_box({1, 1, 1}, size, comm);
            }),
            "box: " + std::to_string(comm.size()) + " ranks for 1 cells; at most a rank a cell");
}

TEST(Box, QualityCountsEdgesOnce) {
  const parallel::Communicator comm;
  const Quality q = measure_quality(make_box({4, 4, 4}, {4, 4, 4}, comm), comm);
  EXPECT_EQ(q.elements, 384);
  EXPECT_EQ(q.vertices, 125);
  // Axes 3 n (n+1)^2, square diagonals 3 n^2 (n+1), cube diagonals n^3, for n = 4.
  EXPECT_EQ(q.edges, 300 + 240 + 64);
  EXPECT_DOUBLE_EQ(q.edge_min, 1);
  EXPECT_DOUBLE_EQ(q.edge_max, std::sqrt(3.0));
  EXPECT_NEAR(q.edge_mean, (300 + 240 * std::sqrt(2.0) + 64 * std::sqrt(3.0)) / 604, 1e-12);
  // Kuhn's tetrahedron: volume 1/6, two faces of area 1/2 and two of sqrt(2)/2.
  EXPECT_NEAR(q.inradius_min, 0.5 / (1 + std::sqrt(2.0)), 1e-12);
  EXPECT_NEAR(q.shape_min, std::sqrt(2.0) / (1 + std::sqrt(2.0)), 1e-12);
  ASSERT_EQ(q.volumes.size(), 1u);
  EXPECT_EQ(q.volumes[0].elements, 384);
  EXPECT_NEAR(q.volumes[0].volume, 64, 1e-10);
  ASSERT_EQ(q.surfaces.size(), 6u);
  for (const auto& surface : q.surfaces) {
    EXPECT_EQ(surface.faces, 32);
    EXPECT_NEAR(surface.area, 16, 1e-12);
  }
}

}  // namespace
}  // namespace dgtd::mesh
