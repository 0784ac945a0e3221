// The dipole against Jackson's vector formula, its power flow, and the absorbing sphere around it.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "support/exact_dipole.hpp"

namespace dgtd::exact {
namespace {

constexpr Complex i{0, 1};

Eigen::Vector3d eigen(const Vec3& a) { return {a.x, a.y, a.z}; }

// Bilinear, while Eigen's cross() of complex vectors is conjugated.
Eigen::Vector3cd vector_product(const Eigen::Vector3cd& a, const Eigen::Vector3cd& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Dipole tilted_dipole() { return {{0.1, -0.2, 0.05}, Vec3{1, 2, -2} / 3.0, 1e-3, 9e8, {}}; }

// Poynting's vector through the sphere around the dipole, from E_theta and H_phi on its equator: both
// go as sin(theta), and the integral of sin^2(theta) over the sphere is 8 pi / 3.
double outward_power(const Dipole& dipole, double radius) {
  const Vec3 across = cross(dipole.direction, Vec3{0, 0, 1}) / norm(cross(dipole.direction, Vec3{0, 0, 1}));
  const ComplexField f = dipole.field(dipole.position + radius * across);
  const Eigen::Vector3cd flow = vector_product(f.electric, f.magnetic.conjugate());
  return 8 * pi / 3 * radius * radius * 0.5 * (eigen(across).transpose() * flow).value().real();
}

// Jackson, Classical Electrodynamics, 3rd ed., (9.18), with p = i moment / omega.
TEST(Dipole, HasTheFieldOfJackson) {
  const Dipole dipole = tilted_dipole();
  const double k = dipole.wave_number(), omega = k * speed_of_light;
  const Vec3 x{0.25, 0.1, -0.3};
  const Eigen::Vector3d offset = eigen(x - dipole.position);
  const double r = offset.norm();
  const Eigen::Vector3cd n = (offset / r).cast<Complex>(), p = (i * dipole.moment / omega) * eigen(dipole.direction);
  const Complex wave = std::exp(i * k * r);
  const Eigen::Vector3cd h =
      speed_of_light * k * k / (4 * pi) * wave / r * (1.0 - 1.0 / (i * k * r)) * vector_product(n, p);
  const Eigen::Vector3cd e = 1 / (4 * pi * vacuum_permittivity) *
                             (k * k * wave / r * vector_product(vector_product(n, p), n) +
                              (3.0 * n * n.cwiseProduct(p).sum() - p) * (1 / (r * r * r) - i * k / (r * r)) * wave);
  const ComplexField field = dipole.field(x);
  EXPECT_LT((field.electric - e).norm(), 1e-12 * e.norm());
  EXPECT_LT((field.magnetic - h).norm(), 1e-12 * h.norm());
}

TEST(Dipole, RadiatesItsPowerThroughEverySphere) {
  const Dipole dipole = tilted_dipole();
  for (double radius : {0.01, 0.3, 5.0})
    EXPECT_NEAR(outward_power(dipole, radius), dipole.free_space_power(), 1e-9 * dipole.free_space_power());
  EXPECT_EQ(dipole.power(), dipole.free_space_power());
}

TEST(Dipole, InASphereSatisfiesTheSilverMuellerConditionAndGivesItsPower) {
  for (double wavelengths : {0.3, 1.0, 1.7}) {
    Dipole dipole = tilted_dipole();
    const double radius = wavelengths * 2 * pi / dipole.wave_number();
    dipole.absorbing_radius = radius;
    const Vec3 outward = Vec3{2, -1, 1} / std::sqrt(6.0);
    const ComplexField f = dipole.field(dipole.position + radius * outward);
    const Eigen::Vector3cd n = eigen(outward).cast<Complex>();
    EXPECT_LT(
        (vector_product(n, f.electric) - vacuum_impedance * vector_product(n, vector_product(f.magnetic, n))).norm(),
        1e-12 * f.electric.norm());
    for (double share : {0.05, 0.5, 1.0})
      EXPECT_NEAR(outward_power(dipole, share * radius), dipole.power(), 1e-9 * dipole.power()) << wavelengths;
  }
}

// About cos(2a)/a^2 less than in free space: 2.5 % for one wavelength.
TEST(Dipole, InASphereDeviatesFromFreeSpaceByTheKnownShare) {
  struct Row {
    double wavelengths, deviation;
  };
  for (const Row& row : {Row{1, -0.0247}, Row{1.5, -0.0111}, Row{2, -0.00629}, Row{3, -0.00281}}) {
    Dipole dipole = tilted_dipole();
    dipole.absorbing_radius = row.wavelengths * 2 * pi / dipole.wave_number();
    EXPECT_NEAR(dipole.power() / dipole.free_space_power() - 1, row.deviation, 5e-3 * std::abs(row.deviation));
  }
}

}  // namespace
}  // namespace dgtd::exact
