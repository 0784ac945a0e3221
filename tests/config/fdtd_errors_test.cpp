// The exact wording of complaints about the sections of method fdtd3d.
#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

class FdtdErrors : public CaseFile {
 protected:
  // The first of the lines stands on line 8.
  static std::string of(const std::string& lines) { return message(structured + lines); }
  // [shape.s] stands on line 9, the first of the lines on line 10.
  static std::string of_shape(const std::string& lines) { return of("[material.gold]\n[shape.s]\n" + lines); }
  // [flux.f] stands on line 8, the first of the lines on line 9.
  static std::string of_flux(const std::string& lines) { return of("[flux.f]\n" + lines); }
};

TEST_F(FdtdErrors, Values) {
  const std::string poles =
      "gold, or a list with commas of drude WP GAMMA, lorentz WP W0 GAMMA, debye DELTA_EPS TAU, critical-point A OMEGA "
      "PHI GAMMA, all numbers but A and PHI > 0";
  const std::string wavelengths =
      "FIRST LAST COUNT: two numbers from 3e-16 to 2.9e14, m, and an integer from 1 to 100000, 1 only where they are "
      "equal";
  const std::string spacings = "numbers > 0 or COUNT*NUMBER, at most 1048576 cells";
  const struct {
    std::string section, key, value, allowed;
  } bad[] = {
      {"grid", "origin", "0 0", "3 numbers"},
      {"grid", "pml", "0", "an integer from 1 to 100"},
      {"grid", "pml", "101", "an integer from 1 to 100"},
      {"grid", "subpixel", "yes", "on or off"},
      {"grid", "spacings_x", "1 0", spacings},
      {"grid", "spacings_y", "2*1 -1", spacings},
      {"grid", "spacings_z", "2 * 1", spacings},
      {"grid", "spacings_z", "0*1", spacings},
      {"grid", "spacings_z", "1.5*1", spacings},
      {"grid", "spacings_z", "2*", spacings},
      {"grid", "spacings_z", "2*3*4", spacings},
      {"grid", "spacings_z", "1048576*1 1", spacings},
      {"grid", "spacings_z", "9223372036854775807*1 9223372036854775807*1", spacings},
      {"material.a", "sigma_m", "-1", "a number >= 0"},
      {"material.a", "poles", "silver", poles},
      {"material.a", "poles", "drude 1e16", poles},
      {"material.a", "poles", "drude 1e16 0", poles},
      {"material.a", "poles", "drude 1e16 1e14 1", poles},
      {"material.a", "poles", "drude -1e16 1e14", poles},
      {"material.a", "poles", "lorentz 1 0 1", poles},
      {"material.a", "poles", "lorentz 1 1", poles},
      {"material.a", "poles", "debye 1 1 1", poles},
      {"material.a", "poles", "critical-point 1 1 0", poles},
      {"material.a", "poles", "critical-point 1 -1 0 1", poles},
      {"material.a", "poles", "critical-point 1 1 0 0", poles},
      {"material.a", "poles", "drude 1 1 debye 1 1", poles},
      {"material.a", "poles", "drude 1 1,", poles},
      {"material.a", "poles", "gold, drude 1 1", poles},
      {"material.a", "debye_poles", "6", "an integer from 1 to 5"},
      {"material.a", "fit_band", "1e9 1e9", "2 rising numbers from 1e-6 to 1e24, Hz"},
      {"material.a", "fit_band", "1e9", "2 rising numbers from 1e-6 to 1e24, Hz"},
      {"material.a", "fit_band", "0 1e9", "2 rising numbers from 1e-6 to 1e24, Hz"},
      {"shape.s", "type", "pyramid", "box, sphere, ellipsoid, cylinder, cone, torus, prism, stl, labels, gds, step, plate, wire, union, difference or intersection"},
      {"shape.s", "priority", "1.5", "an integer from -1000000 to 1000000"},
      {"shape.s", "centre", "0 0", "3 numbers"},
      {"shape.s", "size", "1 1 -1", "3 numbers >= 0"},
      {"shape.s", "radius", "0", "a number > 0"},
      {"shape.s", "radii", "1 1 -1", "3 numbers > 0"},
      {"shape.s", "axis", "z", "3 numbers"},
      {"shape.s", "height", "0", "a number > 0"},
      {"shape.s", "unit", "0", "a number > 0"},
      {"shape.s", "position", "0 0", "3 numbers"},
      {"shape.s", "layer", "1/", "NUMBER/TYPE, two integers from 0 to 65535, or NUMBER, whose type is 0"},
      {"shape.s", "layer", "1/70000", "NUMBER/TYPE, two integers from 0 to 65535, or NUMBER, whose type is 0"},
      {"shape.s", "z", "1 1", "2 rising numbers"},
      {"shape.s", "sidewall_angle", "3.2", "an angle above 0 and below pi rad, such as 80 deg"},
      {"shape.s", "labels", "1", "a list with commas of NUMBER MATERIAL, each number from 0 to 255 once"},
      {"shape.s", "labels", "a gold", "a list with commas of NUMBER MATERIAL, each number from 0 to 255 once"},
      {"shape.s", "labels", "256 gold", "a list with commas of NUMBER MATERIAL, each number from 0 to 255 once"},
      {"shape.s", "labels", "1 gold,", "a list with commas of NUMBER MATERIAL, each number from 0 to 255 once"},
      {"shape.s", "labels", "1 gold, 1 gold", "a list with commas of NUMBER MATERIAL, each number from 0 to 255 once"},
      {"shape.s", "points", "0 0, 1 0", "at least 3 pairs of numbers with commas, X Y, X Y, X Y"},
      {"shape.s", "points", "0 0, 1 0, 1 1,", "at least 3 pairs of numbers with commas, X Y, X Y, X Y"},
      {"shape.s", "points", "0 0, 1 0, 1 1 1", "at least 3 pairs of numbers with commas, X Y, X Y, X Y"},
      {"shape.s", "points", "0 0, 1 0, 1 ?", "at least 3 pairs of numbers with commas, X Y, X Y, X Y"},
      {"source.s", "box_min", "0 0", "3 numbers"},
      {"source.s", "box_max", "0 0 ?", "3 numbers"},
      {"source.s", "type", "beam", "dipole, plane-wave, sheet, gaussian-beam or hard"},
      {"source.s", "size", "1 1 -1", "3 numbers >= 0"},
      {"source.s", "waist", "0", "a number > 0"},
      {"source.s", "plane", "0 0", "a number"},
      {"source.s", "length", "0", "a number > 0"},
      {"flux.f", "type", "sphere", "box or plane"},
      {"flux.f", "centre", "0", "3 numbers"},
      {"flux.f", "size", "1 1 -1", "3 numbers >= 0"},
      {"flux.f", "frequencies", "0 1", "numbers from 1e-6 to 1e24, Hz"},
      {"flux.f", "wavelengths", "1 2", wavelengths},
      {"flux.f", "wavelengths", "0 2 3", wavelengths},
      {"flux.f", "wavelengths", "1 -2 3", wavelengths},
      {"flux.f", "wavelengths", "1 2 0", wavelengths},
      {"flux.f", "wavelengths", "1 2 100001", wavelengths},
      {"flux.f", "wavelengths", "1 2 1", wavelengths},
      {"flux.f", "wavelengths", "1 1 2", wavelengths},
      {"monitor.m", "type", "sphere", "box or plane"},
      {"monitor.m", "centre", "0", "3 numbers"},
      {"monitor.m", "size", "1 1 -1", "3 numbers >= 0"},
      {"monitor.m", "frequencies", "0 1", "numbers from 1e-6 to 1e24, Hz"},
      {"monitor.m", "wavelengths", "1 2", wavelengths},
      {"monitor.m", "fields", "E E", "any of E H"},
      {"monitor.m", "fields", "E SAR", "any of E H"},
      {"monitor.m", "fields", "none", "any of E H"},
  };
  for (const auto& b : bad) {
    const std::string line = b.key + " = " + b.value;
    EXPECT_EQ(of("[" + b.section + "]\n" + line + "\n"),
              "head.cfg:9: " + b.section + "." + line + ": must be " + b.allowed);
  }
  EXPECT_EQ(message(structured, {"grid.cells=8 8 0"}), "--set grid.cells=8 8 0: must be 3 integers from 1 to 1048576");
  for (const std::string spacing : {"0", "1 1", "1 1 0", "1 1 1 1"})
    EXPECT_EQ(message(structured, {"grid.spacing=" + spacing}),
              "--set grid.spacing=" + spacing + ": must be 1 or 3 numbers > 0");
}

TEST_F(FdtdErrors, Grid) {
  const std::string begin = "[solver]\nmethod = fdtd3d\n[time]\nend = 1\n";
  const std::string lists = "; or grid.spacings_x, spacings_y and spacings_z)";
  EXPECT_EQ(message(begin), "head.cfg: grid.cells is required (3 integers" + lists);
  EXPECT_EQ(message(begin + "[grid]\nspacing = 1\n"), "head.cfg: grid.cells is required (3 integers" + lists);
  EXPECT_EQ(message(begin + "[grid]\ncells = 1 1 1\nspacings_x = 1\nspacings_y = 1\n"),
            "head.cfg: grid.spacing is required (1 or 3 numbers > 0, m" + lists);
  const std::string listed = begin + "[grid]\nspacings_x = 1\nspacings_y = 1\nspacings_z = 1\n";
  EXPECT_EQ(message(listed), "no error");
  for (const std::string line : {"cells = 1 1 1", "spacing = 1"})
    EXPECT_EQ(message(listed + line + "\n"),
              "head.cfg:9: grid." + line +
                  ": belongs to axes without spacings_x, spacings_y or spacings_z, and there is none");
}

TEST_F(FdtdErrors, Refinements) {
  const auto of_refine = [](const std::string& lines) { return of("[refine.r]\n" + lines); };
  EXPECT_EQ(of_refine("size = 4e-9 4e-9 4e-9\nspacing = 1e-9\n"), "no error");
  EXPECT_EQ(of_refine("spacing = 1e-9\n"), "head.cfg:8: [refine.r]: refine.r.size is required (3 numbers > 0, m)");
  EXPECT_EQ(of_refine("size = 1 1 1\n"),
            "head.cfg:8: [refine.r]: refine.r.spacing is required (1 or 3 numbers > 0, m)");
  EXPECT_EQ(of_refine("size = 1 1 0\n"), "head.cfg:9: refine.r.size = 1 1 0: must be 3 numbers > 0");
  EXPECT_EQ(of_refine("size = 1 1 1\nspacing = 1e-9 3e-9 1e-9\n"),
            "head.cfg:10: refine.r.spacing = 1e-9 3e-9 1e-9: must be at most grid.spacing, which is 2e-09 along y");
  EXPECT_EQ(of_refine("size = 4e-9 4e-9 4e-9\nspacing = 1e-9\ncentre = 0 0 1e-8\n"),
            "head.cfg:8: refine.r: lies outside the grid, whose z goes from -8e-09 to 8e-09 m");
  EXPECT_EQ(of_refine("size = 1 1 1\nspacing = 1e-16\n"),
            "head.cfg:8: [refine.r]: along x: refinements make more than 1048576 cells");
  EXPECT_EQ(of_refine("size = 1 1 1\nspacing = 1e-99\n"),
            "head.cfg:8: [refine.r]: along x: refinements make more than 1048576 cells");
  EXPECT_EQ(of("ratio = 1\n"), "head.cfg:8: grid.ratio = 1: must be a number > 1");
  EXPECT_EQ(of("ratio = 1.2\n"), "head.cfg:8: grid.ratio = 1.2: belongs to grids with [refine.NAME] or with cells by wavelength");
  EXPECT_EQ(of("spacings_y = 5*1e-9\n[refine.r]\nsize = 1 1 1\nspacing = 1e-9\n"),
            "head.cfg:8: grid.spacings_y = 5*1e-9: goes with no [refine.r] (at head.cfg:9), which makes the spacings "
            "of all axes");
}

TEST_F(FdtdErrors, MaterialNames) {
  const std::string materials = "[material.gold]\n[material.wet glass]\n";
  EXPECT_EQ(of("background = gold\n"),
            "head.cfg:8: grid.background = gold: there is no [material.gold]; the materials are none");
  EXPECT_EQ(of("background = glod\n" + materials),
            "head.cfg:8: grid.background = glod: there is no [material.glod]; did you mean gold?");
  const std::string shape = "[shape.s]\ntype = sphere\nradius = 1\nmaterial = ";
  EXPECT_EQ(of(shape + "silver\n" + materials),
            "head.cfg:11: shape.s.material = silver: there is no [material.silver]; the materials are gold, wet glass");
  EXPECT_EQ(of(shape + "wet glas\n" + materials),
            "head.cfg:11: shape.s.material = wet glas: there is no [material.wet glas]; did you mean wet glass?");
  EXPECT_EQ(of(shape + "wet glass\n" + materials), "no error");
}

TEST_F(FdtdErrors, TissuesWithDebyePoles) {
  EXPECT_EQ(of("[material.a]\ndebye_poles = 2\n"),
            "head.cfg:9: material.a.debye_poles = 2: belongs to materials with a tissue");
  EXPECT_EQ(of("[material.a]\ntissue = muscle\nfit_band = 1 2\n"),
            "head.cfg:10: material.a.fit_band = 1 2: belongs to materials with debye_poles or a table");
  EXPECT_EQ(of("[material.a]\ntissue = muscle\n"),
            "head.cfg:9: material.a.tissue = muscle: requires time.frequency or debye_poles");
  const std::string muscle = "[material.a]\ntissue = muscle\ndebye_poles = 2\n";
  EXPECT_EQ(of(muscle),
            "head.cfg:10: material.a.debye_poles = 2: requires material.a.fit_band where sources and monitors have one "
            "frequency at most");
  const std::string mixed =
      "head.cfg:10: material.a.debye_poles = 2: fits eps_r, sigma and poles to the tissue: give none of them, or all "
      "as resolved.cfg does";
  for (const std::string line : {"eps_r = 4\n", "sigma = 1\n", "poles = debye 1 1e-12\n"})
    EXPECT_EQ(of(muscle + "fit_band = 1e8 1e9\n" + line), mixed);
  EXPECT_EQ(of(muscle + "fit_band = 1e8 1e9\neps_r = 4\nsigma = 1\npoles = debye 1 1e-12\n"), "no error");
}

TEST_F(FdtdErrors, ShapesRequireTheKeysOfTheirType) {
  const std::string begin = "head.cfg:9: [shape.s]: shape.s.", gold = "material = gold\n";
  EXPECT_EQ(of_shape(gold), begin + "type is required (box | sphere | ellipsoid | cylinder | cone | torus | prism | stl | labels | gds | step | plate | wire | union | difference | intersection)");
  EXPECT_EQ(of_shape("type = box\n"), begin + "material is required (the NAME of a [material.NAME])");
  EXPECT_EQ(of_shape(gold + "type = box\n"), begin + "size is required (3 numbers, m)");
  EXPECT_EQ(of_shape(gold + "type = box\nsize = 1 1 0\n"),
            "head.cfg:12: shape.s.size = 1 1 0: must be > 0 along all axes; a sheet without thickness is type = plate");
  EXPECT_EQ(of_shape(gold + "type = sphere\n"), begin + "radius is required (m)");
  EXPECT_EQ(of_shape(gold + "type = ellipsoid\n"), begin + "radii is required (3 numbers > 0, m)");
  EXPECT_EQ(of_shape(gold + "type = cylinder\nheight = 1\n"), begin + "radius is required (m)");
  EXPECT_EQ(of_shape(gold + "type = cylinder\nradius = 1\n"), begin + "height is required (m)");
  EXPECT_EQ(of_shape(gold + "type = prism\npoints = 0 0, 1 0, 0 1\n"), begin + "height is required (m)");
  EXPECT_EQ(of_shape(gold + "type = prism\nheight = 1\n"), begin + "points is required (X Y, X Y, X Y, m)");
  EXPECT_EQ(of_shape(gold + "type = stl\n"), begin + "file is required (a path)");
  EXPECT_EQ(of_shape(gold + "type = gds\nfile = a.gds\nz = 0 1\n"),
            begin + "layer is required (NUMBER/TYPE, two integers from 0 to 65535, or NUMBER, whose type is 0)");
  EXPECT_EQ(of_shape(gold + "type = gds\nfile = a.gds\nlayer = 1/0\n"), begin + "z is required (2 rising numbers, m)");
  EXPECT_EQ(of_shape("type = stl\nfile = a\n"), begin + "material is required (the NAME of a [material.NAME])");
  EXPECT_EQ(of_shape("type = labels\nfile = a\n"), begin + "labels is required (NUMBER MATERIAL, NUMBER MATERIAL)");
  EXPECT_EQ(of_shape("type = labels\nfile = a\nlabels = 1 gold, 2 gild\n"),
            "head.cfg:12: shape.s.labels = 1 gold, 2 gild: there is no [material.gild]; did you mean gold?");
}

TEST_F(FdtdErrors, PlatesAreFlatPerfectConductors) {
  const std::string plate = "material = gold\ntype = plate\n";
  EXPECT_EQ(of_shape(plate + "size = 1 0 1\n"),
            "head.cfg:10: shape.s.material = gold: must have conductor = perfect, since a plate has no thickness");
  const auto of_plate = [&](const std::string& lines) {
    return of("[material.gold]\nconductor = perfect\n[shape.s]\n" + plate + lines);
  };
  EXPECT_EQ(of_plate(""), "head.cfg:10: [shape.s]: shape.s.points is required (X Y, X Y, X Y, m)");
  EXPECT_EQ(of_plate("size = 1 1 1\n"),
            "head.cfg:13: shape.s.size = 1 1 1: must be 0 along exactly one axis, that of the plate's normal");
  EXPECT_EQ(of_plate("size = 1 1 0\npoints = 0 0, 1 0, 0 1\n"),
            "head.cfg:13: shape.s.size = 1 1 0: only one of size and points may be given, and shape.s.points is at "
            "head.cfg:14");
  EXPECT_EQ(of_plate("points = 0 0, 1 0, 0 1\naxis = 0 1 1\n"),
            "head.cfg:14: shape.s.axis = 0 1 1: must be along x, y or z where type = plate");
  EXPECT_EQ(of_plate("size = 1 1 0\npriority = 1\n"),
            "head.cfg:14: shape.s.priority = 1: belongs to all types but plate, which is there in whatever body");
}

TEST_F(FdtdErrors, CombinationsAreMadeOfOtherShapes) {
  // [shape.s] stands on line 13, its type on line 14, the first of the lines on line 15.
  const auto of_parts = [&](const std::string& type, const std::string& lines) {
    const std::string body = type == "wire" || lines.empty() ? "material = gold\n" : "\n";
    return of("[material.gold]\n[shape.a]\ntype = sphere\nradius = 1\n" + body + "[shape.s]\ntype = " + type + "\n" +
              lines + "material = gold\n");
  };
  const auto shapes = [&](const std::string& names) { return of_parts("union", "shapes = " + names + "\n"); };
  const std::string key = "head.cfg:15: shape.s.shapes = ";
  EXPECT_EQ(of_parts("union", ""), "head.cfg:13: [shape.s]: shape.s.shapes is required (NAMES of two or more [shape.NAME])");
  EXPECT_EQ(shapes("a"), key + "a: must be the NAMES of two or more shapes");
  EXPECT_EQ(shapes("a aa"), key + "a aa: there is no [shape.aa]; did you mean a?");
  EXPECT_EQ(shapes("a a"), key + "a a: has a twice");
  EXPECT_EQ(of_parts("wire", "radius = 1\npath = 0 0 0, 3 0 0, 1 0 0\n"),
            "head.cfg:16: shape.s.path = 0 0 0, 3 0 0, 1 0 0: turns back at place 2");
  EXPECT_EQ(of_parts("wire", "radius = 1\npath = 0 0 0, 3 0 0, 3 0.5 0\n"),
            "head.cfg:16: shape.s.path = 0 0 0, 3 0 0, 3 0.5 0: places 2 and 3 are nearer to each other than the radius");
  const std::string two = "[material.gold]\n[shape.a]\ntype = sphere\nradius = 1\n[shape.b]\ntype = sphere\nradius = 1\n";
  const std::string both = "[shape.s]\ntype = union\nmaterial = gold\nshapes = a b\n";
  EXPECT_EQ(of(two + both), "no error");
  EXPECT_EQ(of(two + "material = gold\n" + both),
            "head.cfg:15: shape.b.material = gold: belongs to shapes that are no part of a union, a difference or an "
            "intersection");
  EXPECT_EQ(of(two + "[shape.s]\ntype = union\nshapes = a t\n[shape.t]\ntype = difference\nshapes = s b\n"),
            "head.cfg:17: shape.s.shapes = a t: t is made of shape.s itself");
}

TEST_F(FdtdErrors, ShapesRefuseTheKeysOfOtherTypes) {
  const struct {
    std::string type, line, owner;
  } bad[] = {
      {"sphere", "size = 1 1 1", "box | plate"},
      {"box", "radius = 1", "sphere | cylinder | cone | torus | wire"},
      {"ellipsoid", "radius = 1", "sphere | cylinder | cone | torus | wire"},
      {"cylinder", "radii = 1 1 1", "ellipsoid"},
      {"box", "axis = 0 0 1", "cylinder | cone | torus | prism | plate"},
      {"sphere", "height = 1", "cylinder | cone | prism"},
      {"cylinder", "top_radius = 1", "cone"},
      {"cone", "tube_radius = 1", "torus"},
      {"cylinder", "points = 0 0, 1 0, 0 1", "prism | plate"},
      {"prism", "radius = 1", "sphere | cylinder | cone | torus | wire"},
  };
  for (const auto& b : bad)
    EXPECT_EQ(of_shape("material = gold\ntype = " + b.type + "\n" + b.line + "\n"),
              "head.cfg:12: shape.s." + b.line + ": belongs to type = " + b.owner);
  for (const auto& [line, owners] : {std::pair<std::string, std::string>{"file = a", "stl | labels | gds | step"},
                                     {"unit = 1", "stl | labels"},
                                     {"position = 0 0 0", "stl | labels | gds | step"},
                                     {"layer = 1/0", "gds"},
                                     {"body = patch", "step"},
                                     {"sidewall_angle = 80 deg", "gds"}})
    EXPECT_EQ(of_shape("material = gold\ntype = box\n" + line + "\n"),
              "head.cfg:12: shape.s." + line + ": belongs to type = " + owners);
  EXPECT_EQ(of_shape("material = gold\ntype = stl\nlabels = 1 gold\n"),
            "head.cfg:12: shape.s.labels = 1 gold: belongs to type = labels");
  EXPECT_EQ(of_shape("material = gold\ntype = labels\n"),
            "head.cfg:10: shape.s.material = gold: belongs to all types but labels, whose key labels names materials");
  EXPECT_EQ(of_shape("material = gold\ntype = stl\ncentre = 0 0 0\n"),
            "head.cfg:12: shape.s.centre = 0 0 0: belongs to all types without a file (wires and combinations only "
            "with a rotation)");
  EXPECT_EQ(of_shape("material = gold\ntype = cylinder\nradius = 1\nheight = 1\naxis = 0 0 0\n"),
            "head.cfg:14: shape.s.axis = 0 0 0: must not be zero");
  EXPECT_EQ(of_shape("material = gold\ntype = prism\npoints = 0 0, 1 0, 0 1\nheight = 1\naxis = 0 1 1\n"),
            "head.cfg:14: shape.s.axis = 0 1 1: must be along x, y or z where type = prism");
  EXPECT_EQ(of_shape("material = gold\ntype = cone\nradius = 1\n"), "head.cfg:9: [shape.s]: shape.s.height is required (m)");
  EXPECT_EQ(of_shape("material = gold\ntype = torus\nradius = 1\n"),
            "head.cfg:9: [shape.s]: shape.s.tube_radius is required (m)");
  EXPECT_EQ(of_shape("material = gold\ntype = torus\nradius = 0.1\ntube_radius = 0.2\n"),
            "head.cfg:13: shape.s.tube_radius = 0.2: must be below shape.s.radius = 0.1");
}

TEST_F(FdtdErrors, Rotations) {
  const std::string box = "material = gold\ntype = box\nsize = 1 1 1\nrotation = ", begin = "head.cfg:13: shape.s.rotation = ",
                    allowed = ": must be an axis X Y Z other than 0 0 0 and an angle of at most a full turn, 2 pi rad, "
                              "such as 0 0 1 30 deg";
  for (const std::string bad : {"30", "0 0 1", "0 0 0 1", "0 0 1 30", "0 0 1 1 1"})
    EXPECT_EQ(of_shape(box + bad + "\n"), begin + bad + allowed);
  EXPECT_EQ(of_shape("material = gold\ntype = gds\nfile = a.gds\nlayer = 1\nz = 0 1\nrotation = 0 1 0 3 deg\n"),
            "head.cfg:15: shape.s.rotation = 0 1 0 3 deg: must be about z, 0 0 1 ANGLE, where type = gds");
  EXPECT_EQ(of_shape("type = labels\nfile = a\nlabels = 1 gold\nrotation = 0 0 1 1\n"),
            "head.cfg:13: shape.s.rotation = 0 0 1 1: belongs to all types but labels, which stay along the axes");
}

TEST_F(FdtdErrors, Fluxes) {
  EXPECT_EQ(of_flux("size = 1 1 1\n"), "head.cfg:8: [flux.f]: flux.f.type is required (box | plane)");
  EXPECT_EQ(of_flux("type = box\n"), "head.cfg:8: [flux.f]: flux.f.size is required (3 numbers, m)");
  EXPECT_EQ(
      of_flux("type = box\nsize = 1 1 1\n"),
      "head.cfg:8: [flux.f]: flux.f.frequencies is required (Hz; or flux.f.frequency_range or flux.f.wavelengths)");
  EXPECT_EQ(of_flux("type = box\nsize = 1 1 0\n"),
            "head.cfg:10: flux.f.size = 1 1 0: must be 3 numbers > 0 where type = box");
  for (const std::string size : {"1 1 1", "0 0 1"})
    EXPECT_EQ(of_flux("type = plane\nsize = " + size + "\n"),
              "head.cfg:10: flux.f.size = " + size + ": exactly one must be 0, that of the normal, where type = plane");
  EXPECT_EQ(of_flux("type = box\nsize = 1 1 1\nwavelengths = 1 2 3\nfrequencies = 1\n"),
            "head.cfg:11: flux.f.wavelengths = 1 2 3: only one of frequencies and wavelengths may be given, "
            "and flux.f.frequencies is at head.cfg:12");
}

// The rules of [flux.NAME].
TEST_F(FdtdErrors, Monitors) {
  const auto of_monitor = [](const std::string& lines) { return of("[monitor.m]\n" + lines); };
  EXPECT_EQ(of_monitor("type = box\nsize = 1 1 1\nfrequencies = 1\n"), "no error");
  EXPECT_EQ(of_monitor("size = 1 1 1\n"), "head.cfg:8: [monitor.m]: monitor.m.type is required (box | plane)");
  EXPECT_EQ(of_monitor("type = box\n"), "head.cfg:8: [monitor.m]: monitor.m.size is required (3 numbers, m)");
  EXPECT_EQ(of_monitor("type = box\nsize = 1 1 1\n"),
            "head.cfg:8: [monitor.m]: monitor.m.frequencies is required (Hz; or monitor.m.frequency_range or "
            "monitor.m.wavelengths)");
  EXPECT_EQ(of_monitor("type = box\nsize = 1 1 0\n"),
            "head.cfg:10: monitor.m.size = 1 1 0: must be 3 numbers > 0 where type = box");
  EXPECT_EQ(of_monitor("type = plane\nsize = 0 1 0\n"),
            "head.cfg:10: monitor.m.size = 0 1 0: exactly one must be 0, that of the normal, where type = plane");
  EXPECT_EQ(of_monitor("feilds = E\n"), "head.cfg:9: unknown key monitor.m.feilds; did you mean monitor.m.fields?");
}

TEST_F(FdtdErrors, Sheets) {
  const std::string begin = "[source.s]\ntype = sheet\nfrequency = 1\n", rest = "size = 1 1 0\npolarisation = 1 1 0\n";
  EXPECT_EQ(of(begin + rest + "direction = 0 0 -2\n"), "no error");
  EXPECT_EQ(of(begin), "head.cfg:8: [source.s]: source.s.size is required (3 numbers, m)");
  EXPECT_EQ(of(begin + "size = 1 1 0\n"), "head.cfg:8: [source.s]: source.s.polarisation is required (3 numbers)");
  for (const std::string size : {"1 1 1", "0 0 1"})
    EXPECT_EQ(of(begin + "size = " + size + "\n"),
              "head.cfg:11: source.s.size = " + size + ": exactly one must be 0, that of the sheet's normal");
  EXPECT_EQ(of(begin + "size = 1 1 0\npolarisation = 1 0 0.1\n"),
            "head.cfg:12: source.s.polarisation = 1 0 0.1: must lie in the sheet, whose size is 1 1 0");
  EXPECT_EQ(of(begin + rest + "direction = 1 0 1\n"),
            "head.cfg:13: source.s.direction = 1 0 1: must be along the normal of the sheet, whose size is 1 1 0");
  EXPECT_EQ(of(begin + rest + "waist = 1\n"), "head.cfg:13: source.s.waist = 1: belongs to type = gaussian-beam");
  EXPECT_EQ(of(begin + rest + "position = 1 1 1\n"),
            "head.cfg:13: source.s.position = 1 1 1: belongs to type = dipole | plane-wave | hard");
}

TEST_F(FdtdErrors, ComplexProfiles) {
  const std::string begin = "[source.s]\ntype = sheet\nfrequency = 1\nsize = 1 1 0\n";
  EXPECT_EQ(of(begin + "profile = a.npy\nprofile_points = grid\neffective_index = 2\ndirection = 0 0 1\n"), "no error");
  EXPECT_EQ(of(begin + "profile = a.txt\npolarisation = 1 0 0\neffective_index = 2\n"),
            "head.cfg:14: source.s.effective_index = 2: belongs to NumPy profiles");
  EXPECT_EQ(of(begin + "profile = a.txt\n"), "head.cfg:8: [source.s]: source.s.polarisation is required (3 numbers)");
}

TEST_F(FdtdErrors, AdiabaticAbsorbers) {
  const std::string begin = "[boundary.xmin]\ntype = adiabatic\n";
  EXPECT_EQ(of(begin + "length = 1\norder = 2\nreflection = 0.01\n"), "no error");
  EXPECT_EQ(of(begin), "head.cfg:8: [boundary.xmin]: boundary.xmin.length is required (m)");
  EXPECT_EQ(of(begin + "length = 1\nreflection = 1\n"),
            "head.cfg:11: boundary.xmin.reflection = 1: must be a number from 1e-12 to 0.5");
  EXPECT_EQ(of("[boundary.xmin]\ntype = cpml\nlength = 1\n"),
            "head.cfg:10: boundary.xmin.length = 1: belongs to type = adiabatic");
}

TEST_F(FdtdErrors, PermittivitiesAndSnapshots) {
  EXPECT_EQ(of("[permittivity.p]\nfile = a.npy\n"), "no error");
  EXPECT_EQ(of("[permittivity.p]\n"), "head.cfg:8: [permittivity.p]: permittivity.p.file is required (a path)");
  EXPECT_EQ(of("[snapshot.s]\ntimes = 1 2\nfiles = npy\n"), "no error");
  EXPECT_EQ(of("[snapshot.s]\n"), "head.cfg:8: [snapshot.s]: snapshot.s.times is required (numbers > 0, s)");
  EXPECT_EQ(of("[snapshot.s]\ntimes = 1\nfiles = hdf5\n"),
            "head.cfg:10: snapshot.s.files = hdf5: must be any of vtk npy");
  EXPECT_EQ(of("[snapshot.s]\ntimes = 1\nphasor = on\n"), "head.cfg:10: snapshot.s.phasor = on: needs time.frequency");
}

TEST_F(FdtdErrors, GaussianBeams) {
  const std::string begin = "[source.b]\ntype = gaussian-beam\nfrequency = 1\ndirection = 0 0 1\n";
  EXPECT_EQ(of(begin + "polarisation = 1 0 0\nwaist = 1\n"), "no error");
  EXPECT_EQ(of(begin + "polarisation = 1 0 0\n"), "head.cfg:8: [source.b]: source.b.waist is required (m)");
  EXPECT_EQ(of(begin + "waist = 1\n"), "head.cfg:8: [source.b]: source.b.polarisation is required (3 numbers)");
  EXPECT_EQ(of(begin + "polarisation = 0 1 1\n"),
            "head.cfg:12: source.b.polarisation = 0 1 1: must be normal to source.b.direction = 0 0 1");
  EXPECT_EQ(of(begin + "polarisation = 1 0 0\nwaist = 1\nprofile = a\n"),
            "head.cfg:14: source.b.profile = a: belongs to type = sheet");
}

TEST_F(FdtdErrors, Conductors) {
  EXPECT_EQ(of("[material.a]\nconductor = pec\n"), "head.cfg:9: material.a.conductor = pec: must be none or perfect");
  EXPECT_EQ(of("[material.a]\nconductor = perfect\nsigma = 1\n"),
            "head.cfg:10: material.a.sigma = 1: belongs to conductor = none");
  EXPECT_EQ(of("background = a\n[material.a]\nconductor = perfect\n"),
            "head.cfg:8: grid.background = a: material.a is a perfect conductor; the background must be another");
}

TEST_F(FdtdErrors, LineDipolesAreAlongAnAxis) {
  const std::string begin = "[source.d]\ntype = dipole\nposition = 0 0 0\nfrequency = 1\nlength = 1\ndirection = ";
  EXPECT_EQ(of(begin + "0 -2 0\n"), "no error");
  EXPECT_EQ(of(begin + "0 1 1\n"),
            "head.cfg:13: source.d.direction = 0 1 1: must be along x, y or z where source.d.length is given");
}

TEST_F(FdtdErrors, TotalFieldBox) {
  const std::string wave = "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nfrequency = 1\n";
  for (const std::string box_max : {"0 1 1", "1 0 1", "1 1 -1"})
    EXPECT_EQ(of(wave + "box_min = 0 0 0\nbox_max = " + box_max + "\n"),
              "head.cfg:14: source.w.box_max = " + box_max + ": must exceed source.w.box_min = 0 0 0 along x, y and z");
  EXPECT_EQ(of(wave + "box_max = -1 -1 -1\n"), "no error");
  const std::string dipole = "[source.d]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 1\n";
  for (const std::string line : {"box_min = 0 0 0", "box_max = 0 0 0"})
    EXPECT_EQ(of(dipole + line + "\n"), "head.cfg:13: source.d." + line + ": belongs to type = plane-wave");
}

TEST_F(FdtdErrors, FarFields) {
  const std::string port = structured + "[port.p]\ntype = lumped\nsize = 1e-3 0 0\nfrequencies = 1e9\n";
  EXPECT_EQ(message(port + "direction = 1 1 0\n"), "head.cfg:12: port.p.direction = 1 1 0: must be along x, y or z");
  EXPECT_EQ(message(port + "direction = 1 0 0\ncircuit = parallel\nresistance = 0\n"),
            "head.cfg:14: port.p.resistance = 0: must be > 0 where circuit = parallel");
  const std::string far = structured + "[far_field.f]\n";
  EXPECT_EQ(message(far), "head.cfg:8: [far_field.f]: far_field.f.size is required (3 numbers > 0, m)");
  EXPECT_EQ(message(far + "size = 1 0 1\n"), "head.cfg:9: far_field.f.size = 1 0 1: must be 3 numbers > 0");
  EXPECT_EQ(message(far + "size = 1 1 1\n"),
            "head.cfg:8: [far_field.f]: far_field.f.frequencies is required (Hz; or far_field.f.frequency_range or "
            "far_field.f.wavelengths)");
  EXPECT_EQ(message(far + "size = 1 1 1\nfrequencies = 1e9\nwavelengths = 1 2 3\n"),
            "head.cfg:11: far_field.f.wavelengths = 1 2 3: only one of frequencies and wavelengths may be given, and "
            "far_field.f.frequencies is at head.cfg:10");
  EXPECT_EQ(message(far + "size = 1 1 1\nfrequencies = 1e9\ntheta = 1\n"),
            "head.cfg:11: far_field.f.theta = 1: must be an integer from 2 to 1801");
}

}  // namespace
}  // namespace dgtd::config
