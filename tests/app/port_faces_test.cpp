// Lumped ports by groups of faces of a mesh file, as a user sees them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/box_file.hpp"
#include "app/program.hpp"

namespace {

bool is_at(double x, double place) { return std::abs(x - place) < 1e-9; }
bool in_the_middle(double, double, double z) { return is_at(z, 8e-3); }

constexpr const char* by_rectangle = "centre = 2 2 8 mm\nsize = 4 4 0 mm\n";

// Between plates, with the port across them; open ends.
fs::path write_case(const std::string& name, const std::string& place, const std::string& msh) {
  const fs::path at = work(name);
  std::ofstream(at / "box.msh") << msh;
  std::ofstream(at / "line.cfg")
      << "[solver]\nmethod = dgtd\norder = 2\nprecision = double\n[mesh]\nfile = box.msh\ncache = "
         "beside\n[material.box]\n"
         "[boundary.*]\ntype = pmc\n[boundary.ymin]\ntype = pec\n[boundary.ymax]\ntype = pec\n[boundary.zmin]\n"
         "type = silver-muller\n[boundary.zmax]\ntype = silver-muller\n[time]\nend = 90 ps\n[port.feed]\ntype = "
         "lumped\n"
      << place
      << "direction = 0 1 0\nexcite = 1\nfrequency = 20 GHz\nbandwidth = 20 GHz\ninductance = 0.2 nH\n"
         "frequencies = 10 GHz 20 GHz 30 GHz\n[output]\nfields = none\ndirectory = out\n";
  return at;
}

std::string of_line(const fs::path& at, const std::string& more = "") { return (at / "line.cfg").string() + more; }

// Length and width of the group are sums of its faces, so that its circuit is that of the rectangle to rounding.
TEST(PortFaces, AreTheRectangleThatTheyFill) {
  const fs::path rectangle = write_case("port_faces_rectangle", by_rectangle, box_file("", {})),
                 group = write_case("port_faces_group", "faces = feed\n", box_file("feed", in_the_middle));
  ASSERT_EQ(dgtd(of_line(rectangle)).code, 0);
  const auto run = dgtd(of_line(group));
  ASSERT_EQ(run.code, 0) << run.output;
  const auto expected = table(rectangle / "out" / "port_feed.csv").rows,
             rows = table(group / "out" / "port_feed.csv").rows;
  ASSERT_EQ(rows.size(), 3u);
  for (std::size_t f = 0; f < 3; ++f) {
    const double size = std::hypot(expected[f][1], expected[f][2]);
    for (std::size_t i = 1; i < 3; ++i) EXPECT_NEAR(rows[f][i], expected[f][i], 1e-9 * size) << i;
    // Two lines of the impedance of vacuum side by side, seen by the circuit.
    EXPECT_NEAR(rows[f][5], 376.730314 / 2, 2) << rows[f][0];
  }
  // From the compact file, and on any ranks.
  for (const int ranks : {1, 3}) {
    const fs::path out = group / fmt::format("on_{}", ranks);
    const auto again = dgtd_on(ranks, of_line(group, " --set output.directory=" + out.string()));
    ASSERT_EQ(again.code, 0) << again.output;
    EXPECT_EQ(summary(out)["fields_hash"], summary(group / "out")["fields_hash"]) << ranks;
    if (ranks == 1) { EXPECT_NE(again.output.find("box.msh is taken from"), std::string::npos) << again.output; }
  }
}

TEST(PortFaces, AreChecked) {
  const auto of = [](const std::string& name, const auto& chosen) {
    return write_case("port_faces_" + name, "faces = feed\n", box_file("feed", chosen));
  };
  const auto expect = [](const fs::path& at, const std::string& set, const std::string& message) {
    expect_bad_input(dgtd(of_line(at, " --dry-run" + set)), message);
  };
  const fs::path middle = of("middle", in_the_middle);
  expect(middle, " --set port.feed.faces=fed",
         "line.cfg:21: port.feed: faces: box.msh has no surface group 'fed' with faces; it has xmin, xmax, ymin, ymax, "
         "zmin, "
         "zmax, feed");
  expect(of("none", [](double, double, double) { return false; }), "",
         "line.cfg:21: port.feed: faces: box.msh has no surface group 'feed' with faces; it has xmin, xmax, ymin, "
         "ymax, zmin, zmax");
  expect(middle, " --set port.feed.faces=zmin",
         "line.cfg:21: port.feed: faces: surface group 'zmin' of box.msh is no inner surface: face ");
  expect(middle, " --set port.feed.faces=zmin", "is on the boundary; all its faces must be between two elements");
  expect(of("across", [](double, double y, double) { return is_at(y, 2e-3); }), "",
         "line.cfg:21: port.feed: a face of its group, near ");
  expect(of("across_again", [](double, double y, double) { return is_at(y, 2e-3); }), "",
         "is not along its direction; all faces of the group must be");
  // An angle in the strip, in the elements between its two sides.
  expect(of("bent",
            [](double x, double, double z) { return (is_at(z, 8e-3) && x < 2e-3) || (is_at(x, 2e-3) && z > 8e-3); }),
         "",
         "line.cfg:21: port.feed: an element of the mesh has two faces in it; there must be one at most, in smaller "
         "elements");
  expect(middle, " --set 'port.feed.size=4e-3 4e-3 0'", "port.feed.size=4e-3 4e-3 0: belongs to ports without faces");
  std::string text = content(middle / "line.cfg");
  text.replace(text.find("file = box.msh\ncache = beside"), 29, "generator = box\ncells = 2 2 8\nsize = 4 4 16 mm");
  std::ofstream(middle / "line.cfg") << text;
  expect(
      middle, "",
      "port.feed.faces = feed: needs a mesh file with this group (mesh.file); in meshes that the program makes a port "
      "is the rectangle of centre and size");
  text.replace(text.find("[mesh]"), 6, "[grid]");
  text.replace(text.find("generator = box\n"), 16, "spacing = 2 mm\n");
  text.replace(text.find("size = 4 4 16 mm\n"), 17, "");
  for (const char* const side : {"zmin", "zmax"}) text.replace(text.find("silver-muller", text.find(side)), 13, "mur");
  text.replace(text.find("method = dgtd\norder = 2"), 23, "method = fdtd3d");
  std::ofstream(middle / "line.cfg") << text;
  expect(middle, "", "port.feed.faces = feed: is of method dgtd; fdtd3d takes centre and size");
}

}  // namespace
