#pragma once
// Lines about the stages of a long command: one when a stage ends, and now and then one while it lasts.
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>

namespace dgtd::mesher {

class Stages {
 public:
  using Print = std::function<void(const std::string& line)>;

  explicit Stages(const Print& print) : print_(print) {}

  /// The stage that has ended, with its seconds.
  void done(const std::string& what) {
    print(fmt::format("{}: {:.1f} s", what, seconds(started_)));
    started_ = printed_;
  }

  /// Reports the progress of the stage with its seconds so far, every ten seconds at most so that a log stays short.
  void still(const std::string& what) {
    constexpr double interval = 10;  // s
    if (seconds(printed_) >= interval) print(fmt::format("  {}, {:.0f} s", what, seconds(started_)));
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double seconds(Clock::time_point since) { return std::chrono::duration<double>(Clock::now() - since).count(); }
  void print(const std::string& line) {
    if (print_) print_(line);
    printed_ = Clock::now();
  }

  const Print& print_;
  Clock::time_point started_ = Clock::now(), printed_ = started_;
};

}  // namespace dgtd::mesher
