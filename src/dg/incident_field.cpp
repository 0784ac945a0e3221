#include "dgtd/dg/incident_field.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/dg/trace_exchange.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::dg {

// E = p A f(t - k . (x - x_0) / c),  Z H = k x E; the ghosts hold Z0 H.
template <class Real>
IncidentField<Real>::IncidentField(const Discretisation<Real>& d, const config::Source& source)
    : d_(d), source_(source), interpolation_(triangle_interpolation_matrix(d.order)) {
  electric_vector_ = source.amplitude * source.polarisation;
  const int p = d.order, nodes = triangle_nodes(p);
  const ElementMaterial exterior = d.absorbing_faces.empty() ? ElementMaterial{} : d.material_of(d.absorbing_faces.front().element);
  const double speed = speed_of_light / std::sqrt(exterior.permittivity * exterior.permeability);
  const double impedance = std::sqrt(exterior.permeability / exterior.permittivity);
  magnetic_vector_ = cross(source.direction, electric_vector_) / impedance;
  for (const auto& at : d.absorbing_faces) {
    const ElementGeometry element(d.mesh, at.element);
    const FaceGeometry face(element, at.face);
    edges_.push_back(face.edge_a);
    edges_.push_back(face.edge_b);
    const Vec3 origin = element.vertices[face_vertices[at.face][0]];
    power_bound_ += face.area * source.amplitude * source.amplitude / (impedance * vacuum_impedance);
    const std::size_t start = delay_.size();
    delay_.resize(start + nodes);
    for (int b2 = 0; b2 <= p; ++b2)
      for (int b1 = 0; b1 + b2 <= p; ++b1) {
        const Vec3 x = origin + (double(b1) / p) * face.edge_a + (double(b2) / p) * face.edge_b;
        delay_[start + triangle_index({p - b1 - b2, b1, b2})] = dot(source.direction, x - source.position) / speed;
      }
  }
}

template <class Real>
void IncidentField<Real>::write(Field<Real>& field, const Vec3& vector, double time, bool overwrite) const {
  const int nodes = triangle_nodes(d_.order);
  const auto faces = static_cast<std::ptrdiff_t>(d_.absorbing_faces.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < faces; ++i) {
    double value[28];
    Real trace[56], present[56] = {};
    for (int j = 0; j < nodes; ++j) value[j] = physics::waveform(source_.waveform, time - delay_[i * nodes + j]);
    const double along_a = dot(vector, edges_[2 * i]), along_b = dot(vector, edges_[2 * i + 1]);
    const std::uint32_t slot = d_.first_incident_slot + static_cast<std::uint32_t>(i);
    if (!overwrite) read_trace(field, d_.order, slot, 3, present);
    for (int r = 0; r < nodes; ++r) {
      double coefficient = 0;
      for (int j = 0; j < nodes; ++j) coefficient += interpolation_[r * nodes + j] * value[j];
      trace[r] = present[r] + static_cast<Real>(along_a * coefficient);
      trace[nodes + r] = present[nodes + r] + static_cast<Real>(along_b * coefficient);
    }
    write_ghost(field, d_.order, slot, trace);
  }
}

template class IncidentField<float>;
template class IncidentField<double>;

}  // namespace dgtd::dg
