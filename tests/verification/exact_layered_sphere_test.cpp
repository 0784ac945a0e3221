// The layered sphere against published efficiencies, its own power balance and Maxwell's equations.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

#include "dgtd/base/constants.hpp"
#include "support/exact_layered_sphere.hpp"
#include "support/exact_radial.hpp"

namespace dgtd::exact {
namespace {

constexpr Complex i{0, 1};
constexpr double head_frequency = 1.8e9;

// Brain, cerebrospinal fluid, skull and skin at 1.8 GHz.
std::vector<SphereLayer> head() {
  return {{0.080, 43.55, 1.15}, {0.083, 67.20, 2.92}, {0.088, 15.56, 0.43}, {0.092, 43.85, 1.23}};
}

// Layer of given refractive index m for the frequency.
SphereLayer layer_of_index(double radius, Complex m, double frequency) {
  const Complex eps = m * m;
  return {radius, eps.real(), eps.imag() * 2 * pi * frequency * vacuum_permittivity};
}

// Sphere of radius 1 m with size parameter x.
LayeredSphere sphere_of_size(double x, Complex m) {
  const double frequency = x * speed_of_light / (2 * pi);
  return LayeredSphere({layer_of_index(1, m, frequency)}, frequency);
}

double efficiency(double cross_section, double radius) { return cross_section / (pi * radius * radius); }

void expect_balance(const LayeredSphere& sphere) {
  const SpherePowers p = sphere.powers();
  EXPECT_NEAR(p.scattered + p.absorbed, p.extinguished, 1e-10 * p.extinguished);
  EXPECT_NEAR(std::accumulate(p.absorbed_in_layer.begin(), p.absorbed_in_layer.end(), 0.0), p.absorbed,
              1e-12 * p.extinguished);
  for (double absorbed : p.absorbed_in_layer) EXPECT_GE(absorbed, -1e-12 * p.extinguished);
}

struct Published {
  double x;
  Complex m;
  double extinction, scattering;
};

// Bohren and Huffman 1983, appendix A (sample of BHMIE); Wiscombe 1979, NCAR/TN-140+STR (test cases).
TEST(LayeredSphere, HasThePublishedEfficiencies) {
  for (const Published& published :
       {Published{2 * pi * 0.525 / 0.6328, 1.55, 3.10543, 3.10543}, Published{1, {1.5, 1}, 2.336321, 0.663454},
        Published{10, {1.5, 0.1}, 2.459791, 1.235144}, Published{100, {1.5, 1}, 2.097502, 1.283697},
        Published{1, {10, 10}, 2.532993, 2.049405}, Published{100, {10, 10}, 2.071124, 1.836785}}) {
    const LayeredSphere sphere = sphere_of_size(published.x, published.m);
    const double digit = published.x < 10 && published.m.imag() == 0 ? 5e-6 : 1e-6;
    EXPECT_NEAR(efficiency(sphere.extinction_cross_section(), 1), published.extinction, digit)
        << published.x << published.m;
    EXPECT_NEAR(efficiency(sphere.scattering_cross_section(), 1), published.scattering, digit)
        << published.x << published.m;
    expect_balance(sphere);
  }
}

// Bohren and Huffman 1983, appendix B (sample of BHCOAT), lengths in micrometres.
TEST(LayeredSphere, HasThePublishedEfficienciesOfACoatedSphere) {
  const double frequency = speed_of_light / 3e-6;
  const LayeredSphere sphere(
      {layer_of_index(0.171e-6, {1.59, 0.66}, frequency), layer_of_index(6.265e-6, {1.409, 0.1747}, frequency)},
      frequency);
  EXPECT_NEAR(efficiency(sphere.extinction_cross_section(), 6.265e-6), 2.32803, 5e-6);
  EXPECT_NEAR(efficiency(sphere.scattering_cross_section(), 6.265e-6), 1.14341, 5e-6);
}

TEST(LayeredSphere, OfOneMaterialIsOneSphere) {
  const LayeredSphere whole({{0.092, 43.55, 1.15}}, head_frequency);
  const LayeredSphere cut({{1e-4, 43.55, 1.15}, {0.05, 43.55, 1.15}, {0.0905, 43.55, 1.15}, {0.092, 43.55, 1.15}},
                          head_frequency);
  const SpherePowers p = whole.powers(), q = cut.powers();
  EXPECT_NEAR(p.absorbed, q.absorbed, 1e-12 * p.absorbed);
  EXPECT_NEAR(p.scattered, q.scattered, 1e-12 * p.scattered);
  EXPECT_NEAR(-whole.outward_power(0.05), q.absorbed_in_layer[0] + q.absorbed_in_layer[1], 1e-12 * p.absorbed);
  for (const Vec3& x : {Vec3{0.01, 0.02, -0.03}, Vec3{0.04, -0.05, 0.06}}) {
    const ComplexField f = whole.field(x), g = cut.field(x);
    EXPECT_LT((f.electric - g.electric).norm(), 1e-12 * f.electric.norm());
    EXPECT_LT((f.magnetic - g.magnetic).norm(), 1e-12 * f.magnetic.norm());
  }
}

TEST(LayeredSphere, BalancesItsPowersUpToLargeLossySpheres) {
  expect_balance(LayeredSphere(head(), head_frequency));
  expect_balance(LayeredSphere(head(), 30e6));
  const double frequency = 50 * speed_of_light / (2 * pi * 0.092);  // size parameter 50
  expect_balance(LayeredSphere(head(), frequency));
  expect_balance(LayeredSphere({{0.080, 50, 30}, {0.083, 1, 0}, {0.092, 9, 1e5}}, frequency));  // skin depth 10 um
  expect_balance(LayeredSphere({{1e-6, 4, 0.1}, {1e-4, 2, 0}, {0.092, 4, 0.01}}, frequency));
}

// Tangential E and all of H (mu_r = 1), a part in 10^12 of the radius to both sides of each interface.
TEST(LayeredSphere, HasFieldsThatAreContinuousOverInterfaces) {
  const LayeredSphere sphere(head(), head_frequency);
  const Vec3 outward = Vec3{1, -2, 1.5} / norm(Vec3{1, -2, 1.5});
  const Eigen::Vector3d normal(outward.x, outward.y, outward.z);
  const auto tangential = [&](const Eigen::Vector3cd& f) {
    return Eigen::Vector3cd(f - normal * (normal.transpose() * f));
  };
  for (const SphereLayer& layer : head()) {
    const ComplexField inside = sphere.field(layer.outer_radius * (1 - 1e-12) * outward);
    const ComplexField outside = sphere.field(layer.outer_radius * (1 + 1e-12) * outward);
    EXPECT_LT(tangential(inside.electric - outside.electric).norm(), 1e-9 * outside.electric.norm());
    EXPECT_LT((inside.magnetic - outside.magnetic).norm(), 1e-9 * outside.magnetic.norm());
  }
}

// curl E = i omega mu H and curl H = -i omega eps E by central differences, inside, in a layer, outside.
TEST(LayeredSphere, SatisfiesMaxwellsEquations) {
  const LayeredSphere sphere(head(), head_frequency);
  const double omega = 2 * pi * head_frequency, step = 2e-6;
  const auto curl = [&](const Vec3& x, Eigen::Vector3cd ComplexField::*part) {
    Eigen::Matrix3cd d;  // d(component, axis)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 h;
      h[axis] = step;
      d.col(axis) = (sphere.field(x + h).*part - sphere.field(x - h).*part) / (2 * step);
    }
    return Eigen::Vector3cd(d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1));
  };
  struct Place {
    Vec3 x;
    double permittivity, conductivity;
  };
  for (const Place& place : {Place{{0.01, 0.02, -0.03}, 43.55, 1.15}, Place{{0.0, 0.06, 0.061}, 15.56, 0.43},
                             Place{{0.07, -0.04, 0.1}, 1, 0}}) {
    const ComplexField f = sphere.field(place.x);
    const Complex eps = place.permittivity * vacuum_permittivity + i * place.conductivity / omega;
    const Eigen::Vector3cd from_h = i * omega * vacuum_permeability * f.magnetic,
                           from_e = -i * omega * eps * f.electric;
    EXPECT_LT((curl(place.x, &ComplexField::electric) - from_h).norm(), 1e-6 * from_h.norm());
    EXPECT_LT((curl(place.x, &ComplexField::magnetic) - from_e).norm(), 1e-6 * from_e.norm());
  }
}

struct GaussRule {
  Eigen::VectorXd points, weights;  // on [-1, 1]
};

// Golub and Welsch 1969: Legendre points from the eigenvalues of the Jacobi matrix.
GaussRule gauss_rule(int count) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(count, count);
  for (int n = 1; n < count; ++n) jacobi(n, n - 1) = jacobi(n - 1, n) = n / std::sqrt(4.0 * n * n - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi);
  return {solver.eigenvalues(), 2 * solver.eigenvectors().row(0).cwiseAbs2().transpose()};
}

// Integral of sigma |E|^2 / 2. |E|^2 is a cos^2(phi) + b sin^2(phi), so two azimuths are exact.
TEST(LayeredSphere, AbsorbsWhatItsFieldsDissipate) {
  const LayeredSphere sphere(head(), head_frequency);
  const SpherePowers powers = sphere.powers();
  const GaussRule polar = gauss_rule(sphere.order() + 2), radial = gauss_rule(24);
  double inner = 0;
  for (std::size_t l = 0; l < head().size(); ++l) {
    const SphereLayer layer = head()[l];
    const double half = (layer.outer_radius - inner) / 2;
    double absorbed = 0;
    for (int a = 0; a < radial.points.size(); ++a) {
      const double r = inner + half * (1 + radial.points[a]);
      for (int b = 0; b < polar.points.size(); ++b) {
        const double z = r * polar.points[b], s = r * std::sqrt(1 - polar.points[b] * polar.points[b]);
        const double squares =
            sphere.field({s, 0, z}).electric.squaredNorm() + sphere.field({0, s, z}).electric.squaredNorm();
        absorbed += half * radial.weights[a] * polar.weights[b] * r * r * pi * squares * layer.conductivity / 2;
      }
    }
    EXPECT_NEAR(absorbed, powers.absorbed_in_layer[l], 1e-9 * powers.absorbed_in_layer[l]) << "layer " << l;
    inner = layer.outer_radius;
  }
}

// A sphere small against the wavelength in it has E = 3 / (eps + 2) within (Jackson (4.55)).
TEST(LayeredSphere, IsInAUniformFieldWhenSmall) {
  const LayeredSphere sphere({{1e-6, 4, 0}}, 1e9);
  for (const Vec3& x : {Vec3{}, Vec3{3e-7, -2e-7, 5e-7}})
    EXPECT_LT((sphere.field(x).electric - Eigen::Vector3cd(0.5, 0, 0)).norm(), 1e-4);
}

// Psi xi' - psi' xi = i (Abramowitz and Stegun 10.1.31).
TEST(RadialFunctions, HaveTheirWronskian) {
  for (double x : {0.3, 2 * pi, 7.725251836937707, 50.0}) {  // sin(2 pi) = 0, psi_1(7.7252…) = 0
    const RadialFunctions psi = regular_functions(40, x), xi = outgoing_functions(40, x);
    for (int n = 0; n <= 40; ++n)
      EXPECT_LT(std::abs(psi.value[n] * xi.derivative[n] - psi.derivative[n] * xi.value[n] - i), 1e-11)
          << x << " " << n;
  }
}

}  // namespace
}  // namespace dgtd::exact
