// Spectra of runs on grids: tables of fluxes and of far fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "app/program.hpp"

namespace {

TEST(GridSpectra, GoldSphereCaseWritesItsSpectrum) {
  const auto directory = work("gold");
  const auto run =
      dgtd_on(2, case_file("gold_sphere.cfg") + " --steps 50 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto absorbed = table(directory / "flux_absorbed.csv");
  EXPECT_EQ(absorbed.head, "frequency_Hz,wavelength_m,outward_energy_J_per_Hz,outward_cross_section_m2");
  EXPECT_EQ(absorbed.rows.size(), 46u);
  const std::string page = content(directory / "report.html");
  EXPECT_NE(page.find("exact: the series of a sphere (G. Mie 1908) of radius 40 nm of gold, of which 0.25 is in the "
                      "grid, from which the run differs"),
            std::string::npos);
  EXPECT_NE(page.find("<h2>Monitor near</h2>"), std::string::npos);
}

// The series belongs to one sphere alone: not beside another one, not in front of a mirror beside its centre, and not
// for a box that cuts it.
TEST(GridSpectra, OnlyOneSphereHasExactCrossSections) {
  const auto directory = work("no_gold");
  for (const char* change :
       {"--set shape.more.type=box --set shape.more.material=gold --set shape.more.centre='0 0 60e-9' --set "
        "shape.more.size='8e-9 8e-9 8e-9'",
        "--set shape.sphere.centre='12e-9 0 0'", "--set flux.absorbed.size='72e-9 72e-9 72e-9'"}) {
    const auto run = dgtd(case_file("gold_sphere.cfg") + " --steps 50 --set output.directory=" + directory.string() +
                          " " + change);
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(content(directory / "report.html").find(", exact"), std::string::npos) << change;
  }
}

// A slab of n = 2 and d = 300 nm in vacuum: R = F sin^2 / (1 + F sin^2), sin^2 of n k d, F = 4 r^2 / (1 - r^2)^2 = 9/16
// (Born and Wolf, 7.6.1), T = 1 - R. With 40 cells a wavelength in the slab at 400 nm the phase n k d = 9.4 is off by
// (k h)^2 / 24, 0.01, and R by half of that.
TEST(GridSpectra, SlabCaseReflectsAndTransmitsAsTheFormulaSays) {
  const auto directory = work("slab");
  const auto run = dgtd_on(2, case_file("slab.cfg") + " --set output.directory=" + (directory / "slab").string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("grid: 3 x 3 x 272"), std::string::npos) << run.output;
  const auto empty = dgtd(case_file("slab.cfg") +
                          " --set material.glass.eps_r=1 --set output.directory=" + (directory / "reference").string());
  ASSERT_EQ(empty.code, 0) << empty.output;
  const auto incident = table(directory / "reference" / "flux_transmitted.csv").rows,
             back = table(directory / "slab" / "flux_reflected.csv").rows,
             forth = table(directory / "slab" / "flux_transmitted.csv").rows;
  ASSERT_EQ(incident.size(), 81u);
  ASSERT_EQ(back.size(), 81u);
  ASSERT_EQ(forth.size(), 81u);
  double worst = 0;
  for (std::size_t i = 0; i < incident.size(); ++i) {
    const double wavelength = incident[i].at(1), energy = incident[i].at(2);
    const double sine = std::sin(2 * std::acos(-1) * 2 * 300e-9 / wavelength), finesse = 9.0 / 16 * sine * sine;
    worst = std::max({worst, std::abs(-back[i].at(2) / energy - finesse / (1 + finesse)),
                      std::abs(forth[i].at(2) / energy - 1 / (1 + finesse))});
  }
  std::printf("shares of the slab: at most %.2g off\n", worst);
  EXPECT_LT(worst, 0.005);
  // The resolved case has the refined grid itself.
  const auto again = dgtd((directory / "slab" / "resolved.cfg").string() +
                          " --steps 20 --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_NE(again.output.find("grid: 3 x 3 x 272"), std::string::npos) << again.output;
}

TEST(GridSpectra, FarFieldOfADipoleIsADipoles) {
  const auto directory = work("far");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 32 32 32\nspacing = 1e-2\npml = 8\n[time]\nsteps = 400\n"
         "[source.d]\ntype = dipole\nposition = 0.005 0 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency "
         "= 1.2e9\nbandwidth = 1.2e9\n"
         "[far_field.f]\nsize = 0.08 0.08 0.08\nfrequencies = 1e9 1.5e9\ntheta = 19\nphi = 8\n[output]\nfields = "
         "none\ndirectory = out\n";
  const auto run = dgtd_on(2, (directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto far = table(directory / "out" / "far_f.csv"), totals = table(directory / "out" / "far_f_total.csv");
  EXPECT_EQ(
      far.head,
      "frequency_Hz,theta_deg,phi_deg,rE_theta_real_V_s,rE_theta_imag_V_s,rE_phi_real_V_s,rE_phi_imag_V_s,directivity");
  EXPECT_EQ(far.rows.size(), 2u * 19 * 8);
  EXPECT_EQ(totals.head, "frequency_Hz,wavelength_m,radiated_J_per_Hz,flux_J_per_Hz,largest_directivity");
  ASSERT_EQ(totals.rows.size(), 2u);
  for (const auto& row : totals.rows) {
    EXPECT_NEAR(row.at(2) / row.at(3), 1, 0.01);
    EXPECT_NEAR(row.at(4), 1.5, 0.045);  // of sin^2, at 20 cells a wavelength
  }
  const auto bad = dgtd((directory / "a.cfg").string() + " --set far_field.f.size='0.08 0.08 0.4'");
  expect_bad_input(bad, "far_field.f: the box must lie inside the grid with all six faces");
}

}  // namespace
