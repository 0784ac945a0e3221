// Bodies inside closed surfaces of triangles, made here and read from STL files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/grid/shapes.hpp"
#include "mesh/scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

struct Mesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

/// A ball of 2 slices (rings - 1) triangles, its poles on the z axis.
Mesh ball(Vec3 centre, double radius, int rings, int slices) {
  Mesh m;
  for (int r = 1; r < rings; ++r)
    for (int s = 0; s < slices; ++s) {
      const double polar = pi * r / rings, azimuth = 2 * pi * s / slices;
      m.points.push_back(centre + radius * Vec3{std::sin(polar) * std::cos(azimuth),
                                                std::sin(polar) * std::sin(azimuth), std::cos(polar)});
    }
  const int top = static_cast<int>(m.points.size()), bottom = top + 1;
  m.points.push_back(centre + Vec3{0, 0, radius});
  m.points.push_back(centre - Vec3{0, 0, radius});
  for (int s = 0; s < slices; ++s) {
    const int next = (s + 1) % slices, last = (rings - 2) * slices;
    m.triangles.push_back({top, s, next});
    m.triangles.push_back({bottom, last + next, last + s});
    for (int r = 0; r + 2 < rings; ++r) {
      const int a = r * slices + s, b = r * slices + next, c = a + slices, d = b + slices;
      m.triangles.push_back({a, c, b});
      m.triangles.push_back({b, c, d});
    }
  }
  return m;
}

/// [0, 1]^3: every face's diagonal, edges and corners project onto lines through round numbers.
Mesh cube() {
  Mesh m;
  for (int p = 0; p < 8; ++p) m.points.push_back({double(p & 1), double(p >> 1 & 1), double(p >> 2)});
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

Mesh operator+(Mesh a, const Mesh& b) {
  const int shift = static_cast<int>(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return a;
}

std::shared_ptr<const Solid> solid(const Mesh& m) { return make_triangulated(m.points, m.triangles); }

Shape body(std::shared_ptr<const Solid> form, int material = 1, int priority = 0) {
  Shape b;
  b.type = Shape::Type::solid;
  b.solid = std::move(form);
  b.material = material;
  b.priority = priority;
  return b;
}

/// Gauss's theorem: a sixth of the determinants.
double volume_of(const Mesh& m) {
  double sum = 0;
  for (const auto& t : m.triangles) sum += dot(m.points[t[0]], cross(m.points[t[1]], m.points[t[2]])) / 6;
  return std::abs(sum);
}

double share_of_body(const Scene::Mixture& m) {
  return (m.first == 1 ? 1 - m.share_of_second : 0) + (m.second == 1 && m.first != 1 ? m.share_of_second : 0);
}

// Lines are cut exactly, and across them it is the midpoint rule: as for smooth bodies (shapes_test.cpp).
TEST(Triangulated, VolumesAreThoseOfThePolyhedra) {
  const Mesh hollow = ball({}, 0.8, 16, 24) + ball({0.1, 0, 0}, 0.3, 8, 12);
  const double shell = volume_of(ball({}, 0.8, 16, 24)) - volume_of(ball({0.1, 0, 0}, 0.3, 8, 12));
  for (const auto& [mesh, exact] : {std::pair{ball({0.03, 0.02, -0.01}, 0.7, 12, 20), volume_of(ball({}, 0.7, 12, 20))},
                                    std::pair{hollow, shell}}) {
    const Scene scene({body(solid(mesh))}, 0);
    double sum = 0;
    const int n = 12;
    const double h = 2.0 / n;
    for (int c = 0; c < n * n * n; ++c)
      sum += h * h * h *
             share_of_body(scene.mixture(
                 {-1 + (c % n + 0.5) * h, -1 + (c / n % n + 0.5) * h, -1 + (c / n / n + 0.5) * h}, {h, h, h}, 8));
    EXPECT_NEAR(sum, exact, exact * std::pow(h / 8 / 0.3, 2));
  }
}

// The quick exits never hide a surface: boxes that are full or empty hold only such points, at places far from round
// ones.
TEST(Triangulated, BoxesHoldWhatTheirPointsHold) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto form = solid(ball({}, 0.7, 9, 13));
  const auto exact = [&](const Vec3& x) { return form->inside(x); };
  int counts[3] = {};
  for (int b = 0; b < 2000; ++b) {
    const Vec3 centre{2 * unit(random) - 1, 2 * unit(random) - 1, 2 * unit(random) - 1},
        half = 0.2 * Vec3{unit(random), unit(random), unit(random)};
    const Cover cover = form->cover_of_box(centre, half);
    ++counts[static_cast<int>(cover)];
    if (cover == Cover::part) continue;
    for (int p = 0; p < 50; ++p) {
      const Vec3 x = centre + Vec3{half.x * (2 * unit(random) - 1), half.y * (2 * unit(random) - 1),
                                   half.z * (2 * unit(random) - 1)};
      EXPECT_EQ(exact(x), cover == Cover::all);
    }
  }
  for (int count : counts) EXPECT_GT(count, 100);
}

// Lines through corners, along edges and diagonals, and in faces of a cube meet it twice or not at all.
TEST(Triangulated, LinesThroughEdgesAndCornersCrossOnce) {
  const auto form = solid(cube());
  std::vector<Interval> pieces;
  for (int axis = 0; axis < 3; ++axis)
    for (double u : {0.0, 0.25, 0.5, 0.75, 1.0, 1.25})
      for (double v : {0.0, 0.25, 0.5, 0.75, 1.0, 1.25}) {
        Vec3 x{0.5, 0.5, 0.5};
        x[(axis + 1) % 3] = u;
        x[(axis + 2) % 3] = v;
        pieces.clear();
        form->add_crossings(x, axis, 1, pieces);
        const std::size_t most = u > 1 || v > 1 ? 0 : 1, least = u > 0 && u < 1 && v > 0 && v < 1 ? 1 : 0;
        ASSERT_LE(pieces.size(), most) << axis << " " << u << " " << v;
        ASSERT_GE(pieces.size(), least) << axis << " " << u << " " << v;
        for (const Interval& t : pieces) {
          EXPECT_NEAR(t.low, -0.5, 1e-12);
          EXPECT_NEAR(t.high, 0.5, 1e-12);
        }
      }
  EXPECT_EQ(form->cover_of_box({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}), Cover::all);
  EXPECT_EQ(form->cover_of_box({1.5, 0.5, 0.5}, {0.5, 0.5, 0.5}), Cover::none);
  EXPECT_EQ(form->cover_of_box({1.4, 0.5, 0.5}, {0.5, 0.1, 0.1}), Cover::part);
}

// Distances to a ball of many triangles, and normals outwards of both shells of a hollow one, whichever way the
// triangles go round: off by the angle of a triangle at most.
TEST(Triangulated, NormalsPointOutOfTheBody) {
  Mesh mesh = ball({}, 0.8, 40, 80) + ball({}, 0.4, 40, 80);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  const auto form = solid(mesh);
  std::mt19937 random(2);
  std::normal_distribution<double> gauss;
  for (int i = 0; i < 300; ++i) {
    Vec3 d{gauss(random), gauss(random), gauss(random)};
    d = d / norm(d);
    for (double r : {0.3, 0.399, 0.41, 0.55, 0.7, 0.799, 0.85, 1.2}) {
      const Surface s = form->surface_near(r * d);
      const double exact = r < 0.6 ? 0.4 - r : r - 0.8;
      EXPECT_NEAR(s.distance, exact, 0.8 * (1 - std::cos(pi / 40)));
      EXPECT_GT(dot(s.normal, r < 0.6 ? -d : d), std::cos(pi / 40 + 0.01)) << r;
    }
  }
}

TEST(Triangulated, StlFilesAreRead) {
  const mesh::testing::ScratchFolder folder("stl");
  const Mesh m = ball({}, 70, 12, 20);  // mm
  const auto file = folder / "ball.stl";
  std::ofstream out(file);
  out << "solid ball\n";
  for (const auto& t : m.triangles) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const int p : t) out << "vertex " << m.points[p].x << " " << m.points[p].y << " " << m.points[p].z << "\n";
    out << "endloop\nendfacet\n";
  }
  out << "endsolid ball\n";
  out.close();
  const auto form = read_stl(file, 1e-3, {1, 2, 3});
  const Bounds b = form->bounds();
  EXPECT_NEAR(b.low.z, 3 - 0.07, 1e-6);
  EXPECT_NEAR(b.high.z, 3 + 0.07, 1e-6);
  EXPECT_TRUE(form->inside({1, 2, 3.0699}));
  EXPECT_FALSE(form->inside({1, 2, 3.0701}));
  EXPECT_TRUE(form->inside({1.069, 2, 3}));
  // Turned about the file's origin, then moved.
  const Mesh aside = ball({100, 0, 0}, 70, 12, 20);
  std::ofstream again(file);
  again << "solid ball\n";
  for (const auto& t : aside.triangles) {
    again << "facet normal 0 0 0\nouter loop\n";
    for (const int p : t) again << "vertex " << aside.points[p].x << " " << aside.points[p].y << " " << aside.points[p].z << "\n";
    again << "endloop\nendfacet\n";
  }
  again << "endsolid ball\n";
  again.close();
  const auto turned = read_stl(file, 1e-3, {1, 2, 3}, geometry::Rotation({{0, 0, 1}, pi / 2}));
  EXPECT_TRUE(turned->inside({1, 2.1, 3}));
  EXPECT_FALSE(turned->inside({1.1, 2, 3}));
}

TEST(Triangulated, SurfacesMustBeClosed) {
  Mesh open = cube();
  open.triangles.pop_back();
  EXPECT_EQ(message([&] { (void)solid(open); }),
            "the surface is not closed: 3 of its 18 edges belong to an odd number of triangles");
  EXPECT_EQ(message([] { (void)make_triangulated({}, {}); }), "the surface has no triangles");
  const mesh::testing::ScratchFolder folder("stl");
  const std::string file = (folder / "a.stl").string();
  EXPECT_EQ(message([&] { (void)read_stl(file, 1, {}); }), file + ": cannot be opened");
  std::ofstream(file) << "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
                         "0\nendloop\nendfacet\nendsolid a\n";
  EXPECT_EQ(message([&] { (void)read_stl(file, 1, {}); }),
            file + ": the surface is not closed: 3 of its 3 edges belong to an odd number of triangles");
  std::ofstream(file) << "not an STL file";
  EXPECT_EQ(message([&] { (void)read_stl(file, 1, {}); }), file + ": cannot be read as an STL file: it has 15 bytes");
  std::ofstream(file) << "solid of no vertices" << std::string(60, ' ') << std::string("\xff\xff\0\0", 4);
  EXPECT_EQ(message([&] { (void)read_stl(file, 1, {}); }),
            file + ": cannot be read as an STL file: its head announces 65535 triangles, and 0 bytes follow");
}

}  // namespace
}  // namespace dgtd::grid
