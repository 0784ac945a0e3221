#pragma once
// An array in the memory of a backend (host memory for CPU threads, device memory for CUDA), which the host reads and
// writes through a copy that is made on access only. In host memory there is no copy.
#include <cstddef>
#include <memory>
#include <vector>

#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

template <class T>
class Array {
 public:
  Array() : Array(0) {}
  /// All zero, in host memory. Throws Error (out_of_memory).
  explicit Array(std::size_t size) : Array(size, host_memory()) {}
  /// All zero. memory outlives the array. Throws Error (out_of_memory).
  Array(std::size_t size, Memory& memory) : size_(size), memory_(&memory), data_(size, memory) {}
  /// A copy of the values.
  template <class Allocator>
  Array(const std::vector<T, Allocator>& values, Memory& memory) : Array(values.size(), memory) {
    if (size_ > 0) memory.upload(data_.get(), values.data(), size_ * sizeof(T));
    is_zero_ = size_ == 0;
  }
  /// The values for kernels that only read them. In host memory they are not copied: the vector outlives the array.
  static Array view(const std::vector<T>& values, Memory& memory) {
    if (!memory.is_host()) return Array(values, memory);
    Array array;
    array.size_ = values.size();
    array.data_ = Buffer(const_cast<T*>(values.data()));
    return array;
  }

  std::size_t size() const { return size_; }
  /// Bytes that the array owns in its memory.
  double bytes() const { return data_.owned() ? double(size_) * sizeof(T) : 0; }

  /// In its memory, for kernels.
  const T* read() const {
    if (host_is_newer_) {
      memory_->upload(data_.get(), host_.get(), size_ * sizeof(T));
      host_is_newer_ = is_zero_ = false;
    }
    return data_.get();
  }
  T* write() {
    read();
    host_is_current_ = is_zero_ = false;
    return data_.get();
  }

  /// On the host.
  const T* host() const {
    if (memory_->is_host()) return data_.get();
    if (host_.get() == nullptr) host_ = Buffer(size_, host_memory());
    if (!host_is_current() && !host_is_newer_ && !is_zero_)
      memory_->download(host_.get(), data_.get(), size_ * sizeof(T));
    host_is_current_ = true;
    replays_ = memory_->replays();
    return host_.get();
  }
  /// On the host, to be changed there: the next read() or write() uploads it.
  T* host_for_writing() {
    const T* const at = host();
    host_is_newer_ = !memory_->is_host();
    if (host_is_newer_) memory_->note_host_write();
    return const_cast<T*>(at);
  }
  /// [count] values from the index first on, for the host to read. Where they are in host memory they are not copied,
  /// else they are copied to `buffer`, which must outlive the use.
  const T* piece(std::size_t first, std::size_t count, std::vector<T>& buffer) const {
    if (memory_->is_host()) return data_.get() + first;
    if (host_is_current() || host_is_newer_) return host_.get() + first;
    if (buffer.size() < count) buffer.resize(count);
    if (count > 0) memory_->download(buffer.data(), data_.get() + first, count * sizeof(T));
    return buffer.data();
  }
  /// Frees the host's copy of an array in the memory of a device, which a later host() makes again.
  void release_host_copy() const {
    if (memory_->is_host()) return;
    read();
    host_ = Buffer();
    host_is_current_ = false;
  }
  /// [count] values from the index first on, without a copy of the others.
  std::vector<T> part(std::size_t first, std::size_t count) const {
    std::vector<T> values(count);
    if (count > 0) memory_->download(values.data(), read() + first, count * sizeof(T));
    return values;
  }

 private:
  class Buffer {
   public:
    Buffer() = default;
    Buffer(std::size_t size, Memory& memory)
        : data_(size > 0 ? static_cast<T*>(memory.allocate(size * sizeof(T))) : nullptr, Release{&memory}) {}
    explicit Buffer(T* of_others) : data_(of_others, Release{}) {}
    T* get() const { return data_.get(); }
    bool owned() const { return data_.get_deleter().memory != nullptr; }

   private:
    struct Release {
      Memory* memory = nullptr;
      void operator()(T* at) const {
        if (memory != nullptr) memory->release(at);
      }
    };
    std::unique_ptr<T, Release> data_;
  };

  bool host_is_current() const { return host_is_current_ && replays_ == memory_->replays(); }

  std::size_t size_;
  Memory* memory_;
  Buffer data_;
  mutable Buffer host_;
  mutable bool host_is_current_ = false;  // host_ has the values of data_, unless work was replayed since
  mutable std::uint64_t replays_ = 0;     // Memory::replays() when host_ got them
  mutable bool host_is_newer_ = false;    // host_ was written since
  mutable bool is_zero_ = true;           // data_ was not written, so a new host_ has its values
};

/// Makes arrays in one memory, which outlives them, and counts their bytes.
class Storage {
 public:
  explicit Storage(Memory& memory) : memory_(memory) {}
  template <class T, class Allocator>
  Array<T> copy(const std::vector<T, Allocator>& values) {
    bytes_ += double(values.size()) * sizeof(T);
    return Array<T>(values, memory_);
  }
  template <class T>
  Array<T> zeros(std::size_t size) {
    bytes_ += double(size) * sizeof(T);
    return Array<T>(size, memory_);
  }
  double bytes() const { return bytes_; }

 private:
  Memory& memory_;
  double bytes_ = 0;
};

/// The sum of all values, added on the host in their order.
inline double sum_of(const Array<double>& values) {
  double sum = 0;
  for (const double value : values.part(0, values.size())) sum += value;
  return sum;
}

}  // namespace dgtd::parallel
