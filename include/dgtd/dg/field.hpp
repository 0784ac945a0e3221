#pragma once
// A field's coefficients, aligned, zero at start; FieldLayout says what lies where.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace dgtd::dg {

template <class Real>
class Field {
 public:
  explicit Field(std::size_t reals = 0)
      : size_(reals), data_(static_cast<Real*>(std::aligned_alloc(64, (reals * sizeof(Real) + 63) / 64 * 64))) {
    if (reals > 0 && !data_) throw std::bad_alloc();
    // Each thread touches the part that it will update, so that the memory is near it.
    const auto n = static_cast<std::ptrdiff_t>(reals);
    Real* const to = data_.get();
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = Real(0);
  }
  Real* data() { return data_.get(); }
  const Real* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  Real& operator[](std::size_t i) { return data_.get()[i]; }
  Real operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free { void operator()(Real* p) const { std::free(p); } };
  std::size_t size_;
  std::unique_ptr<Real, Free> data_;
};

}  // namespace dgtd::dg
