// Periodic sides and Bloch's condition: translated fields stay translated; the energy is conserved; plane
// waves have the frequency of their wave vector.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bloch_problem.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

const std::array<std::int64_t, 3>& cells = bloch_cells;
const Vec3& size = bloch_size;

class Periodic : public testing::TestWithParam<int> {
 protected:
  int order() const { return GetParam(); }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

/// Random coefficients of an element, which depend on its number.
std::vector<double> random_coefficients(std::int64_t element, std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(element + 1));
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> coefficients(count);
  for (double& c : coefficients) c = value(random);
  return coefficients;
}

/// The element of make_box that is a cell further along x, around the box.
std::int64_t next_along_x(std::int64_t id) {
  const std::int64_t cell = id / 6, x = cell % cells[0];
  return id + 6 * ((x + 1) % cells[0] - x);
}

TEST_P(Periodic, TranslatedFieldsStayTranslated) {
  const Problem problem{mesh::make_box(cells, size, self_, {}, {true, true, true}), {{2.0, 1.5, 0.01}}, std::vector(6, physics::BoundaryKind::periodic), {}};
  const double dt = 0.3 * size.x / double(cells[0]) / (speed_of_light * (order() + 1) * (order() + 1));
  const auto run = [&](bool translated) {
    auto solver = make_solver<double>(problem, order(), dt, self_);
    const auto& d = solver.discretisation();
    const std::size_t reals = std::size_t{3} * static_cast<std::size_t>(d.layout.nodes);
    for (Field<double>* field : {&solver.electric(), &solver.magnetic()}) {
      double* const to = field->host_for_writing();
      for (std::size_t e = 0; e < d.mesh.elements(); ++e) {
        const std::int64_t id = d.mesh.element_id[e];
        std::int64_t from = id;
        if (translated)  // the field of the element before
          for (int i = 1; i < static_cast<int>(cells[0]); ++i) from = next_along_x(from);
        const auto values = random_coefficients(2 * from + (field == &solver.magnetic()), reals);
        for (std::size_t i = 0; i < reals; ++i) to[d.layout.first(d.slot_of_element[e]) + i * d.layout.stride()] = values[i];
      }
    }
    solver.advance(12);
    std::map<std::int64_t, std::vector<double>> of_element;
    for (std::size_t e = 0; e < d.mesh.elements(); ++e) {
      auto& all = of_element[d.mesh.element_id[e]] = coefficients_of(d, solver.electric(), e);
      const auto magnetic = coefficients_of(d, solver.magnetic(), e);
      all.insert(all.end(), magnetic.begin(), magnetic.end());
    }
    return of_element;
  };
  const auto fields = run(false), translated = run(true);
  for (const auto& [id, values] : fields)  // edges of translated elements differ by rounding
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(translated.at(next_along_x(id))[i], values[i], 1e-12) << "element " << id;
}

TEST_P(Periodic, BlochEnergyIsConserved) {
  const Problem problem = bloch_box({0.7, -1.9, 2.6}, self_);
  auto solver = make_solver<double>(problem, order(), 0.99 * stable_step(problem, order(), self_), self_);
  fill_at_random(solver);
  const double first = solver.energy();
  for (int i = 0; i < 10; ++i) {
    solver.advance(500);
    ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "after " << 500 * (i + 1) << " steps";
  }
}

/// Real parts into the first copies of the elements, imaginary ones into the second copies.
void set_complex_fields(DgSolver<double>& solver, const solver::VectorFunction& electric,
                        const solver::VectorFunction& magnetic, const solver::VectorFunction& electric_imaginary,
                        const solver::VectorFunction& magnetic_imaginary) {
  const auto& d = solver.discretisation();
  // [elements][3 Np] of first copies.
  const auto copy_of = [&](const Field<double>& field) {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < d.mesh.first_copies(); ++i) all.push_back(coefficients_of(d, field, i));
    return all;
  };
  solver.set_fields(electric_imaginary, magnetic_imaginary);
  const std::array imaginary = {copy_of(solver.electric()), copy_of(solver.magnetic())};
  solver.set_fields(electric, magnetic);
  for (std::size_t f = 0; f < 2; ++f) {
    double* const to = (f == 0 ? solver.electric() : solver.magnetic()).host_for_writing();
    for (std::size_t i = 0; i < d.mesh.first_copies(); ++i)
      for (std::size_t c = 0; c < imaginary[f][i].size(); ++c)
        to[d.layout.first(d.slot_of_element[i + d.mesh.first_copies()]) + c * d.layout.stride()] = imaginary[f][i][c];
  }
}

/// The part of the fields of a plane wave exp(i (k . x - w t)) after half a period, against the exact one: the error
/// falls as h^(p + 1) and dt^2, and is large if any phase of the sides is wrong.
TEST_P(Periodic, BlochWavesHaveTheFrequencyOfTheirWaveVector) {
  const double index = std::sqrt(2.0 * 1.5);
  const Vec3 k{2.1, -1.3, 1.7};  // rad/m: 0.6 m and less of a wavelength of 2 m
  const Problem problem = bloch_box({k.x * size.x, k.y * size.y, k.z * size.z}, self_);
  const double dt = 0.5 * stable_step(problem, order(), self_);
  auto solver = make_solver<double>(problem, order(), dt, self_);
  const double w = norm(k) * speed_of_light / index;
  const Vec3 along = (1 / norm(k)) * k;
  Vec3 e = cross(along, Vec3{0, 0, 1});
  e = (1 / norm(e)) * e;
  const Vec3 h = (std::sqrt(2.0 / 1.5) / vacuum_impedance) * cross(along, e);
  const double lag = 0.5 * dt;
  // The imaginary part of the field is its real part a quarter of a period earlier.
  const auto wave = [&](const Vec3& amplitude, double time, double phase) {
    return [=](const Vec3& x) { return std::cos(dot(k, x) - w * time - phase) * amplitude; };
  };
  set_complex_fields(solver, wave(e, 0, 0), wave(h, -lag, 0), wave(e, 0, pi / 2), wave(h, -lag, pi / 2));
  const auto steps = static_cast<std::int64_t>(std::ceil(pi / w / dt));
  solver.advance(steps);
  const double time = double(steps) * dt;
  const auto errors = solver.squared_errors(wave(e, time, 0), wave(h, time - lag, 0));
  const double kh = norm(k) * std::sqrt(3.0) * 0.2;  // of a cube's diagonal
  EXPECT_LT(std::sqrt(errors[0] / errors[1]), std::pow(kh / 2, order() + 1));
  EXPECT_LT(std::sqrt(errors[2] / errors[3]), std::pow(kh / 2, order() + 1));
}

// |C E|^2 / |E|^2 of a plane wave is k^2 / (eps_r mu_r) but for an error that falls as h^(2 p): by 4^p per halving.
TEST_P(Periodic, RayleighQuotientOfABlochWaveIsTheSquareOfItsWaveVector) {
  const Vec3 k{2.1, -1.3, 1.7}, e = cross(k, Vec3{0, 0, 1}), zero{};
  const auto error = [&](std::int64_t n) {
    const Problem problem = bloch_box({k.x * size.x, k.y * size.y, k.z * size.z}, self_, {2.0, 1.5, 0}, {n, n, n});
    auto solver = make_solver<double>(problem, order(), 1e-12, self_);
    const auto nothing = [=](const Vec3&) { return zero; };
    set_complex_fields(
        solver, [=](const Vec3& x) { return std::cos(dot(k, x)) * e; }, nothing,
        [=](const Vec3& x) { return std::sin(dot(k, x)) * e; }, nothing);
    const auto& d = solver.discretisation();
    Field<double> curl(d.field_reals(), solver.executor().memory());
    solver.executor().apply(HalfStep::magnetic, solver.electric(), solver.magnetic(), curl);
    const auto square = [&](HalfStep of, const Field<double>& field) {
      parallel::ReproducibleSum sum;
      solver.executor().add_product(of, field, field, d.owned_blocks, sum);
      return sum.value(self_);
    };
    const double quotient = square(HalfStep::magnetic, curl) / square(HalfStep::electric, solver.electric());
    return std::abs(quotient * 2.0 * 1.5 / dot(k, k) - 1);
  };
  const double coarse = error(2), fine = error(4);
  std::printf("P%d: Rayleigh quotient off by %.2e and %.2e, %.1f times less\n", order(), coarse, fine, coarse / fine);
  EXPECT_LT(fine, 0.01);
  EXPECT_GT(coarse / fine, 0.75 * std::pow(4, order()));
}

// Local time steps are symplectic between the sides, too: with elements beside them on level 0.
TEST_P(Periodic, BlochEnergyIsConservedWithLocalSteps) {
  const Problem problem = graded_bloch_box(self_);
  const TimeLevels levels = levels_in_the_middle(problem, self_);
  ASSERT_EQ(levels.finest, 2);
  auto solver = make_solver<double>(problem, order(), 0.7 * stable_step(problem, order(), self_), self_,
                                    KernelFusion::fused, levels);
  fill_at_random(solver);
  const double first = solver.energy();
  for (int i = 0; i < 5; ++i) {
    solver.advance(8);
    ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "after " << 8 * (i + 1) << " steps";
  }
}

TEST_P(Periodic, LevelsDoNotReachBlochSides) {
  const Problem problem = graded_bloch_box(self_);
  TimeLevels levels = levels_in_the_middle(problem, self_);
  levels.reach[problem.bloch.front().element] = 1;
  try {
    (void)make_solver<double>(problem, order(), 1e-12, self_, KernelFusion::fused, levels);
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is at a side of type bloch and within reach of level 1; such elements and "
                                             "their face neighbours are allowed on level 0 only"),
              std::string::npos)
        << error.what();
  }
}

// |F|^2 of the complex field a + i b, and |G|^2 of that with the opposite phases, from its values at the points of a
// quadrature; together they are 2 |A|^2 + 2 |B|^2 of the sums of a and b.
TEST_P(Periodic, MeanSquaresAreThoseOfComplexFields) {
  using solver::Phases, solver::Quantity;
  const Problem problem = bloch_box({0.7, -1.9, 2.6}, self_);
  const double dt = 0.9 * stable_step(problem, order(), self_);
  auto solver = make_solver<double>(problem, order(), dt, self_);
  fill_at_random(solver);
  solver.start_dft({0.9 / dt, 0.4 / dt});
  for (int i = 0; i < 6; ++i) {
    solver.advance(1);
    solver.accumulate_dft(0.3);
  }
  const auto& d = solver.discretisation();
  const auto quadrature = tetrahedron_quadrature(order() + 1);
  const auto elements = solver.stored_order();
  ASSERT_EQ(elements.size(), problem.mesh.first_copies());
  const auto own = solver.mean_square_electric(1, Phases::own), opposite = solver.mean_square_electric(1, Phases::opposite);
  std::vector<double> parts[2];
  for (const int i : {0, 1}) {
    parts[i].resize(elements.size() * quadrature.points.size() * 3);
    solver.sample({Quantity::Field::electric, i == 0 ? Quantity::Part::real : Quantity::Part::imaginary, 1},
                  quadrature.points, elements, parts[i].data());
  }
  const auto& sums = solver.phasors()[1];
  for (std::size_t i = 0; i < elements.size(); ++i) {
    double mean = 0;
    for (std::size_t q = 0; q < quadrature.points.size(); ++q)
      for (std::size_t k = 0; k < 3; ++k)
        for (const auto& part : parts)
          mean += 6 * quadrature.weights[q] * std::pow(part[(i * quadrature.points.size() + q) * 3 + k], 2);
    EXPECT_NEAR(own[elements[i]], mean, 1e-11 * mean);
  }
  double all = 0, of_copies = 0;
  for (const auto* field : {&sums.electric_real, &sums.electric_imag}) {
    const auto squares = solver.executor().element_products(*field, *field);
    for (std::size_t e = 0; e < d.mesh.elements(); ++e)
      of_copies += 2 * squares[d.slot_of_element[e]] / ElementGeometry(d.mesh, e).volume();
  }
  for (std::size_t e = 0; e < own.size(); ++e) all += own[e] + opposite[e];
  EXPECT_NEAR(all, of_copies, 1e-12 * of_copies);
}

INSTANTIATE_TEST_SUITE_P(Orders, Periodic, testing::ValuesIn(built_orders({1, 2, 3})));

}  // namespace
}  // namespace dgtd::dg::test
