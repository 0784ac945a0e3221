// The shipped half-wave dipole against the method of moments.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>

#include "app/program.hpp"

namespace {

using Complex = std::complex<double>;
constexpr double light = 299792458, vacuum = 4e-7 * M_PI * light;  // m/s; ohm

// A straight wire by Galerkin's method with piecewise sinusoidal currents on its axis, tested on its surface (Richmond
// 1974, NASA CR-2399; Stutzman, Thiele, Antenna Theory and Design, sec. 14.9). Segments of the length d between the
// modes; the voltage is in the middle. N: odd.
struct Wire {
  double wave_number, d, radius;  // 1/m; m
  Eigen::VectorXcd current;       // A per V

  Wire(double frequency, double length, double radius_, int modes)
      : wave_number(2 * M_PI * frequency / light), d(length / (modes + 1)), radius(radius_) {
    Eigen::VectorXcd row(modes), voltage = Eigen::VectorXcd::Zero(modes);
    for (int m = 0; m < modes; ++m) row(m) = reaction(m * d);
    Eigen::MatrixXcd z(modes, modes);
    for (int i = 0; i < modes; ++i)
      for (int j = 0; j < modes; ++j) z(i, j) = row(std::abs(i - j));
    voltage(modes / 2) = 1;
    current = z.partialPivLu().solve(voltage);
  }

  // E of a mode around z = 0: -i eta / (4 pi sin kd) (e^-ikR1 / R1 + e^-ikR2 / R2 - 2 cos kd e^-ikR0 / R0).
  Complex field(double z) const {
    const auto wave = [&](double along) {
      const double r = std::hypot(along, radius);
      return std::polar(1 / r, -wave_number * r);
    };
    return Complex(0, -vacuum / (4 * M_PI * std::sin(wave_number * d))) *
           (wave(z - d) + wave(z + d) - 2 * std::cos(wave_number * d) * wave(z));
  }

  // Minus the integral of that field over the mode at `at`, by Simpson's rule.
  Complex reaction(double at) const {
    constexpr int parts = 400;
    Complex sum = 0;
    for (int i = 0; i <= parts; ++i) {
      const double u = -d + 2 * d * i / parts, weight = i == 0 || i == parts ? 1 : i % 2 ? 4 : 2;
      sum += weight * std::sin(wave_number * (d - std::abs(u))) * field(at + u);
    }
    return -sum * (2 * d / parts / 3) / std::sin(wave_number * d);
  }

  Complex impedance() const { return 1.0 / current(current.size() / 2); }

  double directivity() const {
    constexpr int parts = 720;
    double largest = 0, sum = 0;
    for (int i = 1; i < parts; ++i) {
      const double theta = M_PI * i / parts;
      Complex field = 0;
      for (Eigen::Index m = 0; m < current.size(); ++m)
        field += current(m) * std::polar(1.0, wave_number * d * double(m) * std::cos(theta));
      const double u = std::norm(field * (std::cos(wave_number * d * std::cos(theta)) - std::cos(wave_number * d)) /
                                 std::sin(theta));
      largest = std::max(largest, u);
      sum += u * std::sin(theta) * M_PI / parts;
    }
    return 2 * largest / sum;
  }
};

// A mode that is a half-wave dipole of no thickness has the impedance of the induced EMF, 73.13 + 42.54 i ohm (Balanis,
// Antenna Theory, sec. 8.5).
TEST(MethodOfMoments, HasTheImpedanceOfAThinHalfWaveDipole) {
  const Wire thin(light, 0.5, 1e-4, 1);
  EXPECT_LT(std::abs(thin.impedance() - Complex(73.13, 42.54)), 0.3);
  EXPECT_NEAR(thin.directivity(), 1.641, 1e-3);
}

// Wires of the grid: the radius 0.2298 cells (Noda, Yokoyama 2002, IEEE Trans. Power Delivery 17, 844), and half a cell
// of charge beyond each end. The moments have segments as long as the gap, a cell; ones of two cells change Z by up to
// 2.5 %, and the radius 0.135 cells (others' value) by 5 %: hence 6 % of Z around the resonance, where it is steep, and
// 3 % of the resistance at it.
TEST(HalfWaveDipole, HasTheImpedanceAndTheGainOfTheMethodOfMoments) {
  const fs::path at = work("half_wave_dipole");
  const auto run = dgtd(case_file("half_wave_dipole.cfg") + " --set output.directory=" + at.string());
  ASSERT_EQ(run.code, 0) << run.output;
  constexpr double cell = 4e-3, length = 40 * cell, radius = 0.2298 * cell;
  const Table port = table(at / "port_feed.csv"), antenna = table(at / "antenna_pattern.csv");
  ASSERT_EQ(port.rows.size(), 61u);
  for (const auto& row : port.rows) {
    if (std::abs(row[0] - 0.9e9) > 0.06e9) continue;
    const Complex expected = Wire(row[0], length, radius, 39).impedance();
    EXPECT_LT(std::abs(Complex(row[5], row[6]) - expected), 0.06 * std::abs(expected)) << row[0] << expected;
  }
  // Within half a percent.
  const auto resonances = summary(at)["ports"]["feed"]["resonances"];
  ASSERT_EQ(resonances.size(), 1u);
  const double resonance = resonances[0]["frequency_Hz"];
  const Complex there = Wire(resonance, length, radius, 39).impedance();
  EXPECT_NEAR(resonances[0]["resistance_ohm"].get<double>(), there.real(), 0.03 * there.real());
  EXPECT_LT(Wire(0.995 * resonance, length, radius, 39).impedance().imag(), 0);
  EXPECT_GT(Wire(1.005 * resonance, length, radius, 39).impedance().imag(), 0);

  ASSERT_EQ(antenna.rows.size(), 13u);
  EXPECT_EQ(antenna.head,
            "frequency_Hz,gain_dBi,realised_gain_dBi,directivity_dBi,radiation_efficiency,total_efficiency,theta_deg,"
            "phi_deg,front_to_back_dB,beam_width_theta_deg,beam_width_phi_deg,axial_ratio_dB,accepted_at_1W_incident_W,"
            "radiated_at_1W_incident_W,absorbed_at_1W_incident_W");
  for (const auto& row : antenna.rows) {
    EXPECT_NEAR(row[13], row[4] * row[12], 1e-6);  // radiated = efficiency x accepted, W
    EXPECT_NEAR(row[1], 10 * std::log10(Wire(row[0], length, radius, 39).directivity()), 0.05) << row[0];
    // The steps of a box are second order in its cells over the wavelength, (2 pi / 62)^2 / 12 at most.
    EXPECT_NEAR(row[4], 1, 1e-3) << row[0];
    const auto matched =
        std::find_if(port.rows.begin(), port.rows.end(), [&](const auto& p) { return std::abs(p[0] - row[0]) < 1; });
    ASSERT_NE(matched, port.rows.end());
    const Complex z((*matched)[5], (*matched)[6]);
    EXPECT_NEAR(row[5] / row[4], 1 - std::norm((z - 50.0) / (z + 50.0)), 1e-6);
    EXPECT_EQ(row[6], 90);
  }
  EXPECT_NEAR(antenna.rows[6][1], 2.15, 0.05);  // 0.9 GHz: a half wave
  EXPECT_NEAR(antenna.rows[6][9], 78, 1);       // Balanis, sec. 4.6
  EXPECT_NEAR(summary(at)["antennas"]["pattern"]["gain_dBi"].get<double>(), 2.15, 0.05);
  EXPECT_NE(run.output.find("antenna pattern: at 900 MHz gain 2.15 dBi"), std::string::npos) << run.output;
  const std::string page = content(at / "report.html");
  for (const char* text : {"Antenna pattern", "Gain in dBi", "realised gain", "Radiation efficiency"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

}  // namespace
