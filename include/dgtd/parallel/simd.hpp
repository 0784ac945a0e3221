#pragma once
// The value type of a kernel on the CPU: as many reals as one vector register holds. On a GPU the same kernel
// bodies use float or double, one lane per thread.
#include <cstring>
#include <type_traits>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "dgtd/base/host_device.hpp"

namespace dgtd::parallel {

#if defined(__AVX512F__)
inline constexpr int simd_bytes = 64;
#elif defined(__AVX__)
inline constexpr int simd_bytes = 32;
#else
inline constexpr int simd_bytes = 16;
#endif

typedef float FloatVector __attribute__((vector_size(simd_bytes)));
typedef double DoubleVector __attribute__((vector_size(simd_bytes)));

template <class Real>
struct Pack {
  static constexpr int lanes = simd_bytes / static_cast<int>(sizeof(Real));
  using Vector = std::conditional_t<std::is_same_v<Real, float>, FloatVector, DoubleVector>;
  Vector v;

  Pack() = default;
  Pack(Vector vector) : v(vector) {}
  explicit Pack(Real value) : v(value - Vector{}) {}
};

template <class Real>
DGTD_HOST_DEVICE Pack<Real> operator+(Pack<Real> a, Pack<Real> b) {
  return a.v + b.v;
}
template <class Real>
DGTD_HOST_DEVICE Pack<Real> operator-(Pack<Real> a, Pack<Real> b) {
  return a.v - b.v;
}
template <class Real>
DGTD_HOST_DEVICE Pack<Real> operator*(Pack<Real> a, Pack<Real> b) {
  return a.v * b.v;
}
template <class Real>
DGTD_HOST_DEVICE Pack<Real> operator-(Pack<Real> a) {
  return -a.v;
}

/// a b + c, rounded once. Written out because contraction by the compiler is off.
template <class Real>
DGTD_HOST_DEVICE Pack<Real> fma(Pack<Real> a, Pack<Real> b, Pack<Real> c) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<Real, float>)
    return (typename Pack<Real>::Vector)_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v);
  else return (typename Pack<Real>::Vector)_mm512_fmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v);
#elif defined(__FMA__)
  if constexpr (std::is_same_v<Real, float>)
    return (typename Pack<Real>::Vector)_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v);
  else return (typename Pack<Real>::Vector)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v);
#else
  Pack<Real> r;
  for (int i = 0; i < Pack<Real>::lanes; ++i) r.v[i] = __builtin_fma(a.v[i], b.v[i], c.v[i]);
  return r;
#endif
}

template <class Real>
DGTD_HOST_DEVICE Pack<Real> load(const Real* from) {
  Pack<Real> r;
  std::memcpy(&r.v, from, sizeof r.v);
  return r;
}
template <class Real>
DGTD_HOST_DEVICE void store(Real* to, Pack<Real> value) {
  std::memcpy(to, &value.v, sizeof value.v);
}

}  // namespace dgtd::parallel
