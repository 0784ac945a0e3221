#include "dgtd/base/crash_line.hpp"

#include <unistd.h>

#include <array>
#include <csignal>

namespace dgtd {
namespace {

struct Crash {
  int signal;
  const char* what;
};
constexpr std::array<Crash, 5> crashes{{{SIGSEGV, "segmentation fault"},
                                        {SIGBUS, "bus error: a file shrank, or a disk is full"},
                                        {SIGFPE, "arithmetic error"},
                                        {SIGILL, "illegal instruction: built for another processor"},
                                        {SIGABRT, "abort"}}};

// Data of the handler, which may call only functions that are safe in a signal handler.
std::array<std::string, crashes.size()> lines;
std::array<char, 64 * 1024> handler_stack;  // a crash may be an overflow of the thread's own stack

void end_with_line(int signal) {
  for (std::size_t i = 0; i < crashes.size(); ++i)
    if (crashes[i].signal == signal) (void)!write(STDERR_FILENO, lines[i].data(), lines[i].size());
  raise(signal);  // its handler is the default one again (SA_RESETHAND)
}

}  // namespace

void name_crashes(const std::string& program, int rank) {
  const std::string begin = program + ": error" + (rank < 0 ? std::string() : " (rank " + std::to_string(rank) + ")") +
                            ": the program crashed (";
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = end_with_line;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    lines[i] = begin + crashes[i].what + ")\n";
    sigaction(crashes[i].signal, &action, nullptr);
  }
}

}  // namespace dgtd
