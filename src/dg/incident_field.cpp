#include "dgtd/dg/incident_field.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

namespace {

/// Material of the medium behind the absorbing boundary; vacuum on a rank without such faces.
template <class Real>
physics::Medium exterior_of(const Discretisation<Real>& d) {
  return d.absorbing_faces.empty() ? physics::Medium{} : d.material_of(d.absorbing_faces.front().element);
}
double speed_in(const physics::Medium& m) { return speed_of_light / std::sqrt(m.permittivity * m.permeability); }

}  // namespace

template <class Real>
physics::Source start_outside(const Discretisation<Real>& d, physics::Source source,
                              const parallel::Communicator& comm) {
  double lowest = 0, wavelength = 0;  // m: along the wave, from its position to the first corner that it meets
  const auto meet = [&](const auto& faces, const physics::Medium& medium) {
    for (const auto& at : faces) {
      const ElementGeometry element(d.mesh, at.element);
      for (const int corner : face_vertices[at.face])
        lowest = std::min(lowest, dot(source.direction, element.vertices[corner] - source.position));
    }
    if (!faces.empty()) wavelength = speed_in(medium) / source.waveform.frequency;
  };
  if (enters_through_boundary(source)) {
    meet(d.absorbing_faces, exterior_of(d));
  } else {
    const SourceSurface surface = total_field_surface(d, source, comm);
    meet(surface.sides, surface.medium);
  }
  lowest = comm.min(lowest), wavelength = comm.max(wavelength);
  if (lowest < 0) source.position -= std::ceil(-lowest / wavelength) * wavelength * source.direction;
  return source;
}

template <class Real>
IncidentWave make_incident_wave(const Discretisation<Real>& d, const physics::Source& source) {
  IncidentWave wave;
  wave.shape = physics::shape_of(source.waveform);
  wave.interpolation = triangle_interpolation_matrix(d.order);
  const int p = d.order, nodes = triangle_nodes(p);
  const physics::Medium exterior = exterior_of(d);
  const double speed = speed_in(exterior);
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

namespace {
std::vector<int> ghost_entries(const std::vector<int>& of_all_faces, int face_nodes) {
  const auto first = of_all_faces.begin() + ghost_face * face_nodes;
  return {first, first + face_nodes};
}
}  // namespace

template <class Real>
IncidentWriter<Real>::IncidentWriter(const Discretisation<Real>& d, const IncidentWave& wave, parallel::Memory& memory)
    : shape_(wave.shape),
      layout_(d.layout),
      first_slot_(d.first_incident_slot),
      face_nodes_(triangle_nodes(d.order)),
      delay_(wave.delay, memory),
      electric_along_(wave.electric_along, memory),
      magnetic_along_(wave.magnetic_along, memory),
      interpolation_(wave.interpolation, memory),
      entry_a_(ghost_entries(face_trace_entries(d.order).a, face_nodes_), memory),
      entry_b_(ghost_entries(face_trace_entries(d.order).b, face_nodes_), memory),
      values_(wave.delay.size(), memory) {}

template <class Real>
void IncidentWriter<Real>::write(Executor<Real>& executor, Field<Real>& field, const parallel::Array<double>& along,
                                 const LoopNumber& time, bool overwrite) {
  const auto n = static_cast<std::int64_t>(values_.size());
  if (n == 0) return;
  executor.for_each(n, SampleWaveform{shape_, time, delay_.read(), values_.write()});
  executor.for_each(n, WriteWave<Real>{field.write(), layout_, first_slot_, entry_a_.read(), entry_b_.read(),
                                       face_nodes_, along.read(), interpolation_.read(), values_.read(), overwrite});
}

template class IncidentWriter<float>;
template class IncidentWriter<double>;
template physics::Source start_outside(const Discretisation<float>&, physics::Source, const parallel::Communicator&);
template physics::Source start_outside(const Discretisation<double>&, physics::Source, const parallel::Communicator&);
template IncidentWave make_incident_wave<float>(const Discretisation<float>&, const physics::Source&);
template IncidentWave make_incident_wave<double>(const Discretisation<double>&, const physics::Source&);

}  // namespace dgtd::dg
