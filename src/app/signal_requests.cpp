#include "signal_requests.hpp"

namespace dgtd::app {

namespace {

constexpr int handled[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};

volatile std::sig_atomic_t ending = 0, writing = 0;

extern "C" void take_signal(int number) {
  if (number == SIGUSR1) {
    writing = 1;
    return;
  }
  const bool again = ending != 0 && number != SIGUSR2;
  ending = number;
  if (!again) return;
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

SignalRequests::SignalRequests() {
  ending = 0;
  writing = 0;
  struct sigaction action {};
  action.sa_handler = take_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < count; ++i) sigaction(handled[i], &action, &before_[i]);
}

SignalRequests::~SignalRequests() {
  for (int i = 0; i < count; ++i) sigaction(handled[i], &before_[i], nullptr);
}

// `ending` stays set, so that a second signal is known as one.
SignalRequests::Taken SignalRequests::take() {
  Taken taken{ending, writing != 0};
  writing = 0;
  return taken;
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
