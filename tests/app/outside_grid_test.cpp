// Probes, sources, fluxes, monitors and shapes outside of a grid, wholly or in part: one line says what is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/program.hpp"

namespace {

std::size_t warnings_in(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("warning: ", at)) != std::string::npos; ++at) ++count;
  return count;
}

/// The lines "#   --set ..." of a case's comments, as options.
std::string advised_options(const std::string& case_name) {
  std::ifstream file(case_file(case_name));
  std::string options;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("#   --set ", 0) == 0) options += line.substr(3);
  return options;
}

// The paper's cells, as the case's comments say them; with cells and spacing alone the sphere would be beyond the grid.
TEST(OutsideTheGrid, AdviceOfTheGoldSphereRuns) {
  const auto directory = work("gold_advice");
  const std::string options = advised_options("gold_sphere.cfg");
  ASSERT_NE(options.find("grid.spacing=\"0.5 nm\""), std::string::npos);
  const std::string to = " --set output.directory=" + directory.string();
  const auto run = dgtd(case_file("gold_sphere.cfg") + options + " --steps 2" + to);
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("grid: 104 x 104 x 208"), std::string::npos) << run.output;
  EXPECT_EQ(warnings_in(run.output), 0u) << run.output;
  EXPECT_NE(run.output.find("flux.absorbed: the box ends at the mirrors xmin, ymin, through which nothing flows\n"),
            std::string::npos)
      << run.output;
  const auto half =
      dgtd(case_file("gold_sphere.cfg") + " --dry-run --set grid.spacing=0.5e-9 --set grid.cells='104 104 208'" + to);
  expect_bad_input(half, "source.wave: the face of the total-field box at z = -4e-08 m cuts or touches a body");
  for (const char* line :
       {"shape.sphere: more than half of it is outside of the grid: its middle is at z = 0 m, and the grid goes from "
        "-1.36e-07 to -3.2e-08 m\n",
        "flux.absorbed: the box is not closed: its face at z = 5.6e-08 m is on or beyond the grid's end, -3.2e-08 m at "
        "zmax; what passes there is not counted\n",
        "flux.absorbed: the box is not closed: its face at x = 5.6e-08 m is on or beyond the grid's end, 5.2e-08 m at "
        "xmax; what passes there is not counted\n"})
    EXPECT_NE(half.output.find(line), std::string::npos) << half.output;
}

// x and y from 0 to 0.4 m, z from 0 to 0.8 m: x between a mirror and an absorbing side, y periodic, z absorbing.
const char* const base =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 20 20 40\nspacing = 0.02\norigin = 0 0 0\npml = 4\nbackground = air\n"
    "[material.air]\n[material.glass]\neps_r = 4\n"
    "[boundary.xmin]\ntype = pec\n[boundary.ymin]\ntype = periodic\n[boundary.ymax]\ntype = periodic\n"
    "[source.wave]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n[time]\nfrequency = 1e9\nsteps = 40\n"
    "[output]\ndirectory = out\n";

struct Place {
  std::string sections, message;  // message: empty where nothing is to be said
};

TEST(OutsideTheGrid, InPartIsAWarning) {
  const auto directory = work("outside_in_part");
  const Place places[] = {
      {"[flux.f]\ntype = box\ncentre = 0.2 0.2 0.4\nsize = 0.2 0.2 0.2\nfrequencies = 1e9\n", ""},
      {"[shape.s]\ntype = sphere\nmaterial = air\ncentre = 0.2 0.2 0.4\nradius = 0.1\n",
       "[material.glass]: no shape has this material; shapes have air\n"},
      {"[flux.f]\ntype = box\ncentre = 0 0.2 0.4\nsize = 0.4 1 0.2\nfrequencies = 1e9\n", ""},
      {"[flux.f]\ntype = box\ncentre = 0.2 0.2 0.6\nsize = 0.2 0.2 0.6\nfrequencies = 1e9\n",
       "flux.f: the box is not closed: its face at z = 0.9 m is on or beyond the grid's end, 0.8 m at zmax; what "
       "passes "
       "there is not counted\n"},
      {"[flux.f]\ntype = box\ncentre = 0.2 0 0.4\nsize = 0.2 0.2 0.2\nfrequencies = 1e9\n",
       "flux.f: the box is not closed: its face at y = -0.1 m is on or beyond the grid's end, 0 m at ymin; what passes "
       "there is not counted\n"},
      {"[flux.f]\ntype = plane\ncentre = 0 0.2 0.4\nsize = 0.4 2 0\nfrequencies = 1e9\n", ""},
      {"[flux.f]\ntype = plane\ncentre = 0.4 0.2 0.4\nsize = 0.4 2 0\nfrequencies = 1e9\n",
       "flux.f: a part of it is outside of the grid: what passes is not counted from 0.4 to 0.6 m along x\n"},
      {"[monitor.m]\ntype = box\ncentre = 0.2 0.2 0.7\nsize = 0.2 0.2 0.4\nfrequencies = 1e9\n",
       "monitor.m: a part of it is outside of the grid: nothing is kept from 0.8 to 0.9 m along z\n"},
      {"[monitor.m]\ntype = plane\ncentre = 0.4 0.2 0.1\nsize = 0.4 0 0.4\nfrequencies = 1e9\n",
       "monitor.m: a part of it is outside of the grid: nothing is kept from 0.4 to 0.6 m along x and from -0.1 to 0 m "
       "along z\n"},
      {"[source.s]\ntype = sheet\ncentre = 0.4 0.2 0.4\nsize = 0.4 2 0\npolarisation = 1 0 0\n",
       "source.s: a part of the sheet is outside of the grid: from 0.4 to 0.6 m along x\n"},
      {"[source.s]\ntype = sheet\ncentre = 0.2 0.2 0.4\nsize = 4 2 0\npolarisation = 1 0 0\n", ""},
      {"[shape.s]\ntype = sphere\nmaterial = glass\ncentre = 0.45 0.2 0.4\nradius = 0.1\n",
       "shape.s: more than half of it is outside of the grid: its middle is at x = 0.45 m, and the grid goes from 0 to "
       "0.4 m\n"},
      {"[shape.s]\ntype = box\nmaterial = glass\ncentre = 0 0 2\nsize = 4 4 2.6\n", ""},
  };
  for (const auto& place : places) {
    std::ofstream(directory / "a.cfg") << base << place.sections;
    const auto run = dgtd((directory / "a.cfg").string() + " --dry-run");
    EXPECT_EQ(run.code, 0) << place.sections << run.output;
    EXPECT_EQ(warnings_in(run.output), place.message.empty() ? 0u : 1u) << place.sections << run.output;
    EXPECT_NE(run.output.find(place.message), std::string::npos) << place.sections << run.output;
  }
}

TEST(OutsideTheGrid, WhatLeavesNothingUsefulIsAnError) {
  const auto directory = work("outside_wholly");
  const Place places[] = {
      {"[probe.p]\nposition = 0.2 0.2 0.9\n",
       "probe.p: position = 0.2 0.2 0.9 lies outside the grid, whose z goes from 0 to 0.8"},
      {"[flux.f]\ntype = plane\ncentre = 0.2 0.2 0.9\nsize = 0.2 0.2 0\nfrequencies = 1e9\n",
       "flux.f: all its faces lie on the grid's end or outside"},
      {"[flux.f]\ntype = box\ncentre = 2 0.2 0.4\nsize = 0.2 0.2 0.2\nfrequencies = 1e9\n",
       "flux.f: lies outside the grid"},
      {"[monitor.m]\ntype = box\ncentre = 2 0.2 0.4\nsize = 0.2 0.2 0.2\nfrequencies = 1e9\n",
       "monitor.m: from 1.9 to 2.1 m along x there is no cell"},
      {"[far_field.f]\ncentre = 0.2 0.2 0.4\nsize = 0.2 0.2 2\nfrequencies = 1e9\n",
       "far_field.f: the box must lie inside the grid with all six faces"},
      {"[source.d]\ntype = dipole\nposition = 0.2 0.2 2\ndirection = 0 0 1\n",
       "source.d: position = 0.2 0.2 2 lies outside the grid, whose z goes from 0 to 0.8"},
      {"[source.b]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nbox_min = 0.1 0 -0.1\nbox_max = 0.2 "
       "0.4 0.5\n",
       "source.b: box_min: the face of the total-field box at z = -0.1 m is on or beyond the grid's end, 0 m at zmin, "
       "which absorbs; the box must lie inside the grid there\n"},
      {"[shape.s]\ntype = sphere\nmaterial = glass\ncentre = 2 0.2 0.4\nradius = 0.1\n",
       "shape.s: lies outside the grid, whose x goes from 0 to 0.4"},
  };
  for (const auto& place : places) {
    std::ofstream(directory / "a.cfg") << base << place.sections;
    const auto run = dgtd((directory / "a.cfg").string() + " --dry-run");
    expect_bad_input(run, place.message);
  }
}

/// A NumPy file of `size`^3 single precision numbers 2.
void write_array(const fs::path& path, std::size_t size) {
  const std::string n = std::to_string(size);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + n + ", " + n + ", " + n + "), }";
  header.resize(117, ' ');
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
  const std::vector<float> values(size * size * size, 2);
  file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
}

// Nodes are at multiples of 2 cm, centres of cells between them.
TEST(OutsideTheGrid, BodiesThatTouchNoComponentAreErrors) {
  const auto directory = work("no_trace");
  write_array(directory / "eps.npy", 4);
  const std::string metal = "[material.metal]\nconductor = perfect\n";
  const std::string nothing =
      "shape.s: has no effect: no field component is in it, since it is smaller than a cell or "
      "lies between them; smaller cells are needed there\n";
  const Place places[] = {
      // 0.2 is a node: a wire of any radius is on edges, and beside them it is on none.
      {metal + "[shape.s]\ntype = cylinder\nmaterial = metal\ncentre = 0.2 0.2 0.4\nradius = 1e-3\nheight = 0.2\n", ""},
      {metal + "[shape.s]\ntype = cylinder\nmaterial = metal\ncentre = 0.205 0.205 0.4\nradius = 1e-3\nheight = 0.2\n",
       nothing},
      {metal + "[shape.s]\ntype = box\nmaterial = metal\ncentre = 0.2 0.2 0.405\nsize = 1 1 2e-3\n", nothing},
      {metal + "[shape.s]\ntype = sphere\nmaterial = metal\ncentre = 0.205 0.205 0.405\nradius = 4e-3\n", nothing},
      // A dielectric is averaged over the cells that it cuts, and one with poles is not.
      {"[shape.s]\ntype = sphere\nmaterial = glass\ncentre = 0.205 0.205 0.405\nradius = 4e-3\n", ""},
      {"[shape.s]\ntype = sphere\nmaterial = glass\ncentre = 0.205 0.205 0.405\nradius = 4e-3\n[grid]\nsubpixel = "
       "off\n",
       nothing},
      {"[material.gold]\npoles = debye 2 1e-10\n[shape.s]\ntype = sphere\nmaterial = gold\ncentre = 0.205 0.205 0.405\n"
       "radius = 4e-3\n",
       nothing},
      // One magnetic component, at the centre of a face.
      {"[material.iron]\nmu_r = 10\n[shape.s]\ntype = sphere\nmaterial = iron\ncentre = 0.21 0.21 0.4\nradius = 1e-3\n",
       ""},
      {"[permittivity.p]\nfile = eps.npy\ncentre = 0.2 0.2 0.4\n", ""},
      {"[permittivity.p]\nfile = eps.npy\ncentre = 0.38 0.2 0.4\n", ""},
      {"[permittivity.p]\nfile = eps.npy\ncentre = 0.2 0.2 2\n",
       "permittivity.p: lies outside the grid, whose z goes from 0 to 0.8"},
      {"[permittivity.p]\nfile = eps.npy\ncentre = 0.205 0.205 0.405\nspacing = 1e-3\n",
       "permittivity.p: has no effect: no component of E is in it, since it is smaller than a cell and lies between "
       "them; "
       "smaller cells are needed there\n"},
  };
  for (const auto& place : places) {
    std::string text = base;
    if (const auto at = place.sections.find("[grid]\n"); at != std::string::npos)
      text.replace(text.find("pml = 4\n"), 8, "pml = 4\n" + place.sections.substr(at + 7));
    text.erase(text.find("[source.wave]"), text.find("[time]") - text.find("[source.wave]"));
    std::ofstream(directory / "a.cfg") << text << place.sections.substr(0, place.sections.find("[grid]\n"));
    const auto run = dgtd((directory / "a.cfg").string() + " --dry-run");
    if (!place.message.empty()) expect_bad_input(run, place.message);
    else EXPECT_EQ(run.code, 0) << place.sections << run.output;
  }
}

// A cube of 12 mm in cells of 2 cm: its file is in mm, and the case takes its numbers for something less.
TEST(OutsideTheGrid, FilesOfAnotherUnitAreWarnedOf) {
  const auto directory = work("other_unit");
  std::ofstream stl(directory / "cube.stl");
  stl << "solid cube\n";
  const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (const auto& triangle : corners) {
    stl << "facet normal 0 0 0\nouter loop\n";
    for (const int c : triangle)
      stl << "vertex " << 200 * (c & 1) << ' ' << 200 * (c >> 1 & 1) << ' ' << 200 * (c >> 2 & 1) << '\n';
    stl << "endloop\nendfacet\n";
  }
  stl << "endsolid cube\n";
  stl.close();
  std::ofstream(directory / "a.cfg") << base
                                     << "[shape.s]\ntype = stl\nmaterial = glass\nfile = cube.stl\nunit = 6e-5\n"
                                        "position = 0.2 0.2 0.4\n";
  const auto small = dgtd((directory / "a.cfg").string() + " --dry-run");
  EXPECT_EQ(small.code, 0) << small.output;
  EXPECT_NE(small.output.find("shape.s: its largest extent is 12 mm, less than a cell; check shape.s.unit = 6e-05 m\n"),
            std::string::npos)
      << small.output;
  const auto right = dgtd((directory / "a.cfg").string() + " --dry-run --set shape.s.unit=1e-3");
  EXPECT_EQ(right.output.find("largest extent"), std::string::npos) << right.output;
}

// The wave of a face is that of the background, so no body may meet one: 16 cells of 1 cm, the box from -4 to 4 cm.
TEST(TotalFieldBox, WithABodyAtAFaceIsRefused) {
  const auto directory = work("bodies_at_faces");
  const char* const wave =
      "[solver]\nmethod = fdtd3d\n[grid]\ncells = 16 16 16\nspacing = 0.01\npml = 3\n[material.skin]\neps_r = 4\n"
      "sigma = 0.5\n[material.air]\neps_r = 1\n[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n"
      "box_min = -0.04 -0.04 -0.04\nbox_max = 0.04 0.04 0.04\n[time]\nfrequency = 5e8\nsteps = 4\n[output]\n"
      "directory = out\n";
  const struct {
    const char *shape, *face;  // face: empty where it is allowed
  } bodies[] = {
      {"type = sphere\nradius = 0.02\nmaterial = skin\n", ""},
      {"type = box\nsize = 0.06 0.06 0.06\nmaterial = skin\n", ""},            // a cell away on all sides
      {"type = sphere\nradius = 0.06\ncentre = 0 0 0\nmaterial = air\n", ""},  // as the background
      {"type = box\nsize = 0.06 0.06 0.08\nmaterial = skin\n", "z = -0.04 m"},
      {"type = box\nsize = 0.06 0.063 0.06\nmaterial = skin\n", "y = -0.04 m"},
      {"type = box\nsize = 0.06 0.06 0.02\ncentre = 0 0 0.05\nmaterial = skin\n", "z = 0.04 m"},  // from outside
      {"type = box\nsize = 1 1 0.02\nmaterial = skin\n", "x = -0.04 m"},                          // a slab, cut
      {"type = box\nsize = 0.01 0.01 0.01\ncentre = 0.04 0 0\nmaterial = skin\n", "x = 0.04 m"},
      {"type = box\nsize = 1 1 1\nmaterial = skin\n", "x = -0.04 m"},  // the box is inside the body
  };
  for (const auto& body : bodies) {
    std::ofstream(directory / "a.cfg") << wave << "[shape.s]\n" << body.shape;
    const auto run = dgtd((directory / "a.cfg").string() + " --dry-run");
    if (*body.face == 0) {
      EXPECT_EQ(run.code, 0) << body.shape << run.output;
    } else {
      expect_bad_input(run, std::string("source.w: the face of the total-field box at ") + body.face +
                                " cuts or touches a body, near ");
    }
  }
  std::ofstream(directory / "a.cfg") << wave;
  EXPECT_EQ(dgtd((directory / "a.cfg").string() + " --dry-run").code, 0);
}

TEST(OutsideTheGrid, WavesNeedALosslessBackground) {
  const auto directory = work("lossy_background");
  std::ofstream(directory / "a.cfg") << base;
  const auto run = dgtd((directory / "a.cfg").string() + " --dry-run --set material.air.sigma=0.1");
  expect_bad_input(run,
                   "source.wave: a plane wave needs a background without losses and poles, and "
                   "grid.background is air\n");
}

}  // namespace
