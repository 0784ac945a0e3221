#pragma once
// A current dipole (report 7592, eq. 10): J_s = m f(t) delta(x - x_d) e, m = current times length.
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
  /// mine is false where another rank holds the element.
  Dipole(const Discretisation<Real>& d, const config::Source& source, double dt, const parallel::Communicator& comm);

  /// Adds the current's effect to E^{n+1}, t the time of the half step; returns the work done on the
  /// field, -dt J . (E^n + E^{n+1}) / 2, J. before: E along the dipole before the step's E update.
  double apply(Field<Real>& electric, double time, double before) const;
  /// E along the dipole at its place, V/m.
  double field(const Field<Real>& electric) const;

 private:
  config::Source source_;
  double dt_;
  bool mine_ = false;
  std::size_t at_ = 0;                   // offset of the element's first coefficient
  std::vector<double> kick_;             // [3][Np] change of the coefficients for f = 1
  std::vector<double> weight_;           // [3][Np] E along the dipole = sum weight u
};

}  // namespace dgtd::dg
