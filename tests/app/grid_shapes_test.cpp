// Shapes on grids, as a user gives them: voxels, surfaces, prisms, and what is wrong with them.
#include <gtest/gtest.h>

#include <fstream>
#include <utility>

#include "app/program.hpp"

namespace {

TEST(GridShapes, BadGridsEndWithOneLine) {
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"--set source.d.type=dipole --set source.d.position='1 0 0' --set source.d.direction='0 0 1' --set "
       "source.d.frequency=6e14",
       "source.d: position = 1 0 0 lies outside the grid"},
      {"--set shape.sphere.centre='1 0 0'", "shape.sphere: lies outside the grid"},
      {"--set flux.absorbed.centre='1 0 0'", "flux.absorbed: lies outside the grid"},
      {"--set shape.sphere.type=prism --set shape.sphere.height=1e-8 --set shape.sphere.points='0 0, 1 1, 1 0, 0 1'",
       "belongs to type = sphere | cylinder"},
      {"--set shape.p.type=prism --set shape.p.material=gold --set shape.p.height=1e-8 --set shape.p.points='0 0, 1 1, "
       "1 0, 0 1'",
       "dgtd: error: --set shape.p.type=prism: shape.p: the polygon crosses or touches itself: edges 1 - 2 and 3 - "
       "4\n"},
      {"--set grid.pml=34", "grid.pml = 34: the absorbing layers fill the grid along x, which has 34 cells"},
      {"--set grid.pml=30", "total-field box is empty"},
  };
  for (const auto& bad : cases) {
    const auto run = dgtd(case_file("gold_sphere.cfg") + " --steps 2 --set output.fields=none " + bad.arguments +
                          " --set output.directory=" + work("bad_grid").string());
    expect_bad_input(run, bad.message);
  }
  const auto large = dgtd(case_file("fdtd_cavity.cfg") + " --dry-run --set grid.cells='30000 30000 30000'");
  EXPECT_EQ(large.code, 3) << large.output;
  EXPECT_NE(large.output.find("and its share of its host's memory is"), std::string::npos) << large.output;
}

/// A head of 10 x 10 x 10 voxels of 8 mm: brain (2) in skin (1).
void write_head(const fs::path& file) {
  std::ofstream out(file, std::ios::binary);
  out << "ObjectType = Image\nNDims = 3\nBinaryData = True\nElementSpacing = 8 8 8\nDimSize = 10 10 10\nElementType = "
         "MET_UCHAR\nElementDataFile = LOCAL\n";
  for (int p = 0; p < 1000; ++p) {
    const int x = p % 10, y = p / 10 % 10, z = p / 100;
    const bool edge = x == 0 || x == 9 || y == 0 || y == 9 || z == 0 || z == 9;
    out.put(edge ? 1 : 2);
  }
}

/// A tetrahedron with edges of 20 mm along the axes.
const char* tetrahedron =
    "solid t\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 20 0\nvertex 20 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 20 0 0\nvertex 0 0 20\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 20\nvertex 0 20 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 20 0 0\nvertex 0 20 0\nvertex 0 0 20\nendloop\nendfacet\nendsolid t\n";

const char* shapes_case = R"([solver]
method = fdtd3d
[grid]
cells = 28 28 28
spacing = 6e-3
pml = 3
[time]
steps = 30
[material.skin]
tissue = skin dry
debye_poles = 2
[material.brain]
eps_r = 50
sigma = 1.4
[material.plastic]
eps_r = 3
[shape.head]
type = labels
file = head.mha
position = -0.05 -0.04 -0.04
labels = 1 skin, 2 brain
[shape.piece]
type = stl
file = piece.stl
unit = 1e-3
position = 0.02 0 0
material = plastic
priority = 1
[shape.phone]
type = prism
points = 0.04 -0.03, 0.06 -0.03, 0.06 0.03, 0.055 0, 0.04 0.03
height = 0.05
material = plastic
[source.feed]
type = dipole
position = 0.061 0.001 0.002
direction = 0 0 1
waveform = modulated-gaussian
frequency = 1.5e9
bandwidth = 1e9
[output]
fields = none
)";

TEST(GridShapes, VoxelsSurfacesAndPrismsAreTheSameOnAnyNumberOfRanks) {
  const auto directory = work("shapes");
  write_head(directory / "head.mha");
  std::ofstream(directory / "piece.stl") << tetrahedron;
  std::ofstream(directory / "a.cfg") << shapes_case;
  const std::string arguments = (directory / "a.cfg").string() + " --set output.directory=";
  const auto run = dgtd(arguments + (directory / "1").string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find(
                "material skin: Skin (Dry) as 2 Debye poles, error at most 0.33 % of |eps| from 5e+08 to 2.5e+09 Hz"),
            std::string::npos)
      << run.output;
  const auto s = summary(directory / "1");
  // The resolved case is fitted already, and says the same of the fit.
  for (const auto& [ranks, file] : {std::pair{2, (directory / "a.cfg").string()},
                                    {4, (directory / "a.cfg").string()},
                                    {1, (directory / "1" / "resolved.cfg").string()}}) {
    const auto out = directory / ("again" + std::to_string(ranks));
    const auto again = dgtd_on(ranks, file + " --set output.directory=" + out.string());
    ASSERT_EQ(again.code, 0) << again.output;
    EXPECT_EQ(summary(out)["fields_hash"], s["fields_hash"]) << ranks;
    EXPECT_NE(again.output.find("error at most 0.33 %"), std::string::npos) << again.output;
  }
  // Each shape changes the fields.
  for (const char* other : {"shape.phone.height=0.04", "shape.piece.position='0.019 0 0'",
                            "shape.head.labels='1 brain, 2 brain'", "shape.piece.priority=-1"}) {
    const auto changed = dgtd(arguments + (directory / "other").string() + " --set " + other);
    ASSERT_EQ(changed.code, 0) << changed.output;
    EXPECT_NE(summary(directory / "other")["fields_hash"], s["fields_hash"]) << other;
  }
}

TEST(GridShapes, BadShapesEndWithOneLine) {
  const auto directory = work("bad_shapes");
  write_head(directory / "head.mha");
  std::ofstream(directory / "piece.stl") << tetrahedron;
  std::string open = tetrahedron;
  open.erase(open.find("facet"), open.find("endfacet") + 9 - open.find("facet"));
  std::ofstream(directory / "open.stl") << open;
  std::ofstream(directory / "text.mha") << "no image\n";
  std::ofstream(directory / "a.cfg") << shapes_case;
  const std::string at = directory.string() + "/";
  const struct {
    std::string setting, message;
  } cases[] = {
      {"shape.head.file=none.nii.gz", ": shape.head: " + at + "none.nii.gz: cannot be opened\n"},
      {"shape.head.file=text.mha", ": shape.head: " + at + "text.mha: cannot be read as a MetaImage file\n"},
      {"shape.head.labels='1 skin, 5 brain'",
       ": shape.head: " + at + "head.mha: there is no label 5; the labels are 1, 2\n"},
      {"shape.head.position='1 0 0'", ": shape.head: lies outside the grid, whose x goes from -0.084 to 0.084 m\n"},
      {"shape.piece.file=none.stl", ": shape.piece: " + at + "none.stl: cannot be opened\n"},
      {"shape.piece.file=open.stl",
       ": shape.piece: " + at +
           "open.stl: the surface is not closed: 3 of its 6 edges belong to an odd number of triangles\n"},
      {"shape.phone.points='0 0, 1 1, 1 0, 0 1'",
       ": shape.phone: the polygon crosses or touches itself: edges 1 - 2 and 3 - 4\n"},
  };
  for (const auto& bad : cases) {
    const auto run = dgtd((directory / "a.cfg").string() + " --dry-run --set " + bad.setting);
    expect_bad_input(run, bad.message);
    EXPECT_EQ(run.output.find("dgtd: error:"), run.output.rfind("\n", run.output.size() - 2) + 1)
        << "more than one line: " << run.output;
  }
}

TEST(GridShapes, RealHeadVoxelCaseRuns) {
  const std::string labels = data_file("heads/ny_head_labels.nii.gz");
  if (!fs::exists(labels)) GTEST_SKIP() << "no file " << labels;
  const auto run = dgtd_on(2, case_file("head_voxels.cfg") +
                                  " --steps 4 --set grid.spacing=10e-3 --set grid.cells='34 34 42' --set "
                                  "grid.origin='-0.17 -0.21 -0.25' --set grid.pml=6 --set shape.head.file=" +
                                  labels + " --set output.directory=" + work("head_voxels").string());
  EXPECT_EQ(run.code, 0) << run.output;
}

}  // namespace
