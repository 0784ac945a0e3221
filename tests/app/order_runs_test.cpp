// Diffraction orders as a user measures them: flux.NAME.orders on both methods.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <fstream>
#include <map>

#include "app/program.hpp"

namespace {

using Complex = std::complex<double>;
constexpr double pi = 3.14159265358979323846, light = 299792458;

std::string write(const fs::path& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder / name) << text;
  return (folder / name).string();
}

std::string sides(const std::string& names, const std::string& text) {
  std::string all;
  for (const char axis : names)
    for (const char* end : {"min", "max"}) all += std::string("[boundary.") + axis + end + "]\n" + text + "\n";
  return all;
}

/// Rows of orders_NAME.csv at a frequency, by the number along x.
std::map<int, std::vector<double>> orders(const fs::path& folder, const std::string& name, double frequency) {
  std::map<int, std::vector<double>> found;
  for (const auto& row : table(folder / ("orders_" + name + ".csv")).rows)
    if (std::abs(row[0] - frequency) < 1e-6 * frequency) found[static_cast<int>(row[2])] = row;
  return found;
}

struct Efficiencies {
  std::map<int, double> reflected, transmitted;
};

// Bars of eps_r = 4, half a period wide and 300 nm high, in a wave at normal incidence with E along them, in Fourier
// orders (Moharam et al., J. Opt. Soc. Am. A 12, 1068, 1995): f'' = A f of E_y, all over the wave number. 41 orders have
// the efficiencies within 0.02 % of the incident power of 121.
Efficiencies exact_bars(double wavelength, double period) {
  constexpr int most = 20, count = 2 * most + 1;
  using Matrix = Eigen::MatrixXcd;
  Eigen::VectorXcd kz(count);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(count, count);
  for (int i = 0; i < count; ++i) {
    const double kx = (i - most) * wavelength / period;
    kz(i) = std::sqrt(Complex(1 - kx * kx, 0));
    for (int j = 0; j < count; ++j)
      a(i, j) = (i == j ? kx * kx - 2.5 : -1.5 * std::sin(0.5 * pi * (i - j)) / (0.5 * pi * (i - j)));
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a);
  const Matrix w = solver.eigenvectors().cast<Complex>();
  Eigen::VectorXcd q(count), x(count);
  for (int i = 0; i < count; ++i) {
    q(i) = std::sqrt(Complex(solver.eigenvalues()(i), 0));
    x(i) = std::exp(-q(i) * (2 * pi / wavelength * 300e-9));
  }
  const Matrix v = w * q.asDiagonal(), kw = Complex(0, 1) * (kz.asDiagonal() * w);
  Matrix system(2 * count, 2 * count);
  system << kw - v, (kw + v) * x.asDiagonal(), -(v + kw) * x.asDiagonal(), v - kw;
  Eigen::VectorXcd right = Eigen::VectorXcd::Zero(2 * count);
  right(most) = Complex(0, 2) * kz(most);
  const Eigen::VectorXcd both = system.partialPivLu().solve(right);
  Eigen::VectorXcd back = w * (both.head(count) + x.cwiseProduct(both.tail(count)));
  const Eigen::VectorXcd through = w * (x.cwiseProduct(both.head(count)) + both.tail(count));
  back(most) -= 1;
  Efficiencies exact;
  for (int i = 0; i < count; ++i)
    if (kz(i).real() > 0) {
      exact.reflected[i - most] = std::norm(back(i)) * kz(i).real();
      exact.transmitted[i - most] = std::norm(through(i)) * kz(i).real();
    }
  return exact;
}

/// All orders of two planes against the exact ones, and the angles of the grating equation.
void expect_orders(const fs::path& folder, double wavelength, double tolerance) {
  const double frequency = light / wavelength, period = 1e-6;
  const auto exact = exact_bars(wavelength, period);
  for (const auto& [name, shares] : {std::pair{"reflected", exact.reflected}, {"transmitted", exact.transmitted}}) {
    const auto found = orders(folder, name, frequency);
    ASSERT_EQ(found.size(), shares.size()) << name;
    for (const auto& [number, row] : found) {
      EXPECT_NEAR(row.back(), shares.at(number), tolerance) << name << " " << number << " at " << wavelength;
      EXPECT_NEAR(std::sin(row[row.size() - 4] * pi / 180), std::abs(number) * wavelength / period, 1e-6);
    }
  }
}

// The grating of cases/grating_dg.cfg in a plane wave, on cells of 12.5 nm (24 in a wavelength in glass) in two dimensions
// and on tetrahedra, within 1 % of the incident energy; all orders of a plane are its flux.
TEST(OrderRuns, OfAGratingAreThoseOfItsSolutionInFourierOrders) {
  const auto folder = work("orders_of_a_grating");
  const std::string spectrum = "frequency = 4.9e14\nbandwidth = 2e14\n", wavelengths = "560e-9 690e-9 3";
  const auto plane = [&](const std::string& name, const std::string& y) {
    return "[flux." + name + "]\ntype = plane\ncentre = 0 " + y + " 0\nsize = 1 0 1\nwavelengths = " + wavelengths + "\norders = on\n";
  };
  const auto on_grid = dgtd(write(
      folder, "grid.cfg",
      "[solver]\nmethod = fdtd2d\npolarisation = ez\n[grid]\ncells = 80 150\nspacing = 12.5e-9\npml = 20\n" +
          sides("x", "type = periodic") + "[material.glass]\neps_r = 4\n[shape.bar]\ntype = box\nmaterial = glass\nsize = "
          "500e-9 300e-9 1\n[source.wave]\ntype = plane-wave\ndirection = 0 1 0\npolarisation = 0 0 1\nbox_min = -1 -500e-9 "
          "-1\nbox_max = 1 500e-9 1\nwaveform = modulated-gaussian\n" + spectrum + plane("reflected", "-600e-9") +
          plane("transmitted", "450e-9") + "[time]\nend = 130e-15\n[output]\nfields = none\n"));
  ASSERT_EQ(on_grid.code, 0) << on_grid.output;
  const fs::path grid = folder / "out/grid";
  EXPECT_EQ(table(grid / "orders_reflected.csv").head,
            "frequency_Hz,wavelength_m,order_x,polar_angle_deg,azimuth_deg,outward_energy_J_per_Hz,share");
  for (const double wavelength : {560e-9, 625e-9, 690e-9}) expect_orders(grid, wavelength, 0.01);
  for (const auto& row : table(grid / "flux_transmitted.csv").rows) {
    double sum = 0;
    for (const auto& [number, order] : orders(grid, "transmitted", row[0])) sum += order[order.size() - 2];
    EXPECT_NEAR(sum / row[2], 1, 1e-3);
  }
  EXPECT_NE(content(grid / "report.html").find("Diffraction orders"), std::string::npos);

  const std::string mesh = (folder / "grating.msh").string();
  const auto made = dgtd_mesh(
      "blocks --block air -500e-9 0 -900e-9 500e-9 70e-9 900e-9 75e-9 --block glass -250e-9 0 -150e-9 250e-9 70e-9 150e-9 "
      "50e-9 -o " + mesh);
  ASSERT_EQ(made.code, 0) << made.output;
  std::string settings;
  for (const std::string flux : {"reflected", "transmitted"}) settings += " --set flux." + flux + ".wavelengths='" + wavelengths + "'";
  const auto solved = dgtd_on(2, "grating_dg --set time.end=130e-15 --set output.directory=" + (folder / "mesh").string() +
                                     " --set mesh.file=" + mesh + settings);
  ASSERT_EQ(solved.code, 0) << solved.output;
  EXPECT_EQ(table(folder / "mesh/orders_reflected.csv").head,
            "frequency_Hz,wavelength_m,order_x,order_y,polar_angle_deg,azimuth_deg,outward_energy_J_per_Hz,share");
  for (const double wavelength : {560e-9, 625e-9, 690e-9}) expect_orders(folder / "mesh", wavelength, 0.01);
}

// Between Bloch sides the order 0 is the wave of the sides' k, at asin(k / k_0), and has all energy of an empty cell; the
// orders beside it, which propagate, have none. The same on a grid of two dimensions and on tetrahedra.
TEST(OrderRuns, BetweenBlochSidesHaveTheAnglesOfTheSides) {
  const auto folder = work("orders_between_bloch_sides");
  const std::string wave = "type = sheet\npolarisation = 0 0 1\nwaveform = modulated-gaussian\nfrequency = 5e14\nbandwidth = 1.2e14\n",
                    rest = "[time]\nend = 90e-15\n[output]\nfields = none\n";
  const auto grid_case = write(
      folder, "grid.cfg",
      "[solver]\nmethod = fdtd2d\npolarisation = ez\n[grid]\ncells = 60 120\nspacing = 15e-9\npml = 20\n" +
          sides("x", "type = bloch\nk = 5.2e6") + "[source.s]\ncentre = 0 -400e-9 0\nsize = 1 0 1\n" + wave +
          "[flux.p]\ntype = plane\ncentre = 0 300e-9 0\nsize = 9 0 9\nfrequencies = 5e14\norders = on\n" + rest);
  const auto grid = dgtd(grid_case);
  ASSERT_EQ(grid.code, 0) << grid.output;
  // With such a run as the one without an object all energy has a share.
  const auto again = dgtd(grid_case + " --set output.directory=" + (folder / "again").string() +
                          " --set output.reference=" + (folder / "out/grid").string());
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_NEAR(orders(folder / "again", "p", 5e14).at(0).back(), 1, 2e-3);
  const std::string mesh = (folder / "cell.msh").string();
  ASSERT_EQ(dgtd_mesh("blocks --block air 0 0 -900e-9 900e-9 100e-9 900e-9 100e-9 -o " + mesh).code, 0);
  const auto tetrahedra = dgtd(write(
      folder, "mesh.cfg",
      "[solver]\norder = 3\n[mesh]\nfile = cell.msh\n" + sides("x", "type = bloch\nk = 5.2e6") +
          sides("y", "type = periodic") + sides("z", "type = passive\nlayers = 8\nthickness = 1000e-9") +
          "[material.air]\n[source.s]\ncentre = 0 0 -500e-9\nsize = 9 9 0\ntype = sheet\npolarisation = 0 1 0\nwaveform = "
          "modulated-gaussian\nfrequency = 5e14\nbandwidth = 1.2e14\n[flux.p]\ntype = plane\ncentre = 0 0 400e-9\nsize = 9 9 "
          "0\nfrequencies = 5e14\norders = on\n" + rest));
  ASSERT_EQ(tetrahedra.code, 0) << tetrahedra.output;
  for (const char* name : {"grid", "mesh"}) {
    const auto found = orders(folder / "out" / name, "p", 5e14);
    ASSERT_EQ(found.size(), 3u) << name;  // k of 5.2e6, -1.78e6 and -8.76e6 rad/m, below 10.5e6
    const double all = table(folder / "out" / name / "flux_p.csv").rows[0].back();
    const auto angle = [](const std::vector<double>& row, const char* of) { return row[of[0] == 'g' ? 3 : 4]; };
    EXPECT_NEAR(angle(found.at(0), name), std::asin(5.2e6 * light / (2 * pi * 5e14)) * 180 / pi, 1e-4);
    EXPECT_NEAR(found.at(0).back() / all, 1, 2e-3) << name;
    for (const int other : {-1, -2}) EXPECT_NEAR(found.at(other).back() / all, 0, 2e-3) << name;
  }
}

TEST(OrderRuns, RefuseWhatHasNoOrders) {
  const auto folder = work("orders_refused");
  const std::string grid = "[solver]\nmethod = fdtd2d\npolarisation = ez\n[grid]\ncells = 20 40\nspacing = 1e-2\npml = 8\n",
                    wave = "[source.s]\ntype = sheet\ncentre = 0 -5e-2 0\nsize = 9 0 9\npolarisation = 0 0 1\nfrequency = 1e9\n[time]\nend = 1e-9\n[output]\nfields = none\n";
  const auto plane = [](const std::string& size) {
    return "[flux.p]\ntype = plane\ncentre = 0 5e-2 0\nsize = " + size + "\nfrequencies = 1e9\norders = on\n";
  };
  expect_bad_input(dgtd(write(folder, "sides.cfg", grid + wave + plane("9 0 9"))),
                   "flux.p: orders = on: xmin and xmax must be of type periodic or bloch; orders are those of a structure "
                   "that repeats along the axes of the plane");
  expect_bad_input(dgtd(write(folder, "short.cfg", grid + wave + sides("x", "type = periodic") + plane("0.1 0 9"))),
                   "flux.p: orders = on: the plane must reach from side to side, along x from -0.1 to 0.1 m");
  expect_bad_input(dgtd(write(folder, "media.cfg", grid + wave + sides("x", "type = periodic") + plane("9 0 9") +
                                                       "[material.glass]\neps_r = 4\n[shape.post]\ntype = box\nmaterial = "
                                                       "glass\nsize = 0.05 0.2 9\n")),
                   "flux.p: orders = on: the plane must be in one lossless material, not in several");
  expect_bad_input(dgtd(write(folder, "box.cfg", grid + wave + "[flux.b]\ntype = box\nsize = 0.1 0.1 9\nfrequencies = 1e9\norders = on\n")),
                   "flux.b.orders");
}

}  // namespace
