// Shares of the incident energy by a run without the object: output.reference.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>

#include "app/program.hpp"
#include "support/exact_slab.hpp"

namespace {

// A column of cells of 10 nm with a slab of eps_r = 4 of 300 nm, a sheet that radiates towards +z.
const char* const column =
    "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 3 3 240\nspacing = 10e-9\npml = 20\n"
    "[boundary.xmin]\ntype = periodic\n[boundary.xmax]\ntype = periodic\n[boundary.ymin]\ntype = periodic\n"
    "[boundary.ymax]\ntype = periodic\n[material.glass]\neps_r = 4\n[shape.slab]\ntype = box\nmaterial = glass\n"
    "size = 1 1 300e-9\n[source.wave]\ntype = sheet\ncentre = 0 0 -500e-9\nsize = 1 1 0\ndirection = 0 0 1\n"
    "polarisation = 1 0 0\nwaveform = modulated-gaussian\nfrequency = 3e14\nbandwidth = 3e14\n[time]\nend = 80e-15\n"
    "[output]\nfields = none\n";

std::string plane(const std::string& name, const char* z, const char* frequencies = "2e14 2.5e14 3e14 3.5e14 4e14") {
  return "[flux." + name + "]\ntype = plane\ncentre = 0 0 " + z + "\nsize = 1 1 0\nfrequencies = " + frequencies + "\n";
}

Outcome run(const fs::path& folder, const std::string& name, const std::string& text, const std::string& more = "") {
  std::ofstream(folder / (name + ".cfg")) << text;
  return dgtd((folder / (name + ".cfg")).string() + " --set output.directory=" + (folder / name).string() + more);
}

constexpr double pi = 3.14159265358979323846, light = 299792458;

// The share of the energy, at normal incidence in vacuum; without losses the rest is reflected.
double transmitted_share(double n, double thickness, double frequency) {
  const double k = 2 * pi * frequency / light;
  return std::norm(exact_waves::slab(k, n * k, thickness).transmitted);
}

// The scheme's wave number is k (1 + (k h)^2 / 24) to the leading order in space, and less with the time step, so the
// phase n k d of the slab is wrong by at most (n k d) (n k h)^2 / 24; |r|^2 of a slab changes by at most
// 2 |r1| / (1 - r1^2) * 2 per radian of it, with r1 = 1/3 less than 1.5. Interfaces at nodes have second-order
// coefficients, wrong by (n k h)^2 / 8 at most.
TEST(FluxShares, OfASlabAreThoseOfTheFormula) {
  const auto folder = work("flux_shares");
  const std::string text = column + plane("behind", "-700e-9") + plane("front", "-350e-9") + plane("beyond", "600e-9");
  const auto before = run(folder, "empty", text, " --set material.glass.eps_r=1");
  ASSERT_EQ(before.code, 0) << before.output;
  const std::string reference = " --set output.reference=" + (folder / "empty").string();
  const auto done = run(folder, "slab", text, reference);
  ASSERT_EQ(done.code, 0) << done.output;
  const Table shares = table(folder / "slab/shares.csv");
  EXPECT_EQ(shares.head, "frequency_Hz,wavelength_m,R_behind,T_front,T_beyond");
  ASSERT_EQ(shares.rows.size(), 5u);
  for (const auto& row : shares.rows) {
    const double exact = transmitted_share(2, 300e-9, row[0]);
    const double phase = 2 * (2 * pi * row[0] / light), step = phase * 10e-9;
    const double error = 1.5 * phase * 300e-9 * step * step / 24 + step * step / 8;
    EXPECT_LT(error, 0.015);
    EXPECT_NEAR(row[2], 1 - exact, error) << row[0];
    EXPECT_NEAR(row[4], exact, error) << row[0];
    EXPECT_NEAR(row[3], 1 - row[2], 1e-3) << "between source and slab the net energy goes through; the sheet's leakage";
    EXPECT_NEAR(row[2] + row[4], 1, 1e-3) << "no losses";
  }
  EXPECT_NE(content(folder / "slab/report.html").find("Shares of the incident energy"), std::string::npos);

  const std::string two = column + plane("behind", "-700e-9") + plane("beyond", "600e-9");
  ASSERT_EQ(run(folder, "two", two, reference).code, 0);
  const Table three = table(folder / "two/shares.csv");
  EXPECT_EQ(three.head, "frequency_Hz,wavelength_m,R,T,A");
  for (const auto& row : three.rows) EXPECT_NEAR(row[4], 1 - row[2] - row[3], 1e-12);
  const auto keys = summary(folder / "two")["shares"];
  EXPECT_NEAR(double(keys["R"]) + double(keys["T"]) + double(keys["A"]), 1, 1e-12);
  EXPECT_LT(std::abs(double(keys["A"])), 1e-3);

  // A source to both sides, whose own wave goes through the plane behind it.
  std::string both = two;
  both.erase(both.find("direction = 0 0 1\n"), std::string("direction = 0 0 1\n").size());
  ASSERT_EQ(run(folder, "both", both, " --set material.glass.eps_r=1").code, 0);
  const std::string of_two_sides = " --set output.reference=" + (folder / "both").string();
  expect_bad_input(run(folder, "both_slab", both, of_two_sides), "without the object energy goes through flux.be");
  // With its fields subtracted there is what the slab reflects.
  const std::string scattered = " --set flux.behind.scattered=on";
  expect_bad_input(run(folder, "both_slab", both, of_two_sides + scattered),
                   "flux_behind_points.npy: is missing; the run without the object needs flux.behind.scattered = on");
  ASSERT_EQ(run(folder, "both", both, scattered + " --set material.glass.eps_r=1").code, 0);
  expect_bad_input(
      run(folder, "both_slab", both, of_two_sides + scattered + " --set flux.behind.centre='0 0 -710e-9'"),
      "flux_behind_points.npy: its points are not those of flux.behind in this run; both runs need the same");
  ASSERT_EQ(run(folder, "both_slab", both, of_two_sides + scattered).code, 0);
  const Table of_both = table(folder / "both_slab/shares.csv");
  EXPECT_EQ(of_both.head, "frequency_Hz,wavelength_m,R,T,A");
  ASSERT_EQ(of_both.rows.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)  // the same waves as before, the sheet's leakage apart
    for (const std::size_t column : {2u, 3u}) EXPECT_NEAR(of_both.rows[i][column], three.rows[i][column], 1e-3);
  EXPECT_EQ(table(folder / "both_slab/flux_behind.csv").head,
            "frequency_Hz,wavelength_m,outward_energy_J_per_Hz,scattered_energy_J_per_Hz");
  EXPECT_EQ(fs::file_size(folder / "both/flux_behind_fields.npy"), 128 + 5 * 2 * 8 * 2 * 3 * 3u)
      << "two pairs per face of 3 x 3 cells";
  fs::resize_file(folder / "both/flux_behind_fields.npy", 1000);
  expect_bad_input(run(folder, "both_slab", both, of_two_sides + scattered),
                   "flux_behind_fields.npy: has not the 5 frequencies and 18 points of flux.behind");

  // References that do not match are refused before the run.
  expect_bad_input(run(folder, "other", column + plane("beyond", "600e-9", "2e14 3e14"), reference),
                   "flux_beyond.csv: has 5 frequencies, flux.beyond has 2; they must be the same");
  expect_bad_input(
      run(folder, "moved", column + plane("beyond", "600e-9", "2e14 2.5e14 3e14 3.5e14 3.9e14"), reference),
      "flux_beyond.csv: has the frequency 4e+14 Hz, flux.beyond has 3.9e+14 Hz; they must be the same");
  expect_bad_input(run(folder, "new", column + plane("new", "600e-9"), reference),
                   "flux_new.csv: is missing; the run without the object needs flux.new too");
  expect_bad_input(run(folder, "none", column, reference), "output.reference: there is no [flux.NAME]");
  expect_bad_input(run(folder, "nowhere", two, " --set output.reference=" + (folder / "nowhere_at_all").string()),
                   "nowhere_at_all: there is no such directory");
}

// The same slab on tetrahedra: the reference on one rank, the slab on two, on one mesh, with a sheet to both sides. P2
// with five elements per wavelength in the glass: (k h)^6 of a wave that goes through some elements is below 1e-3.
TEST(FluxShares, OfASlabBesideATwoSidedSheetOnTetrahedra) {
  const auto folder = work("flux_shares_tetrahedra");
  const std::string text =
      "[solver]\norder = 2\n[material.glass]\neps_r = 4\n[material.vacuum]\n[boundary.xmin]\ntype = "
      "periodic\n[boundary.xmax]\ntype = periodic\n[boundary.ymin]\ntype = periodic\n[boundary.ymax]\ntype = "
      "periodic\n[boundary.zmin]\ntype = silver-muller\n[boundary.zmax]\ntype = silver-muller\n[source.wave]\ntype "
      "= sheet\ncentre = 0 0 -500e-9\nsize = 1 1 0\npolarisation = 1 0 0\nwaveform = modulated-gaussian\nfrequency "
      "= 3e14\nbandwidth = 3e14\n[time]\nend = 70e-15\n[output]\nfields = none\nreport_pictures = off\n" +
      plane("behind", "-700e-9") + plane("beyond", "600e-9") + "scattered = off\n";
  const std::string shapes =
      "[mesh]\nper_wavelength = 5\n[domain]\nsize = 100e-9 100e-9 1800e-9\n[shape.slab]\ntype = box\nmaterial = "
      "glass\nsize = 1 1 300e-9\n";
  std::ofstream(folder / "mesh.cfg") << text << shapes;
  const auto made = shell("XDG_CACHE_HOME=" + folder.string() + " " + dgtd_program() + " " +
                          (folder / "mesh.cfg").string() + " --dry-run");
  ASSERT_EQ(made.code, 0) << made.output;
  std::string file;
  for (const auto& entry : fs::directory_iterator(folder / "dgtd"))
    if (entry.path().extension() == ".msh") file = entry.path().string();
  const std::string options = " --set flux.behind.scattered=on --set mesh.file=" + file;
  const auto before = run(folder, "empty", text, options + " --set material.glass.eps_r=1");
  ASSERT_EQ(before.code, 0) << before.output;
  const auto done =
      dgtd_on(2, (folder / "empty.cfg").string() + options + " --set output.directory=" + (folder / "slab").string() +
                     " --set output.reference=" + (folder / "empty").string());
  ASSERT_EQ(done.code, 0) << done.output;
  const Table shares = table(folder / "slab/shares.csv");
  EXPECT_EQ(shares.head, "frequency_Hz,wavelength_m,R,T,A");
  ASSERT_EQ(shares.rows.size(), 5u);
  for (const auto& row : shares.rows) {
    const double exact = transmitted_share(2, 300e-9, row[0]);
    EXPECT_NEAR(row[2], 1 - exact, 3e-3) << row[0];
    EXPECT_NEAR(row[3], exact, 3e-3) << row[0];
  }
}

}  // namespace
