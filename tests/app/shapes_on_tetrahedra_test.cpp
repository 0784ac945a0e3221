// Shapes on tetrahedra, as a user gives them: a case for two methods, its mesh, and what is wrong with it.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

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
      {"--set shape.far.type=box --set shape.far.material=tissue --set shape.far.size='0.01 0.01 0.01' --set shape.far.centre='9 0 "
       "0' --set domain.size=0.2",
       "shape.far: lies outside the domain, whose x goes from -0.1 to 0.1 m"},
      {"--set shape.flat.type=box --set shape.flat.material=tissue --set shape.flat.size='0.01 0.01 0' --set "
       "domain.size=0.2",
       "shape.flat.size=0.01 0.01 0: must be 3 numbers > 0"},
      {"--set shape.head.type=labels --set shape.head.file=a.nii --set shape.head.labels='1 tissue' --set "
       "domain.size=0.2",
       "shape.head: type = labels is not possible on tetrahedra; box, sphere, ellipsoid, cylinder and prism are"},
      {"--set shape.p.type=prism --set shape.p.material=tissue --set shape.p.height=0.01 --set shape.p.points='0 0, 1 "
       "1, 1 0, 0 1' --set domain.size=0.2",
       "shape.p: the polygon crosses or touches itself: edges 1 - 2 and 3 - 4"},
      {"--set shape.over.type=box --set shape.over.material=tissue --set shape.over.size='0.1 0.1 0.1' --set domain.size=0.2",
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
  const auto grid = shapes(directory, case_file("lossy_sphere.cfg") +
                                          " --set solver.method=fdtd3d --set grid.spacing=6e-3 --dry-run");
  EXPECT_EQ(grid.code, 0) << grid.output;
  // 0.18 m are 30 cells of 6 mm, between layers of 10 each.
  EXPECT_NE(grid.output.find("grid: 50 x 50 x 50 = 125000 cells"), std::string::npos) << grid.output;
}

}  // namespace
