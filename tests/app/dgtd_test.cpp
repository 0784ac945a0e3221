// dgtd as a user runs it: good and bad input, ranks, shipped cases shortened.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/program.hpp"

namespace {

TEST(Dgtd, CavityIsRightAndTheSameOnAnyNumberOfRanksAndThreads) {
  const auto directory = work("cavity");
  const std::string arguments = case_file("cavity.cfg") + " --set output.directory=";
  const auto serial = dgtd(arguments + (directory / "1").string());
  ASSERT_EQ(serial.code, 0) << serial.output;
  const auto s = summary(directory / "1");
  EXPECT_LT(s["error"]["l2_E"], 5e-3);
  EXPECT_LT(s["error"]["l2_H"], 5e-3);
  EXPECT_LT(std::abs(s["energy"]["relative_drift"].get<double>()), 1e-12);
  EXPECT_EQ(s["elements"], 3072);
  for (const int ranks : {2, 3, 4}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, arguments + at.string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(summary(at)["fields_hash"], s["fields_hash"]);
    EXPECT_EQ(summary(at)["dt_s"], s["dt_s"]);
  }
  const auto threads = dgtd(arguments + (directory / "t").string() + " --set solver.threads=2");
  ASSERT_EQ(threads.code, 0) << threads.output;
  EXPECT_EQ(summary(directory / "t")["fields_hash"], s["fields_hash"]);
}

TEST(Dgtd, ShippedHeadCasesRunOnTheSmallMesh) {
  const auto directory = work("head");
  for (const char* name : {"head_m0.cfg", "head_m1.cfg", "head_m2.cfg", "head_m3.cfg"}) {
    const auto run = dgtd_on(
        2, case_file(name) + " --steps 4 --set mesh.level=m0 --set mesh.file=" + (directory / "m0.msh").string() +
               " --set output.directory=" + (directory / name).string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_TRUE(fs::exists(directory / name / "result.pvtu"));
    EXPECT_EQ(summary(directory / name)["steps"], 4);
  }
}

TEST(Dgtd, GridCavityIsRightAndTheSameOnAnyNumberOfRanks) {
  const auto directory = work("grid_cavity");
  const std::string arguments = case_file("fdtd_cavity.cfg") + " --set output.directory=";
  const auto serial = dgtd(arguments + (directory / "1").string());
  ASSERT_EQ(serial.code, 0) << serial.output;
  const auto s = summary(directory / "1");
  EXPECT_LT(s["error"]["l2_E"], 1e-2);
  EXPECT_LT(std::abs(s["energy"]["relative_drift"].get<double>()), 1e-12);
  EXPECT_EQ(s["cells"], 8000);
  EXPECT_GT(s["performance"]["cell_steps_per_s"].get<double>(), 0);
  EXPECT_FALSE(s.contains("elements") || s.contains("order"));
  EXPECT_TRUE(fs::exists(directory / "1" / "fields.pvtr"));
  for (const int ranks : {2, 4}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, arguments + at.string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(summary(at)["fields_hash"], s["fields_hash"]);
  }
}

TEST(Dgtd, GoldSphereCaseWritesItsSpectrum) {
  const auto directory = work("gold");
  const auto run =
      dgtd_on(2, case_file("gold_sphere.cfg") + " --steps 50 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  std::ifstream file(directory / "flux_absorbed.csv");
  std::string head, line;
  std::getline(file, head);
  EXPECT_EQ(head, "frequency_Hz,wavelength_m,outward_energy_J_per_Hz,outward_cross_section_m2");
  int lines = 0;
  while (std::getline(file, line)) ++lines;
  EXPECT_EQ(lines, 46);
}

/// The outward energies of a flux table, J/Hz, by wavelength (m).
std::vector<std::array<double, 2>> flux_table(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<std::array<double, 2>> rows;
  double frequency = 0, wavelength = 0, energy = 0;
  while (std::getline(file, line))
    if (std::sscanf(line.c_str(), "%lf,%lf,%lf", &frequency, &wavelength, &energy) == 3)
      rows.push_back({wavelength, energy});
  return rows;
}

// A slab of n = 2 and d = 300 nm in vacuum: R = F sin^2 / (1 + F sin^2), sin^2 of n k d, F = 4 r^2 / (1 - r^2)^2 = 9/16
// (Born and Wolf, 7.6.1), T = 1 - R. With 40 cells a wavelength in the slab at 400 nm the phase n k d = 9.4 is off by
// (k h)^2 / 24, 0.01, and R by half of that.
TEST(Dgtd, SlabCaseReflectsAndTransmitsAsTheFormulaSays) {
  const auto directory = work("slab");
  const auto run = dgtd_on(2, case_file("slab.cfg") + " --set output.directory=" + (directory / "slab").string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("grid: 3 x 3 x 272"), std::string::npos) << run.output;
  const auto empty = dgtd(case_file("slab.cfg") +
                          " --set material.glass.eps_r=1 --set output.directory=" + (directory / "reference").string());
  ASSERT_EQ(empty.code, 0) << empty.output;
  const auto incident = flux_table(directory / "reference" / "flux_transmitted.csv"),
             back = flux_table(directory / "slab" / "flux_reflected.csv"),
             forth = flux_table(directory / "slab" / "flux_transmitted.csv");
  ASSERT_EQ(incident.size(), 81u);
  ASSERT_EQ(back.size(), 81u);
  ASSERT_EQ(forth.size(), 81u);
  double worst = 0;
  for (std::size_t i = 0; i < incident.size(); ++i) {
    const double sine = std::sin(2 * std::acos(-1) * 2 * 300e-9 / incident[i][0]), finesse = 9.0 / 16 * sine * sine;
    worst = std::max({worst, std::abs(-back[i][1] / incident[i][1] - finesse / (1 + finesse)),
                      std::abs(forth[i][1] / incident[i][1] - 1 / (1 + finesse))});
  }
  std::printf("shares of the slab: at most %.2g off\n", worst);
  EXPECT_LT(worst, 0.005);
  // The resolved case has the refined grid itself.
  const auto again = dgtd((directory / "slab" / "resolved.cfg").string() +
                          " --steps 20 --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_NE(again.output.find("grid: 3 x 3 x 272"), std::string::npos) << again.output;
}

TEST(Dgtd, DipoleAntennaCaseRuns) {
  const auto directory = work("antenna");
  const auto run =
      dgtd_on(2, case_file("dipole_antenna.cfg") + " --steps 50 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(fs::exists(directory / "flux_radiated.csv"));
  EXPECT_TRUE(fs::exists(directory / "probe_gap.csv"));
}

// A sheet with a profile beside the case file, Bloch phases, a side of type mur: a run, and its resolved case again.
TEST(Dgtd, SheetBetweenBlochSidesRunsAgainFromItsResolvedCase) {
  const auto directory = work("sheet");
  std::ofstream(directory / "spot.csv") << "u,v,amplitude,phase\n-1,-1,1,0\n1,-1,1,0\n-1,1,1,0\n1,1,1,0\n";
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 8 8 40\nspacing = 1e-3\n[time]\nsteps = 60\n"
         "[boundary.xmin]\ntype = bloch\nk = 50\n[boundary.xmax]\ntype = bloch\nk = 50\n[boundary.ymin]\ntype = "
         "periodic\n[boundary.ymax]\ntype = periodic\n"
         "[boundary.zmin]\ntype = mur\n[material.metal]\nconductor = perfect\n[shape.s]\ntype = sphere\nmaterial = "
         "metal\nradius = 2e-3\n"
         "[source.s]\ntype = sheet\ncentre = 0 0 -5e-3\nsize = 1 1 0\npolarisation = 0 1 0\nprofile = "
         "spot.csv\nfrequency = 2e10\n"
         "[probe.p]\nposition = 0 0 -8e-3\n[dft]\nfrequencies = 2e10\nwindow = all\n";
  const auto first = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(first.code, 0) << first.output;
  const auto out = directory / "out" / "a";
  EXPECT_TRUE(fs::exists(out / "fields.pvtr"));
  const auto second =
      dgtd_on(2, (out / "resolved.cfg").string() + " --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_EQ(summary(directory / "again")["fields_hash"], summary(out)["fields_hash"]);
  fs::remove(directory / "spot.csv");
  const auto third = dgtd((directory / "a.cfg").string());
  EXPECT_EQ(third.code, 2);
  EXPECT_NE(third.output.find("spot.csv: there is no such file"), std::string::npos) << third.output;
}

TEST(Dgtd, GridRunWithDipoleHasPowersAndSar) {
  const auto directory = work("grid_dipole");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 34 28 28\nspacing = 5e-3\npml = 6\n[time]\nfrequency = "
         "1.8e9\nperiods = 10\n"
         "[material.skin]\neps_r = 40\nsigma = 1.2\ndensity = 1100\n[material.water]\neps_r = 4\ndensity = 1000\npoles "
         "= debye 30 9e-12\n"
         "[shape.a]\ntype = sphere\nmaterial = skin\nradius = 0.03\n[shape.b]\ntype = sphere\nmaterial = water\nradius "
         "= 0.015\n"
         "[source.d]\ntype = dipole\nposition = 0.045 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n"
         "[dft]\nfrequencies = 1.8e9 3.6e9\n[sar]\nnormalise = emitted\npower = 0.25\n[output]\nfields = "
         "SAR\ndirectory = out\n";
  for (const int ranks : {1, 2}) {
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find("all tissues"), std::string::npos) << run.output;
    const auto s = summary(directory / "out");
    EXPECT_LT(std::abs(s["power"]["defect"].get<double>()), 2e-3);  // what is not yet steady
    const double factor = s["sar"]["factor"], source = s["power"]["source_W"], absorbed = s["power"]["absorbed_W"];
    EXPECT_NEAR(factor * source, 0.25, 1e-9);
    double sum = 0;
    for (const char* name : {"skin", "water"}) {
      const auto& t = s["tissues"][name];
      EXPECT_NEAR(t["sar_mean"].get<double>() * t["mass_kg"].get<double>(), t["absorbed_W"].get<double>(), 1e-9);
      EXPECT_GT(t["sar_max"], t["sar_mean"]);
      sum += t["absorbed_W"].get<double>();
    }
    EXPECT_NEAR(sum / (factor * absorbed), 1, 1e-6);
    // The dipole stands at +x, so the strongest cell is on that side, in the skin's outer cells.
    EXPECT_GT(s["tissues"]["skin"]["at"][0], 0.02);
    std::ifstream file(directory / "out" / "absorbed.csv");
    std::string head, line;
    std::getline(file, head);
    EXPECT_EQ(head, "frequency_Hz,wavelength_m,(background)_W,skin_W,water_W");
    int lines = 0;
    while (std::getline(file, line)) ++lines;
    EXPECT_EQ(lines, 2);
    std::ifstream index(directory / "out" / "fields.pvtr");
    EXPECT_NE(std::string(std::istreambuf_iterator<char>(index), {}).find("SAR_W_per_kg"), std::string::npos);
  }
}

TEST(Dgtd, FarFieldOfADipoleIsADipoles) {
  const auto directory = work("far");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 32 32 32\nspacing = 1e-2\npml = 8\n[time]\nsteps = 400\n"
         "[source.d]\ntype = dipole\nposition = 0.005 0 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency "
         "= 1.2e9\nbandwidth = 1.2e9\n"
         "[far_field.f]\nsize = 0.08 0.08 0.08\nfrequencies = 1e9 1.5e9\ntheta = 19\nphi = 8\n[output]\nfields = "
         "none\ndirectory = out\n";
  const auto run = dgtd_on(2, (directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  std::ifstream table(directory / "out" / "far_f.csv"), totals(directory / "out" / "far_f_total.csv");
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(
      line,
      "frequency_Hz,theta_deg,phi_deg,rE_theta_real_V_s,rE_theta_imag_V_s,rE_phi_real_V_s,rE_phi_imag_V_s,directivity");
  int lines = 0;
  while (std::getline(table, line)) ++lines;
  EXPECT_EQ(lines, 2 * 19 * 8);
  std::getline(totals, line);
  EXPECT_EQ(line, "frequency_Hz,wavelength_m,radiated_J_per_Hz,flux_J_per_Hz,largest_directivity");
  for (int f = 0; f < 2; ++f) {
    double frequency, wavelength, radiated, flux, directivity;
    char comma;
    totals >> frequency >> comma >> wavelength >> comma >> radiated >> comma >> flux >> comma >> directivity;
    EXPECT_NEAR(radiated / flux, 1, 0.01);
    EXPECT_NEAR(directivity, 1.5, 0.045);  // of sin^2, at 20 cells a wavelength
  }
  const auto bad = dgtd((directory / "a.cfg").string() + " --set far_field.f.size='0.08 0.08 0.4'");
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.output.find("far_field.f: the box must lie inside the grid with all six faces"), std::string::npos)
      << bad.output;
}

// What the picture script says of a file in a directory, without the picture's name.
std::string picture(const fs::path& directory, const std::string& file_and_options) {
  const auto run = shell(std::string("/usr/bin/python3 ") + DGTD_SOURCE + "/scripts/grid_picture.py --output " +
                         (directory / "p.png").string() + " " + directory.string() + "/" + file_and_options);
  EXPECT_EQ(run.code, 0) << run.output;
  const auto said = run.output.find("p.png: largest ");
  EXPECT_NE(said, std::string::npos) << run.output;
  return said == std::string::npos ? "" : run.output.substr(said);
}

// Monitors of one frequency and of several, on any number of ranks; what the files hold is read back by the picture
// script.
TEST(Dgtd, FieldMonitorsWriteGrids) {
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
    std::ifstream series(out / "monitor_cut.pvd");
    const std::string text((std::istreambuf_iterator<char>(series)), {});
    EXPECT_NE(text.find("<DataSet timestep=\"1500000000\" part=\"0\" file=\"monitor_cut_0002.pvtr\"/>"),
              std::string::npos)
        << text;
    std::ifstream index(out / "monitor_cut_0001.pvtr");
    const std::string head((std::istreambuf_iterator<char>(index)), {});
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
  // Of two dimensions, where several steps go in one pass, and where they do not.
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
  const auto none = shell(std::string("/usr/bin/python3 ") + DGTD_SOURCE + "/scripts/grid_picture.py " +
                          (directory / "1" / "monitor_near.pvtr").string());
  EXPECT_NE(none.code, 0);
  EXPECT_NE(none.output.find("no E; it has H_amplitude_A_s_per_m, H_real_A_s_per_m, H_imag_A_s_per_m"),
            std::string::npos)
      << none.output;
}

TEST(Dgtd, BadGridsEndWithOneLine) {
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
      {"--set grid.pml=34", "total-field box is empty"},
  };
  for (const auto& bad : cases) {
    const auto run = dgtd(case_file("gold_sphere.cfg") + " --steps 2 --set output.fields=none " + bad.arguments +
                          " --set output.directory=" + work("bad_grid").string());
    EXPECT_EQ(run.code, 2) << bad.arguments << run.output;
    EXPECT_NE(run.output.find(bad.message), std::string::npos) << run.output;
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
pml = 6
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

TEST(Dgtd, VoxelsSurfacesAndPrismsAreTheSameOnAnyNumberOfRanks) {
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

TEST(Dgtd, BadShapesEndWithOneLine) {
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
    EXPECT_EQ(run.code, 2) << bad.setting << run.output;
    EXPECT_NE(run.output.find(bad.message), std::string::npos) << bad.setting << run.output;
    EXPECT_EQ(run.output.find("dgtd: error:"), run.output.rfind("\n", run.output.size() - 2) + 1)
        << "more than one line: " << run.output;
  }
}

TEST(Dgtd, RealHeadVoxelCaseRuns) {
  if (!fs::exists(std::string(DGTD_SOURCE) + "/../shared/data/heads/ny_head_labels.nii.gz"))
    GTEST_SKIP() << "the real heads are not beside the project";
  const auto run = dgtd_on(2, case_file("head_voxels.cfg") +
                                  " --steps 4 --set grid.spacing=10e-3 --set grid.cells='34 34 42' --set "
                                  "grid.origin='-0.17 -0.21 -0.25' --set grid.pml=6 --set output.directory=" +
                                  work("head_voxels").string());
  EXPECT_EQ(run.code, 0) << run.output;
}

TEST(Dgtd, RealHeadCaseRuns) {
  if (!fs::exists(std::string(DGTD_SOURCE) + "/../shared/data/meshes/ny_head_phone_coarse.msh"))
    GTEST_SKIP() << "the real head mesh is not beside the project";
  const auto run =
      dgtd_on(2, case_file("head_real_coarse.cfg") + " --steps 2 --set output.directory=" + work("real").string());
  EXPECT_EQ(run.code, 0) << run.output;
}

TEST(Dgtd, DipoleRunHasPowersProbesAndSar) {
  const auto directory = work("dipole");
  std::ofstream(directory / "a.cfg")
      << "[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.4 0.4 0.4\n[time]\nfrequency = 1e9\nperiods = 8\n"
         "[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n[boundary.*]\ntype = silver-muller\n"
         "[source.feed]\ntype = dipole\nposition = 0.21 0.2 0.19\ndirection = 0 0 1\nwaveform = ramped-sine\n"
         "[probe.p]\nposition = 0.1 0.1 0.1\nevery = 10\n[sar]\nnormalise = emitted\n[output]\nevery = 100\n";
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto at = directory / "out" / "a";
  const auto s = summary(at);
  EXPECT_GT(s["power"]["source_W"], 0);
  EXPECT_GT(s["power"]["absorbed_W"], 0);
  EXPECT_GT(s["power"]["outflow_W"], 0);
  EXPECT_LT(std::abs(s["power"]["defect"].get<double>()), 0.05);
  EXPECT_NEAR(s["tissues"]["body"]["mass_kg"].get<double>(), 64, 1e-9);
  for (const char* file : {"probe_p.csv", "energy.csv", "report.html", "resolved.cfg", "result.pvtu", "snapshots.pvd"})
    EXPECT_TRUE(fs::exists(at / file)) << file;
}

TEST(Dgtd, DryRunWritesNothing) {
  const auto directory = work("dry");
  const auto run = dgtd(case_file("cavity.cfg") + " --dry-run --set output.directory=" + (directory / "out").string());
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("time step"), std::string::npos);
  EXPECT_NE(run.output.find("generator = box"), std::string::npos);
  EXPECT_FALSE(fs::exists(directory / "out"));
}

struct Bad {
  const char* arguments;
  int code;
  const char* says;
};

TEST(Dgtd, BadInputEndsWithOneLineAndItsExitCode) {
  const Bad list[] = {
      {"--set solver.order=9", 2, "dgtd: error: --set solver.order=9: must be an integer from 1 to 6\n"},
      {"--set solver.oder=2", 2, "did you mean solver.order?"},
      {"--set mesh.cells=0,1,1", 2, "mesh.cells"},
      {"--set boundary.xminn.type=pec --set boundary.xmin.type=pec", 2, "xminn"},
      {"--set solver.backend=cpu --set solver.halo_transport=nccl", 5,
       "dgtd: error: solver.halo_transport: the CPU backend has mpi-host only; allowed are mpi-host, auto\n"},
      {"--set sar.normalise=emitted", 2,
       "dgtd: error: sar.normalise = emitted or accepted needs a source of type dipole"},
      {"--steps 0", 2, "--steps 0: must be at least 1"},
  };
  for (const auto& bad : list) {
    const auto run = dgtd(case_file("cavity.cfg") + " " + bad.arguments);
    EXPECT_EQ(run.code, bad.code) << bad.arguments << "\n" << run.output;
    EXPECT_NE(run.output.find(bad.says), std::string::npos) << bad.arguments << "\n" << run.output;
  }
  EXPECT_EQ(dgtd("no_such.cfg").code, 2);
  EXPECT_EQ(dgtd("").code, 2);
  const auto ranks = dgtd_on(2, case_file("cavity.cfg") + " --set solver.order=9");
  EXPECT_EQ(ranks.code, 2) << ranks.output;
  const auto first = ranks.output.find("dgtd: error");
  ASSERT_NE(first, std::string::npos) << ranks.output;
  EXPECT_EQ(ranks.output.find("dgtd: error", first + 1), std::string::npos) << ranks.output;
}

TEST(Dgtd, WithoutADeviceCudaIsRefusedAndAutoTakesTheCpu) {
  const auto directory = work("no_device");
  const std::string arguments = case_file("cavity.cfg") + " --steps 2 --set output.directory=" + directory.string();
  const auto cuda = dgtd(arguments + " --set solver.backend=cuda");
  if (cuda.code == 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(cuda.code, 5) << cuda.output;
  EXPECT_NE(cuda.output.find("dgtd: error: solver.backend = cuda: "), std::string::npos) << cuda.output;
  EXPECT_NE(cuda.output.find("; allowed here are cpu, auto\n"), std::string::npos) << cuda.output;
  const auto automatic = dgtd(arguments);
  EXPECT_EQ(automatic.code, 0) << automatic.output;
  EXPECT_NE(automatic.output.find("backend cpu ("), std::string::npos) << automatic.output;
}

// The cavity mode is exact in space but for the grid's dispersion, which the variants share: the same error to
// rounding.
TEST(Dgtd, SplitKernelsGiveTheSameFields) {
  const auto directory = work("split");
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const auto out = directory / (i == 0 ? "fused" : "split");
    const auto run = dgtd(case_file("cavity.cfg") + " --steps 20 --set solver.kernels=" + (i == 0 ? "fused" : "split") +
                          " --set output.directory=" + out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const auto s = summary(out);
    EXPECT_EQ(s["kernels"], i == 0 ? "fused" : "split");
    error[i] = s["error"]["l2_E"];
  }
  EXPECT_NEAR(error[1], error[0], 1e-10 * error[0]);  // double precision
}

TEST(DgtdBench, PrintsATableAndWritesJson) {
  const auto directory = work("bench");
  const auto file = directory / "bench.json";
  const auto run =
      shell(std::string(DGTD_BENCH) +
            " --cells 4 --orders 1 --precisions single --backend cpu --seconds 0.05 --output " + file.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto results = nlohmann::json::parse(std::ifstream(file))["results"];
  ASSERT_EQ(results.size(), 2u);  // fused and split
  for (const auto& r : results) {
    EXPECT_GT(r["element_steps_per_s"].get<double>(), 0);
    // 18 Np s + 2 (13 s + 20) bytes an element and step
    EXPECT_NEAR(r["GB_per_s"].get<double>() * 1e9,
                r["element_steps_per_s"].get<double>() * (18 * 4 * 4 + 2 * (13 * 4 + 20)), 1e3);
    EXPECT_NEAR(r["roofline_fraction"].get<double>(), r["GB_per_s"].get<double>() / r["copy_GB_per_s"].get<double>(),
                1e-12);
  }
  const auto bad = shell(std::string(DGTD_BENCH) + " --orders 7");
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.output.find("dgtd-bench: error: command line: --orders 7: allowed are 1 to 6"), std::string::npos)
      << bad.output;
}

TEST(Dgtd, SourceOutsideTheMeshIsNamed) {
  const auto run = dgtd_on(2, case_file("cavity.cfg") +
                                  " --set source.far.type=dipole --set source.far.position='5 5 5' --set "
                                  "source.far.direction='0 0 1' --set source.far.frequency=1e9");
  EXPECT_EQ(run.code, 2) << run.output;
  EXPECT_NE(run.output.find("[source.far]: position 5 5 5 m lies in no element of the mesh"), std::string::npos)
      << run.output;
}

}  // namespace
