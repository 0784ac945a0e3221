// Spectra of runs on grids: tables of fluxes and of far fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <utility>

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

// A dipole beside mirrors, and in open space the dipoles that these stand for: R m of a magnetic mirror and -R m of an
// electric one, with R the reflection. Both grids have the same values in the part that they share, so that far fields,
// fluxes and energies agree to rounding. sides: "xmin pec" and so on.
struct MirroredDipole {
  std::string mirrored, open;  // cases
};
MirroredDipole mirrored_dipole(const std::vector<std::pair<std::string, std::string>>& sides) {
  const double h = 0.01;
  double low[3] = {-17 * h, -17 * h, -17 * h};
  int cells[3] = {34, 34, 34};
  std::vector<std::array<double, 6>> dipoles = {{0.035, -0.04, 0.05, 1, 2, 3}};  // position, moment
  std::string walls;
  for (const auto& [side, type] : sides) {
    const int a = side[0] - 'x';
    const bool upper = side.substr(1) == "max";
    cells[a] = 17, low[a] = upper ? -17 * h : 0;
    walls += "[boundary." + side + "]\ntype = " + type + "\n";
    for (auto& d : dipoles) d[std::size_t(a)] = std::abs(d[std::size_t(a)]) * (upper ? -1 : 1);
  }
  const auto text = [&](const double(&from)[3], const int(&counts)[3], const auto& list, const std::string& rest) {
    std::string c = "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\npml = 8\nspacing = 0.01\ncells =";
    for (const int n : counts) c += " " + std::to_string(n);
    c += "\norigin =";
    for (const double x : from) c += " " + std::to_string(x);
    c +=
        "\n[time]\nend = 15e-9\n[far_field.f]\nsize = 0.14 0.14 0.14\nfrequencies = 1.2e9 1.5e9\ntheta = 19\nphi = 12\n"
        "[output]\nfields = none\nreport_pictures = off\n" +
        rest;
    int number = 0;
    for (const auto& d : list) {
      c += "[source.d" + std::to_string(number++) +
           "]\ntype = dipole\nwaveform = modulated-gaussian\nfrequency = 1.5e9\n"
           "bandwidth = 1.2e9\nposition =";
      for (int a = 0; a < 3; ++a) c += " " + std::to_string(d[std::size_t(a)]);
      c += "\nmoment = " + std::to_string(std::sqrt(14.0)) + "\ndirection =";
      for (int a = 3; a < 6; ++a) c += " " + std::to_string(d[std::size_t(a)]);
      c += "\n";
    }
    return c;
  };
  MirroredDipole made{text(low, cells, dipoles, walls), {}};
  for (const auto& [side, type] : sides) {
    const auto a = std::size_t(side[0] - 'x');
    const auto before = dipoles;
    for (auto d : before) {
      d[a] = -d[a];
      for (std::size_t b = 3; b < 6; ++b) d[b] *= ((b == 3 + a) == (type == "pec")) ? 1 : -1;
      dipoles.push_back(d);
    }
    cells[a] = 34, low[a] = -17 * h;
  }
  made.open = text(low, cells, dipoles, "");
  return made;
}

TEST(GridSpectra, FarFieldsHaveImagesInMirrors) {
  const auto directory = work("far_images");
  using Sides = std::vector<std::pair<std::string, std::string>>;
  const Sides lists[] = {
      {{"xmin", "pec"}}, {{"xmin", "pmc"}}, {{"zmax", "pec"}}, {{"zmax", "pmc"}}, {{"xmin", "pmc"}, {"ymax", "pec"}}};
  for (const Sides& sides : lists) {
    const auto [mirrored, open] = mirrored_dipole(sides);
    std::ofstream(directory / "mirrored.cfg") << mirrored;
    std::ofstream(directory / "open.cfg") << open;
    std::string what;
    for (const auto& [side, type] : sides) what += side + " " + type + " ";
    for (const char* name : {"mirrored", "open"}) {
      const auto run = dgtd((directory / name).string() + ".cfg --set output.directory=" + (directory / name).string());
      ASSERT_EQ(run.code, 0) << run.output;
    }
    const auto far = table(directory / "mirrored" / "far_f.csv").rows,
               all = table(directory / "open" / "far_f.csv").rows;
    ASSERT_EQ(far.size(), 2u * 19 * 12);
    ASSERT_EQ(all.size(), far.size());
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < far.size(); ++i)
      for (std::size_t column = 3; column < 7; ++column)
        largest = std::max(largest, std::abs(all[i].at(column))),
        worst = std::max(worst, std::abs(all[i].at(column) - far[i].at(column)));
    std::printf("%s: %.2g of the largest far field\n", what.c_str(), worst / largest);
    EXPECT_LT(worst, 2e-8 * largest) << what;  // nine digits in the table
    EXPECT_NE(content(directory / "mirrored" / "report.html").find("Of the whole structure; fluxes are those of the"),
              std::string::npos)
        << what;
    const auto totals = table(directory / "mirrored" / "far_f_total.csv").rows,
               of_all = table(directory / "open" / "far_f_total.csv").rows;
    for (std::size_t f = 0; f < 2; ++f)
      for (std::size_t column = 2; column < 5; ++column)
        EXPECT_NEAR(totals.at(f).at(column) / of_all.at(f).at(column), 1, 1e-8) << what << column;
  }
  // Below a ground there is nothing: twice the directivity of the pair of dipoles.
  std::ofstream(directory / "ground.cfg") << mirrored_dipole({{"zmin", "pec"}}).mirrored;
  const std::string at = (directory / "ground.cfg").string() + " --set output.directory=";
  ASSERT_EQ(dgtd(at + (directory / "pair").string()).code, 0);
  const auto run = dgtd(at + (directory / "ground").string() + " --set far_field.f.ground=zmin");
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("far_field.f: above the ground at zmin"), std::string::npos) << run.output;
  const auto pair = table(directory / "pair" / "far_f_total.csv").rows.at(1),
             above = table(directory / "ground" / "far_f_total.csv").rows.at(1);
  EXPECT_NEAR(above.at(2) / pair.at(2), 0.5, 1e-8);
  EXPECT_NEAR(above.at(3) / pair.at(3), 0.5, 1e-8);
  EXPECT_NEAR(above.at(4) / pair.at(4), 2, 1e-8);
  for (const auto& row : table(directory / "ground" / "far_f.csv").rows) {
    if (row.at(1) > 91) { EXPECT_EQ(row.at(7), 0); }
  }
  expect_bad_input(dgtd(at + (directory / "x").string() + " --set far_field.f.ground=xmin"),
                   "far_field.f: ground = xmin must be a side of type pec or pmc that the box reaches");
  expect_bad_input(
      dgtd(at + (directory / "x").string() + " --set boundary.zmax.type=pec --set far_field.f.size='0.14 0.14 1'"),
      "far_field.f: the box ends at mirrors at zmin and at zmax, between which there is no far field");
}

}  // namespace
