// Arithmetic in half precision: its operations, the scale of H that makes coefficients exact, and what it refuses.
#include "fdtd/media/half_arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dgtd/fdtd/kernels/update_field.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

std::unique_ptr<Discretisation<float>> discretisation(const GridProblem& p) {
  const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.materials, p.averaging);
  return std::make_unique<Discretisation<float>>(p.setup, media, p.time_step(), 0, 1);
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
  const auto number = [&] { return half(std::ldexp(double(random() % 2048) - 1024, int(random() % 12) - 14)); };
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
  constexpr double edge = 40e-9;
  for (const double courant : {0.5715, 0.5484827557, 0.35})
    for (const double eps : {1.0, 2.085136, 12.1104}) {
      const HalfCoefficients exact{{courant * edge / eps, courant * edge}, {{edge, edge}, {edge, edge}}};
      const HalfUnits units = units_of_half_arithmetic(exact);
      EXPECT_EQ(units.length, float(edge));
      EXPECT_GE(units.magnetic_scale, std::sqrt(0.5));
      EXPECT_LE(units.magnetic_scale, std::sqrt(2));
      const double error = error_of_half_arithmetic(exact, units);
      EXPECT_LT(error, 2e-6) << courant << " " << eps;
      // Roundings in single precision, 2^-24 each, do not choose other halves.
      for (const double off : {1 + 0x1p-22, 1 - 0x1p-22})
        EXPECT_EQ(error_of_half_arithmetic(exact, {units.magnetic_scale * off, units.length}), error);
    }
  EXPECT_EQ(units_of_half_arithmetic({{0.5, 0.5}, {{1, 1}}}).magnetic_scale, 1);
}

TEST(HalfArithmetic, UnitsAreThoseOfTheMostFrequentMedium) {
  GridProblem p;
  p.setup.grid = uniform_grid(64, 40, 40, 0.01);
  p.setup.sides.fill(physics::BoundaryKind::cpml);
  p.setup.materials = {physics::Medium{2.085136, 1, 0, 0, {}}, physics::Medium{12, 1, 0, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.32, 0.2, 0.2}, .radius = 0.06, .material = 1}};
  const auto d = discretisation(p);
  const HalfUnits units = units_of_half_arithmetic(*d, parallel::Communicator(MPI_COMM_SELF));
  EXPECT_NEAR(units.length, 0.01, 1e-8);
  const double Cb = 299792458.0 * d->time_step;
  double electric = 0;  // of the medium as its class has it, rounded to 2^-14
  for (const auto& m : d->electric.classes)
    if (std::abs(m.Cb * 2.085136 / Cb - 1) < 1e-4) electric = m.Cb;
  ASSERT_GT(electric, 0);
  EXPECT_LT(error_of_half_arithmetic({{electric, d->magnetic.classes[0].Cb}, {{0.01, 0.01}}}, units), 3e-6);
  EXPECT_EQ(in_scale({{0.5f, 3.0f}}, 0.25)[0].Ca, 0.5f);
  EXPECT_EQ(in_scale({{0.5f, 3.0f}}, 0.25)[0].Cb, 0.75f);
}

/// Steps of a closed box, in half precision, by the kernels of half steps.
class HalfSteps {
 public:
  HalfSteps(const Discretisation<float>& d, const HalfUnits& units)
      : d_(d),
        units_(units),
        classes_{in_scale(d.electric.classes, units.magnetic_scale),
                 in_scale(d.magnetic.classes, 1 / units.magnetic_scale)} {
    for (auto& field : fields_) field.assign(3 * static_cast<std::size_t>(d.layout.reals), Half(0.0f));
  }
  std::vector<Half>& field(int f) { return fields_[f]; }
  double unit(int f) const { return f == 0 ? unit_of_electric : unit_of_electric * units_.magnetic_scale; }
  void advance(int steps) {
    for (int s = 0; s < steps; ++s) {
      update<Difference::forward>(d_.magnetic, 1);
      update<Difference::backward>(d_.electric, 0);
    }
  }

 private:
  static constexpr double unit_of_electric = 0.0625;  // V/m
  template <Difference direction>
  void update(const HalfStepArrays<float>& arrays, int f) {
    HalfStepView<Half> v{};
    v.layout = d_.layout;
    for (std::size_t a = 0; a < 3; ++a) {
      v.source[a] = fields_[1 - f].data() + static_cast<std::int64_t>(a) * d_.layout.reals;
      v.target[a] = fields_[f].data() + static_cast<std::int64_t>(a) * d_.layout.reals;
      v.axis[a] = {arrays.axis[a].inverse_distance.data(), arrays.axis[a].b.data(), arrays.axis[a].c.data()};
    }
    v.classes = classes_[f].data(), v.class_of = arrays.class_of.data();
    v.length = units_.length, v.per_length = 1 / v.length;
    for (const TileBatch& b : arrays.batches)
      for (const Tile& t : b.tiles)
        for (int k = 0; k < tile_cells(2) && t.first[2] + k < d_.layout.cells[2]; ++k)
          for (int j = 0; j < tile_cells(1) && t.first[1] + j < d_.layout.cells[1]; ++j)
            for (int i = 0; i < tile_cells(0) && t.first[0] + i < d_.layout.cells[0]; ++i) {
              if (b.mixed)
                UpdateField<Half, RowKind{direction, false, true}, HalfNumber>{v}.template cells<1>(t, i, j, k);
              else UpdateField<Half, RowKind{direction}, HalfNumber>{v}.template cells<1>(t, i, j, k);
            }
  }
  const Discretisation<float>& d_;
  HalfUnits units_;
  std::vector<MediumClass<float>> classes_[2];
  std::vector<Half> fields_[2];
};

// Each half step rounds a component twice, at its two sums, and two differences of independent numbers, which enter
// times the coefficient C: the variance of 2 + 2 * 2 C^2 roundings (HalfPrecision.ErrorIsARandomWalk). Without the
// units coefficients are off by 2^-12 and more, which adds up.
TEST(HalfArithmetic, ErrorIsARandomWalk) {
  GridProblem p;
  p.setup.grid = uniform_grid(24, 20, 16, 0.01);
  const parallel::Communicator comm;
  auto single = p.make<float>(comm);
  single->randomise_fields();
  const auto& d = single->discretisation();
  HalfSteps with(d, units_of_half_arithmetic(d, comm)), without(d, {1, 0.01f});
  const auto values = [&](int f) {
    return (f == 0 ? single->engine().electric() : single->engine().magnetic()).host();
  };
  for (HalfSteps* const half : {&with, &without})
    for (int f = 0; f < 2; ++f)
      for (std::size_t n = 0; n < half->field(f).size(); ++n)
        half->field(f)[n] = Half(static_cast<float>(double(values(f)[n]) / half->unit(f)));
  constexpr int steps = 200;
  single->advance(steps);
  const auto error = [&](HalfSteps& half) {
    half.advance(steps);
    double difference = 0, all = 0;
    for (int f = 0; f < 2; ++f)
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < d.layout.cells[2]; ++k)
          for (int j = 0; j < d.layout.cells[1]; ++j)
            for (int i = 0; i < d.layout.cells[0]; ++i) {
              const auto n = static_cast<std::size_t>(c * d.layout.reals + d.layout.index(i, j, k));
              const double exact = values(f)[n], off = half.unit(f) * double(float(half.field(f)[n])) - exact;
              difference += off * off, all += exact * exact;
            }
    return std::sqrt(difference / all);
  };
  const double coefficient = 299792458.0 * d.time_step / 0.01, roundings = (2 + 4 * coefficient * coefficient) * steps;
  const double largest = std::exp2(-10) / std::sqrt(12) * std::sqrt(roundings), reached = error(with);
  EXPECT_LT(reached, 1.1 * largest);
  EXPECT_GT(reached, 0.4 * largest);
  EXPECT_GT(error(without), 2 * reached);
}

// Ca = (1 - x) / (1 + x), x = sigma dt / (2 eps): 1 - Ca is about 0.026 with 0.05 S/m, 0.0026 with a tenth.
TEST(HalfArithmetic, WeakLossesAreRefused) {
  GridProblem p;
  p.setup.grid = uniform_grid(40, 40, 40, 0.01);
  p.averaging = false;
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.2, 0.2, 0.2}, .radius = 0.06, .material = 1}};
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}};
  EXPECT_EQ(why_no_half_arithmetic(*discretisation(p), parallel::Communicator(MPI_COMM_SELF)), "");
  p.setup.materials[1] = physics::Medium{4, 1, 0.005, 0, {}};
  EXPECT_EQ(why_no_half_arithmetic(*discretisation(p), parallel::Communicator(MPI_COMM_SELF)),
            "half precision with a medium that takes less than 0.01 of the field per step");
}

}  // namespace
}  // namespace dgtd::fdtd
