#include "dgtd/observers/mesh_run_spectra.hpp"

#include <algorithm>
#include <memory>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/physics/sampling.hpp"
#include "lagrange_values.hpp"

namespace dgtd::observers {

namespace {

// Two pairs per point: of a face with normal b, E along c with H along a, and E along a with H along c, where a, b, c
// are cyclic: S_b = E_c H_a - E_a H_c.
solver::SurfacePairs pairs_of(const std::vector<SurfacePoint>& points) {
  solver::SurfacePairs pairs;
  for (const SurfacePoint& p : points) {
    const int a = (p.axis + 2) % 3, c = (p.axis + 1) % 3;
    for (const auto& [electric, magnetic] : {std::pair{c, a}, std::pair{a, c}}) {
      pairs.area.push_back(electric == c ? p.area : -p.area);
      pairs.position.push_back(p.position);
      pairs.electric_axis.push_back(static_cast<std::uint8_t>(electric));
      pairs.magnetic_axis.push_back(static_cast<std::uint8_t>(magnetic));
    }
  }
  return pairs;
}

/// Cartesian vectors [points][3] at these points of an element become covariant ones, u_k = v . a_k.
void make_covariant(const dg::ElementGeometry& element, const std::vector<std::array<double, 4>>& points, double* vectors) {
  for (std::size_t q = 0; q < points.size(); ++q) {
    double* const v = vectors + 3 * q;
    const Vec3 cartesian{v[0], v[1], v[2]};
    const auto edges = element.at(points[q]).edges;
    for (std::size_t k = 0; k < 3; ++k) v[k] = dot(cartesian, edges[k]);
  }
}

}  // namespace

std::size_t MeshRunSpectra::add_region(const solver::Region& region) {
  const auto stored = domain_.solver.stored_order();
  Region made{{}, 0, nullptr, {}, {}};
  std::vector<double> frequencies;
  std::string name;
  if (const auto* flux = std::get_if<physics::Flux>(&region)) {
    name = flux->name;
    frequencies = flux->frequencies;
    made.points = mesh_surface(*flux, "flux." + name, domain_.mesh, stored, domain_.order, domain_.comm,
                               domain_.mirrors);
  } else if (const auto* faces = std::get_if<solver::FacePlane>(&region)) {
    name = faces->plane.name;
    frequencies = faces->plane.frequencies;
    made.points = points_on_faces(faces->plane, domain_.mesh, stored, domain_.order);
  } else {
    const auto& monitor = std::get<physics::Monitor>(region);
    name = monitor.name;
    frequencies = monitor.frequencies;
    made.cells = std::make_unique<MeshCells>(monitor, domain_.mesh, stored, domain_.order, domain_.comm);
    made.elements = made.cells->elements();
    made.cells->forget_hits();
  }
  if (!made.cells) {
    for (const SurfacePoint& p : made.points)
      if (made.elements.empty() || made.elements.back() != p.element) made.elements.push_back(p.element);
    made.of_surface = {frequencies, {}, pairs_of(made.points)};
  }
  check_(domain_.sums.sums_bytes(made.elements.size(), frequencies.size()), name);
  made.sums = domain_.sums.add_sums(made.elements, frequencies);
  regions_.push_back(std::move(made));
  return regions_.size() - 1;
}

const solver::RegionSamples& MeshRunSpectra::samples(std::size_t region) const {
  const Region& r = regions_[region];
  return r.cells ? r.cells->samples() : r.of_surface;
}

std::int64_t MeshRunSpectra::sampling_interval(std::size_t region) const {
  return physics::sampling_interval(samples(region).frequencies, domain_.highest_frequency, domain_.solver.time_step());
}

void MeshRunSpectra::accumulate(std::size_t region, double weight) {
  domain_.sums.accumulate_sums(regions_[region].sums, weight);
}

solver::RegionSums MeshRunSpectra::sums(std::size_t region, std::size_t frequency) const {
  for (std::size_t other = 0; other < regions_.size(); ++other)
    if (other != region && regions_[other].cells) regions_[other].cells->forget_hits();
  const Region& r = regions_[region];
  if (!r.cells) return surface_sums(r, frequency);
  return r.cells->sums([&](auto field, auto part, const auto& points, const auto&, double* values) {
    domain_.sums.sample_sums(r.sums, {field, part, frequency}, points, values);
  });
}

// Those of some elements that have curved edges.
std::vector<std::optional<dg::ElementGeometry>> MeshRunSpectra::curved_elements(
    const std::vector<std::uint32_t>& elements) const {
  std::vector<std::optional<dg::ElementGeometry>> curved(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (domain_.mesh.curved_element(elements[i]) != nullptr) curved[i].emplace(domain_.mesh, elements[i]);
  return curved;
}

// The polynomials of each element from their values at Lagrange points; of curved elements the covariant components are
// polynomials.
solver::RegionSums MeshRunSpectra::surface_sums(const Region& region, std::size_t frequency) const {
  using Quantity = solver::Quantity;
  const auto points = io::lagrange_points(domain_.order);
  const auto count = static_cast<std::ptrdiff_t>(region.points.size());
  std::vector<std::size_t> place;  // of a point's element in the sums
  for (const SurfacePoint& p : region.points) {
    std::size_t at = place.empty() ? 0 : place.back();
    if (region.elements[at] != p.element) ++at;
    place.push_back(at);
  }
  const std::vector<std::optional<dg::ElementGeometry>> curved = curved_elements(region.elements);
  std::vector<double> at_points(region.elements.size() * points.size() * 3);
  const auto values_of = [&](Quantity::Field field, double scale) -> solver::RegionValues {
    std::vector<double> parts[2];
    for (int part = 0; part < 2; ++part) {
      std::vector<double>& values = parts[part];
      values.resize(2 * region.points.size());
      domain_.sums.sample_sums(region.sums,
                               {field, part == 0 ? Quantity::Part::real : Quantity::Part::imaginary, frequency}, points,
                               at_points.data());
      for (std::size_t e = 0; e < curved.size(); ++e)
        if (curved[e]) make_covariant(*curved[e], points, at_points.data() + e * points.size() * 3);
      const auto& pairs = region.of_surface.pairs;
      const auto& axes = field == Quantity::Field::electric ? pairs.electric_axis : pairs.magnetic_axis;
#pragma omp parallel
      {
        std::vector<double> weights(points.size());
#pragma omp for schedule(static)
        for (std::ptrdiff_t i = 0; i < count; ++i) {
          const auto at = static_cast<std::size_t>(i);
          lagrange_values(points, domain_.order, region.points[at].barycentric, weights);
          Vec3 field;
          for (std::size_t q = 0; q < points.size(); ++q)
            for (int axis = 0; axis < 3; ++axis)
              field[axis] += weights[q] * at_points[(place[at] * points.size() + q) * 3 + std::size_t(axis)];
          if (const auto& element = curved[place[at]])
            field = element->at(region.points[at].barycentric).cartesian(field.x, field.y, field.z);
          for (std::size_t pair = 2 * at; pair < 2 * at + 2; ++pair) values[pair] = scale * field[axes[pair]];
        }
      }
    }
    return [real = std::make_shared<const std::vector<double>>(std::move(parts[0])),
            imag = std::make_shared<const std::vector<double>>(std::move(parts[1]))](std::size_t first, std::size_t n,
                                                                                     double* to_real, double* to_imag) {
      std::copy_n(real->data() + first, n, to_real);
      std::copy_n(imag->data() + first, n, to_imag);
    };
  };
  return {values_of(Quantity::Field::electric, 1), values_of(Quantity::Field::magnetic, vacuum_impedance)};
}

}  // namespace dgtd::observers
