// Arithmetic in half precision: its operations, the scale of H that makes coefficients exact, and what it refuses.
#include "fdtd/half_arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

std::unique_ptr<Discretisation<float>> discretisation(const GridProblem& p) {
  const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.materials, p.averaging);
  return std::make_unique<Discretisation<float>>(p.setup, media, p.setup.courant * stability_limit(p.setup), 0, 1);
}

HalfNumber half(double x) { return HalfNumber(float(x)); }

// The nearest half of an exact result, found among all of them.
double nearest(long double exact) {
  double best = 0;
  for (std::uint32_t bits = 0; bits < 0x7c00u; ++bits) {
    const double h = std::copysign(double(half_bits::decode(std::uint16_t(bits))), double(exact));
    if (std::abs(h - exact) < std::abs(best - exact) ||
        (std::abs(h - exact) == std::abs(best - exact) && bits % 2 == 0))
      best = h;
  }
  return best;
}

TEST(HalfArithmetic, OperationsAreRoundedOnce) {
  std::mt19937 random(3);
  const auto number = [&] { return half(std::ldexp(double(random() % 2048) - 1024, int(random() % 16) - 14)); };
  for (int n = 0; n < 300; ++n) {
    const HalfNumber a = number(), b = number(), c = number();
    const long double x = float(a), y = float(b), z = float(c);
    ASSERT_EQ(float(a * b), nearest(x * y));
    ASSERT_EQ(float(a - b), nearest(x - y));
    ASSERT_EQ(float(multiply_add(a, b, c)), nearest(x * y + z));
    ASSERT_EQ(float(-a), -float(a));
  }
  // A tie but for a bit that single precision does not have.
  EXPECT_EQ(float(multiply_add(half(1 + 0x1p-10), half(0x1p-11), half(1))), 1 + 0x1p-10f);
  EXPECT_EQ(float(multiply_add(half(1), half(0x1p-11), half(1))), 1.0f);
}

// Two halves have 2048 pairs of neighbours in an octave of the scale, so that the best product is off by some 1e-6,
// where one product is off by up to 2^-11 of each factor.
TEST(HalfArithmetic, ScaleMakesTheProductOfCoefficientsExact) {
  for (const double courant : {0.5715, 0.5484827557, 0.35})
    for (const double eps : {1.0, 2.085136, 12.1104}) {
      const std::vector<std::array<double, 2>> coefficients{{courant / eps, courant}};
      const double scale = scale_of_half_arithmetic(coefficients);
      EXPECT_GE(scale, std::sqrt(0.5));
      EXPECT_LE(scale, std::sqrt(2));
      EXPECT_LT(error_of_half_arithmetic(coefficients, scale), 2e-6) << courant << " " << eps;
      // Roundings in single precision, 2^-24 each, do not choose other halves.
      for (const double near : {scale * (1 + 0x1p-22), scale * (1 - 0x1p-22)})
        EXPECT_EQ(error_of_half_arithmetic(coefficients, near), error_of_half_arithmetic(coefficients, scale));
    }
  EXPECT_EQ(scale_of_half_arithmetic({{0.5, 0.5}}), 1);
}

TEST(HalfArithmetic, ScaleIsThatOfTheMostFrequentMedium) {
  GridProblem p;
  p.setup.grid = uniform_grid(64, 40, 40, 0.01);
  p.setup.sides.fill(grid::BoundaryKind::cpml);
  p.setup.materials = {grid::Material{2.085136, 1, 0, 0, {}}, grid::Material{12, 1, 0, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.32, 0.2, 0.2}, .radius = 0.06, .material = 1}};
  const auto d = discretisation(p);
  const double c = 299792458.0 * d->time_step / 0.01, scale = scale_of_half_arithmetic(*d);
  EXPECT_LT(error_of_half_arithmetic({{c / 2.085136, c}}, scale), 3e-6);
  EXPECT_EQ(in_scale({{0.5f, 3.0f}}, 0.25)[0].keep, 0.5f);
  EXPECT_EQ(in_scale({{0.5f, 3.0f}}, 0.25)[0].rate, 0.75f);
  const double length = length_of_half_arithmetic(*d);  // a power of two
  EXPECT_EQ(std::ldexp(1.0, std::ilogb(length)), length);
  EXPECT_GT(length, 0.005);
  EXPECT_LT(length, 0.02);
}

// keep = (1 - x) / (1 + x), x = sigma dt / (2 eps): 1 - keep is about 0.026 with 0.05 S/m, 0.0026 with a tenth.
TEST(HalfArithmetic, WeakLossesAreRefused) {
  GridProblem p;
  p.setup.grid = uniform_grid(40, 40, 40, 0.01);
  p.averaging = false;
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.2, 0.2, 0.2}, .radius = 0.06, .material = 1}};
  p.setup.materials = {grid::Material{}, grid::Material{4, 1, 0.05, 0, {}}};
  EXPECT_EQ(why_no_half_arithmetic(*discretisation(p)), "");
  p.setup.materials[1] = grid::Material{4, 1, 0.005, 0, {}};
  EXPECT_EQ(why_no_half_arithmetic(*discretisation(p)),
            "half precision with a medium that takes less than 0.01 of the field per step");
}

}  // namespace
}  // namespace dgtd::fdtd
