#pragma once
// Bodies of loops over arrays, for Backend::for_each: body(i) for i from 0 to n - 1.
//
// They treat all entries alike, so that a device may give each thread a group of neighbouring ones: group<n>(i) is
// body(i) to body(i + n - 1), with all loads before the first store, where aligned(bytes of a group) holds.
#include <cstddef>
#include <cstdint>

#include "dgtd/base/half.hpp"
#include "dgtd/base/host_device.hpp"

namespace dgtd::parallel {

template <class Real, int n>
struct alignas(n * sizeof(Real)) Group {
  Real at[n];
};
template <int n, class Real>
DGTD_HOST_DEVICE Group<Real, n> load_group(const Real* from) {
  return *reinterpret_cast<const Group<Real, n>*>(from);
}
template <int n, class Real>
DGTD_HOST_DEVICE void store_group(const Group<Real, n>& values, Real* to) {
  *reinterpret_cast<Group<Real, n>*>(to) = values;
}
template <class... Pointers>
bool are_aligned(std::size_t bytes, Pointers... pointers) {
  return ((reinterpret_cast<std::uintptr_t>(pointers) % bytes == 0) && ...);
}

/// to[i] = from[i]
template <class Real>
struct CopyReals {
  using Number = Real;
  const Real* from;
  Real* to;
  bool aligned(std::size_t bytes) const { return are_aligned(bytes, from, to); }
  template <int n>
  DGTD_HOST_DEVICE void group(std::int64_t i) const {
    store_group<n>(load_group<n>(from + i), to + i);
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { group<1>(i); }
};

/// values[i] *= factor
template <class Stored>
struct ScaleReals {
  using Number = Stored;
  Stored* values;
  arithmetic_t<Stored> factor;
  bool aligned(std::size_t bytes) const { return are_aligned(bytes, values); }
  template <int n>
  DGTD_HOST_DEVICE void group(std::int64_t i) const {
    auto u = load_group<n>(values + i);
    for (int k = 0; k < n; ++k) u.at[k] = static_cast<Stored>(u.at[k] * factor);
    store_group<n>(u, values + i);
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { group<1>(i); }
};

/// to[i] += factor from[i]
template <class Real>
struct AddReals {
  using Number = Real;
  const Real* from;
  Real factor;
  Real* to;
  bool aligned(std::size_t bytes) const { return are_aligned(bytes, from, to); }
  template <int n>
  DGTD_HOST_DEVICE void group(std::int64_t i) const {
    const auto u = load_group<n>(from + i);
    auto sum = load_group<n>(to + i);
    for (int k = 0; k < n; ++k) sum.at[k] += factor * u.at[k];
    store_group<n>(sum, to + i);
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { group<1>(i); }
};

/// to[i] += factor from[i] + other_factor other[i]
template <class Real>
struct AddTwo {
  using Number = Real;
  const Real* from;
  Real factor;
  const Real* other;
  Real other_factor;
  Real* to;
  bool aligned(std::size_t bytes) const { return are_aligned(bytes, from, other, to); }
  template <int n>
  DGTD_HOST_DEVICE void group(std::int64_t i) const {
    const auto u = load_group<n>(from + i), v = load_group<n>(other + i);
    auto sum = load_group<n>(to + i);
    for (int k = 0; k < n; ++k) sum.at[k] += factor * u.at[k] + other_factor * v.at[k];
    store_group<n>(sum, to + i);
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { group<1>(i); }
};

/// real + i imag += (c + i s) field, each product rounded before it is added
template <class Stored>
struct AddPhasor {
  using Real = arithmetic_t<Stored>;
  using Number = Real;
  const Stored* field;
  Real c, s;
  Real *real, *imag;
  bool aligned(std::size_t bytes) const { return are_aligned(bytes, field, real, imag); }
  template <int n>
  DGTD_HOST_DEVICE void group(std::int64_t i) const {
    const auto u = load_group<n>(field + i);
    auto re = load_group<n>(real + i), im = load_group<n>(imag + i);
    for (int k = 0; k < n; ++k) re.at[k] += c * u.at[k], im.at[k] += s * u.at[k];
    store_group<n>(re, real + i);
    store_group<n>(im, imag + i);
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { group<1>(i); }
};

}  // namespace dgtd::parallel
