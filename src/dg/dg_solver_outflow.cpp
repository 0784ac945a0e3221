// The power that leaves: through the absorbing boundary, and in absorbing layers in front of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "field_value.hpp"

namespace dgtd::dg {

template <class Real>
double DgSolver<Real>::current_work(std::size_t frequency) const {
  return with_phasor(frequency, [&](const Phasor<Real>& phasor) {
    return sources_.current_work(phasor.electric_real, phasor.electric_imag, phasor.angular_frequency, dt_, step_);
  });
}

template <class Real>
double DgSolver<Real>::outflow(std::size_t frequency, solver::Phases phases) const {
  return with_phasor(frequency, [&](const Phasor<Real>& phasor) {
    return outflow_of_boundary(phasor, phases) + outflow_of_layers(phasor, phases);
  });
}

// Mean power that the absorbing boundary takes. Without an incident field the upwind flux takes
//   1/4 (|E_t|^2 / Z + Z |H_t|^2)
// from the phasors' energy, which is 1/2 Re (E x conj H) . n where the field leaves as a plane wave;
// with one, the Poynting flux of the element's own fields is used.
template <class Real>
double DgSolver<Real>::outflow_of_boundary(const Phasor<Real>& phasor, solver::Phases phases) const {
  const auto quadrature = triangle_quadrature(d_->order + 1);
  double power = 0;
  const auto count = static_cast<std::ptrdiff_t>(d_->absorbing_faces.size());
  if (count == 0) return 0;
  // Elements at a boundary follow each other; with a penalty of jumps the piece is most of the field.
  std::uint32_t first_block = d_->slot_of_element[d_->absorbing_faces[0].element] / block_lanes,
                last_block = first_block;
  for (const auto& face : d_->absorbing_faces) {
    const std::uint32_t block = d_->slot_of_element[face.element] / block_lanes;
    first_block = std::min(first_block, block), last_block = std::max(last_block, block);
  }
  const std::size_t offset = first_block * d_->layout.reals_per_block();
  std::vector<Real> buffers[4];
  const auto part = [&](const Field<Real>& field, std::vector<Real>& buffer) {
    return field.piece(offset, (last_block - first_block + 1) * d_->layout.reals_per_block(), buffer);
  };
  const Real* const parts[2][2] = {{part(phasor.electric_real, buffers[0]), part(phasor.magnetic_real, buffers[1])},
                                   {part(phasor.electric_imag, buffers[2]), part(phasor.magnetic_imag, buffers[3])}};
#pragma omp parallel for schedule(static) reduction(+ : power)
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto& at = d_->absorbing_faces[i];
    if (!has_phases(at.element, phases)) continue;
    const ElementGeometry geometry(d_->mesh, at.element);
    const FaceGeometry face(geometry, at.face);
    const auto& m = d_->material_of(at.element);
    const double impedance = std::sqrt(m.permeability / m.permittivity);  // relative, for Z0 H
    const std::size_t first = d_->layout.first(d_->slot_of_element[at.element]) - offset;
    for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
      Barycentric l{};
      for (int k = 0; k < 3; ++k) l[face_vertices[at.face][k]] = quadrature.points[q][k];
      const auto basis = bernstein_values(d_->order, l);
      const double weight = quadrature.weights[q] * 2 * face.area;
      const PointGeometry there = geometry.at(l);
      for (const auto& [electric, magnetic] : parts) {
        const Vec3 e = value_at(electric + first, d_->layout.stride(), there, basis);
        const Vec3 h = value_at(magnetic + first, d_->layout.stride(), there, basis);
        if (!sources_.has_incident_fields()) {
          const Vec3 et = cross(face.normal, e), ht = cross(face.normal, h);
          power += weight * 0.25 * (dot(et, et) / impedance + impedance * dot(ht, ht)) / vacuum_impedance;
        } else {
          power += weight * 0.5 * dot(cross(e, h), face.normal) / vacuum_impedance;
        }
      }
    }
  }
  return power;
}

namespace {

// Integral over an element of u . S u, u a field of covariant coefficients, S symmetric. mass: of the reference
// element.
template <class Real>
double tensor_product(const Real* u, std::size_t stride, const ElementGeometry& geometry,
                      const std::vector<double>& mass, int nodes, const std::array<double, 6>& S) {
  std::vector<Vec3> vector(static_cast<std::size_t>(nodes)), times_S(vector.size());
  for (int n = 0; n < nodes; ++n) {
    const Vec3 v = geometry.cartesian(u[n * stride], u[(nodes + n) * stride], u[(2 * nodes + n) * stride]);
    vector[n] = v;
    times_S[n] = {S[0] * v.x + S[1] * v.y + S[2] * v.z, S[1] * v.x + S[3] * v.y + S[4] * v.z,
                  S[2] * v.x + S[4] * v.y + S[5] * v.z};
  }
  double sum = 0;
  for (int i = 0; i < nodes; ++i)
    for (int k = 0; k < nodes; ++k) sum += mass[i * nodes + k] * dot(vector[i], times_S[k]);
  return std::abs(geometry.determinant) * sum;
}

}  // namespace

using Matrix = std::array<std::array<std::complex<double>, 3>, 3>;

// Re eps_r Y L, 1/s, of E in a convolutional layer, or mu_r Y L of H: Y G is what the curl has to supply over eps0, and
// L gives G of the field, both by the scheme's own derivative. Without what the medium's conductivity and poles take
// of E, which counts as absorbed.
std::array<double, 6> cpml_tensor(const LayerRate& layer, const physics::Medium& m, bool electric, double w,
                                  double dt) {
  using Complex = std::complex<double>;
  const Complex derivative(0, -2 / dt * std::tan(w * dt / 2));
  Complex rate = derivative + layer.loss * (electric ? layer.electric_factor : 1);
  double own = 0;
  if (electric) {  // eps_inf Y has -i w (eps - eps_inf) more
    const double omega = -derivative.imag();
    const Complex of_medium = derivative * (physics::permittivity(m, omega) / m.permittivity - 1.0);
    own = physics::conductivity(m, w) / (vacuum_permittivity * m.permittivity);
    rate += of_medium;
  }
  std::array<double, 6> result{};
  constexpr int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  Matrix product{};
  for (int a = 0; a < 3; ++a) product[a][a] = 1;
  for (const LayerSection& section : layer.sections) {
    const Complex s = 1.0 + section.rate / (section.alpha + derivative);
    const double n[3] = {section.normal.x, section.normal.y, section.normal.z};
    Matrix next{};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) next[a][b] += ((b == c ? s : 0.0) + (1.0 / s - s) * n[c] * n[b]) * product[a][c];
    product = next;
  }
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) result[place[a][b]] = (rate * product[a][b]).real() - (a == b ? own : 0);
  return result;
}

// Mean power that the conduction of layers takes from the phasors,
//   1/2 integral of (eps E . S conj E + mu H . S conj H) cos^2(w dt / 2),
// as the scheme has it: its fields are means of two time levels. Of convolutional layers with the tensor above in place
// of S.
template <class Real>
double DgSolver<Real>::outflow_of_layers(const Phasor<Real>& phasor, solver::Phases phases) const {
  const std::vector<double>& mass = mass_.matrix();
  const std::size_t reals = d_->layout.reals_per_block();
  double power = 0;
  std::vector<Real> buffer;
  for (const auto* list : {&d_->batches.interior, &d_->batches.halo})
    for (const Batch& batch : *list) {
      if (!is_layer(batch.traits.medium)) continue;
      const std::int64_t first = batch.first_block * block_lanes, slots = batch.blocks * block_lanes;
      for (const bool electric : {true, false})
        for (const auto* field : {electric ? &phasor.electric_real : &phasor.magnetic_real,
                                  electric ? &phasor.electric_imag : &phasor.magnetic_imag}) {
          const Real* const part = field->piece(batch.first_block * reals, batch.blocks * reals, buffer);
#pragma omp parallel for schedule(static) reduction(+ : power)
          for (std::int64_t i = 0; i < slots; ++i) {
            const std::int64_t e = d_->element_of_slot[first + i];
            if (e < 0 || !has_phases(static_cast<std::size_t>(e), phases)) continue;
            const physics::Medium& m = d_->material_of(e);
            const LayerRate& layer = d_->layer_rates[e];
            const bool convolutional = !layer.sections.empty();
            const auto tensor =
                convolutional ? cpml_tensor(layer, m, electric, phasor.angular_frequency, dt_) : layer.magnetic;
            power += 0.5 * vacuum_permittivity *
                     (electric ? m.permittivity * (convolutional ? 1 : layer.electric_factor) : m.permeability) *
                     tensor_product(
                         part + d_->layout.first(static_cast<std::uint32_t>(first + i)) - batch.first_block * reals,
                         d_->layout.stride(), ElementGeometry(d_->mesh, e), mass, d_->layout.nodes, tensor);
          }
        }
    }
  const double mean = std::cos(0.5 * phasor.angular_frequency * dt_);
  return mean * mean * power;
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
