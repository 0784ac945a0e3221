#include "dgtd/dg/penalised_faces.hpp"

#include "dgtd/dg/launched_field.hpp"
#include "batch_arrays.hpp"
#include "guide_plane.hpp"
#include "port_faces.hpp"

namespace dgtd::dg {

namespace {

// Absorbing faces, which no source has, keep their admittance.
template <class Real>
void exempt(Discretisation<Real>& d, std::size_t element, int face) {
  if (d.mesh.element_faces[element][static_cast<std::size_t>(face)].kind == mesh::FaceLink::Kind::boundary) return;
  const std::uint32_t slot = boundary_slot(d.batches, d.slot_of_element[element]);
  for (HalfStepArrays<Real>* const half : {&d.electric, &d.magnetic})
    for (int k = 0; k < 3; ++k) half->admittance[lane_index(slot, 12, face * 3 + k)] = Real(0);
}

template <class Real>
void exempt(Discretisation<Real>& d, const SourceSurface& surface) {
  for (const SourceSurface::Side& side : surface.sides) exempt(d, side.element, side.face);
}

}  // namespace

template <class Real>
void exempt_from_penalty(Discretisation<Real>& d, const std::vector<physics::Source>& sources,
                         const std::vector<physics::Port>& ports, const parallel::Communicator& comm) {
  if (d.upwind == 0) return;
  for (const physics::Source& source : sources)
    if (launches_inside(source)) exempt(d, make_launch(d, source, comm).surface);
  for (const physics::Port& port : ports) {
    if (port.is_lumped()) {
      for (const PortFace& face : faces_of_port(d.mesh, port)) exempt(d, face.element, face.face);
    } else {
      exempt(d, surface_of(d, GuidePlane(port), false, comm));
    }
  }
}

template void exempt_from_penalty(Discretisation<float>&, const std::vector<physics::Source>&,
                                  const std::vector<physics::Port>&, const parallel::Communicator&);
template void exempt_from_penalty(Discretisation<double>&, const std::vector<physics::Source>&,
                                  const std::vector<physics::Port>&, const parallel::Communicator&);

}  // namespace dgtd::dg
