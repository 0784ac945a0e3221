// Bodies on grids: volumes, normals and priorities of cut cells, and the permittivity that they get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/grid/shapes.hpp"
#include "grid/shape.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

using Type = Shape::Type;
using Mixture = Scene::Mixture;

constexpr int air = 7, gold = 3, glass = 5;

Shape box(Vec3 centre, Vec3 size, int material = gold, int priority = 0) {
  Shape body;
  body.centre = centre;
  body.size = size;
  body.material = material;
  body.priority = priority;
  return body;
}
Shape sphere(Vec3 centre, double radius, int material = gold, int priority = 0) {
  Shape body = box(centre, {}, material, priority);
  body.type = Type::sphere;
  body.radius = radius;
  return body;
}
Shape ellipsoid(Vec3 centre, Vec3 radii) {
  Shape body = box(centre, {});
  body.type = Type::ellipsoid;
  body.radii = radii;
  return body;
}
Shape cylinder(Vec3 centre, double radius, double height, Vec3 axis) {
  Shape body = sphere(centre, radius);
  body.type = Type::cylinder;
  body.height = height;
  body.axis = axis;
  return body;
}

double share_of(const Mixture& m, int material) {
  if (m.first == m.second) return m.first == material ? 1 : 0;
  return m.second == material ? m.share_of_second : m.first == material ? 1 - m.share_of_second : 0;
}

/// f(centre, size) for the cells of a cube of n^3 cells, edge 2, about the origin.
template <class Function>
void for_each_cell(int n, const Function& f) {
  const double h = 2.0 / n;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) f(Vec3{-1 + (i + 0.5) * h, -1 + (j + 0.5) * h, -1 + (k + 0.5) * h}, Vec3{h, h, h});
}

double volume(const Shape& body, int n, int samples = 8) {
  const Scene scene({body}, air);
  double sum = 0;
  for_each_cell(n, [&](const Vec3& centre, const Vec3& size) {
    sum += size.x * size.y * size.z * share_of(scene.mixture(centre, size, samples), gold);
  });
  return sum;
}

Shape solid(std::shared_ptr<const Solid> form, int material = gold) {
  Shape body = box({}, {}, material);
  body.type = Type::solid;
  body.solid = std::move(form);
  return body;
}
/// A U of plane and slanted walls, along an axis: not convex, its area is 0.64375 m^2.
Shape prism(int axis) {
  return solid(make_prism(
      {{-0.5, -0.4}, {0.5, -0.4}, {0.45, 0.6}, {0.25, 0.5}, {0.2, 0.05}, {-0.25, 0.05}, {-0.3, 0.45}, {-0.5, 0.35}},
      axis, {0.05, -0.03, 0.02}, 0.7));
}

std::vector<Shape> shapes_of_all_kinds() {
  return {box({0.1, -0.05, 0.02}, {1.1, 0.73, 1.31}),
          sphere({0.03, 0.02, -0.01}, 0.7),
          ellipsoid({0.01, 0.07, -0.02}, {0.8, 0.5, 0.3}),
          cylinder({0, 0.05, 0.1}, 0.4, 0.9, {0, 1, 0}),
          cylinder({0.05, 0, -0.1}, 0.4, 0.9, {1, -2, 2}),
          prism(0),
          prism(1),
          prism(2)};
}

// Lines are cut exactly; what remains is the midpoint rule across them, h = 0.1 / samples apart: of smooth
// surfaces an error of order (h / radius)^2, which the radius of the body's thinnest part bounds. In a cell at
// an edge the face along the lines is up to h / 2 off: 12 edges times the cell's 0.1 times h / 2.
TEST(Shapes, HaveTheirVolumes) {
  const std::vector<Shape> bodies = shapes_of_all_kinds();
  const double h = 0.1 / 8, edges = 0.1 * h / 2;
  const double u = 0.7 * 0.64375;  // by the shoelace formula
  const double exact[] = {
      1.1 * 0.73 * 1.31, 4 * pi / 3 * 0.343, 4 * pi / 3 * 0.8 * 0.5 * 0.3, pi * 0.16 * 0.9, pi * 0.16 * 0.9, u, u, u};
  const double rims = 2 * 2 * pi * 0.4 * edges;
  const double ridges = (2 * 5 + 8 * 0.7) * edges;
  const double tolerances[] = {4 * (1.1 + 0.73 + 1.31) * edges,
                               exact[1] * std::pow(h / 0.7, 2),
                               exact[2] * std::pow(h / 0.3, 2),
                               rims,
                               rims,
                               ridges,
                               ridges,
                               ridges};
  for (std::size_t b = 0; b < bodies.size(); ++b)
    EXPECT_NEAR(volume(bodies[b], 20), exact[b], tolerances[b]) << "body " << b;
  EXPECT_NEAR(volume(bodies[1], 20, 32), exact[1], exact[1] * std::pow(h / 4 / 0.7, 2));
}

// A plate from one side of the cells to the other: only plane interfaces, cut exactly wherever they lie.
TEST(Shapes, PlatesAreExact) {
  for (double thickness : {0.1, 0.2, 0.3, 0.123456789})
    EXPECT_NEAR(volume(box({0, 0, 0.037}, {2, 2, thickness}), 20), 4 * thickness, 1e-12) << thickness;
}

// Every cell against the share of 24^3 points in it: the quick exits never hide a surface.
TEST(Shapes, CellsHoldWhatTheirPointsHold) {
  for (const Shape& body : shapes_of_all_kinds()) {
    const Scene scene({body}, air);
    for_each_cell(6, [&](const Vec3& centre, const Vec3& size) {
      constexpr int n = 24;
      int found = 0;
      for (int p = 0; p < n * n * n; ++p)
        found += scene.material_at(centre + size.x * Vec3{(p % n + 0.5) / n - 0.5, (p / n % n + 0.5) / n - 0.5,
                                                          (p / (n * n) + 0.5) / n - 0.5}) == gold;
      EXPECT_NEAR(share_of(scene.mixture(centre, size, n), gold), found / double(n * n * n), 1.0 / n)
          << centre.x << " " << centre.y << " " << centre.z;
    });
  }
}

// The ends of a line's part in a body lie on its surface: the middle is inside, a little beyond the ends is not.
TEST(Shapes, LinesEndAtTheSurface) {
  for (Shape body : shapes_of_all_kinds()) {
    body = checked(body, 0);
    int hits = 0;
    for (int axis = 0; axis < 3; ++axis)
      for_each_cell(8, [&](const Vec3& x, const Vec3&) {
        std::vector<Interval> pieces;
        add_crossings(body, x, axis, 2, pieces);
        const auto at = [&](double distance) {
          Vec3 y = x;
          y[axis] += distance;
          return inside(body, y);
        };
        EXPECT_EQ(std::any_of(pieces.begin(), pieces.end(), [](const Interval& t) { return t.low < 0 && 0 < t.high; }),
                  at(0));
        for (const Interval& t : pieces) {
          ++hits;
          ASSERT_LT(t.low, t.high);
          EXPECT_TRUE(at(t.low + 1e-9) && at((t.low + t.high) / 2) && at(t.high - 1e-9));
          EXPECT_FALSE(at(t.low - 1e-9) || at(t.high + 1e-9));
        }
      });
    EXPECT_GT(hits, 100);
  }
}

TEST(Shapes, HigherPrioritiesAndLaterBodiesWin) {
  const Scene scene(
      {sphere({}, 0.5, glass, 1), box({}, {1, 1, 1}, gold), sphere({0.6, 0, 0}, 0.2, 11), sphere({0.6, 0, 0}, 0.1, 12)},
      air);
  EXPECT_EQ(scene.material_at({0.4, 0, 0}), glass);
  EXPECT_EQ(scene.material_at({0.45, 0.4, 0}), gold);
  EXPECT_EQ(scene.material_at({0.52, 0, 0}), 12);
  EXPECT_EQ(scene.material_at({0.75, 0, 0}), 11);
  EXPECT_EQ(scene.material_at({0.81, 0, 0}), air);
  const Mixture inner = scene.mixture({0, 0.2, 0}, {0.1, 0.1, 0.1});
  EXPECT_EQ(inner.first, glass);
  EXPECT_EQ(inner.second, glass);
  EXPECT_EQ(inner.share_of_second, 0);
  EXPECT_EQ(norm(inner.normal), 0);
}

// A hole that wins over a plate, which wins over a ball: each interface has the normal of the body on top.
TEST(Shapes, NormalsAreOfTheInterfaceThatIsSeen) {
  const Scene scene({sphere({}, 0.9, glass), box({}, {2, 2, 0.5}, gold, 1), sphere({}, 0.2, air, 2)}, air);
  const Vec3 h{0.02, 0.02, 0.02};
  const auto expect = [&](const Vec3& centre, int first, int second, const Vec3& normal) {
    const Mixture m = scene.mixture(centre, h);
    EXPECT_EQ(m.first, first);
    EXPECT_EQ(m.second, second);
    EXPECT_LT(norm(m.normal - normal), 1e-12) << m.normal.x << " " << m.normal.y << " " << m.normal.z;
  };
  expect({0.1, 0.2, 0.249}, gold, glass, {0, 0, 1});
  expect({0.1, 0.2, 0.251}, glass, gold, {0, 0, -1});
  expect({0.201 * 0.6, 0.201 * 0.8, 0}, gold, air, {-0.6, -0.8, 0});
  expect({0.199 * 0.6, 0, 0.199 * 0.8}, air, gold, {0.6, 0, 0.8});
  expect({0, 0.901 * 0.6, -0.901 * 0.8}, air, glass, {0, -0.6, 0.8});
  expect({0.5, 0.73, 0.01}, gold, gold, {});            // the ball's hidden surface
  expect({0, 0.862, -0.243}, gold, glass, {0, 0, -1});  // the ball's surface is nearer, but hidden in the plate
}

// An ellipsoid has the gradient (x/a^2, y/b^2, z/c^2); a cylinder its axis or the direction from it.
TEST(Shapes, NormalsAreGradients) {
  const Vec3 radii{0.8, 0.5, 0.3}, direction{0.48, 0.6, 0.64};
  const Scene egg({ellipsoid({}, radii)}, air);
  const Vec3 x{0.8 * direction.x, 0.5 * direction.y, 0.3 * direction.z},
      gradient{direction.x / 0.8, direction.y / 0.5, direction.z / 0.3};
  const Mixture m = egg.mixture(1.001 * x, {0.02, 0.02, 0.02});
  EXPECT_EQ(m.first, air);
  EXPECT_LT(norm(m.normal + gradient / norm(gradient)), 1e-12);

  const Vec3 axis{0, 0.6, 0.8}, across{0, 0.8, -0.6};
  const Scene rod({cylinder({}, 0.3, 1, 5 * axis)}, air);
  EXPECT_LT(norm(rod.mixture(-0.499 * axis, {0.02, 0.02, 0.02}).normal + axis), 1e-12);
  EXPECT_LT(norm(rod.mixture(0.2 * axis + 0.299 * across, {0.02, 0.02, 0.02}).normal - across), 1e-12);
}

// A line across both arms of the U, and one along them.
TEST(Shapes, LinesCrossBodiesThatAreNotConvexSeveralTimes) {
  std::vector<Interval> pieces;
  const Vec3 middle{0.05, -0.03 + 0.3, 0.02};
  add_crossings(prism(2), middle, 0, 2, pieces);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_NEAR(pieces[0].low, -0.5, 1e-12);
  EXPECT_NEAR(pieces[0].high, -0.25 - 0.05 * 0.25 / 0.4, 1e-12);
  EXPECT_NEAR(pieces[1].low, 0.2 + 0.05 * 0.25 / 0.45, 1e-12);
  EXPECT_NEAR(pieces[1].high, 0.5 - 0.05 * 0.7, 1e-12);
  pieces.clear();
  add_crossings(prism(2), middle, 2, 2, pieces);
  EXPECT_TRUE(pieces.empty());
}

// The nearest face of a wall, the direction from a corner, and the lids; the same whichever way round the corners go.
TEST(Shapes, NormalsOfPrisms) {
  for (const auto& corners : {std::vector<std::array<double, 2>>{{0, 0}, {2, 0}, {0, 2}}, {{0, 0}, {0, 2}, {2, 0}}}) {
    const auto wedge = make_prism(corners, 2, {}, 1);
    const double r = std::sqrt(0.5);
    const auto expect = [&](const Vec3& x, double distance, const Vec3& normal) {
      const Surface s = wedge->surface_near(x);
      EXPECT_NEAR(s.distance, distance, 1e-12);
      EXPECT_LT(norm(s.normal - normal), 1e-12);
    };
    expect({1.1, 1.1, 0}, 0.1 / r, {r, r, 0});
    expect({0.9, 0.9, 0}, -0.1 / r, {r, r, 0});
    expect({0.5, 0.05, 0.1}, -0.05, {0, -1, 0});
    expect({-0.3, -0.4, 0}, 0.5, {-0.6, -0.8, 0});
    expect({0, 0, 0}, 0, wedge->surface_near({}).normal);
    EXPECT_NEAR(norm(wedge->surface_near({}).normal), 1, 1e-12);
    expect({0.4, 0.4, 0.48}, -0.02, {0, 0, 1});
    expect({0.4, 0.4, -0.6}, 0.1, {0, 0, -1});
  }
}

std::string polygon_message(std::vector<std::array<double, 2>> corners) {
  return dgtd::message([&] { make_prism(std::move(corners), 0, {}, 1); });
}

TEST(Shapes, PolygonsMustNotCrossThemselves) {
  EXPECT_EQ(polygon_message({{0, 0}, {1, 0}}), "a polygon of 2 points: at least 3 are needed");
  EXPECT_EQ(polygon_message({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "the polygon crosses or touches itself: edges 1 - 2 and 3 - 4");
  EXPECT_EQ(polygon_message({{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}),
            "the polygon crosses or touches itself: edges 1 - 2 and 3 - 4");
  EXPECT_EQ(polygon_message({{0, 0}, {0, 0}, {1, 0}, {0, 1}}), "points 1 and 2 of the polygon are the same");
  EXPECT_EQ(polygon_message({{0, 0}, {1, 0}, {0, 1}, {0, 0}}), "points 4 and 1 of the polygon are the same");
  EXPECT_EQ(polygon_message({{0, 0}, {2, 0}, {1, 0}}), "the polygon folds back at point 2");
  EXPECT_EQ(polygon_message({{0, 0}, {1, 0}, {2, 0}, {1, 1}}), "no error");  // a corner of 180 degrees
}

// Capacitors in series and in parallel.
TEST(Shapes, PermittivityOfAPlaneInterface) {
  for (int across = 0; across < 3; ++across) {
    Vec3 centre;
    centre[across] = -0.3;
    const Vec3 large = across == 0 ? Vec3{1, 9, 9} : across == 1 ? Vec3{9, 1, 9} : Vec3{9, 9, 1};
    const Mixture m = Scene({box(centre, large)}, air).mixture({}, {1, 1, 1});
    EXPECT_EQ(m.first, gold);
    EXPECT_NEAR(m.share_of_second, 0.3, 1e-12);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(averaged_permittivity(m, 4, 1, axis), axis == across ? 1 / (0.7 / 4 + 0.3) : 0.7 * 4 + 0.3, 1e-12)
          << across << axis;
  }
}

// A diagonal interface: half of both inverses; and one material is itself.
TEST(Shapes, PermittivityOfOtherMixtures) {
  const double r = std::sqrt(0.5);
  const Mixture diagonal{gold, air, 0.5, {r, 0, -r}};
  for (int axis : {0, 2})
    EXPECT_NEAR(averaged_permittivity(diagonal, 4, 1, axis), 1 / (0.5 / 2.5 + 0.5 * 0.625), 1e-12);
  EXPECT_NEAR(averaged_permittivity(diagonal, 4, 1, 1), 2.5, 1e-12);
  EXPECT_EQ(averaged_permittivity({gold, gold, 0, {}}, 4.1, 4.1, 0), 4.1);
  // The imaginary part of eps + i s sigma, as s goes to zero.
  const double s = 1e-6, sigma = 3;
  for (int axis : {0, 1, 2}) {
    const std::complex<double> first(4, s * sigma), second(1, 0), mean = 0.5 * (first + second),
                                                                  inverse = 0.5 / first + 0.5 / second;
    const double across = diagonal.normal[axis] * diagonal.normal[axis];
    const double exact = (1.0 / ((1 - across) / mean + across * inverse)).imag() / s;
    EXPECT_NEAR(averaged_conductivity(diagonal, 4, 1, sigma, 0, axis), exact, 1e-9);
  }
}

TEST(Shapes, CellsThatOnlyTouchAreUniform) {
  const Scene scene({box({0.05, 0.15, 0.35}, {0.1, 0.3, 0.7})}, air);
  for (int i = -2; i < 9; ++i) {
    const Mixture m = scene.mixture({0.05, 0.05, (i + 0.5) * 0.1}, {0.1, 0.1, 0.1});
    EXPECT_EQ(m.first, i >= 0 && i < 7 ? gold : air) << i;
    EXPECT_EQ(m.second, m.first) << i;
    EXPECT_EQ(m.share_of_second, 0) << i;
  }
}

std::string message(const Shape& body) {
  return dgtd::message([&] { Scene({sphere({}, 1), body}, air); });
}

TEST(Shapes, BodiesHaveAVolume) {
  EXPECT_EQ(message(sphere({}, -1)), "body 1: radius -1 m: must be positive");
  EXPECT_EQ(message(box({}, {1, 0, 2})), "body 1: size 1 0 2 m: must be positive");
  EXPECT_EQ(message(ellipsoid({}, {1, 2, NAN})), "body 1: radii 1 2 nan m: must be positive");
  EXPECT_EQ(message(cylinder({}, 1, 0, {0, 0, 1})), "body 1: height 0 m: must be positive");
  EXPECT_EQ(message(cylinder({}, 1, 1, {})), "body 1: axis 0 0 0: must not be zero");
}

}  // namespace
}  // namespace dgtd::grid
