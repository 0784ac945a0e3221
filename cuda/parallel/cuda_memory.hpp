#pragma once
// Device memory, and arrays in it.
#include <cuda_runtime.h>

#include <vector>

#include "cuda_check.hpp"
#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

/// Memory of the current device; copies are ordered with the work of a stream.
class CudaMemory final : public Memory {
 public:
  explicit CudaMemory(cudaStream_t stream) : stream_(stream) {}
  bool is_host() const override { return false; }
  void* allocate(std::size_t bytes) override;
  void release(void* at) noexcept override;
  void download(void* host, const void* device, std::size_t bytes) override;
  void upload(void* device, const void* host, std::size_t bytes) override;
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
};

/// An array on the device.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size > 0) DGTD_CUDA_CHECK(cudaMalloc(&data_, size * sizeof(T)));
  }
  template <class U>
  explicit DeviceArray(const std::vector<U>& from) : DeviceArray(from.size()) {
    static_assert(sizeof(U) == sizeof(T));
    upload(from);
  }
  ~DeviceArray() { (void)cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr, other.size_ = 0;
  }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  template <class U>
  void upload(const std::vector<U>& from) {
    if (from.size() != size_) *this = DeviceArray(from.size());
    if (size_ > 0) DGTD_CUDA_CHECK(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  double bytes() const { return double(size_) * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dgtd::parallel
