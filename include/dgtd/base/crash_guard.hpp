#pragma once
// Libraries that read files may crash on damaged ones. While a guard exists, such a crash ends the process with one
// line and the exit code of bad input instead of a signal and a stack trace.
#include <csignal>
#include <string>

namespace dgtd {

class CrashGuard {
 public:
  /// message: the line, without the program's name, that tells what was read by what. One guard exists at a time.
  /// Standard error is closed for the library, whose own last words are many lines.
  explicit CrashGuard(const std::string& message);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction previous_[std::size(signals)];
  stack_t previous_stack_{};
};

/// "FILE: the NAME library crashed while reading it; the file is damaged"
std::string crash_message(const std::string& file, const char* library);

}  // namespace dgtd
