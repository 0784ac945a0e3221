#pragma once
// Libraries that read files may crash, hang or take all memory on damaged ones. They therefore read in a child process,
// which sends the values that it has read and ends.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

/// Limits of a child process. Wall-clock time is limited too, to a multiple: slow file systems take no CPU time.
struct ReadLimits {
  double seconds = 0;  // of CPU time
  double bytes = 0;    // of memory beyond what the process has
};

/// Limits of time and memory for reading a file of so many bytes, compressed ones included.
ReadLimits read_limits(double file_bytes);

/// The child's end of a pipe.
class Sender {
 public:
  explicit Sender(int pipe) : pipe_(pipe) {}
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    write(&value, sizeof value);
  }
  void put(const std::string& text) { put_range(text); }
  template <class T>
  void put(const std::vector<T>& values) {
    put_range(values);
  }
  void put(const std::vector<std::string>& texts);
  /// Puts a message in place of values.
  void put_failure(ExitCode code, const std::string& message);

 private:
  template <class Range>
  void put_range(const Range& range) {
    static_assert(std::is_trivially_copyable_v<typename Range::value_type>);
    put(static_cast<std::uint64_t>(range.size()));
    write(range.data(), range.size() * sizeof(typename Range::value_type));
  }
  void write(const void* bytes, std::size_t count);
  void write_all(const void* bytes, std::size_t count);

  int pipe_;
  bool started_ = false;
};

/// The other end. Values are taken in the order in which they were put.
class Receiver {
 public:
  /// seconds: after which a value that has not come is given up.
  Receiver(int pipe, double seconds);
  template <class T>
  void take(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    read(&value, sizeof value);
  }
  void take(std::string& text) { take_range(text); }
  template <class T>
  void take(std::vector<T>& values) {
    take_range(values);
  }
  void take(std::vector<std::string>& texts);

  struct Ended {};  // thrown where the child ended before it had put the value
  struct Late {};   // thrown where it did not put it in time

 private:
  template <class Range>
  void take_range(Range& range) {
    std::uint64_t count = 0;
    take(count);
    range.resize(static_cast<std::size_t>(count));
    read(range.data(), range.size() * sizeof(typename Range::value_type));
  }
  void read(void* to, std::size_t count);

  int pipe_;
  double end_;  // s, of the steady clock
};

/// Runs `read` in a child process, where a library reads the file and then puts the values, and `take` here, which
/// takes them. An Error of `read` before its first value is thrown here. Throws Error (bad_input), one line
/// that names the file and the library, where the child crashes or exceeds a limit. What the library prints is lost.
/// The child has one thread, and neither MPI nor devices. Throws Error (other) where no process can be made.
void read_in_child(const std::string& file, const char* library, const ReadLimits& limits,
                   const std::function<void(Sender&)>& read, const std::function<void(Receiver&)>& take);

}  // namespace dgtd::parallel
