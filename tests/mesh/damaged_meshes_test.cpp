// Damaged Gmsh files: whatever is broken in them, a program that reads them ends by itself, with one line where it
// fails, and never by a signal.
#include <fmt/format.h>
#include <gmsh.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <random>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/generate/gmsh_session.hpp"
#include "mesh/scratch_folder.hpp"

namespace dgtd::mesh {
namespace {

using testing::ScratchFolder;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A cube of some 1000 tetrahedra with a named volume and hull, as Gmsh writes it.
std::string cube(const ScratchFolder& folder, double version, bool binary) {
  const auto file = folder / "whole.msh";
  {
    const GmshSession session;
    gmsh::model::occ::addBox(0, 0, 0, 1, 1, 1);
    gmsh::model::occ::synchronize();
    gmsh::model::setPhysicalName(3, gmsh::model::addPhysicalGroup(3, {1}), "inside");
    gmsh::model::setPhysicalName(2, gmsh::model::addPhysicalGroup(2, {1, 2, 3, 4, 5, 6}), "hull");
    gmsh::option::setNumber("Mesh.MeshSizeMax", 0.7);
    gmsh::option::setNumber("Mesh.MshFileVersion", version);
    gmsh::option::setNumber("Mesh.Binary", binary);
    gmsh::model::mesh::generate(3);
    gmsh::write(file.string());
  }
  return text_of(file);
}

/// One or two things that happen to files: a byte or a number changes, a part is lost or there twice, the end is lost.
std::string mutate(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
  const char* const numbers[] = {"0",           "-1",  "1",     "2", "7", "99", "4294967296", "99999999999999",
                                 "-2147483648", "nan", "1e999", "x"};
  for (std::size_t times = 1 + below(2); times > 0; --times) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 2: text.erase(at, 1 + below(40)); break;
      case 3: text.insert(at, text.substr(below(text.size()), 1 + below(40))); break;
      case 4: text.resize(at); break;
      default: {  // the word at this place
        const auto blank = [](char c) { return c == ' ' || c == '\n'; };
        std::size_t first = at, last = at;
        while (first > 0 && !blank(text[first - 1])) --first;
        while (last < text.size() && !blank(text[last])) ++last;
        text.replace(first, last - first, numbers[below(std::size(numbers))]);
      }
    }
    if (text.empty()) break;
  }
  return text;
}

/// How a process ended.
struct Ending {
  int status;
  std::string lines;  // on standard error
};

/// Does the work in a process of its own, which ends as the programs do.
template <class Work>
Ending run_apart(const std::filesystem::path& log, const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    omp_set_num_threads(1);  // the threads of the process that was copied are not here
    if (std::freopen(log.c_str(), "w", stderr) == nullptr) _exit(99);
    int code = 0;
    try {
      work();
    } catch (const Error& error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      code = static_cast<int>(error.code());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "exception: %s\n", error.what());
      code = 98;
    }
    std::fflush(stderr);
    _exit(code);
  }
  Ending ending{};
  waitpid(child, &ending.status, 0);
  ending.lines = text_of(log);
  return ending;
}

TEST(DamagedMeshes, EndWithOneLine) {
  constexpr int mutations = 120;
  const ScratchFolder folder("damaged");
  for (const double version : {2.2, 4.1})
    for (const bool binary : {false, true}) {
      const std::string whole = cube(folder, version, binary);
      int sound = 0, refused = 0;
      for (int n = 0; n < mutations; ++n) {
        std::mt19937 random(static_cast<unsigned>(1000 * version) + 10000u * binary + static_cast<unsigned>(n));
        const auto file = folder.write("damaged.msh", mutate(whole, random));
        const Ending ending = run_apart(folder / "log", [&] { check(read_gmsh(file, 1)); });
        const std::string which = fmt::format("version {} binary {} mutation {}: {}", version, binary, n, ending.lines);
        ASSERT_TRUE(WIFEXITED(ending.status)) << which << "signal " << WTERMSIG(ending.status);
        const int code = WEXITSTATUS(ending.status);
        EXPECT_TRUE(code == 0 || code == 2) << which << "code " << code;
        if (code != 0) {
          EXPECT_EQ(std::count(ending.lines.begin(), ending.lines.end(), '\n'), 1) << which;
          EXPECT_NE(ending.lines.find("damaged.msh"), std::string::npos) << which;
        }
        (code == 0 ? sound : refused)++;
      }
      std::printf("MSH %g %s: %d of %d mutations are still a mesh, %d are refused\n", version,
                  binary ? "binary" : "ASCII", sound, mutations, refused);
      EXPECT_GT(refused, mutations / 4);  // the mutations do damage
    }
}

}  // namespace
}  // namespace dgtd::mesh
