// Scenes in pages: what the viewer is given, and that pages without one have no script.
#include "dgtd/io/scene.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "dgtd/io/report.hpp"

namespace dgtd::io {
namespace {

// Two voxels along x, and a tetrahedron's surface with a value per triangle.
Scene small_scene() {
  Scene scene;
  scene.title = "a & b";
  scene.quantities = {{ColourMap::magma, 0.01, 100, true, "W/kg", "SAR"}};
  scene.materials = {{"air </script>", {1, 2, 3}, true, false}, {"skin", {255, 128, 0}}};
  Scene::Surface s;
  s.material = 1;
  s.points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 0.5f}};
  s.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  s.values = {{0.01f, 100, 1, std::numeric_limits<float>::quiet_NaN()}};
  scene.surfaces.push_back(s);
  scene.volume = Scene::Volume{{{{0, 0.25, 1}, {0, 2}, {0, 0.5}}}, {1, Scene::Volume::nothing}, {{100, 0.001f}}};
  scene.lines.push_back({"box", {0, 0, 0}, box_edges({0, 0, 0}, {1, 2, 0.5})});
  return scene;
}

std::string page_of(std::vector<Block> blocks) {
  Summary summary;
  summary.sections = {{Chapter::dosimetry, "View", std::move(blocks)}};
  return report_html(summary);
}

nlohmann::json scene_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\">";
  const auto from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::vector<unsigned char> bytes_of(const std::string& base64) {
  std::string packed;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (c == '=') break;
    group = group << 6 | static_cast<std::uint32_t>(digits.find(c)), bits += 6;
    if (bits >= 8) bits -= 8, packed += static_cast<char>(group >> bits & 255);
  }
  std::vector<unsigned char> bytes(10000);
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()), Z_OK);
  bytes.resize(size);
  return bytes;
}

TEST(Scene, ArraysAreThoseOfTheViewer) {
  const auto json = scene_of(page_of({small_scene()}));
  EXPECT_EQ(json["high"], (nlohmann::json{1.0, 2.0, 0.5}));
  EXPECT_EQ(json["materials"][0]["name"], "air </script>");
  EXPECT_EQ(json["materials"][1]["colour"], "#ff8000");
  EXPECT_EQ(json["surfaces"][0]["triangles"], 4);
  EXPECT_EQ(json["lines"][0]["places"].size(), 12u * 2 * 3);
  const auto bytes = bytes_of(json["data"]);
  const std::size_t points = 4 * 3 * 2, corners = 4 * 3 * 4, values = 4, voxels = 2;
  ASSERT_EQ(bytes.size(), points + corners + values + 2 * voxels);
  const auto place = [&](std::size_t i) { return bytes[2 * i] + 256 * bytes[2 * i + 1]; };
  EXPECT_EQ(place(3), 65535);  // x of the second point, the end of the box
  EXPECT_EQ(place(7), 65535);
  EXPECT_EQ(place(1), 0);
  const auto* value = bytes.data() + points + corners;
  EXPECT_EQ(value[0], 1);                   // the lower end of the scale
  EXPECT_EQ(value[1], 254);                 // the upper one
  EXPECT_NEAR(value[2], 1 + 0.5 * 253, 1);  // half way on a logarithmic scale
  EXPECT_EQ(value[3], 0);                   // not a number
  EXPECT_EQ(value[4], 1);                   // materials of the voxels
  EXPECT_EQ(value[5], 255);
  EXPECT_EQ(value[6], 254);
  EXPECT_EQ(value[7], 1);  // below the scale
}

TEST(Scene, IsHiddenWithoutScripts) {
  const std::string page = page_of({small_scene()});
  EXPECT_NE(page.find("<section class=\"of-scenes\" hidden>\n<h2>View</h2>"), std::string::npos);
  EXPECT_NE(page_of({small_scene(), Note{"more"}}).find("<section>\n<h2>View</h2>"), std::string::npos);
  EXPECT_NE(page.find("<div class=\"scene\" hidden>\n<h3>a &amp; b</h3>"), std::string::npos);
  EXPECT_NE(page.find("class SceneView"), std::string::npos);
  for (const char* reference : {"http", "src=", "@import", "url(", "import "})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  EXPECT_EQ(page_of({Note{"no scene"}}).find("<script"), std::string::npos);
}

TEST(Scene, ColoursDiffer) {
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto a = material_colour(i), b = material_colour(j);
      int difference = 0;
      for (int c = 0; c < 3; ++c) difference += std::abs(a[c] - b[c]);
      EXPECT_GE(difference, 30) << i << " " << j;
    }
}

// A sphere of 20 000 triangles with 2000 keeps its radius to the size of the cells, and one value per triangle.
TEST(Scene, ThinnedSurfacesKeepTheirShape) {
  constexpr std::uint32_t rings = 100, sides = 100;
  constexpr double pi = 3.14159265358979;
  Scene::Surface s;
  s.values.resize(1);
  for (std::uint32_t r = 0; r <= rings; ++r)
    for (std::uint32_t c = 0; c < sides; ++c) {
      const double theta = pi * r / rings, phi = 2 * pi * c / sides;
      s.points.push_back({static_cast<float>(std::sin(theta) * std::cos(phi)),
                          static_cast<float>(std::sin(theta) * std::sin(phi)), static_cast<float>(std::cos(theta))});
      if (r == rings) continue;
      const std::uint32_t next = (c + 1) % sides;
      s.triangles.push_back({r * sides + c, r * sides + next, (r + 1) * sides + c});
      s.triangles.push_back({r * sides + next, (r + 1) * sides + next, (r + 1) * sides + c});
      s.values[0].insert(s.values[0].end(), 2, 1.0f);
    }
  Scene::Surface thin = s;
  thin_out(thin, 2000);
  EXPECT_LE(thin.triangles.size(), 2000u);
  EXPECT_GE(thin.triangles.size(), 1000u);
  EXPECT_EQ(thin.values[0].size(), thin.triangles.size());
  for (const auto& p : thin.points) {
    const double radius = std::hypot(double(p[0]), double(p[1]), double(p[2]));
    EXPECT_GT(radius, 0.98);  // 1 - (2 / 30)^2 / 2 of the mean of points on the sphere in one cell
    EXPECT_LT(radius, 1.0001);
  }
  // Several at a time become what each becomes alone.
  std::vector<Scene::Surface> several{s, s, s};
  thin_out(several, {2000, 500, 20000});
  EXPECT_EQ(several[0].points, thin.points);
  EXPECT_EQ(several[0].triangles, thin.triangles);
  EXPECT_EQ(several[0].values, thin.values);
  EXPECT_LE(several[1].triangles.size(), 500u);
  EXPECT_GE(several[1].triangles.size(), 250u);
  EXPECT_EQ(several[2].triangles.size(), s.triangles.size());
  thin_out(s, 20000);
  EXPECT_EQ(s.triangles.size(), 2 * rings * sides);
}

}  // namespace
}  // namespace dgtd::io
