#include "dgtd/dg/dipole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"
#include "curved_metric.hpp"
#include "element_work.hpp"

namespace dgtd::dg {

namespace {
// Radius of rho over the mean edge of the dipole's element, where the case gives none and no more space is free.
constexpr double least_radius = 2.5;
constexpr double most_of_wavelength = 0.4;
constexpr double warned_share = 0.02;  // of the emitted power

// Amplitude that the bump radiates, as a share of a point's: its Fourier transform at the wave number,
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
  const auto elements = static_cast<std::int64_t>(mesh.first_copies());
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e) {
    Vec3 low = mesh.vertex(e, 0), high = low;
    for (int v = 1; v < 4; ++v)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], mesh.vertex(e, v)[k]);
        high[k] = std::max(high[k], mesh.vertex(e, v)[k]);
      }
    if (const mesh::CurvedElement* const curved = mesh.curved_element(static_cast<std::size_t>(e))) {
      double reach = 0;  // 4 sum |d_ij| l_i l_j is at most the sum of |d_ij|
      for (const Vec3& d : curved->bend) reach += norm(d);
      low -= Vec3{reach, reach, reach}, high += Vec3{reach, reach, reach};
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

// m, of a point from the line between -half_length and half_length.
double distance_to_line(const Vec3& x, const Vec3& half_length) {
  const double square = dot(half_length, half_length);
  const double along = square > 0 ? std::clamp(dot(x, half_length) / square, -1.0, 1.0) : 0;
  return norm(x - along * half_length);
}

// Elements within a radius of a line of that half length around a position, ascending.
std::vector<std::uint32_t> elements_near(const mesh::Subdomain& mesh, const PointLocation& place, const Vec3& position,
                                         double radius, const Vec3& half_length = {}) {
  std::vector<std::uint32_t> near;
  if (radius == 0) {
    if (place.mine) near.push_back(place.element);
    return near;
  }
  const auto elements = static_cast<std::int64_t>(mesh.first_copies());
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e) {
    const Vec3 centre = ElementGeometry(mesh, e).centre();
    double size = 0;
    for (int v = 0; v < 4; ++v) size = std::max(size, norm(mesh.vertex(e, v) - centre));
    if (distance_to_line(centre - position, half_length) > radius + size) continue;
#pragma omp critical
    near.push_back(static_cast<std::uint32_t>(e));
  }
  std::sort(near.begin(), near.end());
  return near;
}

/// The quadrature of a current's density, exact for rho B_i up to p = 6 where the element lies inside, with the basis
/// functions at its points.
struct DensityQuadrature {
  Quadrature rule = tetrahedron_quadrature(12);
  std::vector<std::vector<double>> basis;  // [points][Np]

  explicit DensityQuadrature(int order) {
    for (const auto& point : rule.points) basis.push_back(bernstein_values(order, point));
  }
};

// [Np] integral of rho B_i over an element, rho without its constant; empty where rho is zero there. rho is the sum of
// bumps around the places.
std::vector<double> density_moments(const DensityQuadrature& quadrature, const ElementGeometry& geometry,
                                    const std::vector<Vec3>& places, double radius) {
  std::vector<double> moments(quadrature.basis.front().size(), 0.0);
  bool inside = false;
  for (std::size_t q = 0; q < quadrature.basis.size(); ++q) {
    double density = 0;
    for (const Vec3& place : places) {
      const Vec3 r = geometry.point(quadrature.rule.points[q]) - place;
      const double s = 1 - dot(r, r) / (radius * radius);
      if (s > 0) density += s * s * s * s;
    }
    if (density == 0) continue;
    inside = true;
    const double weight = quadrature.rule.weights[q] * std::abs(geometry.at(quadrature.rule.points[q]).determinant) * density;
    for (std::size_t i = 0; i < moments.size(); ++i) moments[i] += weight * quadrature.basis[q][i];
  }
  return inside ? moments : std::vector<double>{};
}

// [elements][Np] those of all elements; a point's are the basis functions there.
template <class Real>
std::vector<std::vector<double>> density_moments(const Discretisation<Real>& d,
                                                 const std::vector<std::uint32_t>& elements, const PointLocation& place,
                                                 const std::vector<Vec3>& places, double radius) {
  if (radius == 0)
    return std::vector<std::vector<double>>(elements.size(), bernstein_values(d.order, place.barycentric));
  const DensityQuadrature quadrature(d.order);
  std::vector<std::vector<double>> moments(elements.size());
  const auto count = static_cast<std::int64_t>(elements.size());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t n = 0; n < count; ++n) {
    const auto at = static_cast<std::size_t>(n);
    moments[at] = density_moments(quadrature, ElementGeometry(d.mesh, elements[at]), places, radius);
  }
  return moments;
}

// Index of a wave, conduction left out; 0 in a metal.
double refractive_index(const physics::Medium& m, double frequency) {
  if (m.poles.empty()) return std::sqrt(m.permittivity * m.permeability);
  return std::sqrt((physics::permittivity(m, 2 * pi * frequency).real() + std::complex<double>{}) * m.permeability)
      .real();
}

// C. Ericson, Real-Time Collision Detection (2005), section 5.1.5.
double distance_to_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = dot(ab, x - a), d2 = dot(ac, x - a), d3 = dot(ab, x - b), d4 = dot(ac, x - b), d5 = dot(ab, x - c),
               d6 = dot(ac, x - c);
  if (d1 <= 0 && d2 <= 0) return norm(x - a);
  if (d3 >= 0 && d4 <= d3) return norm(x - b);
  if (d6 >= 0 && d5 <= d6) return norm(x - c);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return norm(x - (a + d1 / (d1 - d3) * ab));
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return norm(x - (a + d2 / (d2 - d6) * ac));
  if (va <= 0 && d4 >= d3 && d5 >= d6) return norm(x - (b + (d4 - d3) / (d4 - d3 + d5 - d6) * (c - b)));
  const double sum = va + vb + vc;
  return norm(x - (a + vb / sum * ab + vc / sum * ac));
}

struct FreeSpace {
  double to_boundary;  // m, distance of the dipole from the nearest face of a boundary
  double to_material;  // m, from the nearest element of another material
  double to_order;     // m, from the nearest face to an element of another order
};

bool has_joints(const mesh::Subdomain& mesh, const parallel::Communicator& comm) {
  return comm.max(std::int64_t{mesh.halo_faces.size() > exchanged_faces(mesh)}) > 0;
}

// Distances up to `reach`; larger ones are `reach`. Collective.
template <class Real>
FreeSpace free_space(const Discretisation<Real>& d, const PointLocation& place, const Vec3& position, double reach,
                     const parallel::Communicator& comm) {
  const auto property = [&](double physics::Medium::*p) {
    return comm.max(place.mine ? d.material_of(place.element).*p : -1);
  };
  const double permittivity = property(&physics::Medium::permittivity),
               permeability = property(&physics::Medium::permeability),
               conductivity = property(&physics::Medium::conductivity);
  const auto group = comm.max(place.mine ? std::int64_t{d.mesh.element_group[place.element]} : -1);
  FreeSpace free{reach, reach, reach};
  for (const std::uint32_t e : elements_near(d.mesh, place, position, reach)) {
    const physics::Medium& m = d.material_of(e);
    const bool other = m.permittivity != permittivity || m.permeability != permeability ||
                       m.conductivity != conductivity || m.poles != d.material[static_cast<std::size_t>(group)].poles;
    for (int face = 0; face < 4; ++face) {
      const mesh::FaceLink& link = d.mesh.element_faces[e][static_cast<std::size_t>(face)];
      const bool boundary = link.kind == mesh::FaceLink::Kind::boundary;
      const bool joint = link.kind == mesh::FaceLink::Kind::halo && link.index >= exchanged_faces(d.mesh);
      if (!other && !boundary && !joint) continue;
      const auto corner = [&](int i) { return d.mesh.vertex(e, (face + i) % 4); };
      const double distance = distance_to_triangle(position, corner(1), corner(2), corner(3));
      if (other) free.to_material = std::min(free.to_material, distance);
      if (boundary) free.to_boundary = std::min(free.to_boundary, distance);
      if (joint) free.to_order = std::min(free.to_order, distance);
    }
  }
  return {comm.min(free.to_boundary), comm.min(free.to_material), comm.min(free.to_order)};
}

// The same around a dipole or the line of its length. Collective.
template <class Real>
FreeSpace free_space(const Discretisation<Real>& d, const physics::Source& source, const PointLocation& place,
                     double reach, const parallel::Communicator& comm) {
  FreeSpace free{reach, reach, reach};
  for (const double share : source.length > 0 ? std::vector{-0.5, -0.25, 0.0, 0.25, 0.5} : std::vector{0.0}) {
    const Vec3 at = source.position + share * source.length * source.direction;
    const FreeSpace here = free_space(d, place, at, reach, comm);
    free = {std::min(free.to_boundary, here.to_boundary), std::min(free.to_material, here.to_material),
            std::min(free.to_order, here.to_order)};
  }
  return free;
}

// The current is one of the elements of one order. Collective.
template <class Real>
void check_one_order(const Discretisation<Real>& d, const physics::Source& source, const PointLocation& place,
                     double radius, const parallel::Communicator& comm) {
  if (radius == 0 || !has_joints(d.mesh, comm)) return;
  const double distance = free_space(d, source, place, radius, comm).to_order;
  if (distance < radius)
    throw Error(fmt::format(
        "{}: [source.{}]: the dipole's current has a radius of {:.3g} m and reaches into elements of another order, "
        "which are {:.3g} m away; it must be inside of elements of one order: give a smaller source.{}.radius, smaller "
        "elements around the dipole (dgtd-mesh --refine), or one order",
        source.origin, source.name, radius, distance, source.name));
}

// Spurious share of the power that a dipole in homogeneous space radiates (docs/theory.md, "Sources"), measured.
double spurious_share(int order, double edge_over_radius, double wave_number_times_radius) {
  constexpr double measured[] = {0, 0.45, 0.055, 0.005};
  return measured[std::min(order, 3)] * std::pow(edge_over_radius, order + 1) / std::pow(wave_number_times_radius, 2);
}

// As large as the space around the dipole allows, since the mesh then resolves the current best, and the field outside
// of the bump does not depend on its radius.
template <class Real>
double default_radius(const Discretisation<Real>& d, const physics::Source& source, const PointLocation& place,
                      double wave_number, const parallel::Communicator& comm) {
  double edge = 0;  // mean edge of the element that holds the dipole
  if (place.mine)
    for (int v = 0; v < 4; ++v)
      for (int w = 0; w < v; ++w) edge += norm(d.mesh.vertex(place.element, v) - d.mesh.vertex(place.element, w)) / 6;
  edge = comm.max(edge);
  const double largest = most_of_wavelength * 2 * pi / wave_number, least = std::min(least_radius * edge, largest);
  const FreeSpace free = free_space(d, source, place, largest, comm);
  const double radius = std::max(least, std::min({free.to_boundary, free.to_material, free.to_order}));
  // Beside a conductor the charges of the current are on its surface, and the estimate is for free space.
  if (free.to_boundary < radius) return radius;
  const double share = spurious_share(d.order, edge / radius, wave_number * radius);
  const std::string what = fmt::format("{}: [source.{}]", source.origin, source.name);
  if (free.to_material < radius)
    log::warn(
        "{}: the dipole's current has a radius of {:.3g} m on this mesh and reaches into another material, which is "
        "{:.3g} m away: powers are wrong; smaller elements are needed around the dipole (dgtd-mesh --refine)",
        what, radius, free.to_material);
  else if (share > warned_share)
    log::warn(
        "{}: about {:.0f} % of the emitted power are spurious: smaller elements around the dipole (dgtd-mesh --refine) "
        "or a higher order are needed",
        what, std::min(100.0, 100 * share));
  return radius;
}

}  // namespace

// The change of what poles keep for a change of coefficient i of E in a slot.
template <class Real>
void add_to_poles(const Discretisation<Real>& d, std::uint32_t slot, int i, double change,
                  CurrentCoefficients& coefficients) {
  const Dispersion<Real>& poles = d.dispersion;
  if (d.material[d.group_of_slot[slot]].poles.empty()) return;
  const auto& state = d.states[state_of_poles];
  const std::uint64_t block = static_cast<std::uint64_t>(state.first[slot / block_lanes]);
  const Real* const row = poles.row(d.group_of_slot[slot]);
  const auto add = [&](int number, double increment) {
    const std::uint64_t entry = std::uint64_t(number) * 3 * d.layout.nodes + i;
    coefficients.pole_index.push_back((block * state.entries + entry) * block_lanes + slot % block_lanes);
    coefficients.pole_increment.push_back(increment);
  };
  for_each_pole(count_poles(d.material[d.group_of_slot[slot]]), poles.most, [&](auto kind, int place, int first) {
    const double C1 = row[first_coefficient(place) + 1];
    double of_v = C1;
    if constexpr (decltype(kind)::has_C3) of_v -= double(row[C3_coefficient(poles.most, place)]) / 2;
    if constexpr (decltype(kind)::has_v) add(first, of_v * change);
    if constexpr (decltype(kind)::has_P) add(first + decltype(kind)::has_v, C1 / 2 * change);
  });
}

namespace {

// In a lossy medium the near field, |E| ~ 1 / r^3, loses a power in proportion to 1 / radius^3 beside the current.
// Collective.
template <class Real>
void warn_of_losses(const Discretisation<Real>& d, const physics::Source& source, const PointLocation& place,
                    double radius, const parallel::Communicator& comm) {
  constexpr double noticeable = 0.01;  // loss tangent
  const double omega = 2 * pi * source.waveform.frequency;
  double conductivity = 0;
  std::int64_t group = -1;
  if (place.mine) {
    const physics::Medium& m = d.material_of(place.element);
    const double losses = physics::conductivity(m, omega);
    if (losses > noticeable * omega * vacuum_permittivity * m.permittivity)
      conductivity = losses, group = d.mesh.element_group[place.element];
  }
  conductivity = comm.max(conductivity), group = comm.max(group);
  if (group < 0) return;
  const std::string& volume = d.mesh.volume_names[static_cast<std::size_t>(group)];
  log::warn(
      "{}: [source.{}]: the dipole is inside of {}, which has losses ({:.3g} S/m): what it emits includes those beside "
      "it, which depend on source.{}.radius, here {:.3g} m",
      source.origin, source.name, volume, conductivity, source.name, radius);
}

// Centres of the bumps of the current: of a line at equal distances of at most a quarter of their radius. Collective.
std::vector<Vec3> places_of_current(const mesh::Subdomain& mesh, const physics::Source& source, double radius,
                                    const parallel::Communicator& comm) {
  if (source.length == 0) return {source.position};
  const std::string what = fmt::format("{}: [source.{}]", source.origin, source.name);
  if (radius == 0)
    throw Error(fmt::format("{}: radius = 0: the current of a line is spread over a radius, which must exceed 0", what));
  const Vec3 half = 0.5 * source.length * source.direction;
  (void)locate(mesh, source.position - half, what + ": an end of the line", comm);
  (void)locate(mesh, source.position + half, what + ": an end of the line", comm);
  const int count = std::max(1, static_cast<int>(std::ceil(4 * source.length / radius)));
  std::vector<Vec3> places;
  for (int i = 0; i < count; ++i) places.push_back(source.position + ((2 * i + 1.0) / count - 1) * half);
  return places;
}

}  // namespace

// Multiplied by every basis function of an element and integrated, eps dE/dt = … - J_s gives
//   E += -response m f(t) |J|^-1 M^-1 (integral rho B) e,   e by its covariant components e . a_k,
// response = dt / eps, or what the integrator has in its place.
template <class Real>
CurrentCoefficients dipole_coefficients(const Discretisation<Real>& d, const physics::Source& source,
                                        const CurrentResponse& response, const parallel::Communicator& comm) {
  const PointLocation place =
      locate(d.mesh, source.position, fmt::format("{}: [source.{}]", source.origin, source.name), comm);
  const double index =
      comm.max(place.mine ? refractive_index(d.material_of(place.element), source.waveform.frequency) : 0);
  if (index == 0 && !source.radius)
    throw Error(
        fmt::format("{}: [source.{}]: the dipole is in a metal at its frequency, {:.6g} Hz, where no wave "
                    "propagates: give its radius, or a place in a medium of positive permittivity",
                    source.origin, source.name, source.waveform.frequency));
  const double wave_number = 2 * pi * source.waveform.frequency / speed_of_light * index;
  const double radius = source.radius ? *source.radius : default_radius(d, source, place, wave_number, comm);
  check_one_order(d, source, place, radius, comm);
  warn_of_losses(d, source, place, radius, comm);
  const int nodes = tetrahedron_nodes(d.order);
  const auto mass_inverse = inverse(mass_matrix(d.order), nodes);
  parallel::ReproducibleSum integral;
  const auto places = places_of_current(d.mesh, source, radius, comm);
  const auto elements =
      elements_near(d.mesh, place, source.position, radius, 0.5 * source.length * source.direction);
  const auto density = density_moments(d, elements, place, places, radius);
  for (const auto& moments : density)
    for (const double m : moments) integral.add(m);  // the basis sums to one
  // The moment is that of the point which radiates the same at the source's frequency.
  const double form = form_factor(wave_number * radius);
  if (form < 0.3)
    throw Error(
        fmt::format("{}: [source.{}]: the dipole's radius, {:.3g} m, is too large a share of its wavelength, {:.3g} m; "
                    "at most 0.6 wavelengths",
                    source.origin, source.name, radius, 2 * pi / wave_number));
  const double total = integral.value(comm) * form;
  CurrentCoefficients coefficients;
  for (std::size_t n = 0; n < elements.size(); ++n) {
    const std::uint32_t element = elements[n];
    const std::vector<double>& moments = density[n];
    if (moments.empty()) continue;
    const std::uint32_t slot = d.slot_of_element[element];
    const ElementGeometry geometry(d.mesh, element);
    const double factor = -response(d.material_of(element)) * source.moment / std::abs(geometry.determinant);
    const std::array<double, 3> along = covariant_direction(d, slot, geometry, source.direction);
    std::vector<double> increments(3 * static_cast<std::size_t>(nodes));
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < nodes; ++j)
          increments[static_cast<std::size_t>(k * nodes + i)] +=
              factor * mass_inverse[i * nodes + j] * moments[j] / total * along[static_cast<std::size_t>(k)];
    if (has_curved_metric(d, slot)) increments = apply_curved_metric(d, slot, increments);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < nodes; ++i) {
        const double increment = increments[static_cast<std::size_t>(k * nodes + i)];
        coefficients.index.push_back(d.layout.first(slot) + (k * nodes + i) * d.layout.stride());
        coefficients.increment.push_back(increment);
        add_to_poles(d, slot, k * nodes + i, increment, coefficients);
        coefficients.weight.push_back(moments[i] / total * dot(source.direction, geometry.gradients[k]));
      }
  }
  return coefficients;
}

template CurrentCoefficients dipole_coefficients<float>(const Discretisation<float>&, const physics::Source&,
                                                        const CurrentResponse&, const parallel::Communicator&);
template CurrentCoefficients dipole_coefficients<double>(const Discretisation<double>&, const physics::Source&,
                                                         const CurrentResponse&, const parallel::Communicator&);

}  // namespace dgtd::dg
