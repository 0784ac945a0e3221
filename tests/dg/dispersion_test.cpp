// Poles beside E: the kernels against the scheme as it is defined, its complex frequencies, its energy and its step.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>
#include <numeric>

#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "dgtd/mesh/load.hpp"
#include "problems.hpp"
#include "random_levels.hpp"

namespace dgtd::dg::test {
namespace {

using physics::Pole;
using Complex = std::complex<double>;

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

Pole debye(double strength, double tau) { return {Pole::Type::debye, strength, 0, 0, tau}; }
Pole drude(double plasma, double damping) { return {Pole::Type::drude, plasma, 0, damping, 0}; }
Pole lorentz(double plasma, double resonance, double damping) {
  return {Pole::Type::lorentz, plasma, resonance, damping, 0};
}
Pole critical_point(double A, double resonance, double phase, double damping) {
  return {Pole::Type::critical_point, A, resonance, damping, 0, phase};
}

/// Three media beside each other: a Debye pole with conduction; Drude and two Lorentz poles, magnetic; two Debye and a
/// Drude pole. dt in s: the poles' times are of its order.
std::vector<physics::Medium> dispersive_media(double dt) {
  return {{2.5, 1.0, 0.05, 0, {debye(3, 4 * dt)}},
          {1.3,
           1.7,
           0,
           0,
           {lorentz(0.8 / dt, 0.5 / dt, 0.1 / dt), drude(1.5 / dt, 0.2 / dt), lorentz(0.5 / dt, 2 / dt, 0)}},
          {4.0, 1.2, 0, 0, {debye(1, 2 * dt), drude(0.7 / dt, 0.05 / dt), debye(6, 30 * dt)}}};
}

/// The same with critical points: one that is passive by itself; metal like gold, in which a Drude pole pays for what
/// the critical point gives away; no critical point.
std::vector<physics::Medium> critical_media(double dt) {
  return {{2.5, 1.0, 0.05, 0, {debye(3, 4 * dt), critical_point(0.8, 0.4 / dt, -0.05, 0.3 / dt)}},
          {1.3,
           1.7,
           0,
           0,
           {critical_point(0.5, 0.5 / dt, -1.1, 0.2 / dt), drude(1.5 / dt, 0.2 / dt),
            critical_point(0.3, 0.3 / dt, -0.02, 0.15 / dt)}},
          {4.0, 1.2, 0, 0, {lorentz(0.8 / dt, 0.5 / dt, 0.1 / dt), debye(6, 30 * dt)}}};
}

/// States of poles as docs/theory.md defines them: P, and V = dP/dt - d E, in the layout of the fields.
///   second order, V' = c E - f J - e P, J = V + d E:   k = 1 / (1 + f dt/2 + e dt^2/4),
///     q = k (V + (d + c dt/2) E - e dt/2 P),   g = k (d + c dt/2) / 2
///   Debye, P' = a E - b P:   k = 1 / (1 + b dt/2),   q = k (a E - b P),   g = k a / 2
///   dE = (curl - dt sum q - 2 s E) / (1 + s + dt sum g),   J = q + g dE,
///   V += dt (c (E + dE/2) - f J - e (P + dt/2 J)),   P += dt J
/// and in a layer of the rate S, with f_E its factor of E, in Cartesian components
///   (1 + s + dt sum g + f_E S dt/2) dE = curl - dt sum q - (2 s + f_E S dt) E,   (1 + S dt/2) dH = curl - S dt H.
/// In a convolutional layer this is the input G of its sections, with the loss in place of S, and E or H their output.
struct PoleOfReference {
  double a = 0, b = 0, c = 0, d = 0, f = 0, e = 0, k = 0, g = 0;
  bool first_order = false;
  std::vector<double> P, V;

  PoleOfReference(const Pole& pole, double permittivity, double dt, std::size_t reals) : P(reals), V(reals) {
    first_order = pole.type == Pole::Type::debye;
    if (first_order) {
      a = pole.strength / pole.relaxation_time / permittivity, b = 1 / pole.relaxation_time;
      k = 1 / (1 + b * dt / 2), g = k * a / 2;
    } else {
      const auto term = physics::second_order(pole);
      c = term.c / permittivity, d = term.d / permittivity, f = term.f, e = term.e;
      k = 1 / (1 + f * dt / 2 + e * dt * dt / 4), g = k * (d + c * dt / 2) / 2;
    }
  }
  double q(double E, std::size_t i, double dt) const {
    return first_order ? k * (a * E - b * P[i]) : k * (V[i] + (d + c * dt / 2) * E - e * dt / 2 * P[i]);
  }
};

struct Reference {
  const Discretisation<double>& d;
  Executor<double>& executor;
  Field<double> electric, magnetic, rate;
  std::vector<double> input[2];                     // of E, H: the fields themselves outside of convolutional layers
  std::vector<double> output[2][2];                 // of the first two sections
  std::vector<std::vector<PoleOfReference>> poles;  // [volume groups]

  Reference(const DgSolver<double>& solver, double dt)
      : d(solver.discretisation()), executor(solver.executor()), electric(field()), magnetic(field()), rate(field()) {
    std::copy_n(solver.electric().host(), d.owned_reals(), electric.host_for_writing());
    std::copy_n(solver.magnetic().host(), d.owned_reals(), magnetic.host_for_writing());
    for (int field : {0, 1}) {
      const auto* from = (field == 0 ? electric : magnetic).host();
      input[field].assign(from, from + d.owned_reals());
      for (auto& outputs : output[field]) outputs.assign(d.owned_reals(), 0.0);
    }
    for_each_node([&](std::size_t element, const Places& i) {
      if (d.layer_rates.empty() || d.layer_rates[element].sections.empty()) return;
      for (const std::size_t place : i) input[0][place] = input[1][place] = 0;
    });
    for (const auto& m : d.material) {
      auto& of_medium = poles.emplace_back();
      for (const Pole& pole : m.poles) of_medium.emplace_back(pole, m.permittivity, dt, d.owned_reals());
    }
  }
  Field<double> field() const { return {d.field_reals(), executor.memory()}; }

  void step(double dt) {
    const OperatorTerms terms{.length = speed_of_light * dt, .conduction = false};
    executor.apply(HalfStep::magnetic, electric, magnetic, rate, terms);
    double* const h = input[1].data();
    for_each_node([&](std::size_t element, const Places& i) {
      const Eigen::Vector3d before = vector_at(element, h, i);
      Eigen::Vector3d change = vector_at(element, rate.host(), i);
      if (!d.layer_rates.empty()) {
        const Eigen::Matrix3d half = dt / 2 * layer(element);
        const Eigen::Vector3d right = change - 2 * half * vector_at(element, h, i);
        change = (Eigen::Matrix3d::Identity() + half).inverse() * right;
      }
      const auto of_edges = covariant(element, change);
      for (int k = 0; k < 3; ++k) h[i[k]] += of_edges[k];
      filter(element, 1, i, before, dt);
    });
    executor.apply(HalfStep::electric, magnetic, electric, rate, terms);
    double* const e = input[0].data();
    for_each_node([&](std::size_t element, const Places& i) {
      const Eigen::Vector3d before = vector_at(element, e, i);
      const physics::Medium& m = d.material_of(element);
      auto& of_medium = poles[d.mesh.element_group[element]];
      const double s = m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity);
      double right[3], factor = 1 + s;
      for (const auto& p : of_medium) factor += dt * p.g;
      for (int k = 0; k < 3; ++k) {
        right[k] = rate.host()[i[k]] - 2 * s * e[i[k]];
        for (const auto& p : of_medium) right[k] -= dt * p.q(e[i[k]], i[k], dt);
      }
      std::array<double, 3> change{right[0] / factor, right[1] / factor, right[2] / factor};
      if (!d.layer_rates.empty()) {
        const Eigen::Matrix3d half = dt / 2 * d.layer_rates[element].electric_factor * layer(element);
        const Eigen::Vector3d with_layer = vector_at(element, right, {0, 1, 2}) - 2 * half * vector_at(element, e, i);
        change = covariant(element, (factor * Eigen::Matrix3d::Identity() + half).inverse() * with_layer);
      }
      for (int k = 0; k < 3; ++k) {
        for (auto& p : of_medium) {
          const double J = p.q(e[i[k]], i[k], dt) + p.g * change[k];
          p.V[i[k]] += dt * (p.c * (e[i[k]] + change[k] / 2) - p.f * J - p.e * (p.P[i[k]] + dt / 2 * J));
          p.P[i[k]] += dt * J;
        }
        e[i[k]] += change[k];
      }
      filter(element, 0, i, before, dt);
    });
  }

 private:
  using Places = std::array<std::size_t, 3>;  // of the three components of a node in a field
  template <class Body>
  void for_each_node(const Body& body) const {
    for (std::size_t element = 0; element < d.mesh.elements(); ++element)
      for (int n = 0; n < d.layout.nodes; ++n) {
        Places i;
        for (int k = 0; k < 3; ++k)
          i[k] = d.layout.first(d.slot_of_element[element]) + (k * d.layout.nodes + n) * d.layout.stride();
        body(element, i);
      }
  }
  // The field from its input at the old time and now, component by component in the frame of the normals: section a has
  // the factor s along its normal and 1 / s across it, s = 1 + S / (alpha + d/dt), d/dt = (2 / dt) (z - 1) / (z + 1).
  void filter(std::size_t element, int field, const Places& i, Eigen::Vector3d before, double dt) {
    double* const to = (field == 0 ? electric : magnetic).host_for_writing();
    Eigen::Vector3d now = vector_at(element, input[field].data(), i);
    const std::size_t count = d.layer_rates.empty() ? 0 : d.layer_rates[element].sections.size();
    for (std::size_t a = 0; a < count; ++a) {
      const LayerSection& section = d.layer_rates[element].sections[a];
      double* const kept = a + 1 == count && count != 2 ? to : output[field][a].data();
      const Eigen::Vector3d old = vector_at(element, kept, i), n(section.normal.x, section.normal.y, section.normal.z);
      const auto along = [&](const Eigen::Vector3d& u) -> Eigen::Vector3d { return n * n.dot(u); };
      const double alpha = section.alpha, sum = section.alpha + section.rate, D = 2 / dt;
      // numerator (z): (sum + D) z + (sum - D); denominator: (alpha + D) z + (alpha - D)
      const Eigen::Vector3d of_normal =
          ((sum + D) * along(now) + (sum - D) * along(before) - (alpha - D) * along(old)) / (alpha + D);
      const Eigen::Vector3d others =
          ((alpha + D) * (now - along(now)) + (alpha - D) * (before - along(before)) - (sum - D) * (old - along(old))) /
          (sum + D);
      now = of_normal + others;
      before = old;
      const auto covariant_now = covariant(element, now);
      for (int k = 0; k < 3; ++k) kept[i[k]] = covariant_now[k];
    }
    for (const std::size_t place : i)  // beside two sides a third section changes nothing
      if (count == 2) to[place] = output[field][1][place];
    if (count > 0) return;
    for (const std::size_t place : i) to[place] = input[field][place];
  }
  Eigen::Vector3d vector_at(std::size_t element, const double* field, const Places& i) const {
    const Vec3 v = ElementGeometry(d.mesh, element).cartesian(field[i[0]], field[i[1]], field[i[2]]);
    return {v.x, v.y, v.z};
  }
  std::array<double, 3> covariant(std::size_t element, const Eigen::Vector3d& v) const {
    const ElementGeometry geometry(d.mesh, element);
    std::array<double, 3> result;
    for (int k = 0; k < 3; ++k) result[k] = dot(geometry.edges[k], Vec3{v(0), v(1), v(2)});
    return result;
  }
  Eigen::Matrix3d layer(std::size_t element) const {
    const auto& r = d.layer_rates[element].magnetic;
    if (!d.layer_rates[element].sections.empty()) return d.layer_rates[element].loss * Eigen::Matrix3d::Identity();
    Eigen::Matrix3d S;
    S << r[0], r[1], r[2], r[1], r[3], r[4], r[2], r[4], r[5];
    return S;
  }
};

double relative_difference(const Field<double>& a, const Field<double>& b, std::size_t reals) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < reals; ++i) {
    difference = std::max(difference, std::abs(a.host()[i] - b.host()[i]));
    largest = std::max(largest, std::abs(b.host()[i]));
  }
  return difference / largest;
}

// kept: fields of every element, of the media with the most poles of each kind.
void expect_reference(const Problem& problem, int order, double dt, KernelFusion schedule, int kept) {
  auto solver = make_solver<double>(problem, order, dt, self(), schedule);
  const auto& d = solver.discretisation();
  ASSERT_EQ(d.states.size(), (kept > 0 ? 1u : 0u) + (problem.layers.convolutional ? 2u : 0u));
  if (kept > 0) EXPECT_EQ(d.states[0].entries, 3 * d.layout.nodes * kept);
  fill_at_random(solver);
  Reference reference(solver, dt);
  for (int step = 0; step < 20; ++step) reference.step(dt);
  solver.advance(20);
  EXPECT_LT(relative_difference(solver.electric(), reference.electric, d.owned_reals()), 1e-12) << "P" << order;
  EXPECT_LT(relative_difference(solver.magnetic(), reference.magnetic, d.owned_reals()), 1e-12) << "P" << order;
}

// All boundaries; elements of three media in one register.
void expect_trapezoidal_rule(Problem problem, std::vector<physics::Medium> (&media)(double), int kept) {
  for (const int order : {1, 2})
    for (const auto schedule : {KernelFusion::fused, KernelFusion::split}) {
      const double dt = brisk_time_step(order);
      problem.material = media(dt);
      expect_reference(problem, order, dt, schedule, kept);
    }
}

TEST(Poles, AreTheTrapezoidalRuleBesideE) { expect_trapezoidal_rule(mixed({3, 3, 3}), dispersive_media, 7); }
TEST(Poles, AreTheTrapezoidalRuleInLayers) {
  expect_trapezoidal_rule(mixed_with_layers({3, 3, 3}), dispersive_media, 7);
}
TEST(CriticalPoints, AreTheTrapezoidalRuleBesideE) { expect_trapezoidal_rule(mixed({3, 3, 3}), critical_media, 8); }
TEST(CriticalPoints, AreTheTrapezoidalRuleInLayers) {
  expect_trapezoidal_rule(mixed_with_layers({3, 3, 3}), critical_media, 8);
}

TEST(Poles, AreTheTrapezoidalRuleInConvolutionalLayers) {
  expect_trapezoidal_rule(mixed_with_cpml({3, 3, 3}), dispersive_media, 7);
}
TEST(CriticalPoints, AreTheTrapezoidalRuleInConvolutionalLayers) {
  expect_trapezoidal_rule(mixed_with_cpml({3, 3, 3}), critical_media, 8);
}

TEST(ConvolutionalLayers, AreTheirSectionsWithoutPoles) {
  const Problem problem = mixed_with_cpml({3, 3, 3});
  for (const int order : {1, 2})
    for (const auto schedule : {KernelFusion::fused, KernelFusion::split})
      expect_reference(problem, order, brisk_time_step(order), schedule, 0);
}

void expect_single_precision(Problem problem) {
  for (const int order : {1, 2}) {
    const double dt = brisk_time_step(order);
    problem.material = dispersive_media(dt);
    auto single = make_solver<float>(problem, order, dt, self());
    auto twice = make_solver<double>(problem, order, dt, self());
    fill_at_random(single), fill_at_random(twice);
    single.advance(20), twice.advance(20);
    double difference = 0, largest = 0;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const auto a = coefficients_of(single.discretisation(), single.electric(), e);
      const auto b = coefficients_of(twice.discretisation(), twice.electric(), e);
      for (std::size_t i = 0; i < a.size(); ++i)
        difference = std::max(difference, std::abs(a[i] - b[i])), largest = std::max(largest, std::abs(b[i]));
    }
    EXPECT_LT(difference, 1e-4 * largest) << "P" << order;
  }
}

TEST(Poles, AreTheSameInSinglePrecisionToRounding) {
  expect_single_precision(mixed({3, 3, 3}));
  expect_single_precision(mixed_with_layers({3, 3, 3}));
  expect_single_precision(mixed_with_cpml({3, 3, 3}));
}

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

/// The loss of a step of conduction, of the poles and of layers, J, from the fields and states before and after it:
///   eps0 eps_inf sum over elements of 2 s |E'|^2 + sum over poles (1 - K - C2/2) / C1 |j|^2,
/// of critical points  a ((f - d e / c) |j|^2 + d e^2 / c |P' - c/e E'|^2)  with the quantities of storage_factors, of
/// media whose poles' energy is not known the work on their poles, E' j, and in layers as docs/theory.md, (B2).
struct StepState {
  std::vector<double> electric, kept;
  Eigen::VectorXd nodal_electric, nodal_magnetic;  // V/m, A/m; with layers
};
StepState state_of(const DgSolver<double>& solver) {
  const auto& d = solver.discretisation();
  StepState s;
  s.electric.assign(solver.electric().host(), solver.electric().host() + d.owned_reals());
  const auto& kept = solver.executor().states()[state_of_poles];
  s.kept.assign(kept.host(), kept.host() + kept.size());
  if (d.layer_rates.empty()) return s;
  s.nodal_electric = nodal_field(d, solver.electric());
  s.nodal_magnetic = nodal_field(d, solver.magnetic()) / vacuum_impedance;
  return s;
}
double loss_between(const DgSolver<double>& solver, const StepState& a, const StepState& b, double dt) {
  const auto& d = solver.discretisation();
  Field<double> u(d.field_reals(), solver.executor().memory());
  double total = 0;
  // weight(element's medium) times the integral of the square of value(slot, i)
  const auto add = [&](const auto& value, const auto& weight) {
    double* const to = u.host_for_writing();
    for (std::size_t slot = 0; slot < d.element_of_slot.size(); ++slot)
      for (int i = 0; i < 3 * d.layout.nodes; ++i)
        to[d.layout.first(static_cast<std::uint32_t>(slot)) + i * d.layout.stride()] = value(slot, i);
    const auto square = solver.executor().element_products(u, u);
    for (std::size_t slot = 0; slot < square.size(); ++slot)
      if (d.element_of_slot[slot] >= 0)
        total += vacuum_permittivity * d.material[d.group_of_slot[slot]].permittivity * weight(d.group_of_slot[slot]) *
                 square[slot];
  };
  const auto place = [&](std::size_t slot, int i) {
    return d.layout.first(static_cast<std::uint32_t>(slot)) + i * d.layout.stride();
  };
  const auto mean = [&](std::size_t slot, int i) {
    return 0.5 * (a.electric[place(slot, i)] + b.electric[place(slot, i)]);
  };
  add(mean, [&](std::size_t group) {
    const auto& m = d.material[group];
    return m.conductivity * dt / (m.permittivity * vacuum_permittivity);
  });
  const auto& state = d.states[state_of_poles];
  for_each_pole(d.dispersion.most, d.dispersion.most, [&](auto kind, int q, int first) {
    using Kind = decltype(kind);
    const PoleCounts& most = d.dispersion.most;
    const auto kept = [&](const StepState& s, int number, std::size_t slot, int i) -> double {
      const std::int64_t block = state.first[slot / block_lanes];
      if (block < 0) return 0;
      return s.kept[(block * state.entries + (number * 3 * d.layout.nodes + i)) * block_lanes + slot % block_lanes];
    };
    const auto current = [&](std::size_t slot, int i) {
      return Kind::has_v && !Kind::has_P
                 ? 0.5 * (kept(a, first, slot, i) + kept(b, first, slot, i))
                 : kept(b, first + Kind::has_v, slot, i) - kept(a, first + Kind::has_v, slot, i);
    };
    const auto known = [&](std::size_t group) {
      return most.critical == 0 || d.dispersion.row(group)[energy_known(most)] == 1;
    };
    // ((E' + j)^2 - (E' - j)^2) / 4
    for (const double sign : {1.0, -1.0})
      add([&](std::size_t slot, int i) { return mean(slot, i) + sign * current(slot, i); },
          [&](std::size_t group) { return known(group) ? 0 : sign / 4; });
    if constexpr (Kind::has_C3) {
      struct Rates {
        double c, d, f, e, a;
      };
      const auto rates = [&](std::size_t group) {
        const double* const row = d.dispersion.row(group);
        const double* const pole = row + first_coefficient(q);
        Rates r{0, row[C3_coefficient(most, q)] / 2, 2 / pole[0] - 2 - pole[2] / pole[0], 2 * pole[2] / pole[0], 0};
        r.c = 2 * (pole[1] / pole[0] - r.d), r.a = r.c / (r.c * r.c + r.d * (r.c * r.f - r.d * r.e));
        return r;
      };
      const auto has = [&](std::size_t group) {
        return known(group) && d.dispersion.row(group)[first_coefficient(q)] > 0;
      };
      add(current, [&](std::size_t group) {
        if (!has(group)) return 0.0;
        const Rates r = rates(group);
        return r.a * (r.f - r.d * r.e / r.c);
      });
      add(
          [&](std::size_t slot, int i) {
            const std::size_t group = d.group_of_slot[slot];
            if (d.element_of_slot[slot] < 0 || !has(group)) return 0.0;
            const Rates r = rates(group);
            return 0.5 * (kept(a, first + 1, slot, i) + kept(b, first + 1, slot, i)) - r.c / r.e * mean(slot, i);
          },
          [&](std::size_t group) {
            if (!has(group)) return 0.0;
            const Rates r = rates(group);
            return r.a * r.d * r.e * r.e / r.c;
          });
    } else {
      add(current, [&](std::size_t group) {
        const double* const pole = d.dispersion.row(group) + first_coefficient(q);
        return pole[1] > 0 && known(group) ? (1 - pole[0] - pole[2] / 2) / pole[1] : 0;
      });
    }
  });
  return total;
}

/// A closed box with a dipole in one of the dispersive media.
Problem closed_dispersive_box(double dt, std::vector<physics::Medium> (&media)(double) = dispersive_media) {
  Problem problem{tiny_mesh({3, 3, 3}, 4, 7), media(dt), {pec, pec, pmc, pec, pec, pmc}, {}};
  problem.material.push_back({});  // vacuum
  problem.sources = {dipole_source()};
  problem.sources[0].moment = 1e-3;
  return problem;
}

// W^{n+1} - W^n = - losses - work: W with what poles store, the losses of conduction and poles, the dipole's work.
void expect_balance(const Problem& problem, int order, double dt, const TimeLevels& levels, int steps) {
  auto solver = make_solver<double>(problem, order, dt, self(), KernelFusion::fused, levels);
  solver.randomise_fields();
  const double first = solver.energy(), work_before = solver.source_work();
  NodalReference layers(problem.mesh, problem.material, problem.boundary_kind, order, {});
  layers.layers = problem.layers;
  double lost = 0, largest = first;
  StepState before = state_of(solver);
  for (int i = 0; i < steps; ++i) {
    solver.advance(1);
    StepState after = state_of(solver);
    lost += loss_between(solver, before, after, dt);
    if (!problem.layers.empty())
      lost += dt * layers.layer_loss(0.5 * (before.nodal_electric + after.nodal_electric),
                                     0.5 * (before.nodal_magnetic + after.nodal_magnetic));
    before = std::move(after);
    if (i % 50 != 49) continue;
    const double energy = solver.energy();
    largest = std::max(largest, energy);
    ASSERT_NEAR(energy + lost - (solver.source_work() - work_before), first, 1e-12 * largest)
        << "P" << order << ", step " << i + 1;
  }
  EXPECT_GT(lost, 0.1 * first);
}

double stable_step(const Problem& problem, int order, const TimeLevels& levels) {
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes,
                           levels);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
  if (levels.finest == 0) return 0.95 * stability_limit(d, *executor, self()).time_step;
  LevelTimeStep<double> step(d, *executor, self());
  double dt = step.time_step(0.955);
  while (step.bounds(dt).largest() >= 0.985) dt *= 0.95;
  return dt;
}

TEST(PolesEnergy, BalancesWithLossesAndWork) {
  for (const int order : {1, 2}) {
    Problem problem = closed_dispersive_box(1);
    const double dt = stable_step(problem, order, {});
    problem = closed_dispersive_box(dt);
    expect_balance(problem, order, dt, {}, order == 1 ? 1000 : 200);
  }
}

// Layers in two thirds of the elements, of all media, and no source beside: what a source adds to E is not damped in
// its own step.
TEST(PolesEnergy, BalancesInLayers) {
  for (const int order : {1, 2}) {
    Problem problem = closed_dispersive_box(1);
    const double dt = stable_step(problem, order, {});
    problem = closed_dispersive_box(dt);
    problem.sources.clear();
    add_layers(problem, [&](std::size_t e) { return problem.mesh.element_id[e] % 3 != 1; });
    for (auto& layer : problem.layers)
      for (double& rate : layer.magnetic) rate *= 0.1;
    expect_balance(problem, order, dt, {}, order == 1 ? 200 : 50);
  }
}

TEST(PolesEnergy, BalancesWithPolesInAllLevelsOfLocalSteps) {
  Problem problem = closed_dispersive_box(1);
  const auto levels = random_levels(problem.mesh, problem.boundary_kind, 2, 7);
  const double dt = stable_step(problem, 1, levels);
  problem = closed_dispersive_box(dt);
  for (std::size_t l = 0; l < levels.elements.size(); ++l) {
    bool found = false;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
      found |= levels.of_element[e] == l && !problem.material[problem.mesh.element_group[e]].poles.empty();
    EXPECT_TRUE(found) << "level " << l;
  }
  expect_balance(problem, 1, dt, levels, 1000);
}

// One medium has the storage of its critical point in its energy, the other one is without that of its poles.
TEST(CriticalPointsEnergy, BalancesWithPolesInAllLevelsOfLocalSteps) {
  Problem problem = closed_dispersive_box(1);
  const auto levels = random_levels(problem.mesh, problem.boundary_kind, 2, 7);
  const double dt = stable_step(problem, 1, levels);
  problem = closed_dispersive_box(dt, critical_media);
  for (const auto& m : problem.material) EXPECT_NO_THROW(physics::check_critical_points("medium", m));
  const PoleCounts most{1, 1, 1, 2};
  EXPECT_EQ(pole_row<double>(problem.material[0], most, dt)[energy_known(most)], 1);
  EXPECT_EQ(pole_row<double>(problem.material[1], most, dt)[energy_known(most)], 0);
  expect_balance(problem, 1, dt, levels, 300);
}

// Lossless poles of any plasma frequency, at 0.99 of the step without them, which is known to 0.5 %: W is constant.
TEST(PolesEnergy, IsConservedAtTheLimitForAnyPlasmaFrequency) {
  for (const double plasma : {0.1, 1.0, 10.0, 100.0}) {
    Problem problem = closed_dispersive_box(1);
    problem.sources.clear();
    const double dt = 0.99 / 0.95 * stable_step(problem, 1, {});
    for (auto& m : problem.material) m.conductivity = 0, m.poles.clear();
    problem.material[1].poles = {drude(plasma / dt, 0)};
    problem.material[2].poles = {drude(plasma / dt, 0), lorentz(plasma / dt, 2 / dt, 0)};
    auto solver = make_solver<double>(problem, 1, dt, self());
    fill_at_random(solver);
    const double first = solver.energy();
    for (int i = 0; i < 10; ++i) {
      solver.advance(100);
      ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "omega_p dt " << plasma << ", step " << 100 * (i + 1);
    }
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

// Without poles nothing is kept and nothing changes.
TEST(Poles, CostNothingWhereThereAreNone) {
  const Problem problem = mixed({2, 2, 2});
  const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
  EXPECT_TRUE(d.states.empty());
  EXPECT_TRUE(d.dispersion.table.empty());
}

}  // namespace
}  // namespace dgtd::dg::test
