// Files that a run writes: chosen by the case, announced by --dry-run, numbers before fields.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

// The sum of the sizes of all pieces.
double bytes_of_pieces(const fs::path& directory) {
  double sum = 0;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == ".vtu" || entry.path().extension() == ".vtr") sum += double(entry.file_size());
  return sum;
}

double announced_bytes(const std::string& output) {
  const auto end = output.find(" bytes of fields");
  if (end == std::string::npos) return -1;
  return std::stod(output.substr(output.rfind(' ', end - 1) + 1));
}

const std::string tetrahedra =
    "[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.4 0.4 0.4\n[time]\nfrequency = 1e9\nperiods = 1\n"
    "[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n[boundary.*]\ntype = silver-muller\n"
    "[source.feed]\ntype = dipole\nposition = 0.21 0.2 0.19\ndirection = 0 0 1\n"
    "[monitor.cut]\ntype = plane\ncentre = 0.2 0.2 0.2\nsize = 0.4 0.4 0\nfrequencies = 1e9\nspacing = 0.1\n";
const std::string cells =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 24 24 24\nspacing = 4e-3\npml = 6\n[time]\nfrequency = 2e9\nperiods = "
    "1\n"
    "[material.skin]\neps_r = 4\nsigma = 0.5\ndensity = 1000\n[shape.s]\ntype = sphere\nmaterial = skin\nradius = "
    "0.016\n[source.feed]\ntype = dipole\nposition = 0.024 0 0\ndirection = 0 0 1\n";

class Output : public testing::TestWithParam<bool> {
 protected:
  std::string index() const { return GetParam() ? "result.pvtu" : "fields.pvtr"; }
  fs::path started(const std::string& name) const {
    const auto directory = work(name + (GetParam() ? "_mesh" : "_grid"));
    std::ofstream(directory / "a.cfg") << (GetParam() ? tetrahedra : cells);
    return directory;
  }
};
INSTANTIATE_TEST_SUITE_P(MeshAndGrid, Output, testing::Values(true, false));

TEST_P(Output, HasTheSizeThatADryRunSays) {
  const auto directory = started("sizes");
  const std::string run = (directory / "a.cfg").string();
  const std::string group = GetParam() ? "body" : "sk*";
  for (const std::string& set :
       {std::string(), std::string(" --set output.fields='E H SAR'"),
        std::string(" --set output.precision=double --set output.every=50"), " --set output.groups='" + group + "'"}) {
    fs::remove_all(directory / "out");
    const auto dry = dgtd_on(2, run + set + " --dry-run");
    ASSERT_EQ(dry.code, 0) << dry.output;
    ASSERT_FALSE(fs::exists(directory / "out"));
    const auto wet = dgtd_on(2, run + set);
    ASSERT_EQ(wet.code, 0) << wet.output;
    const double written = bytes_of_pieces(directory / "out" / "a");
    EXPECT_NEAR(announced_bytes(dry.output) / written, 1, 0.02) << set << "\n" << dry.output;
    EXPECT_EQ(summary(directory / "out" / "a")["output_bytes"], written) << set;
    EXPECT_GT(summary(directory / "out" / "a")["output_memory_bytes"], 0);
  }
}

TEST_P(Output, IsTheAmplitudeAndSarByDefaultAndWholeFieldsOnDemand) {
  const auto directory = started("fields");
  const auto at = directory / "out" / "a";
  const std::string run = (directory / "a.cfg").string();
  ASSERT_EQ(dgtd(run).code, 0);
  const std::string small = content(at / index());
  for (const char* array : {"E_amplitude_V_per_m", "SAR_W_per_kg", "SAR_over_max", "SAR_over_max_dB"})
    EXPECT_NE(small.find(std::string("\"") + array + "\""), std::string::npos) << array;
  for (const char* array : {"E_real", "E_imag", "H_real"}) EXPECT_EQ(small.find(array), std::string::npos) << array;
  const double bytes = bytes_of_pieces(at);
  const auto hash = summary(at)["fields_hash"];
  ASSERT_EQ(dgtd(run + " --set output.fields='E H SAR'").code, 0);
  const std::string whole = content(at / index());
  for (const char* array : {"E_real_V_per_m", "E_imag_V_per_m", "H_real_A_per_m", "H_imag_A_per_m", "SAR_W_per_kg"})
    EXPECT_NE(whole.find(std::string("\"") + array + "\""), std::string::npos) << array;
  EXPECT_GT(bytes_of_pieces(at), 2 * bytes);
  EXPECT_EQ(summary(at)["fields_hash"], hash);
  EXPECT_EQ(fs::exists(at / "monitor_cut.pvtr"), GetParam());
}

// Within 5 %, or 15 MB of libraries and stacks where a run is as small as these.
TEST_P(Output, NeedsTheMemoryThatWasForetold) {
  const auto directory = started("memory");
  const std::string run = (directory / "a.cfg").string() + " --set output.directory=" + (directory / "out").string();
  const std::string larger =
      GetParam() ? " --set mesh.cells='11 11 11'" : " --set grid.cells='70 70 70' --set grid.spacing=1.5e-3";
  const std::string voxels = GetParam() ? " --set sar.voxel=2.5e-3" : "";
  for (const std::string& set : {std::string(), " --set output.fields=none" + larger,
                                 " --set output.fields='E H'" + larger, " --set sar.mass=1" + voxels + larger}) {
    const auto done = dgtd(run + set);
    ASSERT_EQ(done.code, 0) << done.output;
    const auto s = summary(directory / "out");
    const double foretold = s["memory_foretold_bytes"][0], peak = s["memory_peak_bytes"];
    EXPECT_NEAR(foretold, peak, std::max(0.05 * peak, 15e6)) << set;
  }
}

TEST_P(Output, HasItsNumbersBeforeTheFields) {
  const auto directory = started("full");
  const auto at = directory / "out" / "a";
  fs::create_directories(at);
  fs::create_symlink("/dev/full", at / (GetParam() ? "result_0.vtu.tmp" : "fields_0.vtr.tmp"));
  const auto run = dgtd((directory / "a.cfg").string());
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.output.find("cannot write: No space left on device"), std::string::npos) << run.output;
  EXPECT_GT(summary(at)["power"]["source_W"], 0);
  EXPECT_TRUE(fs::exists(at / "report.html"));
  EXPECT_FALSE(fs::exists(at / index()));
}

TEST_P(Output, NamesTheVolumesThatThereAre) {
  const auto directory = started("groups");
  const auto run = dgtd((directory / "a.cfg").string() + " --dry-run --set output.groups=bone");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.output.find("output.groups: bone: there is no such volume; allowed are " +
                            std::string(GetParam() ? "body" : "(background), skin") + ", with * for any text"),
            std::string::npos)
      << run.output;
}

}  // namespace
