// Field monitors of runs on grids: their files, on any number of ranks, read by the picture script.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

// Output of the picture script for a file in a directory, without the picture's name.
std::string picture(const fs::path& directory, const std::string& file_and_options) {
  const auto run = shell("/usr/bin/python3 " + project_file("scripts/grid_picture.py") + " --output " +
                         (directory / "p.png").string() + " " + directory.string() + "/" + file_and_options);
  EXPECT_EQ(run.code, 0) << run.output;
  const auto said = run.output.find("p.png: largest ");
  EXPECT_NE(said, std::string::npos) << run.output;
  return said == std::string::npos ? "" : run.output.substr(said);
}

// Monitors of one frequency and of several, on any number of ranks; what the files hold is read back by the picture
// script.
TEST(FieldMonitors, FieldMonitorsWriteGrids) {
  const auto directory = work("monitors");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 20 24 28\nspacing = 0.01\npml = 5\n[time]\nsteps = 200\n"
         "[source.d]\ntype = dipole\nposition = 0.005 0 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency "
         "= 1.2e9\nbandwidth = 1.2e9\n"
         "[monitor.cut]\ntype = plane\ncentre = 0 0 0.03\nsize = 1 1 0\nfrequencies = 1.5e9 1e9\n"
         "[monitor.near]\ntype = box\nsize = 0.1 0.1 0.1\nfrequencies = 1e9\nfields = H\n"
         "[output]\nfields = none\n";
  std::string pictures[2];
  const bool has_python = shell("/usr/bin/python3 -c 'import matplotlib'").code == 0;
  for (const int ranks : {1, 4}) {
    const auto out = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string() + " --set output.directory=" + out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    for (const char* file : {"monitor_cut.pvd", "monitor_cut_0001.pvtr", "monitor_cut_0002.pvtr", "monitor_near.pvtr"})
      EXPECT_TRUE(fs::exists(out / file)) << file;
    EXPECT_FALSE(fs::exists(out / "monitor_near.pvd") || fs::exists(out / "fields.pvtr"));
    const std::string text = content(out / "monitor_cut.pvd");
    EXPECT_NE(text.find("<DataSet timestep=\"1500000000\" part=\"0\" file=\"monitor_cut_0002.pvtr\"/>"),
              std::string::npos)
        << text;
    const std::string head = content(out / "monitor_cut_0001.pvtr");
    EXPECT_NE(head.find("WholeExtent=\"0 20 0 24 17 17\""), std::string::npos) << head;
    for (const char* array : {"E_amplitude_V_s_per_m", "E_real_V_s_per_m", "E_imag_V_s_per_m", "H_amplitude_A_s_per_m",
                              "H_real_A_s_per_m", "H_imag_A_s_per_m"})
      EXPECT_NE(head.find(array), std::string::npos) << array;
    if (!has_python) continue;
    for (const char* what :
         {"monitor_cut.pvd --frequency 1.4e9 --component z --phase 30", "monitor_near.pvtr --show H --normal y"})
      pictures[ranks > 1] += picture(out, what);
  }
  EXPECT_EQ(pictures[0], pictures[1]);
  const struct {
    int code;
    const char *arguments, *message;
  } bad[] = {{2, "--set monitor.cut.centre='0 0 0.5'",
              "monitor.cut: z = 0.5 m is not inside the grid; a plane across z may lie from -0.13 to 0.13 m"},
             {2, "--set monitor.near.centre='1 0 0'",
              "monitor.near: from 0.95 to 1.05 m along x there is no cell; the grid goes from -0.1 to 0.1 m"},
             {3,
              "--set monitor.all.type=box --set monitor.all.size='9 9 9' --set monitor.all.wavelengths='0.1 0.2 "
              "100000' --set grid.cells='400 400 400'",
              "smaller monitors with fewer frequencies"}};
  for (const auto& b : bad) {
    const auto run = dgtd((directory / "a.cfg").string() + " --dry-run " + b.arguments);
    EXPECT_EQ(run.code, b.code) << run.output;
    EXPECT_NE(run.output.find(b.message), std::string::npos) << run.output;
  }
  if (!has_python) GTEST_SKIP() << "no matplotlib: files are written, not read";
  // Grids of two dimensions, where several steps go in one pass, and where they do not.
  std::ofstream(directory / "plane.cfg")
      << "[solver]\nmethod = fdtd2d\n[grid]\ncells = 60 50\nspacing = 0.01\npml = 5\n[time]\nsteps = 203\n"
         "[source.d]\ntype = dipole\nposition = 0.005 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = "
         "1.2e9\nbandwidth = 1.2e9\n"
         "[monitor.all]\ntype = box\nsize = 1 1\nfrequencies = 1e9\n[monitor.cut]\ntype = plane\ncentre = 0.1 0\nsize "
         "= 0 1\nfrequencies = 1e9\n"
         "[output]\nfields = none\n";
  std::string of_kernels[2];
  for (const char* kernels : {"fused", "split"}) {
    const auto out = directory / kernels;
    const auto run = dgtd((directory / "plane.cfg").string() + " --set solver.kernels=" + kernels +
                          " --set output.directory=" + out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    for (const char* what : {"monitor_all.pvtr"}) of_kernels[kernels[0] == 's'] += picture(out, what);
  }
  EXPECT_EQ(of_kernels[0], of_kernels[1]);
  const auto none = shell("/usr/bin/python3 " + project_file("scripts/grid_picture.py") + " " +
                          (directory / "1" / "monitor_near.pvtr").string());
  EXPECT_NE(none.code, 0);
  EXPECT_NE(none.output.find("no E; it has H_amplitude_A_s_per_m, H_real_A_s_per_m, H_imag_A_s_per_m"),
            std::string::npos)
      << none.output;
}

// Cells outside of the mesh are zeros, of which the user hears; what their numbers take is foretold.
TEST(FieldMonitors, OnTetrahedraAreForetoldAndInsideTheMesh) {
  const auto directory = work("mesh_monitors");
  std::ofstream(directory / "a.cfg")
      << "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 1 1 1\n[material.*]\n[boundary.*]\n"
         "type = silver-muller\n[time]\nfrequency = 1e8\nperiods = 1\n[source.a]\ntype = dipole\nposition = 0.5 0.52 "
         "0.54\ndirection = 0 0 1\n[monitor.m]\ntype = box\ncentre = 0.5 0.5 0.5\nsize = 1 1 1\nspacing = 0.01\n"
         "frequencies = 1e8\n[output]\ndirectory = out\nfields = none\n";
  const auto at = (directory / "a.cfg").string();
  const auto whole = dgtd(at);
  ASSERT_EQ(whole.code, 0) << whole.output;
  EXPECT_EQ(whole.output.find("outside of the mesh"), std::string::npos) << whole.output;
  const auto s = summary(directory / "out");
  const double foretold = s["memory_foretold_bytes"][0], peak = s["memory_peak_bytes"];
  EXPECT_GT(foretold, 0.95 * peak);  // 10^6 cells: 464 MB beside some 100 MB
  EXPECT_LT(foretold, 1.5 * peak);
  EXPECT_GT(peak, 3e8);
  for (const int ranks : {1, 2}) {
    const auto most = dgtd_on(ranks, at + " --dry-run --set monitor.m.size='2 2 2' --set monitor.m.spacing=0.02");
    EXPECT_EQ(most.code, 0) << most.output;
    EXPECT_NE(most.output.find("monitor.m: about 88 % of its 1000000 cells are outside of the mesh, where its file has "
                               "zeros; a smaller monitor is enough\n"),
              std::string::npos)
        << most.output;
    const auto none = dgtd_on(ranks, at + " --dry-run --set monitor.m.centre='2 0.5 0.5'");
    EXPECT_EQ(none.code, 2) << none.output;
    EXPECT_NE(none.output.find("monitor.m: none of its 1000000 cells has its centre in the mesh\n"), std::string::npos)
        << none.output;
  }
  const auto fine = dgtd(at + " --dry-run --set monitor.m.spacing=0.0008");
  EXPECT_EQ(fine.code, 3) << fine.output;
  EXPECT_NE(fine.output.find("a larger monitor.m.spacing or a smaller monitor"), std::string::npos) << fine.output;
}

}  // namespace
