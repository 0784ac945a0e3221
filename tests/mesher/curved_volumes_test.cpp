// Volumes of curved bodies that sides of the domain and other bodies cut.
#include "mesher/curved_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/body_sizes.hpp"
#include "dgtd/mesh/load.hpp"
#include "curved_volume.hpp"
#include "mesh/generate_measures.hpp"
#include "mesh/scratch_folder.hpp"

namespace dgtd::mesher {
namespace {

using mesh::Body;
using mesh::BodyModel;
using mesh::ExactVolumes;
using mesh::testing::ScratchFolder;
using testing::curved_volume_of;

Body ellipsoid(const Vec3& centre, const Vec3& axes) {
  Body b;
  b.name = b.group = "wax";
  b.form = Body::Form::ellipsoid;
  b.centre = centre;
  b.size = axes;
  return b;
}

Body rod(const std::string& name, const std::string& group, const Vec3& centre, const Vec3& axis, double radius,
         double height) {
  Body b;
  b.name = name, b.group = group;
  b.form = Body::Form::cylinder;
  b.centre = centre, b.axis = axis;
  b.radius = radius, b.height = height;
  return b;
}

BodyModel in_unit_box(std::vector<Body> bodies) {
  BodyModel model;
  model.high = {1, 1, 1};
  model.around = "air";
  model.element = 0.25;
  model.bodies = std::move(bodies);
  return model;
}

struct MadeVolumes {
  std::map<std::string, double> of;  // m3, by group
  double smallest;                   // m3, of an element
  BodyMesh made;
  mesh::GlobalMesh mesh;
};
MadeVolumes volumes_of(BodyModel model, ExactVolumes exact, const std::filesystem::path& folder) {
  model.exact_volumes = exact;
  MadeVolumes v;
  v.made = mesh_of_bodies(model, {}, folder);
  v.mesh = mesh::read_gmsh(v.made.file, 1);
  v.of = mesh::testing::volumes(v.mesh);
  v.smallest = mesh::testing::smallest_volume(v.mesh);
  return v;
}

// Cones from the centre to the surface are the whole body where its centre is on the sides that cut it.
TEST(CurvedVolumes, AreExactBetweenMirrors) {
  const ScratchFolder folder("octant");
  const BodyModel model = in_unit_box({ellipsoid({0, 0, 0}, {0.5, 0.4, 0.6})});
  const double exact = pi / 6 * 0.5 * 0.4 * 0.6;
  const auto flat = volumes_of(model, ExactVolumes::on, folder / "m"), all = volumes_of(model, ExactVolumes::all, folder / "m");
  EXPECT_NE(flat.made.file, all.made.file);
  EXPECT_LT(flat.of.at("wax"), 0.97 * exact);
  EXPECT_EQ(flat.made.curved.surfaces, 0);
  EXPECT_EQ(all.made.curved.surfaces, 1);
  EXPECT_TRUE(all.made.curved.left.empty());
  EXPECT_NEAR(all.of.at("wax"), exact, 1e-7 * exact);  // the rule of degree 5 on triangles of a twelfth of a circle
  EXPECT_NEAR(all.of.at("wax") + all.of.at("air"), 1, 1e-12);  // sides are flat
  EXPECT_GT(all.smallest, 0);
}

TEST(CurvedVolumes, AreExactForCylinders) {
  const ScratchFolder folder("rods");
  // One ends inside of the box, one goes through its sides, beside an edge of which a quarter of the third is.
  const BodyModel model = in_unit_box({rod("whole", "tin", {0.7, 0.7, 0.35}, {0, 0, 1}, 0.12, 0.3),
                                       rod("through", "tar", {0.5, 0.35, 0.8}, {1, 0, 0}, 0.1, 2),
                                       rod("quarter", "ice", {0, 0, 0.5}, {0, 0, 1}, 0.2, 2)});
  const auto all = volumes_of(model, ExactVolumes::all, folder / "m");
  EXPECT_EQ(all.made.curved.surfaces, 3);
  // Above each chord of a rim the polygon of the face lacks nothing: radii bound what is counted.
  EXPECT_NEAR(all.of.at("tin") / (pi * 0.12 * 0.12 * 0.3), 1, 1e-7);
  EXPECT_NEAR(all.of.at("tar") / (pi * 0.01), 1, 1e-7);
  EXPECT_NEAR(all.of.at("ice") / (pi * 0.01), 1, 1e-7);
  EXPECT_GT(all.smallest, 0);
}

// A plane beside the centre: what is counted above its chords is bounded by cones instead of the plane.
TEST(CurvedVolumes, AreCloseWhereABodyCutsAnother) {
  const ScratchFolder folder("cap");
  Body slab;
  slab.name = slab.group = "glass";
  slab.centre = {0.5, 0.5, 0.2}, slab.size = {2, 2, 0.4};
  const BodyModel model = in_unit_box({ellipsoid({0.5, 0.5, 0.5}, {0.3, 0.3, 0.3}), slab});
  const double height = 0.4, exact = pi * height * height * (0.3 - height / 3);  // of the cap above z = 0.4
  const auto flat = volumes_of(model, ExactVolumes::on, folder / "m"), all = volumes_of(model, ExactVolumes::all, folder / "m");
  EXPECT_LT(flat.of.at("wax"), 0.98 * exact);
  EXPECT_NEAR(all.of.at("wax"), exact, 3e-3 * exact);
  EXPECT_NEAR(all.of.at("glass"), 0.4, 1e-12);
}

// A few curved elements along a circle lack less of the body than twelve straight ones. Along an arc of angle a a
// parabola through its ends and its middle is at most R a^4 / 512 away from the circle, the chord R a^2 / 8: with six
// parabolas 1/14 of twelve chords. Edges of elements that would be bent too much stay straight; where these are many,
// as in a ball of elements as long as its radius, there are more elements, up to twelve. Of those in a ball a tenth may
// stay straight, by the mesh that Gmsh makes, with a tenth of the deficit of chords: the bound is twice that.
TEST(CurvedVolumes, OfFewCurvedElementsPerCircleAreNearerThanOfTwelveStraightOnes) {
  const ScratchFolder folder("per_circle");
  const Body bar = rod("bar", "wax", {0.5, 0.5, 0.5}, {0, 0, 1}, 0.3, 0.6),
             ball = ellipsoid({0.5, 0.5, 0.5}, {0.4, 0.4, 0.4});
  for (const auto& [b, exact] : {std::pair{bar, pi * 0.09 * 0.6}, std::pair{ball, 4 * pi / 3 * 0.064}}) {
    BodyModel model = in_unit_box({b});
    model.element = 1, model.bodies[0].element = 0.314;  // a sixth of the bar's circle
    const auto straight = volumes_of(model, ExactVolumes::off, folder / "m");
    EXPECT_EQ(straight.made.per_circle, 12);
    model.curved = true, model.per_circle = mesh::BodySizes::per_curved_circle;
    const auto curved = volumes_of(model, ExactVolumes::off, folder / "m");
    const double left = 1 - curved_volume_of(curved.mesh, "wax") / exact, cut = 1 - straight.of.at("wax") / exact;
    EXPECT_LT(std::abs(left), cut / (b.form == Body::Form::cylinder ? 14 : 5)) << left << ' ' << cut;
    EXPECT_EQ(curved.made.per_circle, b.form == Body::Form::cylinder ? 6 : 12);
    if (b.form == Body::Form::cylinder) {
      EXPECT_EQ(curved.made.straight_edges, 0);
      EXPECT_LT(double(curved.mesh.tetrahedra.size()), 0.5 * double(straight.mesh.tetrahedra.size()));
    }
  }
}

TEST(CurvedVolumes, KeepPeriodicSidesAlike) {
  const ScratchFolder folder("periodic");
  BodyModel model = in_unit_box({rod("bar", "tin", {0.5, 0.5, 0.5}, {1, 0, 0}, 0.2, 3)});
  model.periodic = {true, false, false};
  const auto all = volumes_of(model, ExactVolumes::all, folder / "m");
  EXPECT_NEAR(all.of.at("tin") / (pi * 0.04), 1, 1e-7);
  std::vector<std::pair<double, double>> low, high;
  for (const Vec3& x : all.mesh.vertices)
    if (x.x == 0) low.emplace_back(x.y, x.z);
    else if (x.x == 1) high.emplace_back(x.y, x.z);
  ASSERT_EQ(low.size(), high.size());
  const auto by_place = [](const auto& a, const auto& b) {
    return std::abs(a.first - b.first) > 1e-9 ? a.first < b.first : a.second < b.second;
  };
  std::sort(low.begin(), low.end(), by_place);
  std::sort(high.begin(), high.end(), by_place);
  for (std::size_t i = 0; i < low.size(); ++i) {
    EXPECT_NEAR(low[i].first, high[i].first, 1e-12);
    EXPECT_NEAR(low[i].second, high[i].second, 1e-12);
  }
}

}  // namespace
}  // namespace dgtd::mesher
