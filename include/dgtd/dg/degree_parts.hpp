#pragma once
// Parts of an element's field by polynomial degree.
#include <array>
#include <cstddef>
#include <vector>

namespace dgtd::dg {

/// Polynomials on the reference tetrahedron (volume 1/6) that are orthonormal and ascend in degree, in the Bernstein
/// basis: [polynomial Np][node Np].
std::vector<double> orthonormal_on_tetrahedron(int order);

/// [node Nf][node Nf]: g . W g is the least squared norm on the reference tetrahedron (volume 1/6) of polynomials whose
/// trace on a face is g. With T the trace, M the mass matrix, W = (T M^-1 T^t)^-1.
std::vector<double> least_extension(int order);

class DegreeParts {
 public:
  explicit DegreeParts(int order);
  int degrees() const { return order_ + 1; }
  /// Adds to energy[k], k from 0 to p, the squared norm of the part of degree k: u's components of that degree by an
  /// L2 projection on the reference element. u: [component 3][node Np] `stride` apart; metric: |J| g^kl on the element
  /// in the order 11 12 13 22 23 33 (LaneMetric::inverse).
  template <class Real>
  void add(const Real* u, std::size_t stride, const double (&metric)[6], double* energy) const;

 private:
  int order_, nodes_;
  std::vector<double> moments_;  // [polynomial][node] from coefficients to amplitudes of the orthonormal polynomials
};

}  // namespace dgtd::dg
