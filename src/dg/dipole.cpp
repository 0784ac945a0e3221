#include "dgtd/dg/dipole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::dg {

PointLocation locate(const mesh::Subdomain& mesh, const Vec3& point, const std::string& what, const parallel::Communicator& comm) {
  constexpr double tolerance = 1e-9;  // of barycentric coordinates: points on faces count as inside
  PointLocation found;
  std::int64_t id = std::numeric_limits<std::int64_t>::max();
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    Vec3 low = mesh.vertex(e, 0), high = low;
    for (int v = 1; v < 4; ++v)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], mesh.vertex(e, v)[k]);
        high[k] = std::max(high[k], mesh.vertex(e, v)[k]);
      }
    bool near = true;
    for (int k = 0; k < 3; ++k) near = near && point[k] >= low[k] - tolerance * (1 + high[k] - low[k]) && point[k] <= high[k] + tolerance * (1 + high[k] - low[k]);
    if (!near || mesh.element_id[e] >= id) continue;
    const auto l = ElementGeometry(mesh, e).barycentric(point);
    if (*std::min_element(l.begin(), l.end()) < -tolerance) continue;
    id = mesh.element_id[e];
    found.element = static_cast<std::uint32_t>(e);
    found.barycentric = l;
  }
  const std::int64_t first = comm.min(id);
  if (first == std::numeric_limits<std::int64_t>::max())
    throw Error(fmt::format("{}: position {} {} {} m lies in no element of the mesh", what, point.x, point.y, point.z));
  found.mine = first == id;
  found.rank = static_cast<int>(comm.max(std::int64_t{found.mine ? comm.rank() : -1}));
  return found;
}

// Tested with every function of the element, eps dE/dt = … - J_s gives
//   E += -(dt / eps) m f(t) |J|^-1 M^-1 B(x_d) e,   e by its covariant components e . a_k,
// with the factor 1 / (1 + s) of averaged conduction.
template <class Real>
Dipole<Real>::Dipole(const Discretisation<Real>& d, const config::Source& source, double dt, const parallel::Communicator& comm)
    : source_(source), dt_(dt) {
  const auto place = locate(d.mesh, source.position, fmt::format("{}: [source.{}]", source.origin, source.name), comm);
  mine_ = place.mine;
  if (!mine_) return;
  const int nodes = tetrahedron_nodes(d.order);
  const std::uint32_t slot = d.slot_of_element[place.element];
  at_ = std::size_t{slot / block_lanes} * 3 * nodes * block_lanes + slot % block_lanes;
  const ElementGeometry geometry(d.mesh, place.element);
  const auto value = bernstein_values(d.order, place.barycentric);
  const auto mass_inverse = inverse(mass_matrix(d.order), nodes);
  const auto& m = d.material_of(place.element);
  const double s = m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity);
  const double factor = -dt / (m.permittivity * vacuum_permittivity * (1 + s)) * source.moment / std::abs(geometry.determinant);
  kick_.assign(3 * nodes, 0.0);
  weight_.assign(3 * nodes, 0.0);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < nodes; ++i) {
      for (int j = 0; j < nodes; ++j) kick_[k * nodes + i] += factor * mass_inverse[i * nodes + j] * value[j] * dot(source.direction, geometry.edges[k]);
      weight_[k * nodes + i] = value[i] * dot(source.direction, geometry.gradients[k]);
    }
}

template <class Real>
double Dipole<Real>::field(const Field<Real>& electric) const {
  double sum = 0;
  for (std::size_t i = 0; i < weight_.size(); ++i) sum += weight_[i] * electric[at_ + i * block_lanes];
  return sum;
}

template <class Real>
double Dipole<Real>::apply(Field<Real>& electric, double time, double before) const {
  if (!mine_) return 0;
  const double f = physics::waveform(source_.waveform, time);
  for (std::size_t i = 0; i < kick_.size(); ++i) {
    Real& u = electric[at_ + i * block_lanes];
    u = static_cast<Real>(u + f * kick_[i]);
  }
  return -dt_ * source_.moment * f * 0.5 * (before + field(electric));
}

template class Dipole<float>;
template class Dipole<double>;

}  // namespace dgtd::dg
