// Layouts of chips as a user gives them: one case file for grids and tetrahedra, and what is wrong with it.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "app/program.hpp"
#include "geometry/gdsii_writer.hpp"

namespace {

using gdsii_testing::GdsiiWriter;

// A strip of 4 x 1 um in layer 1, and two cells that contain nothing of it.
void write_layout(const fs::path& file) {
  GdsiiWriter w;
  w.cell("STRIP").rectangle(1, -2000, -500, 4000, 1000).polygon(3, 7, {{0, 0}, {900, 0}, {0, 900}}).end_cell();
  w.cell("TOP").reference("STRIP", {0, 0}).end_cell();
  w.write(file);
}

const char* layout_case = R"([solver]
order = 1
[domain]
size = 6 3 3 um
[material.silicon]
eps_r = 4
[shape.strip]
type = gds
file = strip.gds
layer = 1
z = -0.5 0.5 um
material = silicon
[source.d]
type = dipole
position = 0 1 0 um
direction = 0 0 1
waveform = modulated-gaussian
frequency = 60 THz
bandwidth = 30 THz
[boundary.*]
type = silver-muller
[time]
steps = 20
[output]
fields = none
)";

Outcome strip(const fs::path& directory, const std::string& arguments) {
  return shell("XDG_CACHE_HOME=" + directory.string() + " " + dgtd_program() + " " + (directory / "a.cfg").string() + " " +
               arguments + " --set output.directory=" + (directory / "out").string());
}

fs::path prepared(const std::string& name) {
  const auto directory = work(name);
  write_layout(directory / "strip.gds");
  std::ofstream(directory / "a.cfg") << layout_case;
  return directory;
}

TEST(LayoutShapes, AreTheSameProblemForBothMethods) {
  const auto directory = prepared("layout_shapes");
  const auto mesh = strip(directory, "");
  EXPECT_EQ(mesh.code, 0) << mesh.output;
  const std::string grid = "--set solver.method=fdtd3d --set 'boundary.*.type=cpml'";
  const auto cells = strip(directory, grid);
  EXPECT_EQ(cells.code, 0) << cells.output;
  const auto layout = summary(directory / "out")["fields_hash"];
  // The same box by itself has the same cells.
  const std::string box =
      " --set shape.box.type=box --set shape.box.material=silicon --set shape.box.size='4e-6 1e-6 1e-6' --set "
      "shape.box.priority=1";
  EXPECT_EQ(strip(directory, grid + box).code, 0);
  EXPECT_EQ(summary(directory / "out")["fields_hash"], layout);
  // Walls that lean, and another place, change the fields; the preview shows either method.
  for (const char* other : {"shape.strip.sidewall_angle='75 deg'", "shape.strip.position='0 0.2e-6 0'"}) {
    EXPECT_EQ(strip(directory, grid + " --set " + other).code, 0);
    EXPECT_NE(summary(directory / "out")["fields_hash"], layout) << other;
  }
  for (const std::string& method : {std::string(), grid}) {
    const auto preview = strip(directory, method + " --preview");
    EXPECT_EQ(preview.code, 0) << preview.output;
    EXPECT_NE(content(directory / "out" / "preview.html").find("silicon"), std::string::npos);
  }
  // The margin is around the strip: 4 um and twice half a micrometre.
  std::string text = layout_case;
  text.replace(text.find("size = 6 3 3 um"), 15, "margin = 0.5 um");
  std::ofstream(directory / "a.cfg") << text;
  const auto domain = strip(directory, "--set source.d.position='0 0.8e-6 0' --dry-run");
  EXPECT_EQ(domain.code, 0) << domain.output;
  EXPECT_NE(domain.output.find("\n[domain]\nsize = 4.9999999999999996e-06 2e-06 2e-06\n"), std::string::npos)
      << domain.output;
}

TEST(LayoutShapes, MistakesAreOneLine) {
  const auto directory = prepared("bad_layouts");
  std::ofstream(directory / "text.gds") << "no layout";
  const std::string at = directory.string() + "/strip.gds: ";
  const struct {
    std::string setting, message;
  } cases[] = {
      {"shape.strip.file=none.gds", "/a.cfg:7: shape.strip: " + directory.string() + "/none.gds: cannot be opened\n"},
      {"shape.strip.file=text.gds",
       "/text.gds: cannot be read as a GDSII file: byte 0: a record of 28271 bytes: an even number, 4 or more, is needed\n"},
      {"shape.strip.layer=2", ": shape.strip: " + at + "cell TOP has nothing in layer 2/0; its layers are 1/0, 3/7\n"},
      {"shape.strip.cell=WIRE", ": shape.strip: " + at + "there is no cell WIRE; top cells are TOP\n"},
      {"shape.strip.sidewall_angle='40 deg'",
       ": shape.strip: the edge at x = -2e-06 m, y = 5e-07 m vanishes below the upper end\n"},
      {"shape.strip.position='1 0 0'", ": shape.strip: lies outside the "},
  };
  for (const std::string method : {"", "--set solver.method=fdtd3d --set 'boundary.*.type=cpml' "})
    for (const auto& bad : cases) {
      const auto run = strip(directory, method + "--dry-run --set " + bad.setting);
      expect_bad_input(run, bad.message);
      EXPECT_EQ(run.output.find("dgtd: error:"), run.output.rfind("\n", run.output.size() - 2) + 1)
          << "more than one line: " << run.output;
    }
}

}  // namespace
