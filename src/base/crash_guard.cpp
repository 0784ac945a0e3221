#include "dgtd/base/crash_guard.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "dgtd/base/error.hpp"

namespace dgtd {
namespace {

// What the handler reads; it may call only functions that are safe in a signal handler.
std::string line;
int standard_error = -1;
std::array<char, 64 * 1024> handler_stack;  // a crash may be an overflow of the thread's own stack

void end_with_line(int) {
  const char* at = line.data();
  for (std::size_t left = line.size(); left > 0;) {
    const ssize_t written = write(standard_error, at, left);
    if (written <= 0) break;
    at += written, left -= static_cast<std::size_t>(written);
  }
  _exit(static_cast<int>(ExitCode::bad_input));
}

}  // namespace

CrashGuard::CrashGuard(const std::string& message) {
  line = std::string(program_invocation_short_name) + ": error: " + message + "\n";
  std::fflush(stderr);
  standard_error = dup(STDERR_FILENO);
  if (const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC); nothing >= 0) {
    dup2(nothing, STDERR_FILENO);
    close(nothing);
  }
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, &previous_stack_);
  struct sigaction action {};
  action.sa_handler = end_with_line;
  action.sa_flags = SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &action, &previous_[i]);
}

CrashGuard::~CrashGuard() {
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &previous_[i], nullptr);
  sigaltstack(&previous_stack_, nullptr);
  std::fflush(stderr);
  dup2(standard_error, STDERR_FILENO);
  close(standard_error);
}

std::string crash_message(const std::string& file, const char* library) {
  return file + ": the " + library + " library crashed while reading it; the file is damaged";
}

}  // namespace dgtd
