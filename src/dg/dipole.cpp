#include "dgtd/dg/dipole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"

namespace dgtd::dg {

namespace {
// Radius of rho over the mean edge of the dipole's element, where the case gives none.
constexpr double default_radius = 2.5;
constexpr double most_of_wavelength = 0.4;

// What the bump radiates, as a share of a point's amplitude: its Fourier transform at the wave number,
//   2^v Gamma(v + 1) J_v(k R) / (k R)^v,  v = 4 + 3/2.
double form_factor(double wave_number_times_radius) {
  constexpr double v = 5.5;
  const double x = wave_number_times_radius;
  return x < 1e-3 ? 1 : std::pow(2, v) * std::tgamma(v + 1) * std::cyl_bessel_j(v, x) / std::pow(x, v);
}
}  // namespace

PointLocation locate(const mesh::Subdomain& mesh, const Vec3& point, const std::string& what,
                     const parallel::Communicator& comm) {
  constexpr double tolerance = 1e-9;  // of barycentric coordinates: points on faces count as inside
  PointLocation found;
  std::int64_t id = std::numeric_limits<std::int64_t>::max();
  const auto elements = static_cast<std::int64_t>(mesh.elements());
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e) {
    Vec3 low = mesh.vertex(e, 0), high = low;
    for (int v = 1; v < 4; ++v)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], mesh.vertex(e, v)[k]);
        high[k] = std::max(high[k], mesh.vertex(e, v)[k]);
      }
    bool near = true;
    for (int k = 0; k < 3; ++k)
      near = near && point[k] >= low[k] - tolerance * (1 + high[k] - low[k]) &&
             point[k] <= high[k] + tolerance * (1 + high[k] - low[k]);
    if (!near) continue;
    const auto l = ElementGeometry(mesh, e).barycentric(point);
    if (*std::min_element(l.begin(), l.end()) < -tolerance) continue;
#pragma omp critical
    if (mesh.element_id[e] < id) {
      id = mesh.element_id[e];
      found.element = static_cast<std::uint32_t>(e);
      found.barycentric = l;
    }
  }
  const std::int64_t first = comm.min(id);
  if (first == std::numeric_limits<std::int64_t>::max())
    throw Error(fmt::format("{}: position {} {} {} m lies in no element of the mesh", what, point.x, point.y, point.z));
  found.mine = first == id;
  found.rank = static_cast<int>(comm.max(std::int64_t{found.mine ? comm.rank() : -1}));
  return found;
}

namespace {

// Elements where rho may not be zero, ascending.
std::vector<std::uint32_t> elements_near(const mesh::Subdomain& mesh, const PointLocation& place, const Vec3& position,
                                         double radius) {
  std::vector<std::uint32_t> near;
  if (radius == 0) {
    if (place.mine) near.push_back(place.element);
    return near;
  }
  const auto elements = static_cast<std::int64_t>(mesh.elements());
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e) {
    const Vec3 centre = ElementGeometry(mesh, e).centre();
    double size = 0;
    for (int v = 0; v < 4; ++v) size = std::max(size, norm(mesh.vertex(e, v) - centre));
    if (norm(centre - position) > radius + size) continue;
#pragma omp critical
    near.push_back(static_cast<std::uint32_t>(e));
  }
  std::sort(near.begin(), near.end());
  return near;
}

// [Np] integral of rho B_i over an element, rho without its constant; empty where rho is zero there.
template <class Real>
std::vector<double> density_moments(const Discretisation<Real>& d, std::size_t element, const PointLocation& place,
                                    const Vec3& position, double radius) {
  const ElementGeometry geometry(d.mesh, element);
  if (radius == 0) return bernstein_values(d.order, place.barycentric);
  static const auto quadrature =
      tetrahedron_quadrature(12);  // exact for rho B_i up to p = 6 where the element lies inside
  std::vector<double> moments(tetrahedron_nodes(d.order), 0.0);
  bool inside = false;
  for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
    const Vec3 r = geometry.point(quadrature.points[q]) - position;
    const double s = 1 - dot(r, r) / (radius * radius);
    if (s <= 0) continue;
    inside = true;
    const auto value = bernstein_values(d.order, quadrature.points[q]);
    const double weight = quadrature.weights[q] * std::abs(geometry.determinant) * s * s * s * s;
    for (std::size_t i = 0; i < moments.size(); ++i) moments[i] += weight * value[i];
  }
  return inside ? moments : std::vector<double>{};
}

}  // namespace

// Multiplied by every basis function of an element and integrated, eps dE/dt = … - J_s gives
//   E += -(dt / eps) m f(t) |J|^-1 M^-1 (integral rho B) e,   e by its covariant components e . a_k,
// with the factor 1 / (1 + s) of averaged conduction.
template <class Real>
CurrentCoefficients dipole_coefficients(const Discretisation<Real>& d, const physics::Source& source, double dt,
                                        const parallel::Communicator& comm) {
  const PointLocation place =
      locate(d.mesh, source.position, fmt::format("{}: [source.{}]", source.origin, source.name), comm);
  const double wave_number =
      2 * pi * source.waveform.frequency / speed_of_light *
      comm.max(place.mine
                   ? std::sqrt(d.material_of(place.element).permittivity * d.material_of(place.element).permeability)
                   : 0);
  double radius = source.radius.value_or(0);
  if (!source.radius) {
    double size = 0;  // mean edge of the element that holds the dipole
    if (place.mine)
      for (int v = 0; v < 4; ++v)
        for (int w = 0; w < v; ++w) size += norm(d.mesh.vertex(place.element, v) - d.mesh.vertex(place.element, w)) / 6;
    radius = std::min(default_radius * comm.max(size), most_of_wavelength * 2 * pi / wave_number);
  }
  const int nodes = tetrahedron_nodes(d.order);
  const auto mass_inverse = inverse(mass_matrix(d.order), nodes);
  parallel::ReproducibleSum integral;
  std::vector<std::pair<std::uint32_t, std::vector<double>>> density;
  for (const std::uint32_t e : elements_near(d.mesh, place, source.position, radius)) {
    auto moments = density_moments(d, e, place, source.position, radius);
    if (moments.empty()) continue;
    for (const double m : moments) integral.add(m);  // the basis sums to one
    density.emplace_back(e, std::move(moments));
  }
  // The moment is that of the point which radiates the same at the source's frequency.
  const double form = form_factor(wave_number * radius);
  if (form < 0.3)
    throw Error(
        fmt::format("{}: [source.{}]: the dipole's radius, {:.3g} m, is too large a share of its wavelength, {:.3g} m; "
                    "at most 0.6 wavelengths",
                    source.origin, source.name, radius, 2 * pi / wave_number));
  const double total = integral.value(comm) * form;
  CurrentCoefficients coefficients;
  for (auto& [element, moments] : density) {
    const std::uint32_t slot = d.slot_of_element[element];
    const ElementGeometry geometry(d.mesh, element);
    const auto& m = d.material_of(element);
    const double s = m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity);
    const double factor =
        -dt / (m.permittivity * vacuum_permittivity * (1 + s)) * source.moment / std::abs(geometry.determinant);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < nodes; ++i) {
        double increment = 0;
        for (int j = 0; j < nodes; ++j)
          increment +=
              factor * mass_inverse[i * nodes + j] * moments[j] / total * dot(source.direction, geometry.edges[k]);
        coefficients.index.push_back(d.layout.first(slot) + (k * nodes + i) * d.layout.stride());
        coefficients.increment.push_back(increment);
        coefficients.weight.push_back(moments[i] / total * dot(source.direction, geometry.gradients[k]));
      }
  }
  return coefficients;
}

template CurrentCoefficients dipole_coefficients<float>(const Discretisation<float>&, const physics::Source&, double,
                                                        const parallel::Communicator&);
template CurrentCoefficients dipole_coefficients<double>(const Discretisation<double>&, const physics::Source&, double,
                                                         const parallel::Communicator&);

}  // namespace dgtd::dg
