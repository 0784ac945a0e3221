#include "app/run/signal_requests.hpp"

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace dgtd::app {

namespace {

constexpr int handled[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
struct sigaction handlers_before[std::size(handled)];
bool are_remembered = false;

volatile std::sig_atomic_t ending = 0, writing = 0, answering = 0;

// May call only functions that are safe in a signal handler.
void print_text(const char* text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); }

extern "C" void take_signal(int number) {
  if (number == SIGUSR1) {
    writing = 1;
    return;
  }
  if (ending != 0 && number != SIGUSR2) {
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  if (answering != 0 && ending == 0) {
    print_text("dgtd: ");
    print_text(signal_name(number));
    print_text(": the run ends with its results as soon as it can; SIGINT or SIGTERM again ends it at once\n");
  }
  ending = number;
}

}  // namespace

void remember_signals() {
  struct sigaction action {};
  action.sa_handler = take_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], &action, are_remembered ? nullptr : &handlers_before[i]);
  are_remembered = true;
}

void answer_signals() { answering = 1; }

void end_by_signals() {
  if (!are_remembered) return;
  for (std::size_t i = 0; i < std::size(handled); ++i) sigaction(handled[i], &handlers_before[i], nullptr);
  if (ending != 0) std::raise(static_cast<int>(ending));
  if (writing != 0) std::raise(SIGUSR1);
}

int requested_end() { return static_cast<int>(ending); }

bool requested_checkpoint() {
  const bool requested = writing != 0;
  writing = 0;
  return requested;
}

const char* signal_name(int number) {
  switch (number) {
    case SIGTERM: return "SIGTERM";
    case SIGINT: return "SIGINT";
    case SIGUSR2: return "SIGUSR2";
    default: return "a signal";
  }
}

}  // namespace dgtd::app
