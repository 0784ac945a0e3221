#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "physics/debye_fit.hpp"
#include "dgtd/physics/tissue.hpp"

namespace dgtd::physics {
namespace {

Permittivity of_tissue(const std::string& name) {
  return [name](double omega) { return tissue_permittivity(name, omega / (2 * pi)); };
}

// A sum of poles is recovered: the problem in the coefficients is linear, and the relaxation times are
// refined by factors down to 1e-4.
TEST(DebyeFit, FindsPolesThatAreThere) {
  const std::vector<Pole> poles{{Pole::Type::debye, 30, 0, 0, 9e-12}, {Pole::Type::debye, 12, 0, 0, 4e-10}};
  const Permittivity eps = [&](double omega) {
    return permittivity(Medium{.permittivity = 5, .conductivity = 0.6, .poles = poles}, omega);
  };
  const double lowest = 2 * pi * 1e8, highest = 2 * pi * 1e10;
  const Medium fit = fit_debye(eps, 2, lowest, highest);
  ASSERT_EQ(fit.poles.size(), 2u);
  for (int p : {0, 1}) {
    EXPECT_NEAR(fit.poles[p].relaxation_time, poles[p].relaxation_time, 1e-2 * poles[p].relaxation_time);
    EXPECT_NEAR(fit.poles[p].strength, poles[p].strength, 1e-2 * poles[p].strength);
  }
  EXPECT_NEAR(fit.permittivity, 5, 0.05);
  EXPECT_NEAR(fit.conductivity, 0.6, 0.006);
  EXPECT_LT(worst_error(fit, eps, lowest, highest), 1e-3);
}

// A Cole-Cole term is a continuous, positive distribution of relaxation times (K. S. Cole, R. H. Cole 1941, (9)), so
// sums of positive poles approach it, faster than any power of their number: the worst error falls by a factor of three
// and more with each. The bounds are what the worst tissues have, dry skin and the cerebellum.
TEST(DebyeFit, EveryTissueFrom100MegahertzTo10Gigahertz) {
  const double lowest = 2 * pi * 1e8, highest = 2 * pi * 1e10;
  const double bounds[] = {0, 0.28, 0.061, 0.0145, 0.004};
  double worst[5] = {};
  for (const std::string& name : tissue_names()) {
    double before = 1;
    for (int poles = 1; poles <= 4; ++poles) {
      const Medium fit = fit_debye(of_tissue(name), poles, lowest, highest);
      const double error = worst_error(fit, of_tissue(name), lowest, highest);
      worst[poles] = std::max(worst[poles], error);
      EXPECT_LT(error, bounds[poles]) << name << ", poles: " << poles;
      EXPECT_TRUE(error < before / 3 || error < 1e-3) << name << ", poles: " << poles;
      before = error;
      EXPECT_LE(static_cast<int>(fit.poles.size()), poles);
      EXPECT_GE(fit.permittivity, 1) << name;
      EXPECT_GE(fit.conductivity, 0) << name;
      for (const Pole& p : fit.poles) {
        EXPECT_GT(p.strength, 0) << name;
        EXPECT_GE(p.relaxation_time, 0.0999 / highest) << name;
        EXPECT_LE(p.relaxation_time, 10.01 / lowest) << name;
      }
      // Positive coefficients absorb at all frequencies, not only in the band.
      EXPECT_NO_THROW(check_passive(name, fit, 1e3, 1e15));
    }
  }
  for (int poles = 1; poles <= 4; ++poles) std::printf("%d poles: worst error %.3f %%\n", poles, 100 * worst[poles]);
}

// No coefficients below zero, and eps_infinity not below one, even where the least squares would like them.
TEST(DebyeFit, StaysPhysicalWhereTheDataAreNot) {
  const Permittivity falling_loss = [](double omega) { return std::complex<double>(0.5, -1e-3 * omega / 1e10); };
  const Medium fit = fit_debye(falling_loss, 3, 1e9, 1e11);
  EXPECT_EQ(fit.permittivity, 1);
  EXPECT_EQ(fit.conductivity, 0);
  EXPECT_TRUE(fit.poles.empty());
}

TEST(DebyeFit, ResolveFitsMaterialsWithDebyePoles) {
  std::vector<Material> materials;
  for (const char* name : {"skin", "given"}) {
    auto& m = materials.emplace_back();
    m.name = name;
    m.tissue = "skin dry";
    m.debye_poles = 3;
    m.fit_band = physics::Band{1e8, 1e10};
    m.permittivity_known = m.conductivity_known = false;
  }
  materials[1].permittivity = 40;
  materials[1].conductivity = 1;
  materials[1].permittivity_known = materials[1].conductivity_known = true;
  const auto fits = resolve_tissues(materials, {});
  ASSERT_EQ(fits.size(), 2u);
  EXPECT_EQ(fits[0].material, "skin");
  EXPECT_EQ(fits[0].tissue, "Skin (Dry)");
  EXPECT_EQ(fits[0].poles, 3);
  EXPECT_LT(fits[0].worst_error, 0.0145);
  EXPECT_EQ(materials[0].poles.size(), 3u);
  EXPECT_TRUE(materials[0].permittivity_known && materials[0].conductivity_known);
  EXPECT_EQ(materials[1].permittivity, 40);  // as a resolved case gives it
  EXPECT_TRUE(materials[1].poles.empty());
  EXPECT_GT(fits[1].worst_error, 0.1);
  const auto once = materials;
  EXPECT_EQ(resolve_tissues(materials, {})[0].worst_error, fits[0].worst_error);
  EXPECT_EQ(materials, once);
}

}  // namespace
}  // namespace dgtd::physics
