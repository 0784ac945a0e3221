// Solids of STEP files that Gmsh writes: names, units, volumes, and files that are not sound.
#include "dgtd/mesh/step_file.hpp"

#include <gmsh.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "mesh/generate_measures.hpp"
#include "mesh/scratch_folder.hpp"
#include "step_files.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesher {
namespace {

namespace occ = gmsh::model::occ;
using mesh::testing::ScratchFolder;
using testing::write_step;

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

// Between the last letters of "translator" and the number of the part.
std::string part_name(const std::string& text, const std::string& number) {
  const auto begin = text.find("Open CASCADE STEP translator");
  const auto end = text.find('\'', begin);
  const std::string whole = text.substr(begin, end - begin);
  return number.empty() ? whole : whole + "." + number;
}

// A brick of 10 x 20 x 5 mm whose edges are rounded, and a pin beside it.
std::string two_parts(const std::filesystem::path& file) {
  std::string text = write_step(file, [] {
    occ::addBox(0, 0, 0, 10, 20, 5);
    occ::addCylinder(40, 0, 0, 0, 0, 10, 3);
  });
  const std::string brick = part_name(text, "1"), pin = part_name(text, "2"), all = part_name(text, "");
  replace(text, brick, "brick");
  replace(text, pin, "pin");
  replace(text, all, "board");
  write(file, text);
  return text;
}

TEST(StepFiles, HaveNamedSolidsInTheirUnit) {
  const ScratchFolder folder("step");
  const auto file = folder / "parts.step";
  std::string text = two_parts(file);
  const auto all = mesh::read_step(file, "");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "brick");
  EXPECT_EQ(all[1].name, "pin");
  EXPECT_NEAR(all[0].volume, 1e-6, 1e-15);
  EXPECT_NEAR(all[0].area, 700e-6, 1e-12);
  EXPECT_NEAR(all[1].volume, pi * 90e-9, 1e-15);
  EXPECT_EQ(mesh::read_step(file, "board").size(), 2u);
  const auto pin = mesh::read_step(file, "pin");
  ASSERT_EQ(pin.size(), 1u);
  EXPECT_EQ(pin[0].number, 1);
  double highest = 0;
  for (const Vec3& p : pin[0].points) highest = std::max(highest, p.x);
  EXPECT_NEAR(highest, 0.043, 1e-6);
  replace(text, "SI_UNIT(.MILLI.,.METRE.)", "SI_UNIT($,.METRE.)");
  write(file, text);
  EXPECT_NEAR(mesh::read_step(file, "brick")[0].volume, 1000, 1e-6);
}

mesh::Body step_body(const std::filesystem::path& file, const std::string& name) {
  mesh::Body b;
  b.name = "part";
  b.group = "glass";
  b.form = mesh::Body::Form::step;
  b.step.file = file;
  b.step.content = mesh::hash_of_file(file);
  b.step.low = {-0.01, -0.01, -0.01}, b.step.high = {0.05, 0.03, 0.03};
  b.step.thickness = 0.005;
  for (const auto& solid : mesh::read_step(file, name)) {
    b.step.numbers.push_back(solid.number);
    for (const auto& s : mesh::surface_sizes(solid, 0.3)) b.step.sizes.push_back(s);
  }
  return b;
}

TEST(StepFiles, AreMeshed) {
  const ScratchFolder folder("step_mesh");
  const auto file = folder / "parts.step";
  two_parts(file);
  mesh::BodyModel model;
  model.low = {-0.06, -0.06, -0.06};
  model.high = {0.06, 0.06, 0.06};
  model.around = "air";
  model.element = 0.02;
  const auto volume = [&](const mesh::Body& b, const char* name) {
    model.bodies = {b};
    const auto found = mesh::read_gmsh(mesh_of_bodies(model, {}, folder / name).file, 1);
    return mesh::testing::volumes(found)["glass"];
  };
  mesh::Body brick = step_body(file, "brick");
  EXPECT_NEAR(volume(brick, "brick"), 1e-6, 1e-13);
  brick.turn = geometry::Turn{{1, 0, 0}, 0.3};
  brick.centre = {0.01, 0, 0};
  EXPECT_NEAR(volume(brick, "turned"), 1e-6, 1e-13);
  const double pin = pi * 90e-9;
  EXPECT_NEAR(volume(step_body(file, "pin"), "pin"), pin, 0.05 * pin);
  EXPECT_NEAR(volume(step_body(file, ""), "all"), pin + 1e-6, 0.05 * pin);
  model.bodies = {step_body(file, "pin")};
  const auto before = mesh::hash_of(model);
  model.bodies[0].step.content ^= 1;
  EXPECT_NE(mesh::hash_of(model), before);
}

// A block of 40 x 30 x 10 mm with rounded edges, eight bores, three blind holes and two slots: 50 faces. mm3.
double write_part(const std::filesystem::path& file) {
  double volume = 0;
  write_step(file, [&] {
    const int block = occ::addBox(0, 0, 0, 40, 30, 10);
    occ::synchronize();
    gmsh::vectorpair all, rounded, tools, part;
    std::vector<gmsh::vectorpair> parts_of;
    gmsh::model::getEntities(all, 1);
    std::vector<int> edges;
    for (const auto& [dimension, tag] : all) edges.push_back(tag);
    occ::fillet({block}, edges, {2.0}, rounded);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j) tools.emplace_back(3, occ::addCylinder(8 + 8 * i, 9 + 12 * j, -1, 0, 0, 12, 1.5));
    for (int i = 0; i < 3; ++i) tools.emplace_back(3, occ::addCylinder(12 + 8 * i, 15, 6, 0, 0, 10, 2));
    for (int i = 0; i < 2; ++i) tools.emplace_back(3, occ::addBox(-1, 8 + 10 * i, 3, 5, 4, 4));
    occ::cut(rounded, tools, part, parts_of);
    occ::synchronize();
    gmsh::vectorpair faces;
    gmsh::model::getEntities(faces, 2);
    EXPECT_EQ(faces.size(), 50u);
    occ::getMass(3, part.at(0).second, volume);
  });
  return volume;
}

// Triangles of 48 edges per circle, and tetrahedra of 12, whose vertices are on the surface: a regular n-gon has
// sin(2 pi / n) / (2 pi / n) of the circle's area, 0.997 and 0.955; a tenth of the part is round.
TEST(StepFiles, APartOfFiftyFacesHasItsVolume) {
  const ScratchFolder folder("part");
  const auto file = folder / "part.step";
  const double volume = 1e-9 * write_part(file);
  const auto solids = mesh::read_step(file, "");
  ASSERT_EQ(solids.size(), 1u);
  EXPECT_NEAR(solids[0].volume, volume, 1e-6 * volume);
  double enclosed = 0;
  for (const auto& [a, b, c] : solids[0].triangles)
    enclosed += dot(solids[0].points[a], cross(solids[0].points[b], solids[0].points[c])) / 6;
  EXPECT_NEAR(std::abs(enclosed), volume, 3e-3 * volume);
  mesh::BodyModel model;
  model.low = {-0.01, -0.01, -0.01}, model.high = {0.05, 0.04, 0.02};
  model.around = "air", model.element = 0.01;
  mesh::Body part = step_body(file, "");
  part.step.low = {0, 0, 0}, part.step.high = {0.04, 0.03, 0.01};
  part.step.thickness = 2 * solids[0].volume / solids[0].area;
  model.bodies = {part};
  const auto made = mesh_of_bodies(model, {}, folder / "m");
  EXPECT_NEAR(mesh::testing::volumes(mesh::read_gmsh(made.file, 1))["glass"], volume, 1e-2 * volume);
}

TEST(StepFiles, BadOnesAreOneLine) {
  const ScratchFolder folder("bad_step");
  const auto file = folder / "parts.step";
  const std::string good = two_parts(file), name = file.string();
  const auto of = [&](const std::string& text, const std::string& body) {
    write(file, text);
    return message([&] { mesh::read_step(file, body); });
  };
  EXPECT_EQ(of(good, "patch"), name + ": there is no body patch; its bodies are brick, pin");
  EXPECT_EQ(of("solid a", ""), name + ": is no STEP file: it does not begin with ISO-10303-21");
  EXPECT_EQ(message([&] { mesh::read_step(folder / "none.step", ""); }),
            (folder / "none.step").string() + ": cannot be opened");
  // A part of the file.
  const std::string cut = of(good.substr(0, good.size() / 2), "");
  EXPECT_EQ(cut.find(name + ": "), 0u) << cut;
  EXPECT_EQ(cut.find('\n'), std::string::npos);
  // A solid that lacks a face: the first of the list of its shell.
  std::string open = good;
  const auto shell = open.find("CLOSED_SHELL(");
  const auto list = open.find('(', shell + 13);
  open.erase(list + 1, open.find(',', list) - list);
  const std::string why = of(open, "brick");
  EXPECT_EQ(why, name + ": there is no body brick; its bodies are pin, and 5 faces belong to shells that are open");
  // A plate of no thickness.
  const auto plate = folder / "plate.step";
  write_step(plate, [] { occ::addRectangle(0, 0, 0, 3, 4); });
  EXPECT_NE(message([&] { mesh::read_step(plate, ""); }).find("is a surface or a shell that is open, without a volume; "
                                                              "closed solids are needed"),
            std::string::npos);
}

// A prism of a polygon that crosses itself, a torus that is thicker than it is wide, a sheet of 0.2 nm, a file without
// bodies: one line with the name of the body.
TEST(StepFiles, BodiesThatAreNoneAreNamed) {
  const ScratchFolder folder("no_bodies");
  const auto of = [&](const char* name, const std::function<void()>& make) {
    const auto file = folder / (std::string(name) + ".step");
    std::string text = write_step(file, make);
    replace(text, part_name(text, "1"), name);
    replace(text, part_name(text, ""), name);
    write(file, text);
    const std::string why = message([&] { mesh::read_step(file, ""); }), begin = file.string() + ": body ";
    EXPECT_EQ(why.find(begin), 0u) << why;
    return why.substr(std::min(why.size(), begin.size()));
  };
  const std::string bow = of("bow", [] {
    const double corners[4][2] = {{0, 0}, {10, 10}, {10, 0}, {0, 6}};
    std::vector<int> points, lines;
    for (const auto& [x, y] : corners) points.push_back(occ::addPoint(x, y, 0));
    for (std::size_t i = 0; i < 4; ++i) lines.push_back(occ::addLine(points[i], points[(i + 1) % 4]));
    gmsh::vectorpair made;
    occ::extrude({{2, occ::addPlaneSurface({occ::addWire(lines)})}}, 0, 0, 3, made);
  });
  EXPECT_NE(bow.find("its faces"), std::string::npos) << bow;
  const std::string spindle = of("spindle", [] { occ::addTorus(0, 0, 0, 1, 4); });
  EXPECT_NE(spindle.find("its faces"), std::string::npos) << spindle;
  const std::string sheet = of("sheet", [] { occ::addBox(0, 0, 0, 10, 10, 2e-7); });
  EXPECT_NE(sheet.find("is thinner than its length by 1e6 or more; a sheet without thickness is type = plate"),
            std::string::npos) << sheet;
  const auto empty = folder / "empty.step";
  write(empty, "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('x'),'2;1');\nFILE_NAME('x','2026',('a'),('b'),'c','d','e');\n"
               "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n");
  EXPECT_EQ(message([&] { mesh::read_step(empty, ""); }), empty.string() + ": has no bodies; closed solids are needed");
}

}  // namespace
}  // namespace dgtd::mesher
