#pragma once
// A current dipole (report 7592, eq. 10): J_s = m f(t) rho(x - x_d) e, m = current times length.
//
// rho is the report's delta function for radius 0. Under the centered flux a point current, which lies
// in one element, feeds the scheme's spurious modes: the power it radiates does not converge
// (docs/theory.md). So by default rho is the bump c (1 - r^2/R^2)^4 over a few elements, its integral
// over the mesh being one, divided by its form factor at the source's frequency, so that it radiates as
// the point would.
#include <optional>
#include <vector>

#include "dgtd/physics/source.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dg {

/// The element that holds a point: the lowest global id of those that do (on faces several might),
/// and the rank that owns it. Collective. Throws Error where no element does.
struct PointLocation {
  bool mine = false;
  std::uint32_t element = 0;  // local, where mine
  std::array<double, 4> barycentric{};
  int rank = 0;
};
PointLocation locate(const mesh::Subdomain& mesh, const Vec3& point, const std::string& what,
                     const parallel::Communicator& comm);

/// The coefficients that the dipole drives: f = 1 is its moment for a time step dt, s. Elements beyond the
/// radius, and other ranks', take no part. Collective. Throws Error.
template <class Real>
CurrentCoefficients dipole_coefficients(const Discretisation<Real>& d, const physics::Source& source, double dt,
                                        const parallel::Communicator& comm);

}  // namespace dgtd::dg
