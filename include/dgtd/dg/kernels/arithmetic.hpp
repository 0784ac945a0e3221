#pragma once
// Arithmetic of the kernels for any value type: a SIMD pack on the CPU, float or double on the GPU.
#include <cmath>

#include "dgtd/base/host_device.hpp"
#include "dgtd/dg/operators.hpp"
#include "dgtd/parallel/simd.hpp"

namespace dgtd::dg {

using parallel::fma;
DGTD_HOST_DEVICE float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
DGTD_HOST_DEVICE double fma(double a, double b, double c) { return ::fma(a, b, c); }

template <class V>
struct RealOf {
  using type = V;
};
template <class Real>
struct RealOf<parallel::Pack<Real>> {
  using type = Real;
};

/// The constant in every lane.
template <class V>
DGTD_HOST_DEVICE V constant(double value) {
  return V(static_cast<typename RealOf<V>::type>(value));
}

/// Term k of a row, as constants that need no table at run time.
template <class Rows, int row, int k>
struct RowTerm {
  static constexpr int index = Rows::rows[row].terms[k].index;
  static constexpr double factor = Rows::rows[row].terms[k].factor;
};
template <class Rows, int row>
inline constexpr int row_terms = Rows::rows[row].count;

/// A row of a sparse operator times a vector: sum_k factor_k value(index_k), unrolled; factors of one
/// cost no multiplication. `Rows` has a static constexpr table `rows`.
template <class V, class Rows, int row, class Value>
DGTD_HOST_DEVICE V row_times(const Value& value) {
  V sum{};
  static_for<row_terms<Rows, row>>([&](auto k) {
    using Term = RowTerm<Rows, row, decltype(k)::v>;
    constexpr int index = Term::index;
    if constexpr (decltype(k)::v == 0) {
      if constexpr (Term::factor == 1) sum = value(index);
      else sum = constant<V>(Term::factor) * value(index);
    } else {
      if constexpr (Term::factor == 1) sum = sum + value(index);
      else sum = fma(constant<V>(Term::factor), value(index), sum);
    }
  });
  return sum;
}

}  // namespace dgtd::dg
