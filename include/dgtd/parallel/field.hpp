#pragma once
// A field's coefficients; FieldLayout says what lies where.
//
// They live in their executor's memory. host() shows them on the host: the same memory for the CPU
// executor, a copy made when somebody looks for a device.
#include <cstddef>
#include <memory>
#include <vector>

#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

template <class Real>
class Field {
 public:
  /// All zero. memory outlives the field.
  explicit Field(std::size_t reals = 0, parallel::Memory& memory = parallel::host_memory())
      : size_(reals), executor_(reals, memory), memory_(&memory) {}

  std::size_t size() const { return size_; }

  /// In the executor's memory, for its kernels.
  const Real* read() const {
    if (host_is_newer_) {
      memory_->upload(executor_.get(), host_.get(), size_ * sizeof(Real));
      host_is_newer_ = false;
    }
    return executor_.get();
  }
  Real* write() {
    read();
    host_is_current_ = false;
    return executor_.get();
  }

  /// On the host.
  const Real* host() const {
    if (memory_->is_host()) return executor_.get();
    if (!host_.get()) host_ = Buffer(size_, parallel::host_memory());
    if (!host_is_current_ && !host_is_newer_) memory_->download(host_.get(), executor_.get(), size_ * sizeof(Real));
    host_is_current_ = true;
    return host_.get();
  }
  /// On the host, to be changed there; the executor sees the change at its next read or write.
  Real* host_for_writing() {
    const Real* const at = host();
    host_is_newer_ = !memory_->is_host();
    return const_cast<Real*>(at);
  }
  /// A few reals, without copying the rest.
  std::vector<Real> part(std::size_t first, std::size_t reals) const {
    std::vector<Real> values(reals);
    memory_->download(values.data(), read() + first, reals * sizeof(Real));
    return values;
  }

 private:
  class Buffer {
   public:
    Buffer() = default;
    Buffer(std::size_t reals, parallel::Memory& memory)
        : data_(reals > 0 ? static_cast<Real*>(memory.allocate(reals * sizeof(Real))) : nullptr, Release{&memory}) {}
    Real* get() const { return data_.get(); }

   private:
    struct Release {
      parallel::Memory* memory = nullptr;
      void operator()(Real* at) const { memory->release(at); }
    };
    std::unique_ptr<Real, Release> data_;
  };

  std::size_t size_;
  Buffer executor_;
  parallel::Memory* memory_;
  mutable Buffer host_;
  mutable bool host_is_current_ = false;  // host_ holds what the executor holds
  mutable bool host_is_newer_ = false;    // host_ was written since
};

}  // namespace dgtd::parallel
