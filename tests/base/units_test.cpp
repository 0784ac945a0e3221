#include "dgtd/base/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace dgtd::units {
namespace {

TEST(Units, AreTheLargestInWhichAValueIsAtLeastOne) {
  EXPECT_EQ(time_text(3.2e-14), "32 fs");
  EXPECT_EQ(time_text(1.234567e-12), "1.235 ps");
  EXPECT_EQ(time_text(5e-9), "5 ns");
  EXPECT_EQ(time_text(2.5e-6), "2.5 us");
  EXPECT_EQ(time_text(0.25), "250 ms");
  EXPECT_EQ(time_text(7200), "7200 s");
  EXPECT_EQ(length_text(50e-9), "50 nm");
  EXPECT_EQ(length_text(1.55e-6), "1.55 um");
  EXPECT_EQ(length_text(-0.0123), "-12.3 mm");
  EXPECT_EQ(length_text(1.75), "1.75 m");
  EXPECT_EQ(frequency_text(1.8e9), "1.8 GHz");
  EXPECT_EQ(frequency_text(4.5e14), "450 THz");
  EXPECT_EQ(frequency_text(50), "50 Hz");
  EXPECT_EQ(power_text(0.0025), "2.5 mW");
}

// 1e-12 * 1000 is below 1e-9 by rounding, and 0.99999 ns is 1 ns in four digits.
TEST(Units, AreThoseOfTheRoundedValue) {
  EXPECT_EQ(time_text(1e-12 * 1000), "1 ns");
  EXPECT_EQ(time_text(0.99999e-9), "1 ns");
  EXPECT_EQ(time_text(0.9994e-9), "999.4 ps");
  EXPECT_EQ(length_text(0.123456789, 8), "123.45679 mm");
  EXPECT_EQ(time_text(12345), "12345 s");
}

TEST(Units, HaveALastOneAndNoneForNothing) {
  EXPECT_EQ(time_text(3e-20), "0.03 as");
  EXPECT_EQ(time_text(0), "0 s");
  EXPECT_EQ(length_text(-0.0), "0 m");
  EXPECT_EQ(frequency_text(0), "0 Hz");
  EXPECT_EQ(time_text(std::numeric_limits<double>::infinity()), "inf s");
}

TEST(Units, OfAColumnFollowItsLargestValue) {
  EXPECT_EQ(power(2.5).name, "W");
  EXPECT_EQ(power(0.9).name, "mW");
  EXPECT_EQ(power(2e-6).name, "uW");
  EXPECT_EQ(power(0).name, "W");
  EXPECT_EQ(for_places(0.25).name, "mm");
  EXPECT_EQ(for_places(1.8).name, "mm");
  EXPECT_EQ(for_places(300e-9).name, "nm");
}

TEST(Units, AreAtTheEndOfNames) {
  for (const auto& [name, unit] : {std::pair{"Ex_V_per_m", "V/m"},
                                   {"t_s", "s"},
                                   {"outward_energy_J_per_Hz", "J/Hz"},
                                   {"directivity", ""},
                                   {"outward_cross_section_m2", "m2"},
                                   {"rE_phi_imag_V_s", "V s"},
                                   {"SAR_1g_W_per_kg", "W/kg"},
                                   {"m", ""}})
    EXPECT_EQ(at_end(name), unit) << name;
}

TEST(Units, SizesInBytes) {
  EXPECT_EQ(size_text(0), "0.0 kB");
  EXPECT_EQ(size_text(1536), "1.5 kB");
  EXPECT_EQ(size_text(2e6), "2.0 MB");
  EXPECT_EQ(size_text(3.14159e9), "3.14 GB");
}

}  // namespace
}  // namespace dgtd::units
