#include "dgtd/dg/incident_field.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

template <class Real>
IncidentWave make_incident_wave(const Discretisation<Real>& d, const physics::Source& source) {
  IncidentWave wave;
  wave.shape = physics::shape_of(source.waveform);
  wave.interpolation = triangle_interpolation_matrix(d.order);
  const int p = d.order, nodes = triangle_nodes(p);
  const ElementMaterial exterior =
      d.absorbing_faces.empty() ? ElementMaterial{} : d.material_of(d.absorbing_faces.front().element);
  const double speed = speed_of_light / std::sqrt(exterior.permittivity * exterior.permeability);
  const double impedance = std::sqrt(exterior.permeability / exterior.permittivity);  // relative
  const Vec3 electric = source.amplitude * source.polarisation;
  const Vec3 magnetic = cross(source.direction, electric) / impedance;  // Z0 H
  for (const auto& at : d.absorbing_faces) {
    const ElementGeometry element(d.mesh, at.element);
    const FaceGeometry face(element, at.face);
    for (const Vec3& edge : {face.edge_a, face.edge_b}) {
      wave.electric_along.push_back(dot(electric, edge));
      wave.magnetic_along.push_back(dot(magnetic, edge));
    }
    const Vec3 origin = element.vertices[face_vertices[at.face][0]];
    wave.power_bound += face.area * source.amplitude * source.amplitude / (impedance * vacuum_impedance);
    const std::size_t start = wave.delay.size();
    wave.delay.resize(start + nodes);
    for (int b2 = 0; b2 <= p; ++b2)
      for (int b1 = 0; b1 + b2 <= p; ++b1) {
        const Vec3 x = origin + (double(b1) / p) * face.edge_a + (double(b2) / p) * face.edge_b;
        wave.delay[start + triangle_index({p - b1 - b2, b1, b2})] = dot(source.direction, x - source.position) / speed;
      }
  }
  return wave;
}

template IncidentWave make_incident_wave<float>(const Discretisation<float>&, const physics::Source&);
template IncidentWave make_incident_wave<double>(const Discretisation<double>&, const physics::Source&);

}  // namespace dgtd::dg
