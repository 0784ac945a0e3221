// Every result of a run, on 1 to 8 ranks: probes and hashes to the bit, sums over ranks to rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "app/program.hpp"

namespace {

struct GridCase {
  const char* name;
  std::vector<int> ranks;
  std::array<int, 3> cells;
  double spacing;    // m
  const char* text;  // the case without probes; around the origin
};

const char* const snapshots = "[snapshot.b]\ntimes = 1e-10\nfiles = npy\nfields = E H\n";

// 40 steps: waves cross all cuts. Regions lie across the cuts; sides of each kind.
const GridCase grid_cases[] = {
    {"fdtd3d",
     {2, 3, 4, 5, 6, 7, 8},
     {8, 7, 6},
     5e-3,
     "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 8 7 6\nspacing = 5e-3\npml = 2\n[boundary.xmin]\n"
     "type = pec\n[boundary.ymin]\ntype = periodic\n[boundary.ymax]\ntype = periodic\n[boundary.zmin]\ntype = pmc\n"
     "[time]\nfrequency = 3e9\nsteps = 40\n[material.skin]\neps_r = 4\nsigma = 0.5\ndensity = 1000\n[shape.s]\n"
     "type = sphere\nmaterial = skin\nradius = 0.008\n[source.d]\ntype = dipole\nposition = 0.003 0.004 -0.01\n"
     "direction = 1 2 3\n[flux.f]\ntype = box\nsize = 0.02 0.02 0.015\nfrequencies = 3e9\n[monitor.m]\ntype = box\n"
     "size = 0.02 0.02 0.015\nfrequencies = 3e9\n[far_field.g]\nsize = 0.02 0.02 0.015\nfrequencies = 3e9\n"
     "theta = 3\nphi = 2\n"},
    {"bloch",
     {2, 4, 6},
     {8, 1, 8},
     5e-3,
     "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 8 1 8\nspacing = 5e-3\npml = 2\n[boundary.xmin]\n"
     "type = bloch\nphase = 1.2\n[boundary.xmax]\ntype = bloch\nphase = 1.2\n[boundary.ymin]\ntype = periodic\n"
     "[boundary.ymax]\ntype = periodic\n[time]\nsteps = 40\n[source.d]\ntype = dipole\nposition = 0.006 0 0.003\n"
     "direction = 1 2 3\nfrequency = 3e9\n"},
    {"fdtd2d",
     {2, 3, 4, 5, 6, 7, 8},
     {12, 11, 1},
     5e-3,
     "[solver]\nmethod = fdtd2d\nprecision = double\n[grid]\ncells = 12 11\nspacing = 5e-3\npml = 3\n[time]\nsteps = "
     "40\n[source.d]\ntype = dipole\nposition = 0.006 0.003\ndirection = 0 0 1\nfrequency = 3e9\n[source.e]\n"
     "type = dipole\nposition = -0.006 0.003\ndirection = 1 2 0\nfrequency = 3e9\n"},
    {"fdtd1d",
     {2, 3, 8},
     {24, 1, 1},
     5e-3,
     "[solver]\nmethod = fdtd1d\nprecision = double\n[grid]\ncells = 24\nspacing = 5e-3\npml = 4\n[time]\nsteps = 40\n"
     "[source.s]\ntype = sheet\ncentre = 0\nsize = 0\npolarisation = 0 0 1\nfrequency = 3e9\n"},
    {"hpf2d",
     {2, 3, 4, 5, 6, 7, 8},
     {5, 32, 1},
     5e-3,
     "[solver]\nmethod = hpf2d\nprecision = double\n[grid]\ncells = 5 32\nspacing = 5e-3\n[boundary.*]\ntype = mur\n"
     "[time]\nsteps = 40\n[source.d]\ntype = dipole\nposition = 0 0\ndirection = 0 0 1\nfrequency = 3e9\n"},
    {"hpf2d_lines",
     {2, 3, 8},
     {32, 5, 1},
     5e-3,
     "[solver]\nmethod = hpf2d\nstencil = line\nprecision = double\n[grid]\ncells = 32 5\nspacing = "
     "5e-3\n[boundary.*]\ntype = "
     "periodic\n[material.glass]\neps_r = 3\n[shape.s]\ntype = cylinder\n"
     "material = glass\nradius = 0.01\n[time]\nsteps = 40\n[source.d]\ntype = dipole\nposition = 0 0\ndirection = 0 0 "
     "1\nfrequency = 3e9\n"},
};

/// A probe in every cell, because any of them is next to a cut for some number of ranks.
std::string probes(const GridCase& grid) {
  std::string text;
  const auto& n = grid.cells;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        const auto at = [&](int cell, int axis) { return std::to_string((cell + 0.5 - 0.5 * n[axis]) * grid.spacing); };
        text += "[probe.p" + std::to_string((k * n[1] + j) * n[0] + i) + "]\nposition = " + at(i, 0);
        if (n[1] > 1 || n[2] > 1) text += " " + at(j, 1);
        if (n[2] > 1) text += " " + at(k, 2);
        text += "\nevery = 13\n";
      }
  return text;
}

/// Numbers that agree to rounding: 1e-9 of the largest, 4e6 times the rounding of double precision.
void expect_same_numbers(const fs::path& one, const fs::path& many, const std::string& what) {
  const Table a = table(one), b = table(many);
  ASSERT_EQ(a.head, b.head) << what;
  ASSERT_EQ(a.rows.size(), b.rows.size()) << what;
  ASSERT_FALSE(a.rows.empty()) << what;
  for (std::size_t column = 0; column < a.rows[0].size(); ++column) {
    double largest = 0, difference = 0;
    for (std::size_t r = 0; r < a.rows.size(); ++r) {
      largest = std::max(largest, std::abs(a.rows[r][column]));
      difference = std::max(difference, std::abs(a.rows[r][column] - b.rows[r][column]));
    }
    EXPECT_LE(difference, 1e-9 * largest) << what << ", column " << column;
  }
}

/// Tables, arrays and keys of two runs of a case.
void expect_same_results(const fs::path& one, const fs::path& many) {
  for (const auto& entry : fs::directory_iterator(one)) {
    const std::string name = entry.path().filename().string(), what = many.string() + ": " + name;
    const bool is_sum =
        name == "energy.csv" || name == "absorbed.csv" || name.rfind("flux_", 0) == 0 || name.rfind("far_", 0) == 0;
    const auto kind = entry.path().extension();
    if (is_sum) {
      expect_same_numbers(entry.path(), many / name, what);
    } else if (kind == ".csv" || kind == ".npy" || kind == ".vti") {
      EXPECT_TRUE(content(entry.path()) == content(many / name)) << what;
    }
  }
  const auto a = summary(one), b = summary(many);
  EXPECT_EQ(a["fields_hash"], b["fields_hash"]) << many;
  for (const char* key : {"steps", "dt_s", "method"}) EXPECT_EQ(a[key], b[key]) << many;
}

class RanksAgree : public testing::TestWithParam<GridCase> {};

TEST_P(RanksAgree, OnAllResultsWithProbesInEveryCell) {
  const auto& grid = GetParam();
  const auto directory = work(std::string("ranks_agree_") + grid.name);
  std::ofstream(directory / "a.cfg") << grid.text << probes(grid)
                                     << (std::string(grid.name).rfind("fdtd", 0) == 0 ? snapshots : "")
                                     << "[output]\nfields = none\n";
  const auto options = [&](int ranks) {
    return (directory / "a.cfg").string() + " --set output.directory=" + (directory / std::to_string(ranks)).string();
  };
  const auto one = dgtd(options(1));
  ASSERT_EQ(one.code, 0) << one.output;
  const std::size_t files = std::distance(fs::directory_iterator(directory / "1"), fs::directory_iterator());
  EXPECT_GT(files, std::size_t(grid.cells[0]) * grid.cells[1] * grid.cells[2]);
  for (const int ranks : grid.ranks) {
    const auto many = dgtd_on(ranks, options(ranks));
    ASSERT_EQ(many.code, 0) << many.output;
    expect_same_results(directory / "1", directory / std::to_string(ranks));
    fs::remove_all(directory / std::to_string(ranks));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RanksAgree, testing::ValuesIn(grid_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(RanksAgreeOnTetrahedra, WithProbesOnBothSidesOfCuts) {
  const auto directory = work("ranks_agree_dgtd");
  std::ofstream out(directory / "a.cfg");
  out << "[solver]\norder = 1\nprecision = double\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 0.3 0.3 0.3\n[time]\n"
         "frequency = 1e9\nperiods = 2\n[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n[boundary.*]\ntype = "
         "silver-muller\n[source.d]\ntype = dipole\nposition = 0.16 0.15 0.14\ndirection = 0 0 1\n[output]\n"
         "fields = none\n";
  for (int n = 0; n < 216; ++n)
    out << "[probe.p" << n << "]\nposition = " << 0.05 * (n % 6 + 0.4) << " " << 0.05 * (n / 6 % 6 + 0.45) << " "
        << 0.05 * (n / 36 + 0.55) << "\nevery = 13\n";
  out.close();
  const auto options = [&](int ranks) {
    return (directory / "a.cfg").string() + " --set output.directory=" + (directory / std::to_string(ranks)).string();
  };
  const auto one = dgtd(options(1));
  ASSERT_EQ(one.code, 0) << one.output;
  for (const int ranks : {2, 5, 8}) {
    const auto many = dgtd_on(ranks, options(ranks));
    ASSERT_EQ(many.code, 0) << many.output;
    expect_same_results(directory / "1", directory / std::to_string(ranks));
  }
}

}  // namespace
