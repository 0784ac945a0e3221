#pragma once
// Exceptions out of parallel regions, which they must not leave by themselves.
#include <exception>
#include <mutex>

namespace dgtd {

/// Keeps the first exception of any thread's work until the region has ended.
class FirstException {
 public:
  template <class Work>
  void catch_from(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace dgtd
