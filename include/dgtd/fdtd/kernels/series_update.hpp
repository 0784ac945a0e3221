#pragma once
// E components whose cell two materials share across a surface, one of them dispersive. Across the surface D is of
// one value and E is a mean, E = sum_m share_m E_m with D = eps_m E_m in each: both materials see the same curl,
//   E_m <- Ca_m E_m + Cb_m (curl H - sum_p J_p(E_m)),
// each as in update_field.hpp. The mean of stable media is stable: sum_m share_m times their energies is theirs.
// The half step leaves curl H in the place of E (class {Ca 0, Cb 1}); sources of E add to it there.
#include "dgtd/fdtd/kernels/update_field.hpp"

namespace dgtd::fdtd {

/// The components that have two materials in series; arrays of both materials are [2][n].
template <class Real>
struct SeriesView {
  std::int64_t n;
  const std::uint64_t* index;  // [n] in [component][reals]
  const MediumClass<Real>* medium;
  const Real* share;    // 1
  const int* pole_set;  // 0: none
  Real* value;          // E_m, V/m
  Real* currents;       // [2][states][n] J of each pole, then Q of the resonant ones
};

template <class Real>
struct UpdateSeries {
  HalfStepView<Real> v;  // the poles' coefficients
  SeriesView<Real> s;
  Real* electric;  // [3][reals] V/m

  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Real curl = electric[s.index[i]];
    Real sum = 0;
    for (int m = 0; m < 2; ++m) {
      const std::int64_t at = m * s.n + i;
      const Real old = s.value[at];
      Real currents = 0;
      for (int p = 0; p < v.pole_count && s.pole_set[at] > 0; ++p) {
        const PoleCoefficients<Real> pole = v.pole_at(s.pole_set[at], p);
        Real* const j = s.currents + (std::int64_t(m) * (v.pole_count + v.resonant_count) + p) * s.n + i;
        Real charge = 0;
        if (p < v.resonant_count) charge = j[v.pole_count * s.n];
        const Real current = pole.Ja * *j + pole.Jb * old - pole.Jc * charge;
        *j = current;
        if (p < v.critical_count) charge += pole.Jd * old;
        if (p < v.resonant_count) j[v.pole_count * s.n] = charge + current;
        currents += current;
      }
      s.value[at] = s.medium[at].Ca * old + s.medium[at].Cb * (curl - currents);
      sum += s.share[at] * s.value[at];
    }
    electric[s.index[i]] = sum;
  }
};

}  // namespace dgtd::fdtd
