// The scattering matrix from waves, and its files.
#include "dgtd/observers/s_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dgtd::observers {
namespace {

using Complex = std::complex<double>;

// Ports in series with an impedance Z_s and in parallel with an admittance Y behind it: V1 = V2 + Z_s I1, and
// I1 + I2 = Y V2, where currents go into the structure.
struct Circuit {
  Complex series{30, 40}, admittance{0.002, -0.004};
};

// The waves while port 0 or 1 has the voltage source 1 V behind a resistor of its own, which need not be its impedance.
PortWaves waves_of(const Circuit& c, const std::vector<double>& impedances, const double (&resistors)[2], int excited) {
  // V1 = Vs1 - R1 I1, V2 = Vs2 - R2 I2: two equations for I1 and I2.
  //   Vs1 - R1 I1 = Vs2 - R2 I2 + Z_s I1,  I1 + I2 = Y (Vs2 - R2 I2)
  const double source[2] = {excited == 0 ? 1.0 : 0.0, excited == 1 ? 1.0 : 0.0};
  const Complex a11 = resistors[0] + c.series, a12 = -resistors[1], b1 = source[0] - source[1];
  const Complex a21 = 1, a22 = 1.0 + c.admittance * resistors[1], b2 = c.admittance * source[1];
  const Complex divisor = a11 * a22 - a12 * a21;
  const Complex current[2] = {(b1 * a22 - a12 * b2) / divisor, (a11 * b2 - a21 * b1) / divisor};
  PortWaves waves;
  for (int i = 0; i < 2; ++i) {
    const double z = impedances[std::size_t(i)];
    const Complex v = source[i] - resistors[i] * current[i];
    waves.incoming.push_back((v + z * current[i]) / (2 * std::sqrt(z)));
    waves.outgoing.push_back((v - z * current[i]) / (2 * std::sqrt(z)));
  }
  return waves;
}

SParameters matrix_of(const std::vector<double>& impedances, const double (&resistors)[2]) {
  const Circuit circuit;
  return s_parameters({{"in", impedances[0]}, {"out", impedances[1]}}, {0, 1}, {1e9},
                      {{waves_of(circuit, impedances, resistors, 0), waves_of(circuit, impedances, resistors, 1)}});
}

TEST(SParameters, AreThoseOfACircuitWhateverTheSourcesAre) {
  const double own[2] = {50, 75}, other[2] = {3, 400};
  const SParameters s = matrix_of({50, 75}, own), again = matrix_of({50, 75}, other);
  // S11 = (Z_in - Z) / (Z_in + Z) with the other port's impedance behind.
  const Circuit c;
  const Complex in = c.series + 1.0 / (c.admittance + 1.0 / 75);
  EXPECT_LT(std::abs(s.at(0, 0, 0) - (in - 50.0) / (in + 50.0)), 1e-14);
  EXPECT_LT(std::abs(s.at(0, 0, 1) - s.at(0, 1, 0)), 1e-14);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(std::abs(s.values[i] - again.values[i]), 1e-13) << i;
}

// A wave passes from port in to port out, and a fifth comes back the other way.
TEST(SParameters, HaveTheExcitedPortAsTheirColumn) {
  const SParameters s =
      s_parameters({{"in", 50}, {"out", 50}}, {0, 1}, {1e9}, {{{{2, 0}, {0.2, 1.8}}, {{0, 1}, {0.2, 0.3}}}});
  EXPECT_EQ(s.at(0, 1, 0), 0.9);
  EXPECT_EQ(s.at(0, 0, 1), 0.2);
  EXPECT_EQ(
      table_of(s),
      "frequency_Hz,S_in_in_real,S_in_in_imag,S_in_in_dB,S_in_in_deg,S_out_in_real,S_out_in_imag,S_out_in_dB,"
      "S_out_in_deg,S_in_out_real,S_in_out_imag,S_in_out_dB,S_in_out_deg,S_out_out_real,S_out_out_imag,"
      "S_out_out_dB,S_out_out_deg\n1000000000,0.1,0,-20.000000,0.000000,0.9,0,-0.915150,0.000000,0.2,0,-13.979400,"
      "0.000000,0.3,0,-10.457575,0.000000\n");
}

TEST(SParameters, RenormalisedAreThoseOfThatImpedance) {
  const double own[2] = {50, 75}, both[2] = {60, 60};
  const auto values = renormalised(matrix_of({50, 75}, own), 60);
  const SParameters expected = matrix_of({60, 60}, both);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(std::abs(values[i] - expected.values[i]), 1e-14) << i;
}

// Five ports, S_ij = 10 i + j at one frequency.
SParameters numbered(std::size_t n) {
  SParameters s;
  for (std::size_t i = 0; i < n; ++i) s.ports.push_back({"p" + std::to_string(i + 1), 50}), s.excited.push_back(i);
  s.frequencies = {2e9};
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= n; ++j) s.values.emplace_back(double(10 * i + j), -0.5);
  return s;
}

std::string data_of(const SParameters& s) {
  const std::string text = touchstone_text(s, "a case");
  return text.substr(text.find("# "));
}

// The specification (Touchstone file format 1.1, EIA/IBIS 2002): two ports by columns, more by rows with four pairs per
// line at most.
TEST(SParameters, AreOrderedAsTouchstoneSays) {
  EXPECT_EQ(data_of(numbered(1)), "# Hz S RI R 50\n2000000000 11 -0.5\n");
  EXPECT_EQ(data_of(numbered(2)), "# Hz S RI R 50\n2000000000 11 -0.5 21 -0.5 12 -0.5 22 -0.5\n");
  EXPECT_EQ(data_of(numbered(3)),
            "# Hz S RI R 50\n2000000000 11 -0.5 12 -0.5 13 -0.5\n 21 -0.5 22 -0.5 23 -0.5\n 31 -0.5 32 -0.5 33 -0.5\n");
  const std::string five = data_of(numbered(5));
  EXPECT_EQ(five.substr(0, 91),
            "# Hz S RI R 50\n2000000000 11 -0.5 12 -0.5 13 -0.5 14 -0.5\n 15 -0.5\n 21 -0.5 22 -0.5 23 -0.5");
  EXPECT_EQ(std::count(five.begin(), five.end(), '\n'), 11);
  EXPECT_EQ(touchstone_name(numbered(5), "a.case"), "a.case.s5p");
}

TEST(SParameters, AreWarnedOf) {
  SParameters s = numbered(2);
  s.values = {0.5, 0.3, 0.32, 1.02};
  const auto checks = checks_of(s);
  EXPECT_NEAR(checks.reciprocity.value, 0.02, 1e-15);
  EXPECT_EQ(checks.reciprocity.frequency, 2e9);
  // The squares of the singular values of [[a, b], [c, d]] have the sum a^2 + b^2 + c^2 + d^2 and the product
  // (a d - b c)^2.
  const double sum = 0.25 + 0.09 + 0.32 * 0.32 + 1.02 * 1.02, product = std::pow(0.5 * 1.02 - 0.3 * 0.32, 2);
  EXPECT_NEAR(checks.singular_value.value, std::sqrt(sum / 2 + std::sqrt(sum * sum / 4 - product)), 1e-14);
  EXPECT_NEAR(checks.columns[0].most, 0.25 + 0.32 * 0.32, 1e-15);
  ASSERT_EQ(checks.warnings.size(), 2u);
  EXPECT_EQ(checks.warnings[0].substr(0, 77),
            "[sparameters]: S is not symmetric: |S_ij - S_ji| = 0.02 at 2 GHz, more than 0");
  s.values = {0.5, 0.3, 0.305, 0.2};
  EXPECT_TRUE(checks_of(s).warnings.empty());
  s.values[0] = std::nan("");
  EXPECT_FALSE(checks_of(s).warnings.empty());
}

}  // namespace
}  // namespace dgtd::observers
