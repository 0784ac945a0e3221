#pragma once
// A constant array in an executor's memory.
#include <cstddef>
#include <utility>
#include <vector>

#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

template <class T>
class DeviceCopy {
 public:
  DeviceCopy() = default;
  DeviceCopy(const std::vector<T>& from, Memory& memory) : DeviceCopy(from.size(), memory) {
    if (size_ > 0) memory.upload(data_, from.data(), size_ * sizeof(T));
  }
  DeviceCopy(std::size_t size, Memory& memory) : memory_(&memory), size_(size) {
    if (size > 0) data_ = static_cast<T*>(memory.allocate(size * sizeof(T)));
  }
  ~DeviceCopy() {
    if (data_ != nullptr) memory_->release(data_);
  }
  DeviceCopy(DeviceCopy&& o) noexcept { *this = std::move(o); }
  DeviceCopy& operator=(DeviceCopy&& o) noexcept {
    std::swap(memory_, o.memory_), std::swap(data_, o.data_), std::swap(size_, o.size_);
    return *this;
  }
  T* get() const { return data_; }
  std::size_t size() const { return size_; }
  double bytes() const { return double(size_) * sizeof(T); }

 private:
  Memory* memory_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dgtd::parallel
