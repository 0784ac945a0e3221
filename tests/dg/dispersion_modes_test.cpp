// Poles beside E: complex frequencies, the step, passivity of rounded coefficients, and a mode of a filled box.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>
#include <numeric>

#include "dispersion_media.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::dg::test {
namespace {

using Complex = std::complex<double>;

// A matrix of a step of one mode, H' = -kappa E, E' = kappa H: unknowns E, H and what the poles keep. kappa: of the
// curl over sqrt(eps_inf mu), 1/s.
Eigen::MatrixXd step_of_mode(const physics::Medium& m, double kappa, double dt) {
  const PoleCounts most = count_poles(m);
  const auto row = pole_row<double>(m, most, dt);
  const int n = 2 + most.kept();
  Eigen::MatrixXd matrix(n, n);
  for (int column = 0; column < n; ++column) {
    Eigen::VectorXd x = Eigen::VectorXd::Unit(n, column);
    x(1) -= kappa * dt * x(0);
    double change = row[0] * kappa * dt * x(1) - row[1] * x(0);
    for_each_pole(most, most, [&](auto kind, int place, int kept) {
      const double* const pole = row.data() + first_coefficient(place);
      if constexpr (decltype(kind)::has_v) change -= row[0] * pole[0] * x(2 + kept);
      if constexpr (decltype(kind)::has_P) change += row[0] * pole[2] * x(2 + kept + decltype(kind)::has_v);
    });
    const double mean = x(0) + change / 2;
    for_each_pole(most, most, [&](auto kind, int place, int kept) {
      const double* const pole = row.data() + first_coefficient(place);
      double j = pole[1] * mean;
      if constexpr (decltype(kind)::has_v) j += pole[0] * x(2 + kept);
      if constexpr (decltype(kind)::has_P) j -= pole[2] * x(2 + kept + decltype(kind)::has_v);
      if constexpr (decltype(kind)::has_P) x(2 + kept + decltype(kind)::has_v) += j;
      if constexpr (decltype(kind)::has_v) x(2 + kept) = 2 * j - x(2 + kept);
      if constexpr (decltype(kind)::has_C3) x(2 + kept) -= row[C3_coefficient(most, place)] * mean;
    });
    x(0) += change;
    matrix.col(column) = x;
  }
  return matrix;
}

// s^2 eps(s) / eps_inf + kappa^2, eps with conduction and poles as functions of s.
Complex dispersion_relation(const physics::Medium& m, double kappa, Complex s) {
  Complex eps = m.permittivity + m.conductivity / (vacuum_permittivity * s);
  for (const Pole& p : m.poles) {
    if (p.type == Pole::Type::debye) {
      eps += p.strength / (1.0 + s * p.relaxation_time);
    } else if (p.type == Pole::Type::critical_point) {  // s = -i omega
      const Complex i(0, 1), factor = i * p.strength * p.resonance * std::exp(i * p.phase);
      eps += factor / (s + p.damping + i * p.resonance) + std::conj(factor) / (s + p.damping - i * p.resonance);
    } else {
      eps += p.strength * p.strength / (s * s + p.damping * s + p.resonance * p.resonance);
    }
  }
  return s * s * eps / m.permittivity + kappa * kappa;
}

Complex exact_frequency(const physics::Medium& m, double kappa, Complex s) {
  for (int i = 0; i < 50; ++i) {
    const Complex step = 1e-6 * std::abs(s);
    const Complex slope =
        (dispersion_relation(m, kappa, s + step) - dispersion_relation(m, kappa, s - step)) / (2.0 * step);
    s -= dispersion_relation(m, kappa, s) / slope;
  }
  return s;
}

const physics::Medium media_of_modes[] = {
    {2, 1, 0, 0, {debye(2, 0.3)}},
    {2, 1, 0, 0, {drude(6, 0.3)}},
    {2, 1, 0, 0, {lorentz(1.5, 4, 0.4)}},
    {2, 1, 0.3 * vacuum_permittivity, 0, {drude(3, 0.3), lorentz(2, 4, 0.4), debye(1, 0.2), lorentz(3, 9, 1)}},
    {2, 1, 0, 0, {critical_point(0.3, 4, -0.1, 0.9)}},
    {1.5, 1, 0, 0, {drude(6, 0.3), critical_point(0.4, 3, -1.2, 0.5), critical_point(0.6, 4, -0.8, 1.2)}}};

// The complex frequency of the oscillation has an error of order dt^2: a quarter after dt is halved.
TEST(Poles, HaveComplexFrequenciesOfSecondOrder) {
  constexpr double kappa = 5;  // 1/s
  for (const auto& m : media_of_modes) {
    double before = 0;
    for (const double dt : {0.01, 0.005, 0.0025}) {
      const Eigen::VectorXcd z = step_of_mode(m, kappa, dt).eigenvalues();
      // the mode with the largest imaginary part
      Complex s = 0;
      for (const Complex& value : z)
        if (const Complex of_value = std::log(value) / dt; of_value.imag() > s.imag()) s = of_value;
      const double error = std::abs(s - exact_frequency(m, kappa, s)) / std::abs(s);
      if (before > 0) {
        EXPECT_GT(before / error, 3.9) << m.poles.size() << " poles, dt = " << dt;
        EXPECT_LT(before / error, 4.1) << m.poles.size() << " poles, dt = " << dt;
      }
      before = error;
    }
  }
}

// At 0.999 of the step without poles, kappa dt = 2, whatever omega_p dt is.
TEST(Poles, DoNotShortenTheTimeStep) {
  constexpr double dt = 1, kappa = 2 * 0.999;
  for (const double plasma : {0.1, 1.0, 10.0, 100.0, 1000.0})
    for (const physics::Medium& m :
         {physics::Medium{2, 1, 0, 0, {drude(plasma, 0)}}, physics::Medium{2, 1, 0, 0, {drude(plasma, 0.3)}},
          physics::Medium{2, 1, 0, 0, {lorentz(plasma, 0.5 * plasma, 0)}},
          physics::Medium{2, 1, 0, 0, {debye(plasma, 0.1)}},
          physics::Medium{2, 1, 0, 0, {drude(plasma, 0.1), lorentz(plasma, 3, 0.1), debye(plasma, 10)}},
          physics::Medium{2, 1, 0, 0, {critical_point(plasma, plasma, -0.1, plasma)}},
          physics::Medium{
              1.5, 1, 0, 0, {drude(6 * plasma, 0.3 * plasma), critical_point(0.4, 3 * plasma, -1.2, 0.5 * plasma)}}})
      EXPECT_LE(step_of_mode(m, kappa, dt).eigenvalues().cwiseAbs().maxCoeff(), 1 + 1e-12) << "omega_p dt " << plasma;
}

// Rounded coefficients are those of a passive medium, too.
TEST(Poles, ArePassiveAlsoWhenRounded) {
  for (const double dt : {0.013, 0.37, 1.9, 23.0})
    for (const physics::Medium& m :
         {physics::Medium{1.7, 1, 0, 0, {lorentz(1.1, 0.7, 0)}}, physics::Medium{1.7, 1, 0, 0, {drude(3.1, 0)}},
          physics::Medium{1.7, 1, 0, 0, {lorentz(5.3, 0.7, 0), drude(2.9, 0), debye(7, 0.3)}}}) {
      const PoleCounts most = count_poles(m);
      const auto row = pole_row<float>(m, most, dt);
      double sum = 1;
      for (int q = 0; q < most.poles(); ++q) {
        const float* const pole = row.data() + first_coefficient(q);
        EXPECT_LE(double(pole[0]) + double(pole[2]) / 2, pole[0] > 0 ? 1 : 2);
        sum += double(pole[1]) / 2;
      }
      EXPECT_LE(double(row[factor_of_current]) * sum, 1);
      EXPECT_EQ(row[factor_of_field], 2 * (1 - row[factor_of_current]));
    }
}

// A metallic box of edge 1 m filled with a medium, mode (1, 1, 0), E = z sin(pi x) sin(pi y) e(t): the error of e, of
// which the exact equations e' = (pi sqrt(2) c h - dP/dt) / eps_inf, h' = -pi sqrt(2) c e are integrated by small
// steps.
double error_in_box(physics::Medium m, std::int64_t cells, int order) {
  const double kappa = std::sqrt(2.0) * pi * speed_of_light;  // 1/s
  for (Pole& p : m.poles)                                     // times of the media of modes are over c
    p.strength *= p.type == Pole::Type::drude || p.type == Pole::Type::lorentz ? speed_of_light : 1,
        p.resonance *= speed_of_light, p.damping *= speed_of_light, p.relaxation_time /= speed_of_light;
  Problem problem{
      mesh::make_box({cells, cells, cells}, {1, 1, 1}, self()), {m}, std::vector<physics::BoundaryKind>(6, pec), {}};
  const double dt = stable_step(problem, order, {});
  auto solver = make_solver<double>(problem, order, dt, self());
  const auto mode = [](const Vec3& x) { return Vec3{0, 0, std::sin(pi * x.x) * std::sin(pi * x.y)}; };
  // curl E = pi (sin cos, -cos sin, 0): H(-dt/2) = dt/2 curl E / mu0, to second order
  solver.set_fields(mode, [&](const Vec3& x) {
    return dt / 2 * pi / vacuum_permeability *
           Vec3{std::sin(pi * x.x) * std::cos(pi * x.y), -std::cos(pi * x.x) * std::sin(pi * x.y), 0};
  });
  Field<double> initial(solver.discretisation().field_reals(), solver.executor().memory());
  std::copy_n(solver.electric().host(), solver.discretisation().owned_reals(), initial.host_for_writing());
  const auto projection = [&] {
    const auto with = solver.executor().element_products(solver.electric(), initial);
    const auto norm = solver.executor().element_products(initial, initial);
    return std::accumulate(with.begin(), with.end(), 0.0) / std::accumulate(norm.begin(), norm.end(), 0.0);
  };
  // e, h and per pole P, V.
  const std::size_t n = 2 + 2 * m.poles.size();
  const auto slope = [&](const std::vector<double>& x) {
    std::vector<double> d(n);
    double current = 0;
    for (std::size_t q = 0; q < m.poles.size(); ++q) {
      const Pole& p = m.poles[q];
      const double P = x[2 + 2 * q], V = x[3 + 2 * q];
      if (p.type == Pole::Type::debye) {
        d[2 + 2 * q] = (p.strength * x[0] - P) / p.relaxation_time;
      } else {
        const auto term = physics::second_order(p);
        d[2 + 2 * q] = V + term.d * x[0];
        d[3 + 2 * q] = term.c * x[0] - term.f * d[2 + 2 * q] - term.e * P;
      }
      current += d[2 + 2 * q];
    }
    d[0] = (kappa * x[1] - current) / m.permittivity;
    d[1] = -kappa * x[0];
    return d;
  };
  std::vector<double> x(n);
  x[0] = 1;
  const auto advance = [&](double time) {  // classical Runge-Kutta
    constexpr int parts = 20;
    for (int i = 0; i < parts; ++i) {
      const double h = time / parts;
      const auto at = [&](const std::vector<double>& k, double f) {
        auto y = x;
        for (std::size_t j = 0; j < n; ++j) y[j] += f * h * k[j];
        return y;
      };
      const auto k1 = slope(x), k2 = slope(at(k1, 0.5)), k3 = slope(at(k2, 0.5)), k4 = slope(at(k3, 1));
      for (std::size_t j = 0; j < n; ++j) x[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
  };
  double worst = 0;
  for (double t = 0; t < 3 / speed_of_light; t += dt) {
    solver.advance(1), advance(dt);
    worst = std::max(worst, std::abs(projection() - x[0]));
  }
  return worst;
}

// Space and time are refined together, so that the error is of second order (of time). Coarse: 0.3 % of a frequency of
// up to 6 c over 3 m / c.
TEST(PolesInABox, FollowTheExactMode) {
  for (const auto& m : {media_of_modes[0], media_of_modes[1], media_of_modes[2], media_of_modes[5]}) {
    const double coarse = error_in_box(m, 3, 2), fine = error_in_box(m, 6, 2);
    EXPECT_LT(coarse, 0.05);
    EXPECT_GT(coarse / fine, 3);
    EXPECT_LT(coarse / fine, 5.5);
  }
}

// Drude: sqrt(|eps| / eps_inf) w is about omega_p / sqrt(eps_inf) far below it; Debye: that of the static permittivity.
TEST(PolesOnLevels, BoundTheStep) {
  EXPECT_NEAR(longest_step_on_levels({4, 1, 0, 0, {drude(1e16, 0)}}, 1e14, 2e14), 0.25 / 0.5e16, 1e-3 * 0.5e-16);
  EXPECT_NEAR(longest_step_on_levels({2, 1, 0, 0, {debye(6, 1e-12)}}, 1e6, 1e9), 0.25 / (2 * 1e9), 1e-3 * 0.25e-9 / 2);
  EXPECT_EQ(longest_step_on_levels({4, 1, 1}, 1e14, 2e14), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace dgtd::dg::test
