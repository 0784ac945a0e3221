// The field access of DgSolver: initial fields, values at points, errors, means, hash. All in double
// precision, element by element; none of it is part of the time step. Results are read from a device in pieces, so that
// the host has no copy of all fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/parallel/in_order.hpp"
#include "field_value.hpp"

namespace dgtd::dg {

namespace {

// Fields are read from a device in pieces of so many blocks, a few megabytes.
constexpr std::int64_t blocks_per_piece = 1024;

}  // namespace

template <class Real>
void DgSolver<Real>::set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) {
  const int nodes = tetrahedron_nodes(d_->order);
  const auto quadrature = tetrahedron_quadrature(d_->order + 3);
  const auto projection = projection_matrix(d_->order, quadrature);
  const auto points = quadrature.points.size();
  const auto count = static_cast<std::ptrdiff_t>(d_->mesh.elements());
  Real* const to_electric = electric_.host_for_writing();
  Real* const to_magnetic = magnetic_.host_for_writing();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t e = 0; e < count; ++e) {
    const ElementGeometry geometry(d_->mesh, e);
    const std::size_t at = d_->layout.first(d_->slot_of_element[e]);
    std::vector<Vec3> values(points);
    std::vector<PointGeometry> at_point;
    for (std::size_t q = 0; q < points; ++q) at_point.push_back(geometry.at(quadrature.points[q]));
    const bool is_imaginary = static_cast<std::size_t>(e) >= d_->mesh.first_copies();
    const auto set = [&](Real* field, const solver::VectorFunction& function, double scale) {
      if (is_imaginary) scale = 0;
      for (std::size_t q = 0; q < points; ++q) values[q] = scale * function(geometry.point(quadrature.points[q]));
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < nodes; ++i) {
          double sum = 0;
          for (std::size_t q = 0; q < points; ++q)
            sum += projection[i * points + q] * dot(values[q], at_point[q].edges[k]);
          field[at + (k * nodes + i) * d_->layout.stride()] = static_cast<Real>(sum);
        }
    };
    set(to_electric, electric, 1);
    set(to_magnetic, magnetic, vacuum_impedance);
  }
  integrator_->forget_fields();
  sources_.forget_fields();
}

template <class Real>
std::array<double, 4> DgSolver<Real>::squared_errors(const solver::VectorFunction& electric,
                                                     const solver::VectorFunction& magnetic) const {
  const auto quadrature = tetrahedron_quadrature(d_->order + 3);
  const auto basis = basis_at(d_->order, quadrature.points);
  double error_e = 0, norm_e = 0, error_h = 0, norm_h = 0;
  const auto count = static_cast<std::ptrdiff_t>(d_->mesh.first_copies());
  const Real* const present_electric = electric_.host();
  const Real* const present_magnetic = magnetic_.host();
#pragma omp parallel for schedule(static) reduction(+ : error_e, norm_e, error_h, norm_h)
  for (std::ptrdiff_t e = 0; e < count; ++e) {
    const ElementGeometry geometry(d_->mesh, e);
    const std::size_t at = d_->layout.first(d_->slot_of_element[e]);
    for (std::size_t q = 0; q < basis.size(); ++q) {
      const Vec3 x = geometry.point(quadrature.points[q]);
      const PointGeometry there = geometry.at(quadrature.points[q]);
      const double weight = quadrature.weights[q] * std::abs(there.determinant);
      const auto add = [&](const Real* field, double scale, const solver::VectorFunction& function, double& error,
                           double& norm2) {
        const Vec3 exact = function(x),
                   difference = scale * value_at(field + at, d_->layout.stride(), there, basis[q]) - exact;
        error += weight * dot(difference, difference);
        norm2 += weight * dot(exact, exact);
      };
      add(present_electric, 1, electric, error_e, norm_e);
      add(present_magnetic, 1 / vacuum_impedance, magnetic, error_h, norm_h);
    }
  }
  return {error_e, norm_e, error_h, norm_h};
}

template <class Real>
std::vector<std::uint32_t> DgSolver<Real>::stored_order() const {
  const auto& element_of_slot = d_->element_of_slot;
  const auto elements = static_cast<std::int64_t>(d_->mesh.first_copies());
  return parallel::collect_in_order<std::uint32_t>(element_of_slot.size(),
                                                   [&](std::size_t slot, std::deque<std::uint32_t>& order) {
                                                     const std::int64_t element = element_of_slot[slot];
                                                     if (element >= 0 && element < elements)
                                                       order.push_back(static_cast<std::uint32_t>(element));
                                                   });
}

template <class Real>
const Field<Real>& DgSolver<Real>::field_of(solver::Quantity quantity) const {
  using Part = solver::Quantity::Part;
  const bool is_electric = quantity.field == solver::Quantity::Field::electric;
  if (quantity.part == Part::present) return is_electric ? electric_ : magnetic_;
  const auto& phasor = phasors_.at(quantity.frequency);
  if (quantity.part == Part::real) return is_electric ? phasor.electric_real : phasor.magnetic_real;
  return is_electric ? phasor.electric_imag : phasor.magnetic_imag;
}

// The coefficients of a few elements, which leave a device at once; the list is usually that of the call before.
template <class Real>
const Real* DgSolver<Real>::gather(const Field<Real>& field, std::span<const std::uint32_t> elements) const {
  const std::size_t reals = std::size_t{3} * tetrahedron_nodes(d_->order);
  Gathered& g = gathered_;
  if (!std::equal(g.elements.begin(), g.elements.end(), elements.begin(), elements.end())) {
    g.elements.assign(elements.begin(), elements.end());
    std::vector<std::uint64_t> index;  // [elements][3 Np]
    for (const std::uint32_t e : elements)
      for (std::size_t i = 0; i < reals; ++i)
        index.push_back(d_->layout.first(d_->slot_of_element[e]) + i * d_->layout.stride());
    g.index = {index, executor_->memory()};
    g.packed = Field<Real>(index.size(), executor_->memory());
  }
  executor_->for_each(static_cast<std::int64_t>(g.index.size()),
                      parallel::Gather<Real>{field.read(), g.index.read(), {g.packed.write()}});
  executor_->wait();
  return g.packed.host();
}

// A field is read in runs of blocks: from a device without the blocks of large gaps.
template <class Real>
void DgSolver<Real>::sample(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                            std::span<const std::uint32_t> elements, double* values) const {
  sample_copy(quantity, points, elements, values);
  if (d_->mesh.copies == 1 || quantity.part == solver::Quantity::Part::present) return;
  // The sum of a complex field is that of its real part plus i times that of its imaginary part.
  std::vector<std::uint32_t> second(elements.begin(), elements.end());
  for (std::uint32_t& e : second) e += static_cast<std::uint32_t>(d_->mesh.first_copies());
  std::vector<double> of_second(3 * points.size() * elements.size());
  sample_copy(solver::turned(quantity), points, second, of_second.data());
  const double sign = quantity.part == solver::Quantity::Part::real ? -1 : 1;
  for (std::size_t i = 0; i < of_second.size(); ++i) values[i] += sign * of_second[i];
}

template <class Real>
void DgSolver<Real>::sample_copy(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                                 std::span<const std::uint32_t> elements, double* values) const {
  constexpr std::uint32_t large_gap = 16, longest_run = 2048;  // blocks
  constexpr std::size_t few = 256;                             // elements
  const Field<Real>& field = field_of(quantity);
  const double scale = scale_of(quantity.field);
  const auto basis = basis_at(d_->order, points);
  const auto evaluate = [&](std::size_t i, const Real* first, std::size_t stride) {
    const ElementGeometry geometry(d_->mesh, elements[i]);
    for (std::size_t q = 0; q < points.size(); ++q) {
      const Vec3 v = scale * value_at(first, stride, geometry.at(points[q]), basis[q]);
      for (int k = 0; k < 3; ++k) values[(i * points.size() + q) * 3 + k] = v[k];
    }
  };
  if (!executor_->memory().is_host() && !elements.empty() && elements.size() <= few) {
    const Real* const packed = gather(field, elements);
    for (std::size_t i = 0; i < elements.size(); ++i)
      evaluate(i, packed + i * 3 * static_cast<std::size_t>(d_->layout.nodes), 1);
    return;
  }
  const auto block_of = [&](std::size_t i) { return d_->slot_of_element[elements[i]] / block_lanes; };
  std::vector<Real> buffer;
  for (std::size_t begin = 0, end; begin < elements.size(); begin = end) {
    const std::uint32_t first_block = block_of(begin);
    std::uint32_t last_block = first_block;
    for (end = begin + 1; end < elements.size(); ++end) {
      const std::uint32_t block = block_of(end);
      if (block > last_block + large_gap || block >= first_block + longest_run) break;
      last_block = block;
    }
    const std::size_t offset = first_block * d_->layout.reals_per_block();
    const Real* const run = field.piece(offset, (last_block - first_block + 1) * d_->layout.reals_per_block(), buffer);
    const auto last = static_cast<std::ptrdiff_t>(end);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(begin); i < last; ++i) {
      const auto at = static_cast<std::size_t>(i);
      evaluate(at, run + (d_->layout.first(d_->slot_of_element[elements[at]]) - offset), d_->layout.stride());
    }
  }
}

template <class Real>
Phasor<Real> DgSolver<Real>::joined_phasor(const Phasor<Real>& sums) const {
  std::vector<std::uint32_t> slots;  // [first copies][copy 2]
  const std::size_t elements = d_->mesh.first_copies();
  for (std::size_t e = 0; e < elements; ++e)
    for (const std::size_t copy : {e, e + elements}) slots.push_back(d_->slot_of_element[copy]);
  auto& memory = executor_->memory();
  const parallel::Array<std::uint32_t> slot(slots, memory);
  const auto copy_of = [&](const Field<Real>& field) {
    Field<Real> copy(field.size(), memory);
    executor_->for_each(static_cast<std::int64_t>(field.size()), parallel::CopyReals<Real>{field.read(), copy.write()});
    return copy;
  };
  Phasor<Real> joined{sums.angular_frequency, copy_of(sums.electric_real), copy_of(sums.electric_imag),
                      copy_of(sums.magnetic_real), copy_of(sums.magnetic_imag)};
  const std::int64_t coefficients = static_cast<std::int64_t>(elements) * 3 * d_->layout.nodes;
  const auto join = [&](Field<Real>& real, Field<Real>& imaginary) {
    executor_->for_each(coefficients, JoinCopies<Real>{real.write(), imaginary.write(), d_->layout, slot.read()});
  };
  join(joined.electric_real, joined.electric_imag);
  join(joined.magnetic_real, joined.magnetic_imag);
  executor_->wait();  // the slots are used until then
  return joined;
}

// Means of the copy of the elements that has the phases.
template <class Real>
std::vector<double> DgSolver<Real>::mean_square_of(const Field<Real>& real, const Field<Real>* imaginary,
                                                   solver::Phases phases) const {
  const auto square = [&](const Field<Real>& field) { return executor_->element_products(field, field); };
  const auto of_real = square(real);
  const auto of_imaginary = imaginary != nullptr ? square(*imaginary) : std::vector<double>(of_real.size());
  const std::size_t first = phases == solver::Phases::own ? 0 : d_->mesh.elements() - d_->mesh.first_copies();
  std::vector<double> mean(d_->mesh.first_copies());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < mean.size(); ++e) {
    const std::uint32_t slot = d_->slot_of_element[first + e];
    mean[e] = (of_real[slot] + of_imaginary[slot]) / ElementGeometry(d_->mesh, e).volume();
  }
  return mean;
}

template <class Real>
std::vector<double> DgSolver<Real>::mean_square_electric(std::optional<std::size_t> frequency) const {
  return frequency ? mean_square_electric(*frequency, solver::Phases::own)
                   : mean_square_of(electric_, nullptr, solver::Phases::own);
}

template <class Real>
std::vector<double> DgSolver<Real>::mean_square_electric(std::size_t frequency, solver::Phases phases) const {
  return with_phasor(frequency, [&](const Phasor<Real>& phasor) {
    return mean_square_of(phasor.electric_real, &phasor.electric_imag, phases);
  });
}

// Over an element's coefficients, its global id first; the sum over elements has no order.
template <class Real>
std::uint64_t DgSolver<Real>::fields_hash() const {
  const std::vector<std::int64_t> ids = d_->global_ids();
  const parallel::Array<std::int64_t> element_id(ids, executor_->memory());
  parallel::Array<std::uint64_t> hash(ids.size(), executor_->memory());
  executor_->for_each(
      static_cast<std::int64_t>(ids.size()),
      HashElements<Real>{electric_.read(), magnetic_.read(), d_->layout, element_id.read(), hash.write()});
  executor_->wait();
  const std::uint64_t* const of_slot = hash.host();
  std::uint64_t total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t slot = 0; slot < ids.size(); ++slot) total += of_slot[slot];
  return total;
}

template <class Real>
bool DgSolver<Real>::add_probe(const std::string& name, const Vec3& position, const std::string& origin) {
  const auto place = locate(d_->mesh, position, fmt::format("{}: [probe.{}]", origin, name), comm_);
  if (place.mine) probes_[name] = place;
  return place.mine;
}

template <class Real>
solver::FieldSample DgSolver<Real>::probe(const std::string& name) const {
  const PointLocation& place = probes_.at(name);
  const PointGeometry geometry = ElementGeometry(d_->mesh, place.element).at(place.barycentric);
  const auto basis = bernstein_values(d_->order, place.barycentric);
  const std::size_t at = d_->layout.first(d_->slot_of_element[place.element]), stride = d_->layout.stride();
  const std::size_t reach = (3 * basis.size() - 1) * stride + 1;  // from the element's first to its last coefficient
  return {value_at(electric_.part(at, reach).data(), stride, geometry, basis),
          value_at(magnetic_.part(at, reach).data(), stride, geometry, basis) / vacuum_impedance};
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
