// The program dgtd-mesh as a user runs it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "mesher/mesher_images.hpp"

namespace {

struct Result {
  int code;
  std::string output;  // of both streams
};

Result run(const std::string& arguments) {
  FILE* pipe = popen((DGTD_MESH_PROGRAM " " + arguments + " 2>&1").c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += char(c);
  return {WEXITSTATUS(pclose(pipe)), output};
}

class DgtdMesh : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void expect_error(const std::string& arguments, const std::string& message) {
    const Result result = run(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(result.output, "dgtd-mesh: error: " + message + "\n");
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("dgtd_mesh_cli_" + std::to_string(getpid()));
};

TEST_F(DgtdMesh, HelpAndVersion) {
  EXPECT_EQ(run("--version").output, "dgtd-mesh " DGTD_VERSION "\n");
  const Result help = run("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* word :
       {"head-phone", "spheres", "--level", "--radius", "--size", "--name", "-o FILE", "--exact-volumes"})
    EXPECT_NE(help.output.find(word), std::string::npos) << word;
  EXPECT_EQ(run("spheres --help").output, help.output);
}

TEST_F(DgtdMesh, MakesSpheresAndSaysWhatItMade) {
  const Result result = run("spheres --radius 0.05 0.1 --size 0.02 0.03 --name core coat -o " + path("s.msh"));
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.output.find(path("s.msh") + ": "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" tetrahedra, "), std::string::npos) << result.output;
  EXPECT_EQ(content("s.msh").substr(0, 11), "$MeshFormat");
}

// In nm and as where numbers in mm and ps would be zeros.
TEST_F(DgtdMesh, HasUnitsOfTheSizeOfTheMesh) {
  const Result made = run("spheres --radius 40e-9 80e-9 --size 20e-9 30e-9 --name gold air -o " + path("s.msh"));
  EXPECT_NE(made.output.find(" nm (min / mean / max), inradius at least "), std::string::npos) << made.output;
  const Result info = run("info " + path("s.msh"));
  for (const char* part :
       {"tetrahedra        nm3  pieces", "edges min/mean/max nm  inradius nm", "triangles        nm2",
        "between volumes        nm2", "smallest as    median as", "step allowed at P2, as", " nm, shape "})
    EXPECT_NE(info.output.find(part), std::string::npos) << part << " in\n" << info.output;
  EXPECT_EQ(info.output.find(" mm"), std::string::npos);
}

// The ball is larger than one with its corners on the sphere, 5 % at this size, and its corners are outside.
TEST_F(DgtdMesh, MakesSpheresOfExactVolumes) {
  ASSERT_EQ(run("spheres --radius 0.1 --size 0.03 --name ball -o " + path("s.msh")).code, 0);
  ASSERT_EQ(run("spheres --radius 0.1 --size 0.03 --name ball --exact-volumes -o " + path("exact.msh")).code, 0);
  const auto volume = [&](const std::string& file) {
    const Result info = run("info " + path(file));
    std::istringstream lines(info.output);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name, tetrahedra, cm3;
      if (words >> name >> tetrahedra >> cm3 && name == "ball") return std::stod(cm3);
    }
    return 0.0;
  };
  EXPECT_NEAR(volume("exact.msh"), 4188.79, 0.01);
  EXPECT_LT(volume("s.msh"), 4100);
}

TEST_F(DgtdMesh, MakesTheSameFileEveryTime) {
  for (const char* name : {"first.msh", "a_longer_name.msh"})
    ASSERT_EQ(run("head-phone --level m0 -o " + path(name)).code, 0);
  EXPECT_TRUE(content("first.msh") == content("a_longer_name.msh"));
}

TEST_F(DgtdMesh, CurvesTheTissuesOfTheHead) {
  const Result result = run("head-phone --level m0 --second-order -o " + path("head.msh"));
  ASSERT_EQ(result.code, 0) << result.output;
  EXPECT_NE(result.output.find("58463 tetrahedra"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" edges are curved; 0 stay straight, since an element would have been bent too much"),
            std::string::npos)
      << result.output;
  EXPECT_TRUE(content("head.msh").ends_with("dgtd-mesh head-phone --level m0 --second-order\n$EndComments\n"));
}

// Every face between two parts is a halo face of both, and each part is a neighbour of the other.
TEST_F(DgtdMesh, ShowsHowAMeshIsDivided) {
  ASSERT_EQ(run("spheres --radius 0.1 --size 0.03 --name ball -o " + path("s.msh")).code, 0);
  const Result result = run("partition " + path("s.msh") + " 1 2");
  ASSERT_EQ(result.code, 0) << result.output;
  std::istringstream lines(result.output);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "parts,part,elements,halo_elements,halo_faces,neighbours");
  std::vector<std::array<long, 6>> rows;
  std::vector<std::string> comments;
  while (std::getline(lines, line)) {
    if (line[0] == '#') {
      comments.push_back(line);
      continue;
    }
    std::array<long, 6> row{};
    ASSERT_EQ(
        std::sscanf(line.c_str(), "%ld,%ld,%ld,%ld,%ld,%ld", &row[0], &row[1], &row[2], &row[3], &row[4], &row[5]), 6)
        << line;
    rows.push_back(row);
  }
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], (std::array<long, 6>{1, 0, rows[0][2], 0, 0, 0}));
  EXPECT_EQ(rows[1][2] + rows[2][2], rows[0][2]);
  EXPECT_GT(rows[1][4], 0);
  EXPECT_EQ(rows[1][4], rows[2][4]);
  for (const int part : {1, 2}) {
    EXPECT_EQ(rows[part][5], 1);
    EXPECT_LE(rows[part][3], rows[part][4]);
    EXPECT_GE(4 * rows[part][3], rows[part][4]);
  }
  // Balance and edge cut follow from the rows.
  ASSERT_EQ(comments.size(), 2u);
  double balance = 0, share = 0;
  long parts = 0, cut = 0, largest = 0;
  ASSERT_EQ(
      std::sscanf(comments[1].c_str(),
                  "# %ld parts: balance %lf (mean over largest elements), edge cut %ld faces (%lf %% of the elements), "
                  "largest halo %ld faces",
                  &parts, &balance, &cut, &share, &largest),
      5)
      << comments[1];
  EXPECT_EQ(parts, 2);
  EXPECT_NEAR(balance, 0.5 * double(rows[0][2]) / double(std::max(rows[1][2], rows[2][2])), 1e-4);
  EXPECT_EQ(cut, rows[1][4]);
  EXPECT_EQ(largest, rows[1][4]);
  EXPECT_NEAR(share, 100.0 * double(cut) / double(rows[0][2]), 0.01);
  expect_error("partition " + path("s.msh"),
               "partition: the option '--parts' is required but missing (options: --file --parts)");
  expect_error("partition " + path("none.msh") + " 2", "mesh file " + path("none.msh") + " does not exist");
}

// The edges that `spheres --second-order` bends by itself.
TEST_F(DgtdMesh, CurvesAMeshOfStraightEdges) {
  const std::string spheres = "spheres --radius 0.05 0.1 --size 0.02 0.03 --name core coat -o ";
  ASSERT_EQ(run(spheres + path("s.msh")).code, 0);
  const Result own = run(spheres + path("second.msh") + " --second-order");
  const Result curved =
      run("curve " + path("s.msh") + " -o " + path("c.msh") + " --sphere 0 0 0 0.05 --sphere 0 0 0 0.1");
  ASSERT_EQ(curved.code, 0) << curved.output;
  const auto edges_of = [](const std::string& text) {
    int edges = 0;
    const auto end = text.find(" edges are curved");
    if (end != std::string::npos) edges = std::stoi(text.substr(text.find_last_of(" \n", end - 1) + 1));
    return edges;
  };
  EXPECT_GT(edges_of(own.output), 100);
  EXPECT_NEAR(edges_of(curved.output), edges_of(own.output), 0.1 * edges_of(own.output));  // Gmsh makes another mesh
  EXPECT_EQ(run("info " + path("c.msh")).code, 0);
  expect_error("curve " + path("s.msh") + " -o " + path("c.msh"),
               "curve: no surface (allowed: --sphere X Y Z R, --cylinder X Y Z AX AY AZ R, --step FILE)");
  expect_error("curve " + path("s.msh") + " -o " + path("c.msh") + " --sphere 0 0 0 -1",
               "curve: --sphere 0 0 0 -1: the radius must be above 0");
  expect_error("curve " + path("s.msh") + " -o " + path("c.msh") + " --cylinder 0 0 0 0 0 0 1",
               "curve: --cylinder 0 0 0 0 0 0 1: the axis has no direction");
  expect_error("curve " + path("s.msh") + " -o " + path("c.msh") + " --sphere 0 0 0",
               "curve: --sphere 0 0 0 has four numbers, not '0 0 0'");
}

TEST_F(DgtdMesh, SaysWhatAMeshIsWorth) {
  ASSERT_EQ(run("spheres --radius 0.05 0.1 --size 0.02 0.03 --name core coat -o " + path("s.msh")).code, 0);
  const Result result = run("info " + path("s.msh") + " --eps-r core=4");
  ASSERT_EQ(result.code, 0) << result.output;
  for (const char* part : {" tetrahedra, ", "core ", "coat ", "absorbing ", "core coat", "shape (1: regular)",
                           "time step that each element allows by itself (in the tissues)", "P1 ", "P4 ",
                           "step allowed at P2", "the elements that limit it"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part;
  // A sphere's volume: that of the polyhedron is a little less.
  double volume = 0;
  ASSERT_EQ(std::sscanf(result.output.substr(result.output.find("\ncore ")).c_str(), "\ncore %*d %lf", &volume), 1);
  EXPECT_NEAR(volume / (4.0 / 3 * std::acos(-1) * 125), 0.96, 0.04);
  expect_error("info " + path("s.msh") + " --eps-r bone=4", "info: --eps-r: the mesh has no volume 'bone'");
  expect_error("info " + path("s.msh") + " --eps-r core=0.5",
               "info: --eps-r 'core=0.5' must be VOLUME=VALUE with a value of at least 1");
  expect_error("info " + path("none.msh"), "mesh file " + path("none.msh") + " does not exist");
}

// All forms hold the same mesh: the report but for its first line's name.
TEST_F(DgtdMesh, ConvertsMeshes) {
  ASSERT_EQ(run("spheres --radius 0.05 0.1 --size 0.02 0.03 --name core coat -o " + path("s.msh")).code, 0);
  const std::string report = run("info " + path("s.msh")).output;
  for (const char* form : {"--version 2.2", "--version 2.2 --text", "--version 4.1", "--version 4.1 --text"}) {
    ASSERT_EQ(run("convert " + path("s.msh") + " " + path("t.msh") + " " + form).code, 0) << form;
    const std::string start = content("t.msh").substr(0, 20);
    EXPECT_NE(start.find(std::string(form).find("2.2") != std::string::npos ? "2.2" : "4.1"), std::string::npos);
    const std::string again = run("info " + path("t.msh")).output;
    EXPECT_EQ(again.substr(again.find(": ")), report.substr(report.find(": "))) << form;
  }
  ASSERT_EQ(run("convert " + path("s.msh") + " " + path("s.vtu")).code, 0);
  EXPECT_EQ(content("s.vtu").substr(0, 5), "<?xml");
  EXPECT_NE(content("s.vtu").find("step_allowed_P2_in_vacuum_s"), std::string::npos);
  expect_error("convert " + path("s.msh") + " x.stl", "convert: x.stl: must end in .vtu or .msh");
  expect_error("convert " + path("s.msh") + " x.msh --version 3", "convert: --version '3': allowed are 4.1 and 2.2");
}

// A line per stage with its seconds, warnings where a tissue has lost much, and a report without what is not a number.
TEST_F(DgtdMesh, FromLabelsSaysWhatItDoesAndWhatIsLost) {
  // A shell of one voxel, thinner than elements and smoothing.
  std::ofstream(path("ball.nrrd"), std::ios::binary) << dgtd::mesher::testing::nrrd(26, 2, [](const dgtd::Vec3& x) {
    return norm(x) < 20 ? 1 : norm(x) < 22 ? 2 : 0;
  });
  const Result result = run("from-labels " + path("ball.nrrd") + " -o " + path("ball.msh") +
                            " --resolution 0.002 --smooth 0.002 --margin 0.03 --per-wavelength 12");
  ASSERT_EQ(result.code, 0) << result.output;
  std::size_t at = 0;
  for (const char* line :
       {"labels: ", "smoothing: ", "surfaces: ", "sizes: about ", "refinement: ", "perturbation, ", "exudation: ",
        "pieces removed: ", "improvement: ", "volumes: ", "dgtd-mesh: warning: tissue 'tissue_2' has ", "tissue_2  "}) {
    const std::size_t found = result.output.find(line, at);
    ASSERT_NE(found, std::string::npos) << line << " is not in\n" << result.output;
    at = found;
  }
  EXPECT_EQ(result.output.find("nan"), std::string::npos) << result.output;
  EXPECT_TRUE(std::filesystem::exists(path("ball.msh")));
}

TEST_F(DgtdMesh, FromLabelsNamesWhatIsWrong) {
  expect_error("from-labels none.nii -o x.stl", "x.stl: a mesh file's name must end in .msh");
  expect_error("from-labels none.nii -o " + path("x.msh"), "none.nii: cannot be opened");
  expect_error("from-labels a.nii -o x.msh --phone", "from-labels: a device needs --position X Y Z, m");
  expect_error("from-labels a.nii -o x.msh --position 1 -2 3",
               "from-labels: --position and --rotation are of a device: --phone or --stl FILE");
  expect_error("from-labels a.nii -o x.msh --phone --position 1 -2",
               "from-labels: --position has three numbers, not '1 -2'");
  std::ofstream(path("a.nii"));
  expect_error("from-labels " + path("a.nii") + " -o x.msh --effort 0",
               "from-labels: effort must be greater than 0, not 0");
  expect_error("from-labels a.nii -o x.msh --exterior cube",
               "from-labels: --exterior 'cube': allowed are sphere and box");
}

TEST_F(DgtdMesh, BadInputIsOneLine) {
  const std::string commands =
      " (allowed: head-phone, spheres, blocks, from-labels, info, convert, curve, partition, --help, --version)";
  expect_error("", "no command" + commands);
  expect_error("head", "unknown command 'head'" + commands);
  expect_error("head-phone --level m7 -o x.msh", "head-phone: unknown level 'm7' (allowed: m0, m1, m2, m3)");
  expect_error("head-phone --level m0",
               "head-phone: the option '--output' is required but missing (options: --level --output --second-order)");
  expect_error("head-phone --lev m0 -o x.msh",
               "head-phone: unrecognised option '--lev' (options: --level --output --second-order)");
  expect_error("head-phone m0 -o x.msh",
               "head-phone: too many positional options have been specified on the command line (options: --level "
               "--output --second-order)");
  expect_error("spheres --radius big --size 1 --name a -o x.msh",
               "spheres: the argument ('big') for option '--radius' is invalid (options: --radius --size --name "
               "--output --refine --exact-volumes --second-order)");
  expect_error("spheres --radius 1 --size 0.5 --name a --refine 0 0 -1 -o x.msh",
               "spheres: --refine has four numbers, not '0 0 -1'");
  expect_error("spheres --radius 1 2 --size 1 --name a -o x.msh",
               "spheres: 2 radii, 1 sizes and 1 names (one size and one name a radius)");
  expect_error("spheres --radius 1 --size 0.5 --name a -o x.stl", "x.stl: a mesh file's name must end in .msh");
}

}  // namespace
