// More ranks than a small mesh or grid has work for.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "app/program.hpp"

namespace {

/// A unit cube of n^3 cells of six tetrahedra each in MSH 2.2, its surface in group 1 and its volume in group 2.
void write_cube(const fs::path& file, int n) {
  std::ofstream out(file);
  const int m = n + 1;
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"wall\"\n3 2 \"air\"\n$EndPhysicalNames\n";
  out << "$Nodes\n" << m * m * m << "\n";
  for (int v = 0; v < m * m * m; ++v)
    out << v + 1 << " " << double(v % m) / n << " " << double(v / m % m) / n << " " << double(v / m / m) / n << "\n";
  out << "$EndNodes\n";
  std::string lines;
  int count = 0;
  const auto add = [&](const std::string& line) { lines += std::to_string(++count) + " " + line + "\n"; };
  for (int cell = 0; cell < n * n * n; ++cell) {
    std::array<int, 3> axes{0, 1, 2};
    do {  // along three edges from the cell's lowest corner to its highest
      std::array<int, 3> at{cell % n, cell / n % n, cell / n / n};
      std::array<std::array<int, 3>, 4> corner{at, at, at, at};
      for (int c = 1; c < 4; ++c) ++at[axes[c - 1]], corner[c] = at;
      const auto number = [&](int c) {
        return std::to_string((corner[c][2] * m + corner[c][1]) * m + corner[c][0] + 1);
      };
      add("4 2 2 1 " + number(0) + " " + number(1) + " " + number(2) + " " + number(3));
      for (int f = 0; f < 4; ++f) {
        const int a = f == 0, b = f <= 1 ? 2 : 1, c = f <= 2 ? 3 : 2;
        for (int axis = 0; axis < 3; ++axis)
          if (const int x = corner[a][axis]; (x == 0 || x == n) && corner[b][axis] == x && corner[c][axis] == x)
            add("2 2 1 1 " + number(a) + " " + number(b) + " " + number(c));
      }
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  out << "$Elements\n" << count << "\n" << lines << "$EndElements\n";
}

const char* const cavity =
    "[solver]\norder = 1\nprecision = double\n[boundary.*]\ntype = pec\n[initial]\ntype = cavity-mode\nmode = 1 1 0\n"
    "[time]\nsteps = 3\n[probe.p]\nposition = 0.3 0.3 0.3\n[output]\nfields = none\ndirectory = out\n";

nlohmann::json hash_in(const fs::path& directory) { return summary(directory / "out")["fields_hash"]; }

// 162 elements for 64 and, in the full study (DGTD_FULL=1), 128 ranks: METIS leaves some without.
TEST(ManyRanks, EachHasAnElementOfASmallMeshAndFieldsAreTheSame) {
  const auto directory = work("many_ranks");
  write_cube(directory / "cube.msh", 3);
  std::ofstream(directory / "a.cfg") << cavity << "[mesh]\nfile = cube.msh\n[material.air]\n";
  const auto one = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(one.code, 0) << one.output;
  EXPECT_NE(one.output.find("mesh: 162 tetrahedra"), std::string::npos) << one.output;
  const auto hash = hash_in(directory);
  for (const int ranks : {64, 128}) {
    if (ranks > 64 && std::getenv("DGTD_FULL") == nullptr) continue;
    const auto many = dgtd_on(ranks, (directory / "a.cfg").string());
    ASSERT_EQ(many.code, 0) << many.output;
    EXPECT_EQ(hash_in(directory), hash);
    EXPECT_EQ(summary(directory / "out")["ranks"], ranks);
    EXPECT_NE(many.output.find("mesh: 162 tetrahedra, 1 to "), std::string::npos) << many.output;
    EXPECT_NE(many.output.find("of " + std::to_string(ranks) +
                               " ranks would have no elements, and took one each from others; fewer ranks are "
                               "faster\n"),
              std::string::npos)
        << many.output;
  }
}

TEST(ManyRanks, MoreThanElementsOrCellsAreAnError) {
  const auto directory = work("too_many_ranks");
  write_cube(directory / "cube.msh", 1);
  std::ofstream(directory / "file.cfg") << cavity << "[mesh]\nfile = cube.msh\n[material.air]\n";
  std::ofstream(directory / "box.cfg") << cavity << "[mesh]\ngenerator = box\ncells = 2 1 1\nsize = 1 1 1\n";
  std::ofstream(directory / "grid.cfg") << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 2 2 2\nspacing = 0.1\n"
                                           "[boundary.*]\ntype = pec\n[time]\nsteps = 2\n[output]\ndirectory = out\n";
  const struct {
    int ranks;
    const char *name, *message;
  } cases[] = {{7, "file.cfg", "dgtd: error: cube.msh: 7 ranks for 6 elements; allowed are 1 to 6\n"},
               {3, "box.cfg", "dgtd: error: box: 3 ranks for 2 cells; at most a rank a cell\n"},
               {9, "grid.cfg", "dgtd: error: grid: 9 ranks for 2 x 2 x 2 cells; use fewer ranks\n"}};
  for (const auto& c : cases) {
    const auto run = dgtd_on(c.ranks, (directory / c.name).string());
    expect_bad_input(run, c.message);
  }
}

TEST(ManyRanks, AGridOfOneCellForEachRankHasTheSameFields) {
  const auto directory = work("one_cell_each");
  std::ofstream(directory / "a.cfg") << "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 2 2 2\n"
                                        "spacing = 0.5\norigin = 0 0 0\n[boundary.*]\ntype = pec\n[initial]\n"
                                        "type = cavity-mode\nmode = 1 1 0\n[time]\nsteps = 3\n"
                                        "[output]\nfields = none\ndirectory = out\n";
  const auto one = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(one.code, 0) << one.output;
  const auto hash = hash_in(directory);
  const auto many = dgtd_on(8, (directory / "a.cfg").string());
  ASSERT_EQ(many.code, 0) << many.output;
  EXPECT_EQ(hash_in(directory), hash);
}

}  // namespace
