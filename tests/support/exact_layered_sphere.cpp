#include "support/exact_layered_sphere.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <cassert>
#include <cmath>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "support/exact_radial.hpp"

// References: BH is Bohren and Huffman, Absorption and Scattering of Light by Small Particles (1983).
// With x = k0 r and the refractive index m, the vector harmonics of BH (4.17)-(4.18) are written by
// u (of the multipoles without E_r) and v (of those without H_r), and w = v' / m^2; ' is d/dx.
namespace dgtd::exact {
namespace {

constexpr Complex i{0, 1};

// Wiscombe 1980, Applied Optics 19, 1505, and ten more for the fields next to the surface.
int series_order(double x) { return static_cast<int>(x + 4.05 * std::cbrt(x) + 2) + 10; }

// pi_n and tau_n of BH (4.47) for n = 0 … order.
struct AngularFunctions {
  std::vector<double> pi, tau;

  AngularFunctions(int order, double cosine) : pi(order + 1), tau(order + 1) {
    pi[1] = 1;
    tau[1] = cosine;
    for (int n = 2; n <= order; ++n) {
      pi[n] = ((2 * n - 1) * cosine * pi[n - 1] - n * pi[n - 2]) / (n - 1);
      tau[n] = n * cosine * pi[n] - (n + 1) * pi[n - 1];
    }
  }
};

// i^n (2n+1) / (n (n+1)), BH (4.37) without the amplitude.
Complex plane_wave_factor(int n) {
  constexpr Complex powers[] = {1, i, -1, -i};
  return powers[n % 4] * ((2.0 * n + 1) / (n * (n + 1.0)));
}

}  // namespace

LayeredSphere::LayeredSphere(std::vector<SphereLayer> layers, double frequency, double amplitude)
    : layers_(std::move(layers)),
      wave_number_(2 * dgtd::pi * frequency / speed_of_light),
      omega_(2 * dgtd::pi * frequency),
      amplitude_(amplitude) {
  assert(!layers_.empty());
  solve();
}

double LayeredSphere::incident_flux() const { return amplitude_ * amplitude_ / (2 * vacuum_impedance); }

int LayeredSphere::layer_of(double radius) const {
  int layer = 0;
  while (layer < static_cast<int>(layers_.size()) && radius > layers_[layer].outer_radius) ++layer;
  return layer;
}

Complex LayeredSphere::index(int layer) const {
  if (layer == static_cast<int>(layers_.size())) return 1;
  return std::sqrt(Complex(layers_[layer].permittivity, layers_[layer].conductivity / (omega_ * vacuum_permittivity)));
}

// Tangential E and H are continuous over each interface: u and u' of the magnetic multipoles, v and
// v' / m^2 of the electric ones (BH section 8.1 for two layers). Two unknowns a layer, but one in the
// core (regular at 0) and one outside (outgoing; the incident wave, psi_n, is the right-hand side).
void LayeredSphere::solve() {
  const int count = static_cast<int>(layers_.size());
  const double x_surface = wave_number_ * layers_.back().outer_radius;
  const int order = series_order(x_surface);
  waves_.assign(order, {std::vector<Coefficients>(count + 1), std::vector<Coefficients>(count + 1)});

  struct Side {
    RadialFunctions regular, outgoing;
    Complex m;
  };  // a layer's functions at an interface
  std::vector<Side> below, above;
  for (int l = 0; l < count; ++l) {
    const double x = wave_number_ * layers_[l].outer_radius;
    const Complex m = index(l), m_above = index(l + 1);
    Side inner{regular_functions(order, m * x, m * x), {}, m};
    if (l > 0) inner.outgoing = outgoing_functions(order, m * x, m * (wave_number_ * layers_[l - 1].outer_radius));
    Side outer{{}, outgoing_functions(order, m_above * x, m_above * x), m_above};
    if (l + 1 < count)
      outer.regular = regular_functions(order, m_above * x, m_above * (wave_number_ * layers_[l + 1].outer_radius));
    below.push_back(std::move(inner));
    above.push_back(std::move(outer));
  }
  const RadialFunctions incident = regular_functions(order, x_surface);

  for (int n = 1; n <= order; ++n)
    for (bool electric : {false, true}) {
      const auto slope = [electric](Complex derivative, Complex m) {
        return electric ? derivative / m : derivative * m;
      };
      Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Zero(2 * count, 2 * count);
      Eigen::VectorXcd right = Eigen::VectorXcd::Zero(2 * count);
      const auto set = [&](int interface, int column, double sign, const RadialFunctions& f, Complex m) {
        matrix(2 * interface, column) = sign * f.value[n];
        matrix(2 * interface + 1, column) = sign * slope(f.derivative[n], m);
      };
      for (int l = 0; l < count; ++l) {  // unknowns: 2l regular in layer l, 2l - 1 outgoing in it
        set(l, 2 * l, 1, below[l].regular, below[l].m);
        if (l > 0) set(l, 2 * l - 1, 1, below[l].outgoing, below[l].m);
        set(l, 2 * l + 1, -1, above[l].outgoing, above[l].m);
        if (l + 1 < count) set(l, 2 * l + 2, -1, above[l].regular, above[l].m);
      }
      right(2 * count - 2) = incident.value[n];
      right(2 * count - 1) = incident.derivative[n];
      const Eigen::VectorXcd solution = matrix.partialPivLu().solve(right);
      auto& wave = electric ? waves_[n - 1].electric : waves_[n - 1].magnetic;
      for (int l = 0; l <= count; ++l) {
        if (l < count) wave[l].regular = solution(2 * l);
        if (l > 0) wave[l].outgoing = solution(2 * l - 1);
      }
    }
}

std::vector<LayeredSphere::Radial> LayeredSphere::radial_functions(int layer, double radius) const {
  const int count = static_cast<int>(layers_.size());
  const Complex m = index(layer);
  const double x = wave_number_ * radius;
  std::vector<Radial> radial(order() + 1);
  const auto add = [&](const RadialFunctions& f, Complex Coefficients::*part) {
    for (int n = 1; n <= order(); ++n) {
      const Complex magnetic = waves_[n - 1].magnetic[layer].*part, electric = waves_[n - 1].electric[layer].*part;
      radial[n].u += magnetic * f.value[n];
      radial[n].u_slope += magnetic * m * f.derivative[n];
      radial[n].v += electric * f.value[n];
      radial[n].w += electric * f.derivative[n] / m;
    }
  };
  if (layer < count)
    add(regular_functions(order(), m * x, m * (wave_number_ * layers_[layer].outer_radius)), &Coefficients::regular);
  if (layer > 0)
    add(outgoing_functions(order(), m * x, m * (wave_number_ * layers_[layer - 1].outer_radius)),
        &Coefficients::outgoing);
  return radial;
}

// Real part of half the integral of (E x H*)_r over the sphere. The angular integrals of
// pi_n pi_m + tau_n tau_m are 2 n^2 (n+1)^2 / (2n+1) for n = m, else 0, and those of
// pi_n tau_m + tau_n pi_m are 0 (BH section 4.4.1); what remains of each order is (u, u') and (v, w).
double LayeredSphere::outward_power(double radius) const {
  assert(radius <= layers_.back().outer_radius);
  const auto radial = radial_functions(layer_of(radius), radius);
  double sum = 0;
  for (int n = 1; n <= order(); ++n)
    sum += (2 * n + 1) * std::imag(radial[n].w * std::conj(radial[n].v) - radial[n].u * std::conj(radial[n].u_slope));
  return 2 * dgtd::pi / (wave_number_ * wave_number_) * incident_flux() * sum;
}

// Scattering and extinction: BH (4.61) and (4.62), with the scattered wave -a_n xi_n, -b_n xi_n.
SpherePowers LayeredSphere::powers() const {
  SpherePowers p;
  double inside = 0;
  for (const SphereLayer& layer : layers_) {
    const double through = -outward_power(layer.outer_radius);
    p.absorbed_in_layer.push_back(through - inside);
    inside = through;
  }
  p.absorbed = inside;
  const RadialFunctions xi = outgoing_functions(order(), wave_number_ * layers_.back().outer_radius);
  const double unit = 2 * dgtd::pi / (wave_number_ * wave_number_) * incident_flux();
  for (int n = 1; n <= order(); ++n) {
    const Complex a = -waves_[n - 1].electric.back().outgoing / xi.value[n];
    const Complex b = -waves_[n - 1].magnetic.back().outgoing / xi.value[n];
    p.scattered += unit * (2 * n + 1) * (std::norm(a) + std::norm(b));
    p.extinguished += unit * (2 * n + 1) * std::real(a + b);
  }
  return p;
}

// BH (4.17)-(4.18), (4.37) and (4.40) in spherical components, turned to Cartesian ones.
// At k r = 2000, where terms of higher order in 1 / r are 5e-4 of the field.
double LayeredSphere::scattered_intensity(double theta, double phi) const {
  const double r = 2000 / wave_number_, sine = std::sin(theta);
  const Vec3 x{r * sine * std::cos(phi), r * sine * std::sin(phi), r * std::cos(theta)};
  auto electric = field(x).electric;
  electric[0] -= amplitude_ * std::polar(1.0, wave_number_ * x.z);
  return r * r * (std::norm(electric[0]) + std::norm(electric[1]) + std::norm(electric[2])) / (amplitude_ * amplitude_);
}

ComplexField LayeredSphere::field(const Vec3& position) const {
  const double radius = std::max(norm(position), 1e-9 * layers_.front().outer_radius);
  const int layer = layer_of(radius);
  const double x = wave_number_ * radius;
  const double cosine = norm(position) > 0 ? position.z / norm(position) : 1;
  const double from_axis = std::hypot(position.x, position.y), sine = from_axis / radius;
  const double cos_phi = from_axis > 0 ? position.x / from_axis : 1,
               sin_phi = from_axis > 0 ? position.y / from_axis : 0;
  const Complex m = index(layer);
  const AngularFunctions angular(order(), cosine);
  const auto radial = radial_functions(layer, radius);
  Eigen::Vector3cd e = Eigen::Vector3cd::Zero(), h = Eigen::Vector3cd::Zero();  // r, theta, phi
  for (int n = 1; n <= order(); ++n) {
    const auto& [u, u_slope, v, w] = radial[n];
    const double pi_n = angular.pi[n], tau_n = angular.tau[n];
    const Complex factor = amplitude_ * plane_wave_factor(n) / x, along = -i * (n * (n + 1) * sine * pi_n / x);
    e += factor * Eigen::Vector3cd(cos_phi * along * v / (m * m), cos_phi * (pi_n * u - i * tau_n * w),
                                   -sin_phi * (tau_n * u - i * pi_n * w));
    h += factor / vacuum_impedance *
         Eigen::Vector3cd(sin_phi * along * u, sin_phi * (pi_n * v - i * tau_n * u_slope),
                          cos_phi * (tau_n * v - i * pi_n * u_slope));
  }
  Eigen::Matrix3d unit_vectors;  // columns: r, theta, phi
  unit_vectors << sine * cos_phi, cosine * cos_phi, -sin_phi, sine * sin_phi, cosine * sin_phi, cos_phi, cosine, -sine,
      0;
  ComplexField field{unit_vectors * e, unit_vectors * h};
  if (layer == static_cast<int>(layers_.size())) {  // the incident wave in closed form
    const Complex incident = amplitude_ * std::exp(i * (wave_number_ * position.z));
    field.electric.x() += incident;
    field.magnetic.y() += incident / vacuum_impedance;
  }
  return field;
}

}  // namespace dgtd::exact
