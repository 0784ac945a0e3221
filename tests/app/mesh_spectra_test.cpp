// Spectra of runs on tetrahedra: tables of fluxes and of far fields, and monitors over any frequencies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "app/program.hpp"

namespace {

// A dipole in vacuum, in a box of 2 m with absorbing sides whose cubes of six tetrahedra have 1/6 of a wavelength at
// 300 MHz. surfaces: sections of [flux] and the like.
std::string dipole_case(const std::string& surfaces, const std::string& output) {
  return "[solver]\norder = 2\n[mesh]\ngenerator = box\ncells = 12 12 12\nsize = 2 2 2\n[material.*]\n[boundary.*]\n"
         "type = silver-muller\n[time]\nend = 50e-9\n[source.d]\ntype = dipole\nposition = 1 1 1\ndirection = 0 0 1\n"
         "moment = 1e-3\nradius = 0.45\nwaveform = modulated-gaussian\nfrequency = 3e8\nbandwidth = 1e8\n" +
         surfaces + "[output]\nfields = none\ndirectory = " + output + "\n";
}

// The energy per frequency, one-sided, that a pulse of a current m f(t) radiates from a point:
//   w^2 mu0 / (3 pi c) |m F(f)|^2, F(f) = integral of f(t) exp(i w t) dt,
// of which one sign of the carrier's frequency gives F(f_0) = s sqrt(2 pi) / 2, s = sqrt(2 ln 2) / (pi bandwidth).
double exact_spectrum_at_carrier(double moment, double frequency, double bandwidth) {
  const double pi = std::acos(-1), c = 299792458, mu0 = 4e-7 * pi, omega = 2 * pi * frequency;
  const double s = std::sqrt(2 * std::log(2.0)) / (pi * bandwidth), transform = moment * s * std::sqrt(2 * pi) / 2;
  return omega * omega * mu0 / (3 * pi * c) * transform * transform;
}

constexpr const char* around =
    "[flux.all]\ntype = box\ncentre = 1.01 1.02 0.99\nsize = 1.3 1.3 1.3\nfrequencies = 1.5e8 1.8e8 2.1e8 2.4e8 2.7e8 "
    "3e8 3.3e8 3.6e8 3.9e8 4.2e8 4.5e8\n[flux.empty]\ntype = box\ncentre = 0.35 0.36 0.34\nsize = 0.4 0.3 "
    "0.2\nfrequencies = 3e8\n[far_field.f]\ncentre = 1 1 1\nsize = 1.3 1.3 1.3\nfrequencies = 2.5e8 3e8\ntheta = "
    "37\nphi = 8\n";

// The integral of the spectrum is what the source has supplied but for the energy that is left: to the tails of the
// Gaussian spectrum, 2^-18 of its peak, and to the error of a mesh of this size, whose E x H in an element is not quite
// the scheme's flux, up to 0.8 % (docs/verification.md). The trapezoidal rule in steps of 0.3 of the spectrum's width
// is exact. Against the exact power there is also what the sides at a wavelength reflect.
TEST(MeshSpectra, FluxOfADipoleIsTheWorkOfItsSource) {
  const auto directory = work("mesh_flux");
  std::ofstream(directory / "a.cfg") << dipole_case(around, "out");
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto all = table(directory / "out" / "flux_all.csv");
  EXPECT_EQ(all.head, "frequency_Hz,wavelength_m,outward_energy_J_per_Hz");
  ASSERT_EQ(all.rows.size(), 11u);
  double energy = 0;
  for (const auto& row : all.rows) energy += 3e7 * row.at(2);
  const auto supplied = table(directory / "out" / "energy.csv").rows.back();
  const double work = supplied.at(3), left = supplied.at(2);
  const double carrier = all.rows.at(5).at(2), exact = exact_spectrum_at_carrier(1e-3, 3e8, 1e8);
  std::printf("flux over work less energy left: %.7f; over the exact power at the carrier: %.5f\n",
              energy / (work - left), carrier / exact);
  EXPECT_NEAR(energy / (work - left), 1, 0.01);
  EXPECT_NEAR(carrier / exact, 1, 0.01);
  // A closed box without sources: the error of the mesh.
  const double through = table(directory / "out" / "flux_empty.csv").rows.at(0).at(2);
  std::printf("through the empty box: %.2g of the dipole's\n", through / carrier);
  EXPECT_LT(std::abs(through), 1e-3 * carrier);
  const auto far = table(directory / "out" / "far_f.csv"), totals = table(directory / "out" / "far_f_total.csv");
  ASSERT_EQ(totals.rows.size(), 2u);
  for (const auto& row : totals.rows) {
    std::printf("%.2g Hz: directivity %.4f, radiated over flux %.4f\n", row.at(0), row.at(4), row.at(2) / row.at(3));
    EXPECT_NEAR(row.at(4), 1.5, 0.015);
    EXPECT_NEAR(row.at(2) / row.at(3), 1, 0.02);
  }
  ASSERT_EQ(far.rows.size(), 2u * 37 * 8);
  double worst = 0;
  for (const auto& row : far.rows) {
    const double sine = std::sin(row.at(1) * std::acos(-1) / 180);
    worst = std::max(worst, std::abs(row.at(7) - 1.5 * sine * sine));
  }
  std::printf("pattern: at most %.4f off\n", worst);
  EXPECT_LT(worst, 0.02);  // of 1.5
}

// A short vertical dipole at the height d above an electric ground, or across a magnetic plane of symmetry horizontally
// at that distance, radiates as the pair with its image, 4 m^2 cos^2(k d cos(theta)) in place of m^2:
//   U ~ sin^2(theta) cos^2(k d cos(theta)) above the ground; its integral, by the trapezoidal rule, gives the
//   directivity.
TEST(MeshSpectra, FarFieldsHaveImagesInMirrors) {
  const auto directory = work("mesh_far_images");
  const std::string far =
      "[far_field.f]\ncentre = 1 1 0.3\nsize = 1.3 1.3 1.8\nfrequencies = 3e8\ntheta = 91\nphi = 8\n"
      "ground = zmin\n";
  std::string text = dipole_case(far, "out");
  text.replace(text.find("position = 1 1 1"), 16, "position = 1 1 0.4");
  text.replace(text.find("radius = 0.45"), 13, "radius = 0.3");
  std::ofstream(directory / "a.cfg") << text + "[boundary.zmin]\ntype = pec\n";
  const double pi = std::acos(-1), kd = 2 * pi * 3e8 / 299792458 * 0.4;
  const auto u = [&](double theta) { return std::pow(std::sin(theta) * std::cos(kd * std::cos(theta)), 2); };
  double integral = 0;
  for (int i = 0; i < 1000; ++i) integral += u((i + 0.5) * pi / 2000) * std::sin((i + 0.5) * pi / 2000) * pi / 2000;
  const std::string at = (directory / "a.cfg").string();
  const auto run = dgtd(at);
  ASSERT_EQ(run.code, 0) << run.output;
  const auto totals = table(directory / "out" / "far_f_total.csv").rows.at(0);
  double worst = 0;
  for (const auto& row : table(directory / "out" / "far_f.csv").rows) {
    if (row.at(1) < 91) worst = std::max(worst, std::abs(row.at(7) - 2 * u(row.at(1) * pi / 180) / integral));
    else EXPECT_EQ(row.at(7), 0);
  }
  std::printf("above a ground: radiated over flux %.4f, pattern at most %.4f off %.3f\n", totals.at(2) / totals.at(3),
              worst, 2 * u(pi / 2) / integral);
  EXPECT_NEAR(totals.at(2) / totals.at(3), 1, 0.02);
  EXPECT_LT(worst, 0.02 * 2 * u(pi / 2) / integral);
  expect_bad_input(dgtd(at + " --set far_field.f.ground=zmax"),
                   "far_field.f: ground = zmax must be a side of type pec");
}

// [cells][3] of a NumPy file of numbers in single precision, x fastest.
std::vector<float> numbers_of(const std::filesystem::path& file, std::size_t cells) {
  const std::string bytes = content(file);
  std::vector<float> numbers(3 * cells);
  const std::size_t size = numbers.size() * sizeof(float);
  EXPECT_GT(bytes.size(), size) << file;
  if (bytes.size() > size) std::memcpy(numbers.data(), bytes.data() + bytes.size() - size, size);
  return numbers;
}

// A cell of a snapshot has the polynomial of the element that a probe at its centre has, evaluated from values at other
// points: to rounding in single precision, of which the polynomial of degree 2 makes some units. Between two elements
// both take that with the lower number.
TEST(MeshSpectra, SnapshotsHaveTheFieldsOfProbes) {
  const auto directory = work("mesh_snapshots");
  std::ofstream(directory / "a.cfg") << dipole_case(
      "[snapshot.s]\ntimes = 1e-8 1.5e-8\ncentre = 0.913 1.127 1.031\nsize = 0.6 0.4 0.2\nspacing = 0.2\nfields = E H\n"
      "files = vtk npy\n[snapshot.all]\ntimes = 1.5e-8\nspacing = 0.5\nfiles = npy\n"
      "[probe.inside]\nposition = 1.113 1.227 1.031\nevery = 1\n[probe.between]\nposition = 0.25 0.75 1.25\nevery = 1\n",
      "out");
  std::string first;
  for (const int ranks : {1, 2}) {
    const auto out = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string() +
                                        " --set mesh.cells='6 6 6' --set time.end=1.6e-8 --set output.directory=" +
                                        out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    std::string written;
    for (const auto& [time, snapshot, probe, cells, cell] :
         {std::tuple{1e-8, "s", "inside", 6, 5}, {1.5e-8, "s", "inside", 6, 5}, {1.5e-8, "all", "between", 64, 36}}) {
      const Table rows = table(out / ("probe_" + std::string(probe) + ".csv"));
      const auto row = std::min_element(rows.rows.begin(), rows.rows.end(), [&](const auto& a, const auto& b) {
        return std::abs(a.at(0) - time) < std::abs(b.at(0) - time);
      });
      ASSERT_NE(row, rows.rows.end());
      const double dt = rows.rows.at(2).at(0) - rows.rows.at(1).at(0);
      char stem[64];
      std::snprintf(stem, sizeof stem, "snapshot_%s_%08ld", snapshot, std::lround(row->at(0) / dt));
      for (const int field : {0, 1}) {
        if (field == 1 && std::string(snapshot) == "all") continue;
        const auto file = out / (std::string(stem) + (field == 0 ? "_E.npy" : "_H.npy"));
        const auto values = numbers_of(file, static_cast<std::size_t>(cells));
        double largest = 0;
        for (const float x : values) largest = std::max(largest, std::abs(double(x)));
        EXPECT_GT(largest, 0);
        for (int c = 0; c < 3; ++c)
          EXPECT_NEAR(double(values.at(static_cast<std::size_t>(3 * cell + c))),
                      row->at(static_cast<std::size_t>(1 + 3 * field + c)), 1e-5 * largest)
              << file << " " << c;
        written += content(file);
      }
      if (std::string(snapshot) == "s") written += content(out / (std::string(stem) + "_0.vtr"));
    }
    if (ranks == 1) first = written;
    EXPECT_TRUE(written == first);
  }
}

// Fields to the bit, sums over ranks to rounding: 1e-5 of the largest value in single precision.
TEST(MeshSpectra, AreAlikeOnAnyNumberOfRanks) {
  const auto directory = work("mesh_spectra_ranks");
  std::ofstream(directory / "a.cfg") << dipole_case(std::string(around) +
                                                        "[monitor.m]\ntype = plane\ncentre = 1 1.01 1\nsize = 1 0 "
                                                        "1\nspacing = 0.1\nfrequencies = 2.5e8 3e8\n",
                                                    "out");
  const char* const tables[] = {"flux_all.csv", "flux_empty.csv", "far_f.csv", "far_f_total.csv"};
  std::string hash, monitor;
  std::vector<Table> first;
  for (const int ranks : {1, 2, 3}) {
    const auto out = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string() + " --steps 150 --set mesh.cells='6 6 6' --set " +
                                        "output.directory=" + out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const std::string own = summary(out)["fields_hash"], cells = content(out / "monitor_m_0002_0.vtr");
    if (ranks == 1) hash = own, monitor = cells;
    EXPECT_EQ(own, hash);
    EXPECT_GT(cells.size(), 0u);
    EXPECT_TRUE(cells == monitor) << ranks;  // root has all values of a cell's element
    for (std::size_t t = 0; t < std::size(tables); ++t) {
      const Table now = table(out / tables[t]);
      ASSERT_GT(now.rows.size(), 0u);
      if (ranks == 1) first.push_back(now);
      ASSERT_EQ(now.rows.size(), first[t].rows.size());
      for (std::size_t column = 0; column < now.rows[0].size(); ++column) {
        double largest = 0;
        for (const auto& row : first[t].rows) largest = std::max(largest, std::abs(row[column]));
        // The net power through the empty box is a difference of nearly equal powers.
        const double bound = (t == 1 && column == 2 ? 0.05 : 1e-5) * largest;
        for (std::size_t row = 0; row < now.rows.size(); ++row)
          EXPECT_NEAR(now.rows[row][column], first[t].rows[row][column], bound) << tables[t] << " " << column;
      }
    }
  }
}

TEST(MeshSpectra, RefuseWhatTheyCannotMeasure) {
  const auto directory = work("mesh_spectra_errors");
  std::ofstream(directory / "a.cfg") << dipole_case(around, "out");
  const std::string at = (directory / "a.cfg").string();
  for (const int ranks : {1, 2}) {
    const auto bad = [&](const std::string& set) { return dgtd_on(ranks, at + " --dry-run --set " + set); };
    expect_bad_input(bad("flux.all.size='1.3 2.2 1.3'"),
                     "flux.all: 100 % of its face at y = -0.08 m are outside of the mesh; it must be in the mesh as a "
                     "whole");
    expect_bad_input(bad("far_field.f.centre='1.5 1 1'"),
                     "far_field.f: 100 % of its face at x = 2.15 m are outside of the mesh");
    expect_bad_input(bad("'material.*.sigma=0.1'"),
                     "far_field.f: far fields need a medium without losses and poles on all faces of the box, and");
  }
  const auto outside = dgtd(at + " --dry-run --set far_field.f.centre='0.3 1 1' --set far_field.f.size='0.4 0.4 0.4'");
  EXPECT_EQ(outside.code, 0) << outside.output;
  EXPECT_NE(outside.output.find("far_field.f: no source is inside the box"), std::string::npos) << outside.output;
}

}  // namespace
