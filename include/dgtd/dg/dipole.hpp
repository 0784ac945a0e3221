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

#include "dgtd/config/case.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/field.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dg {

/// The element that holds a point: the lowest global id of those that do (on faces several might),
/// and the rank that owns it. Collective. Throws Error where no element does.
struct PointLocation {
  bool mine = false;
  std::uint32_t element = 0;             // local, where mine
  std::array<double, 4> barycentric{};
  int rank = 0;
};
PointLocation locate(const mesh::Subdomain& mesh, const Vec3& point, const std::string& what, const parallel::Communicator& comm);

template <class Real>
class Dipole {
 public:
  /// Collective. Elements beyond the radius, and other ranks', take no part.
  Dipole(const Discretisation<Real>& d, const config::Source& source, double dt, const parallel::Communicator& comm);

  /// Adds the current's effect to E^{n+1}, t the time of the half step.
  void apply(Field<Real>& electric, double time) const;
  /// Work on the field by this rank's part in a step, -dt J . (E^n + E^{n+1}) / 2, J; before and after:
  /// field() of E^n and, once all dipoles are applied, of E^{n+1}.
  double work(double before, double after, double time) const;
  /// This rank's part of the mean of E along the dipole, weighted by rho, V/m.
  double field(const Field<Real>& electric) const;
  double radius() const { return radius_; }  // m

 private:
  struct Part {                          // of one element
    std::size_t at;                      // offset of its first coefficient
    std::vector<double> kick;            // [3][Np] change of the coefficients for f = 1
    std::vector<double> weight;          // [3][Np] integral rho E . e = sum weight u
  };
  std::vector<double> density_moments(const Discretisation<Real>& d, std::size_t element) const;

  config::Source source_;
  double dt_, radius_ = 0;
  PointLocation place_;
  std::vector<Part> parts_;
};

}  // namespace dgtd::dg
