// Indicators of errors where elements have several orders: those of each part, with the jumps at the faces between them.
#include <algorithm>

#include "dgtd/dg/mixed_solver.hpp"

namespace dgtd::dg {

namespace {

using QuantityField = solver::Quantity::Field;

template <class Real>
const Field<Real>& real_of(const DgSolver<Real>& part, QuantityField field, std::optional<std::size_t> frequency) {
  const bool electric = field == QuantityField::electric;
  if (!frequency) return electric ? part.electric() : part.magnetic();
  const Phasor<Real>& phasor = part.phasors().at(*frequency);
  return electric ? phasor.electric_real : phasor.magnetic_real;
}

template <class Real>
const Field<Real>& imaginary_of(const DgSolver<Real>& part, QuantityField field, std::size_t frequency) {
  const Phasor<Real>& phasor = part.phasors().at(frequency);
  return field == QuantityField::electric ? phasor.electric_imag : phasor.magnetic_imag;
}

// Copies what a part has found of an element to its place in the whole mesh.
void copy_element(const solver::FieldIndicators& from, std::size_t e, solver::FieldIndicators& to, std::size_t place) {
  to.order[place] = static_cast<std::uint8_t>(from.degrees - 1);
  to.jump[place] = from.jump[e];
  const auto of_part = static_cast<std::size_t>(from.degrees), of_all = static_cast<std::size_t>(to.degrees);
  std::copy_n(from.energy.begin() + static_cast<std::ptrdiff_t>(e * of_part), from.degrees,
              to.energy.begin() + static_cast<std::ptrdiff_t>(place * of_all));
}

}  // namespace

// Fourier sums have no ghost slots: copies, [parts], of fields of E or H with the traces at joints in theirs. Collective.
template <class Real>
std::vector<Field<Real>> MixedSolver<Real>::with_ghosts(const std::vector<const Field<Real>*>& fields) const {
  std::vector<Field<Real>> copies;
  std::vector<Field<Real>*> pointers;
  copies.reserve(fields.size());
  for (std::size_t p = 0; p < fields.size(); ++p) {
    const Discretisation<Real>& d = parts_[p]->discretisation();
    copies.emplace_back(d.field_reals(), parts_[p]->executor().memory());
    std::copy_n(fields[p]->host(), d.owned_reals(), copies.back().host_for_writing());
  }
  for (Field<Real>& copy : copies) pointers.push_back(&copy);
  joints_->exchange(pointers);
  return copies;
}

template <class Real>
solver::FieldIndicators MixedSolver<Real>::error_indicators(QuantityField field, std::optional<std::size_t> frequency) const {
  std::vector<const Field<Real>*> real, imaginary;
  for (const auto& part : parts_) {
    real.push_back(&real_of(*part, field, frequency));
    if (frequency) imaginary.push_back(&imaginary_of(*part, field, *frequency));
  }
  const auto real_joints = with_ghosts(real);
  std::vector<Field<Real>> imaginary_joints;
  if (frequency) imaginary_joints = with_ghosts(imaginary);
  solver::FieldIndicators all{places_.parts.back().order + 1, {}, std::vector<double>(mesh_.elements())};
  all.energy.resize(mesh_.elements() * static_cast<std::size_t>(all.degrees));
  all.order.resize(mesh_.elements());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const solver::FieldIndicators of_part =
        parts_[p]->error_indicators(field, frequency, {&real_joints[p], frequency ? &imaginary_joints[p] : nullptr});
    for (std::size_t e = 0; e < of_part.elements(); ++e) copy_element(of_part, e, all, places_.parts[p].elements[e]);
  }
  return all;
}

// Beside those of the parts the copies of a complex field.
template <class Real>
double MixedSolver<Real>::error_indicator_bytes() const {
  double bytes = static_cast<double>(mesh_.elements()) * ((places_.parts.back().order + 2) * sizeof(double) + 1);
  for (const auto& part : parts_)
    bytes += part->error_indicator_bytes() + 2.0 * double(part->discretisation().field_reals()) * sizeof(Real);
  return bytes;
}

template class MixedSolver<float>;
template class MixedSolver<double>;

}  // namespace dgtd::dg
