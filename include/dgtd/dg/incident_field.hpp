#pragma once
// A plane wave that enters through the absorbing boundary: its traces stand in the ghost slots behind
// the absorbing faces and follow the time levels of E and H.
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/field.hpp"

namespace dgtd::dg {

template <class Real>
class IncidentField {
 public:
  /// The exterior is the material of the elements behind the absorbing boundary, lossless and the same everywhere.
  IncidentField(const Discretisation<Real>& d, const config::Source& source);

  /// Adds the wave's E (V/m) or Z0 H at a time to the ghost slots; the first wave of several overwrites.
  void write_electric(Field<Real>& electric, double time, bool overwrite) const { write(electric, electric_vector_, time, overwrite); }
  void write_magnetic(Field<Real>& magnetic, double time, bool overwrite) const { write(magnetic, magnetic_vector_, time, overwrite); }

  /// Largest power that the wave can bring in, W: boundary area times amplitude^2 / Z.
  double power_bound() const { return power_bound_; }

 private:
  void write(Field<Real>& field, const Vec3& vector, double time, bool overwrite) const;

  const Discretisation<Real>& d_;
  config::Source source_;
  Vec3 electric_vector_, magnetic_vector_;   // V/m, peak
  std::vector<double> delay_;                // [absorbing faces][Nf] s, at the interpolation points
  std::vector<Vec3> edges_;                  // [absorbing faces][2] m
  std::vector<double> interpolation_;        // [Nf][Nf]
  double power_bound_ = 0;
};

}  // namespace dgtd::dg
