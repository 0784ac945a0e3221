#pragma once
// The few functions of BLAS that are used, on arrays in one kind of memory; calls are queued in order.
#include <memory>

#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

template <class Real>
class Blas {
 public:
  virtual ~Blas() = default;
  /// x <- factor x, [n].
  virtual void scale(int n, Real factor, Real* x) = 0;
  /// y <- y + factor x, [n] both.
  virtual void add(int n, Real factor, const Real* x, Real* y) = 0;
  /// C <- factor A B + keep C. A is [inner][rows], B [columns][inner], C [columns][rows], the last index fastest;
  /// stride: reals from one of the first index to the next.
  virtual void multiply(int rows, int columns, int inner, Real factor, const Real* a, int stride_a, const Real* b,
                        int stride_b, Real keep, Real* c, int stride_c) = 0;
};

/// cuBLAS, loaded on first use, on the stream of a device's memory. Throws Error (device) where it is
/// absent.
template <class Real>
std::unique_ptr<Blas<Real>> make_cublas(Memory& device_memory);

}  // namespace dgtd::parallel
