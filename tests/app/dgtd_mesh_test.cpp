// The program dgtd-mesh as a user runs it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

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
  for (const char* word : {"head-phone", "spheres", "--level", "--radius", "--size", "--name", "-o FILE"})
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

TEST_F(DgtdMesh, MakesTheSameFileEveryTime) {
  for (const char* name : {"first.msh", "a_longer_name.msh"})
    ASSERT_EQ(run("head-phone --level m0 -o " + path(name)).code, 0);
  EXPECT_TRUE(content("first.msh") == content("a_longer_name.msh"));
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
  while (std::getline(lines, line)) {
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
  expect_error("partition " + path("s.msh"),
               "partition: the option '--parts' is required but missing (options: --file --parts)");
  expect_error("partition " + path("none.msh") + " 2", "mesh file " + path("none.msh") + " does not exist");
}

TEST_F(DgtdMesh, BadInputIsOneLine) {
  const std::string commands = " (allowed: head-phone, spheres, partition, --help, --version)";
  expect_error("", "no command" + commands);
  expect_error("head", "unknown command 'head'" + commands);
  expect_error("head-phone --level m7 -o x.msh", "head-phone: unknown level 'm7' (allowed: m0, m1, m2, m3)");
  expect_error("head-phone --level m0",
               "head-phone: the option '--output' is required but missing (options: --level --output)");
  expect_error("head-phone --lev m0 -o x.msh", "head-phone: unrecognised option '--lev' (options: --level --output)");
  expect_error(
      "head-phone m0 -o x.msh",
      "head-phone: too many positional options have been specified on the command line (options: --level --output)");
  expect_error(
      "spheres --radius big --size 1 --name a -o x.msh",
      "spheres: the argument ('big') for option '--radius' is invalid (options: --radius --size --name --output)");
  expect_error("spheres --radius 1 2 --size 1 --name a -o x.msh",
               "spheres: 2 radii, 1 sizes and 1 names (one size and one name a radius)");
  expect_error("spheres --radius 1 --size 0.5 --name a -o x.stl", "x.stl: a mesh file's name must end in .msh");
}

}  // namespace
