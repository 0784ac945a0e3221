// The cavity mode against Maxwell's equations by central differences, and on the walls.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/cavity_mode.hpp"

namespace dgtd::physics {
namespace {

constexpr double step = 1e-4;  // m; differences of second order are wrong by (k step)^2 / 6 < 1e-6

template <class Field>
Vec3 curl(const Field& f, const Vec3& x) {
  Vec3 d[3];  // d[i]: derivative along axis i
  for (int i = 0; i < 3; ++i) {
    Vec3 h;
    h[i] = step;
    d[i] = (f(x + h) - f(x - h)) / (2 * step);
  }
  return {d[1].z - d[2].y, d[2].x - d[0].z, d[0].y - d[1].x};
}

template <class Field>
double divergence(const Field& f, const Vec3& x) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    Vec3 h;
    h[i] = step;
    sum += (f(x + h)[i] - f(x - h)[i]) / (2 * step);
  }
  return sum;
}

class CavityModes : public testing::TestWithParam<CavityMode> {};

TEST_P(CavityModes, SatisfyMaxwellsEquations) {
  const CavityMode cavity = GetParam();
  const double omega = cavity.angular_frequency(), time_step = 1e-4 / omega;
  const double eps = cavity.permittivity * vacuum_permittivity, mu = cavity.permeability * vacuum_permeability;
  const double scale = omega * std::sqrt(eps * mu);  // of a curl of E, V/m^2
  for (const Vec3& relative : {Vec3{0.31, 0.23, 0.71}, Vec3{0.83, 0.47, 0.19}})
    for (double phase : {0.3, 2.1}) {
      const Vec3 x{relative.x * cavity.size.x, relative.y * cavity.size.y, relative.z * cavity.size.z};
      const double t = phase / omega;
      const auto e = [&](const Vec3& y) { return cavity.electric(y, t); };
      const auto h = [&](const Vec3& y) { return cavity.magnetic(y, t); };
      const Vec3 e_rate = (cavity.electric(x, t + time_step) - cavity.electric(x, t - time_step)) / (2 * time_step);
      const Vec3 h_rate = (cavity.magnetic(x, t + time_step) - cavity.magnetic(x, t - time_step)) / (2 * time_step);
      EXPECT_LT(norm(curl(e, x) + mu * h_rate), 1e-6 * scale);
      EXPECT_LT(norm(curl(h, x) - eps * e_rate), 1e-6 * scale * std::sqrt(eps / mu));
      EXPECT_LT(std::abs(divergence(e, x)), 1e-6 * scale);
      EXPECT_LT(std::abs(divergence(h, x)), 1e-6 * scale * std::sqrt(eps / mu));
    }
}

TEST_P(CavityModes, HaveNoTangentialElectricAndNoNormalMagneticFieldOnTheWalls) {
  const CavityMode cavity = GetParam();
  const double t = 0.7 / cavity.angular_frequency();
  for (int axis = 0; axis < 3; ++axis)
    for (double side : {0.0, 1.0}) {
      Vec3 x{0.37 * cavity.size.x, 0.21 * cavity.size.y, 0.66 * cavity.size.z};
      x[axis] = side * cavity.size[axis];
      Vec3 tangential = cavity.electric(x, t);
      tangential[axis] = 0;
      EXPECT_LT(norm(tangential), 1e-14);
      EXPECT_LT(std::abs(cavity.magnetic(x, t)[axis]) * vacuum_impedance, 1e-14);
    }
}

INSTANTIATE_TEST_SUITE_P(Boxes, CavityModes,
                         testing::Values(CavityMode{}, CavityMode{{1, 0, 1}}, CavityMode{{0, 2, 1}, {1, 1, 2}},
                                         CavityMode{{1, 1, 1}}, CavityMode{{3, 1, 2}, {1, 0.8, 1.3}, 2.5, 1.5}));

TEST(CavityMode, OneOneZeroIsTheFieldUsedByEveryone) {
  const CavityMode cavity;
  const double omega = pi * std::sqrt(2.0) * speed_of_light, t = 0.4 / omega;
  EXPECT_NEAR(cavity.angular_frequency(), omega, 1e-12 * omega);
  const Vec3 e = cavity.electric({0.3, 0.4, 0.9}, t), h = cavity.magnetic({0.3, 0.4, 0.9}, t);
  EXPECT_NEAR(e.z, std::sin(0.3 * pi) * std::sin(0.4 * pi) * std::cos(0.4), 1e-14);
  EXPECT_EQ(std::hypot(e.x, e.y), 0);
  const double amplitude = pi / (vacuum_permeability * omega) * std::sin(0.4);
  EXPECT_NEAR(h.x, -amplitude * std::sin(0.3 * pi) * std::cos(0.4 * pi), 1e-15);
  EXPECT_NEAR(h.y, amplitude * std::cos(0.3 * pi) * std::sin(0.4 * pi), 1e-15);
  EXPECT_NEAR(h.z, 0, 1e-18);
}

}  // namespace
}  // namespace dgtd::physics
