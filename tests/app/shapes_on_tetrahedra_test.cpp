// Shapes on tetrahedra, as a user gives them: a case for two methods, its mesh, and what is wrong with it.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "app/program.hpp"

namespace {

// Meshes in a folder of the test.
Outcome shapes(const fs::path& directory, const std::string& arguments) {
  return shell("XDG_CACHE_HOME=" + directory.string() + " " + dgtd_program() + " " + arguments +
               " --set output.directory=" + (directory / "out").string());
}

TEST(ShapesOnTetrahedra, MistakesAreNamed) {
  const auto directory = work("bad_shapes");
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"--set shape.far.type=box --set shape.far.material=tissue --set shape.far.size='0.01 0.01 0.01' --set "
       "shape.far.centre='9 0 "
       "0' --set domain.size=0.2",
       "shape.far: lies outside the domain, whose x goes from -0.1 to 0.1 m"},
      {"--set shape.flat.type=box --set shape.flat.material=tissue --set shape.flat.size='0.01 0.01 0' --set "
       "domain.size=0.2",
       "shape.flat.size=0.01 0.01 0: must be > 0 along all axes; a sheet without thickness is type = plate"},
      {"--set shape.head.type=labels --set shape.head.file=a.nii --set shape.head.labels='1 tissue' --set "
       "domain.size=0.2",
       "shape.head: type = labels is not possible on tetrahedra; box, sphere, ellipsoid, cylinder, cone, torus, prism, gds, "
       "step, plate, wire, union, difference and intersection are"},
      {"--set shape.p.type=prism --set shape.p.material=tissue --set shape.p.height=0.01 --set shape.p.points='0 0, 1 "
       "1, 1 0, 0 1' --set domain.size=0.2",
       "shape.p: the polygon crosses or touches itself: edges 1 - 2 and 3 - 4"},
      {"--set shape.over.type=box --set shape.over.material=tissue --set shape.over.size='0.1 0.1 0.1' --set "
       "domain.size=0.2",
       "nothing of it is left in the mesh"},
      {"--set material.tissue.sigma=5e7 --set domain.size=0.2", "larger mesh.finest"},
  };
  std::string text = content(case_file("lossy_sphere.cfg"));
  const auto margin = text.find("margin =");
  text.erase(margin, text.find('\n', margin) - margin);
  std::ofstream(directory / "case.cfg") << text;
  for (const auto& bad : cases)
    expect_bad_input(shapes(directory, (directory / "case.cfg").string() + " --dry-run " + bad.arguments), bad.message);
}

// The mesh is made once, and the run's powers add up.
TEST(ShapesOnTetrahedra, RunAndKeepTheirMesh) {
  const auto directory = work("shapes_run");
  const std::string arguments = case_file("lossy_sphere.cfg") +
                                " --set solver.order=1 --set mesh.per_wavelength=4 --set source.feed.position='0.07 0 "
                                "0' --set 'boundary.*.layers=2' --set 'boundary.*.thickness=0.1' ";
  const auto first = shapes(directory, arguments + "--set time.periods=2");
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_NE(first.output.find("; kept as " + directory.string()), std::string::npos) << first.output;
  // Another process with other threads makes the same bytes.
  const auto other = work("shapes_again");
  EXPECT_EQ(shapes(other, arguments + "--dry-run --set solver.threads=1").code, 0);
  const auto mesh_in = [](const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder / "dgtd"))
      if (entry.path().extension() == ".msh") return content(entry.path());
    return std::string();
  };
  EXPECT_GT(mesh_in(directory).size(), 1000u);
  EXPECT_TRUE(mesh_in(directory) == mesh_in(other));
  const auto again = shapes(directory, arguments + "--preview");
  EXPECT_EQ(again.code, 0) << again.output;
  EXPECT_NE(again.output.find("mesh of shapes: taken from " + directory.string()), std::string::npos) << again.output;
  const auto grid = shapes(
      directory, case_file("lossy_sphere.cfg") + " --set solver.method=fdtd3d --set grid.spacing=6e-3 --dry-run");
  EXPECT_EQ(grid.code, 0) << grid.output;
  // 0.18 m are 30 cells of 6 mm, between layers of 10 each.
  EXPECT_NE(grid.output.find("grid: 50 x 50 x 50 = 125000 cells"), std::string::npos) << grid.output;
}

// A glass ball in a plane wave: the series (G. Mie 1908) is beside the spectra, whether the ball is a shape or a group
// of a mesh file, as a whole or a quarter between mirrors. With a few elements per radius the run differs from it by
// some per cent; with one mirror too many or a wrong sign it would by 50 and more.
constexpr const char* ball_in_wave =
    "[solver]\norder = 1\n[material.glass]\neps_r = 2\nsigma = 0.01\n[material.vacuum]\n"
    "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nwaveform = modulated-gaussian\n"
    "frequency = 1e8\nbandwidth = 1e8\nbox_min = -1 -1 -1\nbox_max = 1 1 1\n"
    "[boundary.*]\ntype = silver-muller\n"
    "[time]\nend = 60e-9\n[output]\nfields = none\nreport_pictures = off\n"
    "[flux.in]\ntype = box\nfrequencies = 8e7 1e8\n[flux.out]\ntype = box\nfrequencies = 8e7 1e8\n"
    "[flux.cut]\ntype = box\nfrequencies = 8e7 1e8\n";
const std::string whole =
    " --set flux.in.size='1 1 1' --set flux.out.size='3.2 3.2 3.2' --set flux.cut.size='0.7 0.7 0.7'";
const std::string ball =
    " --set domain.size='3.6 3.6 3.6' --set shape.ball.type=sphere --set shape.ball.radius=0.4 "
    "--set shape.ball.material=glass";

// Sentences of a page about exact curves, up to the difference in per cent, and that difference.
std::vector<std::pair<std::string, double>> exact_curves(const std::string& page) {
  std::vector<std::pair<std::string, double>> found;
  const std::string before = ", from which the run differs by at most ";
  for (auto at = page.find(before); at != std::string::npos; at = page.find(before, at + 1)) {
    const auto begin = page.rfind('>', at) + 1;
    found.emplace_back(page.substr(begin, at - begin), std::stod(page.substr(at + before.size())));
  }
  return found;
}

TEST(ShapesOnTetrahedra, OneSphereInAWaveHasExactCrossSections) {
  const auto directory = work("ball_in_wave");
  std::ofstream(directory / "ball.cfg") << ball_in_wave;
  const std::string name = (directory / "ball.cfg").string();
  const auto curves = [&](const std::string& arguments) {
    const auto run = shapes(directory, name + arguments);
    EXPECT_EQ(run.code, 0) << run.output;
    return exact_curves(content(directory / "out" / "report.html"));
  };
  const auto differences = [&](const std::string& arguments, const std::string& sphere) {
    const auto found = curves(arguments);
    EXPECT_EQ(found.size(), 2u) << arguments;  // not that of a box that cuts the ball
    if (found.size() != 2) return std::array{1e3, 1e3};
    EXPECT_EQ(found[0].first, "in, inwards, exact: the series of a sphere (G. Mie 1908) of " + sphere);
    EXPECT_EQ(found[1].first, "out, exact: the series of a sphere (G. Mie 1908) of " + sphere);
    return std::array{found[0].second, found[1].second};
  };
  const auto of_whole = differences(ball + whole, "radius 400 mm of glass");
  EXPECT_LT(of_whole[0], 8);
  EXPECT_LT(of_whole[1], 8);
  const std::string brief = " --set time.end=2e-9";
  const auto file = [](const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder / "dgtd"))
      if (entry.path().extension() == ".msh") return " --set mesh.file=" + entry.path().string();
    return std::string();
  };
  differences(file(directory) + whole, "radius 400 mm (from its volume) of glass");
  // The boxes of the whole end at the mirrors and have no faces there, where tangential E is zero in the mean alone: with
  // P1 what flows into the box would not be zero.
  const std::string quarter =
      ball + whole + " --set domain.origin='0 0 -1.8' --set domain.size='1.8 1.8 3.6' --set boundary.xmin.type=pec --set "
                     "boundary.ymin.type=pmc";
  const auto of_quarter = differences(quarter, "radius 400 mm of glass, of which 0.25 is in the mesh");
  EXPECT_LT(of_quarter[0], 8);
  EXPECT_LT(of_quarter[1], 15);
  const auto told = shapes(directory, name + quarter + " --dry-run");
  EXPECT_NE(told.output.find("flux.in: the box ends at the mirrors xmin, ymin, through which nothing flows\n"),
            std::string::npos)
      << told.output;
  // Two bodies, a ball beside its mirror, and a group that is 3 % longer than a ball.
  EXPECT_TRUE(curves(ball + whole + brief +
                     " --set shape.more.type=box --set shape.more.material=vacuum --set "
                     "shape.more.size='0.1 0.1 0.1' --set shape.more.priority=1")
                  .empty());
  EXPECT_TRUE(curves(ball + whole + brief + " --set boundary.zmax.type=pec").empty());
  const auto long_one = work("longer_than_a_ball");
  const auto made = shapes(long_one, name + whole +
                                         " --dry-run --set mesh.per_wavelength=8 --set domain.size='3.6 3.6 3.6' --set "
                                         "shape.ball.type=ellipsoid --set shape.ball.radii='0.4 0.4 0.412' --set "
                                         "shape.ball.material=glass");
  EXPECT_EQ(made.code, 0) << made.output;
  EXPECT_TRUE(curves(file(long_one) + whole + brief).empty());
}

}  // namespace
