// Where elements are in layers, for any number of ranks, and the box with layers of its own.
#include <algorithm>
#include <cmath>
#include <map>

#include "ball_as_global_mesh.hpp"
#include "distributed_mesh.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/quality.hpp"
#include "global_view.hpp"
#include "mesh/generate/add_layers.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::distributed, testing::world;

struct NumberedPlace {
  std::int64_t element;
  LayerPlace place;
  bool operator==(const NumberedPlace& o) const {
    return element == o.element && place.normal == o.place.normal && place.depth == o.place.depth &&
           place.thickness == o.place.thickness;
  }
};

/// By all ranks, on root.
std::vector<NumberedPlace> all_places(const Subdomain& mesh, const LayerGeometry& geometry,
                                      const parallel::Communicator& comm) {
  std::vector<NumberedPlace> places;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (const LayerPlace& place : geometry.places(e)) places.push_back({mesh.element_id[e], place});
  auto all = comm.gather_vectors(places);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.element < b.element; });
  return all;
}

/// The places that elements of a box should have by their centroids. strata, thickness: [sides]
void expect_box_places(const Subdomain& mesh, const LayerGeometry& geometry, const Vec3& size,
                       const std::array<int, 6>& strata, const std::array<double, 6>& thickness) {
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const Vec3 centre = mesh.tetrahedron(e).centroid();
    const auto places = geometry.places(e);
    std::size_t next = 0;
    for (std::size_t s = 0; s < 6; ++s) {
      const int axis = static_cast<int>(s / 2);
      const double sign = s % 2 ? 1 : -1, outside = s % 2 ? centre[axis] - size[axis] : -centre[axis];
      if (outside < 0) continue;
      ASSERT_LT(next, places.size());
      const LayerPlace& place = places[next++];
      Vec3 normal;
      normal[axis] = sign;
      EXPECT_EQ(place.normal, normal);
      EXPECT_NEAR(place.thickness, thickness[s], 1e-14);
      const double a_stratum = thickness[s] / strata[s];
      EXPECT_NEAR(place.depth, (std::floor(outside / a_stratum) + 0.5) * a_stratum, 1e-14);
    }
    EXPECT_EQ(next, places.size());
    EXPECT_EQ(next > 0, is_layer_name(mesh.volume_names[mesh.element_group[e]]));
  }
}

const std::array<std::int64_t, 3> cells{4, 3, 5};
const Vec3 size{1, 0.8, 1.5};
const std::vector<AddedLayers> different{{"xmin", 4, 0.3}, {"xmax", 2, 0.4}, {"ymax", 3, 0.2}, {"zmin", 1, 0.1}};
const std::array<int, 6> different_strata{4, 2, 0, 3, 1, 0};
const std::array<double, 6> different_thickness{0.3, 0.4, 0, 0.2, 0.1, 0};

TEST(LayerGeometry, OfAFilesBox) {
  const Subdomain mesh = distributed(add_layers(testing::box_as_global_mesh(cells, size), different));
  const LayerGeometry geometry(mesh, different, world());
  EXPECT_FALSE(geometry.empty());
  expect_box_places(mesh, geometry, size, different_strata, different_thickness);
  EXPECT_NEAR(geometry.thickness("xmin"), 0.3, 1e-15);
  EXPECT_NEAR(geometry.thickness("xmax"), 0.4, 1e-15);
  EXPECT_EQ(geometry.thickness("ymin"), 0);
}

TEST(LayerGeometry, OfOneSurfaceAroundABox) {
  GlobalMesh whole = testing::box_as_global_mesh(cells, size);
  whole.surface_names = {"outer"};
  std::fill(whole.triangle_group.begin(), whole.triangle_group.end(), std::uint16_t{0});
  const std::vector<AddedLayers> layers{{"outer", 3, 0.6}};
  const Subdomain mesh = distributed(add_layers(std::move(whole), layers));
  const LayerGeometry geometry(mesh, layers, world());
  expect_box_places(mesh, geometry, size, {3, 3, 3, 3, 3, 3}, {0.6, 0.6, 0.6, 0.6, 0.6, 0.6});
  EXPECT_NEAR(geometry.thickness("outer"), 0.6, 1e-15);
}

// Triangles of edge h are h^2 / (8 R) inside of their sphere in the middle, here more than a stratum.
TEST(LayerGeometry, OfThinShells) {
  const Vec3 centre{0.3, -0.2, 0.1};
  const std::vector<AddedLayers> layers{{"absorbing", 5, 0.1}};
  const GlobalMesh whole = add_layers(testing::ball_as_global_mesh(2, 1, centre), layers);
  const Subdomain mesh = distributed(whole);
  const LayerGeometry geometry(mesh, layers, world());
  std::int64_t found = 0;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const auto places = geometry.places(e);
    ASSERT_EQ(places.size(), is_layer_name(mesh.volume_names[mesh.element_group[e]]) ? 1u : 0u);
    if (places.empty()) continue;
    ++found;
    double low = 9, high = 0;
    for (int c = 0; c < 4; ++c) {
      low = std::min(low, norm(mesh.vertex(e, c) - centre));
      high = std::max(high, norm(mesh.vertex(e, c) - centre));
    }
    EXPECT_NEAR(high - low, 0.02, 1e-12);
    EXPECT_NEAR(places[0].depth, 0.5 * (low + high) - 1, 1e-12);
    EXPECT_NEAR(places[0].thickness, 0.1, 1e-12);
    const Vec3 outwards = mesh.tetrahedron(e).centroid() - centre;
    EXPECT_NEAR(norm(places[0].normal - outwards / norm(outwards)), 0, 1e-12);
  }
  EXPECT_EQ(world().sum(found), 5 * 3 * 6 * 2 * 16);
  EXPECT_NEAR(geometry.thickness("absorbing"), 0.1, 1e-12);
}

TEST(LayerGeometry, FindsTheNumberOfStrata) {
  const std::vector<AddedLayers> wanted{{"xmin", 1, 0.6, 0.01}, {"ymax", 7, 0.2}, {"zmin", 2, 0.5, 0.1}};
  const auto expect = [&](const Subdomain& mesh, int of_x, int of_z) {
    const LayerGeometry geometry(mesh, wanted, world());
    EXPECT_EQ(geometry.strata("xmin"), of_x);
    EXPECT_EQ(geometry.strata("ymax"), 7);
    EXPECT_EQ(geometry.strata("zmin"), of_z);
    EXPECT_EQ(geometry.strata("zmax"), 0);
    int last = 0;
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      for (const LayerPlace& place : geometry.places(e))
        if (place.normal.x < 0) last = std::max(last, place.stratum);
    EXPECT_EQ(world().max(std::int64_t{last}), of_x - 1);
  };
  // Cells of the program's box have the heights 0.25 and 0.3 m, triangles of a file mean edges that are longer.
  expect(make_box(cells, size, world(), wanted), 3, 2);
  expect(distributed(add_layers(testing::box_as_global_mesh(cells, size), wanted)), 2, 2);
  const std::vector<AddedLayers> shell{{"absorbing", 1, 1.5, 0.3}};
  const Subdomain ball = distributed(add_layers(testing::ball_as_global_mesh(2, 1, {}), shell));
  const int strata = LayerGeometry(ball, shell, world()).strata("absorbing");
  EXPECT_GT(strata, 1);
  EXPECT_LE(strata, 5);
}

// Whatever is done with the places then does not depend on the ranks.
TEST(LayerGeometry, HasTheSameBitsForAnyNumberOfRanks) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const auto compare = [&](const GlobalMesh& whole, const std::vector<AddedLayers>& layers) {
    const Subdomain mesh = distributed(whole);
    const auto places = all_places(mesh, LayerGeometry(mesh, layers, world()), world());
    if (!world().is_root()) return;
    const Subdomain alone = distribute(GlobalMesh(whole), partition(whole, 1), self);
    EXPECT_EQ(places, all_places(alone, LayerGeometry(alone, layers, self), self));
    EXPECT_FALSE(places.empty());
  };
  compare(add_layers(testing::box_as_global_mesh(cells, size), different), different);
  const std::vector<AddedLayers> shell{{"absorbing", 2, 0.3}};
  compare(add_layers(testing::ball_as_global_mesh(3, 1.7, {0.3, -0.2, 0.1}), shell), shell);
  compare(add_layers(testing::ball_as_global_mesh(3, 1.7, {0.3, -0.2, 0.1}, true), shell), shell);
}

TEST(LayerGeometry, IsEmptyWithoutLayers) {
  const Subdomain mesh = make_box(cells, size, world());
  const LayerGeometry geometry(mesh, {}, world());
  EXPECT_TRUE(geometry.empty());
  EXPECT_TRUE(geometry.places(0).empty());
  EXPECT_EQ(geometry.thickness("xmin"), 0);
}

TEST(BoxWithLayers, IsALargerBoxAroundTheBox) {
  const Subdomain mine = make_box(cells, size, world(), different);
  testing::expect_sound(mine);
  EXPECT_EQ(mine.volume_names, (std::vector<std::string>{"box", "box (layer)"}));
  EXPECT_EQ(mine.global_elements, 6 * (4 + 6) * (3 + 3) * (5 + 1));
  EXPECT_EQ(mine.global_vertices, 11 * 7 * 7);
  const auto view = testing::global_view(mine, world());
  const Quality quality = measure_quality(mine, world());
  ASSERT_EQ(quality.volumes.size(), 2u);
  EXPECT_NEAR(quality.volumes[0].volume, 1.2, 1e-12);
  EXPECT_NEAR(quality.volumes[1].volume, 1.7 * 1.0 * 1.6 - 1.2, 1e-12);
  const std::array<double, 6> area{1.6, 1.6, 1.7 * 1.6, 1.7 * 1.6, 1.7, 1.7};
  for (std::size_t s = 0; s < 6; ++s) EXPECT_NEAR(quality.surfaces.at(s).area, area[s], 1e-12);
  const LayerGeometry geometry(mine, different, world());
  expect_box_places(mine, geometry, size, different_strata, different_thickness);
  if (!world().is_root()) return;
  testing::expect_conforming(view);
  const parallel::Communicator self(MPI_COMM_SELF);
  EXPECT_EQ(view, testing::global_view(make_box(cells, size, self, different), self));
}

TEST(BoxWithLayers, HasTheElementsOfAFilesBox) {
  const Quality made = measure_quality(make_box(cells, size, world(), different), world());
  const Quality read =
      measure_quality(distributed(add_layers(testing::box_as_global_mesh(cells, size), different)), world());
  EXPECT_EQ(made.elements, read.elements);
  EXPECT_EQ(made.vertices, read.vertices);
  EXPECT_NEAR(made.volumes.at(1).volume, read.volumes.at(1).volume, 1e-12);
  for (std::size_t s = 0; s < 6; ++s) {
    EXPECT_EQ(made.surfaces[s].name, read.surfaces[s].name);
    EXPECT_EQ(made.surfaces[s].faces, read.surfaces[s].faces);
    EXPECT_NEAR(made.surfaces[s].area, read.surfaces[s].area, 1e-12);
  }
}

TEST(BoxWithLayers, OfThicknessZeroHasTheBoxsCells) {
  const std::vector<AddedLayers> layers{{"xmin", 2, 0}, {"zmax", 3, 0}};
  const Subdomain mine = make_box(cells, size, world(), layers);
  const LayerGeometry geometry(mine, layers, world());
  EXPECT_NEAR(geometry.thickness("xmin"), 2 * 0.25, 1e-15);
  EXPECT_NEAR(geometry.thickness("zmax"), 3 * 0.3, 1e-15);
}

TEST(BoxWithLayers, IsRefused) {
  const auto complaint = [&](const std::vector<AddedLayers>& layers) {
    return testing::message_of([&] { make_box(cells, size, world(), layers); });
  };
  EXPECT_EQ(complaint({{"top", 2, 0}}),
            "box: layers outside of surface \"top\"; its surfaces are xmin, xmax, ymin, ymax, zmin and zmax");
  EXPECT_EQ(complaint({{"xmin", -1, 0}}), "box: -1 strata outside of surface \"xmin\"; at least 0");
  EXPECT_EQ(complaint({{"xmin", 1 << 20, 0}}),
            "box: 1048580 cells along an axis with those of its layers; at most 1048576");
}

}  // namespace
}  // namespace dgtd::mesh
