#include "dgtd/dosimetry/table.hpp"

#include <gtest/gtest.h>

namespace dgtd::dosimetry {
namespace {

TEST(FormatTable, AlignsColumnsAndAddsTheTissues) {
  TissueRow skin{"skin", 0.5, 0.05, 0.1, 2.5, Vec3{0.0123, 0, -0.05}, 7};
  TissueRow brain{"brain", 1.5, 0.15, 0.1, 0.75, Vec3{0, 0, 0.02}, 9};
  TissueRow metal{"metal", 0, 0.001, {}, {}, {}, -1};
  EXPECT_EQ(format_table({skin, brain, metal}),
            "group        mass [g]  absorbed [mW]  SAR mean [W/kg]  SAR max [W/kg]     maximum at [mm]\n"
            "skin            500.0          50.00           0.1000           2.500  (12.3, 0.0, -50.0)\n"
            "brain            1500          150.0           0.1000          0.7500    (0.0, 0.0, 20.0)\n"
            "metal               -          1.000                -               -                   -\n"
            "all tissues      2000          200.0           0.1000           2.500  (12.3, 0.0, -50.0)\n");
}

TEST(FormatTable, HasNoSumWithoutTissues) {
  EXPECT_EQ(format_table({}), "group  mass [g]  absorbed [W]  SAR mean [W/kg]  SAR max [W/kg]  maximum at [mm]\n");
}

TEST(PowerUnit, FollowsTheLargestPower) {
  EXPECT_STREQ(power_unit(2.5).name, "W");
  EXPECT_STREQ(power_unit(0.9).name, "mW");
  EXPECT_STREQ(power_unit(2e-6).name, "uW");
  EXPECT_STREQ(power_unit(0).name, "W");
}

}  // namespace
}  // namespace dgtd::dosimetry
