// Poles and layers beside E: the kernels against the schemes as they are defined.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "dispersion_media.hpp"

namespace dgtd::dg::test {
namespace {

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
  if (kept > 0) {
    EXPECT_EQ(d.states[0].entries, 3 * d.layout.nodes * kept);
  }
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

// Without poles nothing is kept and nothing changes.
TEST(Poles, CostNothingWhereThereAreNone) {
  const Problem problem = mixed({2, 2, 2});
  const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
  EXPECT_TRUE(d.states.empty());
  EXPECT_TRUE(d.dispersion.table.empty());
}

}  // namespace
}  // namespace dgtd::dg::test
