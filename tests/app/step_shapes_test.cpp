// Solids of a STEP file on both methods against the same body as a box, in domains with a margin around it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

// A dipole beside a lossy brick of 10 x 20 x 5 mm, whose absorbed power is summed.
constexpr const char* text = R"([time]
frequency = 6e9
periods = 6
[material.wax]
eps_r = 4
sigma = 0.5
[source.d]
type = dipole
position = 0.005 0.01 0.012
direction = 1 0 0
[domain]
margin = 0.02
[flux.into]
type = box
centre = 0.005 0.01 0.0025
size = 0.014 0.024 0.009
frequencies = 6e9
[output]
fields = none
report_pictures = off
)";

std::string step_file() { return project_file("tests/fuzz/corpus/step/parts.step"); }

class StepShapes : public ::testing::Test {
 protected:
  void SetUp() override { directory_ = work("step_shapes"); }

  Outcome run(const std::string& method, const std::string& shape, const std::string& more = "") const {
    std::ofstream(directory_ / "case.cfg") << text << "[shape.part]\nmaterial = wax\n" << shape;
    const std::string of_method = method == "dgtd" ? " --set solver.order=2 --set mesh.per_wavelength=3"
                                                   : " --set grid.spacing=0.001 --set grid.pml=6";
    return shell("XDG_CACHE_HOME=" + directory_.string() + " " + dgtd_program() + " " +
                 (directory_ / "case.cfg").string() + " --set solver.method=" + method + of_method + more +
                 " --set output.directory=" + (directory_ / "out").string());
  }
  // W per A^2 m^2, through the box around the brick.
  double flux(const std::string& method, const std::string& shape) const {
    const auto outcome = run(method, shape);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return table(directory_ / "out" / "flux_into.csv").rows.at(0).at(1);
  }

  fs::path directory_;
};

// The triangles of the file's brick are exact, so that a grid has its fields, and the same domain around it; two meshes of
// tetrahedra differ by their errors.
TEST_F(StepShapes, ABrickHasThePowersOfABox) {
  const std::string box = "type = box\nsize = 0.01 0.02 0.005\ncentre = 0.005 0.01 0.0025\n",
                    step = "type = step\nfile = " + step_file() + "\nbody = brick\n";
  const double on_grid = flux("fdtd3d", box), of_step = flux("fdtd3d", step);
  EXPECT_NEAR(of_step, on_grid, 1e-6 * std::abs(on_grid));
  const double of_mesh = flux("dgtd", box), of_step_mesh = flux("dgtd", step);
  EXPECT_NEAR(of_step_mesh, of_mesh, 0.03 * std::abs(of_mesh));
  EXPECT_NEAR(of_mesh, on_grid, 0.1 * std::abs(on_grid));
}

TEST_F(StepShapes, MistakesAreOneLineWithTheBody) {
  const std::string step = "type = step\nfile = " + step_file() + "\n";
  for (const char* const method : {"fdtd3d", "dgtd"}) {
    expect_bad_input(run(method, step + "body = patch\n"), "shape.part: " + step_file() + ": there is no body patch; its bodies are brick, pin\n");
    expect_bad_input(run(method, "type = step\nfile = none.step\n"), "none.step: cannot be opened\n");
  }
}

}  // namespace
