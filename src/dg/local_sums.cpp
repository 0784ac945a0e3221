#include "dgtd/dg/local_sums.hpp"

#include <fmt/format.h>

#include "field_value.hpp"

namespace dgtd::dg {

namespace {

constexpr std::size_t parts = 4;  // Re E, Im E, Re Z0 H, Im Z0 H

std::vector<double> angular(const std::vector<double>& frequencies) {
  std::vector<double> list;
  for (const double f : frequencies) list.push_back(2 * pi * f);
  return list;
}

// The elements, then their second copies where the mesh has some.
std::vector<std::uint32_t> all_copies(const mesh::Subdomain& mesh, std::span<const std::uint32_t> elements) {
  std::vector<std::uint32_t> all(elements.begin(), elements.end());
  for (int copy = 1; copy < mesh.copies; ++copy)
    for (const std::uint32_t e : elements) all.push_back(e + static_cast<std::uint32_t>(mesh.first_copies()));
  return all;
}

template <class Real>
std::vector<std::uint64_t> indices(const Discretisation<Real>& d, std::span<const std::uint32_t> elements) {
  std::vector<std::uint64_t> index;
  const std::size_t reals = std::size_t{3} * tetrahedron_nodes(d.order);
  index.reserve(elements.size() * reals);
  for (const std::uint32_t e : elements)
    for (std::size_t i = 0; i < reals; ++i)
      index.push_back(d.layout.first(d.slot_of_element[e]) + i * d.layout.stride());
  return index;
}

}  // namespace

template <class Real>
LocalSums<Real>::LocalSums(const Discretisation<Real>& d, Executor<Real>& executor,
                           std::span<const std::uint32_t> elements, const std::vector<double>& frequencies)
    : d_(&d),
      executor_(&executor),
      elements_(all_copies(d.mesh, elements)),
      index_(indices(d, std::span<const std::uint32_t>(elements_)), executor.memory()),
      angular_(angular(frequencies), executor.memory()),
      factors_(4 * frequencies.size(), executor.memory()),
      totals_(frequencies.size() * parts * part_reals(), executor.memory()) {}

template <class Real>
std::size_t LocalSums<Real>::reals() const {
  return std::size_t{3} * tetrahedron_nodes(d_->order);
}

template <class Real>
std::size_t LocalSums<Real>::part_reals() const {
  return elements_.size() * reals();
}

template <class Real>
double LocalSums<Real>::memory_bytes(int order, std::size_t elements, std::size_t frequencies) {
  const double reals = 3.0 * tetrahedron_nodes(order) * double(elements);
  return reals * (sizeof(std::uint64_t) + parts * double(frequencies) * sizeof(Real));
}

template <class Real>
std::size_t LocalSums<Real>::first_of(solver::Quantity quantity) const {
  const std::size_t part = (quantity.field == solver::Quantity::Field::electric ? 0 : 2) +
                           (quantity.part == solver::Quantity::Part::real ? 0 : 1);
  return (quantity.frequency * parts + part) * part_reals();
}

template <class Real>
void LocalSums<Real>::add(const Field<Real>& electric, const Field<Real>& magnetic, const solver::Clock& clock,
                          double weight) {
  const auto n = static_cast<std::int64_t>(index_.size()), frequencies = static_cast<std::int64_t>(angular_.size());
  if (n == 0) return;
  const auto part = static_cast<std::int64_t>(part_reals());
  const auto add_field = [&](const Field<Real>& field, double time, std::int64_t first_factor,
                             std::int64_t first_part) {
    Real* const factors = factors_.write() + first_factor;
    executor_->for_each(frequencies, WritePhases<Real>{angular_.read(), time, weight, factors});
    executor_->for_each(n, AddToSums<Real>{field.read(), index_.read(), factors, totals_.write() + first_part * part,
                                           frequencies, std::int64_t{parts} * part, part});
  };
  add_field(electric, clock.electric_time(), 0, 0);
  add_field(magnetic, clock.magnetic_time(), 2 * frequencies, 2);
}

template <class Real>
void LocalSums<Real>::sample(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                             double* values) const {
  const auto basis = basis_at(d_->order, points);
  const double scale = scale_of(quantity.field);
  std::vector<Real> buffer;
  const auto count = static_cast<std::ptrdiff_t>(elements_.size() / static_cast<std::size_t>(d_->mesh.copies));
  // The sum of a complex field is that of its real part plus i times that of its imaginary part.
  for (int copy = 0; copy < d_->mesh.copies; ++copy) {
    const Real* const sums =
        totals_.piece(first_of(copy == 0 ? quantity : solver::turned(quantity)), part_reals(), buffer) +
        static_cast<std::size_t>(copy * count) * reals();
    const double factor = copy == 1 && quantity.part == solver::Quantity::Part::real ? -scale : scale;
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const ElementGeometry geometry(d_->mesh, elements_[at]);
      for (std::size_t q = 0; q < points.size(); ++q) {
        const Vec3 v = factor * value_at(sums + at * reals(), 1, geometry.at(points[q]), basis[q]);
        for (int k = 0; k < 3; ++k) {
          double& value = values[(at * points.size() + q) * 3 + static_cast<std::size_t>(k)];
          value = copy == 0 ? v[k] : value + v[k];
        }
      }
    }
  }
}

template <class Real>
solver::PersistentArray LocalSums<Real>::persistent(std::size_t number) {
  auto items = std::make_shared<solver::Items>();
  items->name = fmt::format("elements of sums {}", number);
  items->end = d_->mesh.global_elements;
  for (std::size_t i = 0; i < elements_.size(); ++i)
    items->runs.push_back({d_->mesh.element_id[elements_[i]], 1, i * reals()});
  items->sort();
  std::vector<std::uint64_t> offsets;
  for (std::size_t part = 0; part < angular_.size() * parts; ++part)
    for (std::size_t i = 0; i < reals(); ++i) offsets.push_back(part * part_reals() + i);
  return solver::persistent(fmt::format("sums {}", number), items, totals_, std::move(offsets));
}

template class LocalSums<float>;
template class LocalSums<double>;

}  // namespace dgtd::dg
