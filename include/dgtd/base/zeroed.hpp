#pragma once
// Large vectors that stay zero in most places: only pages that are written cost time and memory.
#include <cstdlib>
#include <new>

#include "dgtd/base/uninitialised.hpp"

namespace dgtd {

/// For plain types: memory is zero, and resize(n) of a new vector leaves it so without touching it. A vector must not
/// be resized a second time: what it had before would not be zero.
template <class T>
struct ZeroedAllocator : UninitialisedAllocator<T> {
  template <class U>
  struct rebind {
    using other = ZeroedAllocator<U>;
  };
  T* allocate(std::size_t n) {
    void* const at = std::calloc(n, sizeof(T));
    if (at == nullptr) throw std::bad_alloc();
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t) { std::free(at); }
};

template <class T>
using ZeroedVector = std::vector<T, ZeroedAllocator<T>>;

}  // namespace dgtd
