#pragma once
// The name of Array in modules that have not moved to it.
#include "dgtd/parallel/array.hpp"

namespace dgtd::parallel {

template <class T>
class DeviceCopy : public Array<T> {
 public:
  using Array<T>::Array;
  T* get() const { return const_cast<DeviceCopy*>(this)->write(); }
};

}  // namespace dgtd::parallel
