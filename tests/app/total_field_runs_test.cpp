// A plane wave in a total field on tetrahedra, as a user runs it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

const std::string mesh =
    "[solver]\norder = 2\n[mesh]\ngenerator = box\ncells = 6 6 6\nsize = 0.6 0.6 0.6\n[boundary.*]\ntype = "
    "silver-muller\n[material.air]\n";
const std::string wave =
    "[source.w]\ntype = plane-wave\ndirection = 0 0.6 0.8\npolarisation = 1 0 0\namplitude = 2\nwaveform = "
    "ramped-sine\nposition = 0.3 0.3 0.3\n";
const std::string inside = "box_min = 0.2 0.2 0.2\nbox_max = 0.4 0.4 0.4\n";
const std::string time_and_output =
    "[time]\nfrequency = 5e8\nperiods = 6\n[output]\nfields = none\nreport_pictures = off\n";

std::string write(const fs::path& directory, const std::string& name, const std::string& text) {
  std::ofstream(directory / name) << text;
  return (directory / name).string();
}

/// Largest |E| of a probe in the last period, V/m. periods: of the run.
double amplitude(const fs::path& probe, double periods) {
  const Table rows = table(probe);
  double largest = 0;
  for (std::size_t i = static_cast<std::size_t>(double(rows.rows.size()) * (periods - 1) / periods);
       i < rows.rows.size(); ++i)
    largest = std::max(largest, std::sqrt(std::pow(rows.rows[i].at(1), 2) + std::pow(rows.rows[i].at(2), 2) +
                                          std::pow(rows.rows[i].at(3), 2)));
  return largest;
}

TEST(TotalFieldRuns, HaveTheWaveInTheBoxAlone) {
  const auto directory = work("total_field");
  const std::string probes = "[probe.in]\nposition = 0.29 0.31 0.3\n[probe.out]\nposition = 0.29 0.31 0.52\n";
  const auto run = dgtd(write(directory, "a.cfg", mesh + wave + inside + time_and_output + probes));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NEAR(amplitude(directory / "out/a/probe_in.csv", 6), 2, 0.04);
  EXPECT_LT(amplitude(directory / "out/a/probe_out.csv", 6), 0.04);
  const auto text = content(directory / "out/a/resolved.cfg");
  EXPECT_NE(text.find("box_min = 0.2 0.2 0.2"), std::string::npos) << text;
}

// The elements of a group are those with their centroids in its box.
TEST(TotalFieldRuns, VolumeGroupsHaveTheWaveAsTheirBoxWould) {
  const auto directory = work("total_field_group");
  const std::string shapes =
      "[solver]\norder = 2\nprecision = double\n[domain]\nsize = 0.6 0.6 0.6\norigin = 0 0 0\n[mesh]\nper_wavelength = "
      "6\n"
      "[boundary.*]\ntype = silver-muller\n[material.inside]\n[shape.inside]\ntype = box\nmaterial = inside\n"
      "centre = 0.3 0.3 0.3\nsize = 0.2 0.2 0.2\n[probe.in]\nposition = 0.29 0.31 0.3\n[probe.out]\nposition = 0.29 "
      "0.31 0.52\n";
  const std::string group = "total_field = inside\n";
  const auto by_group = dgtd(write(directory, "group.cfg", shapes + wave + group + time_and_output));
  ASSERT_EQ(by_group.code, 0) << by_group.output;
  EXPECT_NEAR(amplitude(directory / "out/group/probe_in.csv", 6), 2, 0.04);
  EXPECT_LT(amplitude(directory / "out/group/probe_out.csv", 6), 0.04);
  const auto by_box = dgtd(write(directory, "box.cfg", shapes + wave + inside + time_and_output));
  ASSERT_EQ(by_box.code, 0) << by_box.output;
  EXPECT_EQ(summary(directory / "out/group").at("fields_hash"), summary(directory / "out/box").at("fields_hash"));
  const auto text = content(directory / "out/group/resolved.cfg");
  EXPECT_NE(text.find("total_field = inside"), std::string::npos) << text;
  expect_bad_input(dgtd(write(directory, "both.cfg", shapes + wave + inside + group + time_and_output)),
                   "source.w.total_field = inside: is given beside source.w.box_min; one of them is allowed");
  expect_bad_input(dgtd((directory / "group.cfg").string() + " --set source.w.total_field=outside"),
                   "source.w: total_field: the mesh has no volume group 'outside'; it has ");
}

// A wave through the absorbing boundary beside one in a box: both are where they belong.
TEST(TotalFieldRuns, StandBesideAWaveThroughTheBoundary) {
  const auto directory = work("total_field_two");
  std::string other = wave;
  other.replace(other.find("source.w"), 8, "source.v");
  other.replace(other.find("amplitude = 2"), 13, "amplitude = 1");
  const std::string probes = "[probe.in]\nposition = 0.29 0.31 0.3\n[probe.out]\nposition = 0.29 0.31 0.52\n";
  const auto run = dgtd(write(directory, "a.cfg", mesh + wave + inside + other + time_and_output + probes));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NEAR(amplitude(directory / "out/a/probe_in.csv", 6), 3, 0.06);
  EXPECT_NEAR(amplitude(directory / "out/a/probe_out.csv", 6), 1, 0.06);
}

// 2 V/m in eps_r = 4: 4 / (2 Z0 / 2).
TEST(TotalFieldRuns, HaveAPowerDensity) {
  const auto directory = work("total_field_power");
  const auto run =
      dgtd(write(directory, "a.cfg",
                 mesh + "eps_r = 4\n" + wave + inside + "[sar]\nnormalise = incident\n" + time_and_output) +
           " --set time.periods=2 --set solver.order=1");
  ASSERT_EQ(run.code, 0) << run.output;
  const double power = summary(directory / "out/a")["sar"]["run_power_W_per_m2"];
  EXPECT_NEAR(power * 376.730313668 / 4, 1, 1e-9);
}

TEST(TotalFieldRuns, RefuseWhatHasNoMeaning) {
  const auto directory = work("total_field_refused");
  const auto refused = [&](const std::string& name, const std::string& box, const std::string& message) {
    const std::string file = write(directory, name + ".cfg", mesh + wave + box + time_and_output);
    expect_bad_input(dgtd(file), message);
  };
  refused(
      "empty", "box_min = 0.301 0.301 0.301\nbox_max = 0.302 0.302 0.302\n",
      ": source.w: no element has its centroid between box_min and box_max: give a larger box, or smaller elements\n");
  refused("one", "box_min = 0.2 0.2 0.2\n", "source.w.box_max is required (3 numbers, m, with box_min)\n");
  refused("other", "box_max = 0.2 0.2 0.2\n", "source.w.box_min is required (3 numbers, m, with box_max)\n");
  refused("wide", "box_min = 0.2 0.2 0\nbox_max = 0.4 0.4 0.4\n",
          "reach the elements of the absorbing boundary, near ");
  const std::string closed =
      write(directory, "closed.cfg", mesh + wave + "box_min = -1 -1 -1\nbox_max = 1 1 1\n" + time_and_output);
  expect_bad_input(dgtd(closed + " --set 'boundary.*.type=pec'"),
                   ": source.w: all elements are between box_min and box_max: the wave enters through faces inside the "
                   "mesh, so elements must be outside\n");
  expect_bad_input(dgtd(write(directory, "lossy.cfg", mesh + "sigma = 0.1\n" + wave + inside + time_and_output)),
                   ": source.w: the faces between box_min and box_max and their outside touch 'air', which has sigma = "
                   "0.1 S/m; they must be inside of one lossless material, a layer of its elements away from others\n");
}

}  // namespace
