// The shipped case gold_sphere_dg, on meshes of several sizes: cross sections of a gold sphere from one pulse on
// tetrahedra, against the exact series with the same poles. DGTD_FULL=1, with a program for order 3, prints the table
// of docs/verification.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/gold_sphere_series.hpp"
#include "app/program.hpp"

namespace {

constexpr double radius = 40e-9;
constexpr double wavelengths[] = {500e-9, 530e-9, 600e-9, 700e-9};

/// Column of the row of a wavelength, m, which is the second column.
double at_wavelength(const Table& table, double wavelength, std::size_t column) {
  for (const auto& row : table.rows)
    if (std::abs(row.at(1) / wavelength - 1) < 1e-3) return row.at(column);
  ADD_FAILURE() << table.head << " has no wavelength " << wavelength;
  return 0;
}

/// Relative errors at a wavelength: of fluxes through boxes, and of the absorption by the field in the sphere.
struct Errors {
  double absorption, scattering, absorption_inside;
};

/// size: of the elements in the sphere, outside: radius of the absorbing boundary, m.
std::vector<Errors> measure(const std::string& name, double size, double outside, int order) {
  const auto directory = work("gold_sphere_dg_" + name);
  const std::string mesh = (directory / "sphere.msh").string();
  const auto made = dgtd_mesh(fmt::format(
      "spheres --exact-volumes --radius {} {} --size {} 200e-9 --name gold air -o {}", radius, outside, size, mesh));
  EXPECT_EQ(made.code, 0) << made.output;
  const auto run = dgtd(case_file("gold_sphere_dg.cfg") +
                        fmt::format(" --set mesh.cache=off --set mesh.file={} --set solver.order={} --set "
                                    "output.report_pictures=off --set output.directory={}",
                                    mesh, order, (directory / "out").string()));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(run.output.find("warning"), std::string::npos) << run.output;
  if (run.code != 0) return {};
  const auto absorbed = table(directory / "out/flux_absorbed.csv"),
             scattered = table(directory / "out/flux_scattered.csv"), inside = table(directory / "out/absorbed.csv");
  const auto results = summary(directory / "out");
  fmt::print("{:2.0f} nm, boundary at {:4.0f} nm, P{}: {} elements, {} steps, {:.0f} s\n", size * 1e9, outside * 1e9,
             order, results["elements"].get<int>(), results["steps"].get<int>(), results["wall_s"].get<double>());
  std::vector<Errors> errors;
  for (const double wavelength : wavelengths) {
    const CrossSections exact = gold_sphere_series(radius, wavelength);
    // J/Hz and m^2 of the same flux: their ratio is the pulse's energy per area.
    const double incident = at_wavelength(absorbed, wavelength, 2) / at_wavelength(absorbed, wavelength, 3);
    errors.push_back({-at_wavelength(absorbed, wavelength, 3) / exact.absorption - 1,
                      at_wavelength(scattered, wavelength, 3) / exact.scattering - 1,
                      at_wavelength(inside, wavelength, 2) / incident / exact.absorption - 1});
    fmt::print("  {:.0f} nm: absorption {:+.2f} % (by the field in the sphere {:+.2f} %), scattering {:+.2f} %\n",
               wavelength * 1e9, 100 * errors.back().absorption, 100 * errors.back().absorption_inside,
               100 * errors.back().scattering);
  }
  std::fflush(stdout);
  return errors;
}

void expect_below(double bound, const std::vector<Errors>& errors) {
  EXPECT_EQ(errors.size(), std::size(wavelengths));
  for (const Errors& e : errors) {
    EXPECT_LT(std::abs(e.absorption), bound);
    EXPECT_LT(std::abs(e.scattering), bound);
    EXPECT_LT(std::abs(e.absorption_inside), bound);
  }
}

// The sphere's polyhedron, though of its volume, makes most of the error, of second order in the size: at most 3.5 %
// with 15 nm. With its corners on the sphere scattering is 7.7 to 9.1 % too small.
TEST(GoldSphereOnTetrahedra, HasTheCrossSectionsOfTheSeries) { expect_below(0.06, measure("short", 15e-9, 800e-9, 2)); }

TEST(GoldSphereOnTetrahedra, FullStudy) {
  if (std::getenv("DGTD_FULL") == nullptr) GTEST_SKIP() << "set DGTD_FULL=1";
  for (const int order : {2, 3}) {
    for (const double size : {20e-9, 15e-9, 12e-9, 9e-9})
      expect_below(size > 12e-9 ? 0.06 : 0.03, measure("full", size, 800e-9, order));
    for (const double outside : {400e-9, 600e-9, 1200e-9})
      expect_below(outside < 500e-9 ? 0.07 : 0.03, measure("full", 12e-9, outside, order));
  }
}

}  // namespace
