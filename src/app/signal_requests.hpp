#pragma once
// Signals as requests that a run looks at between two steps. SIGTERM, SIGINT and SIGUSR2 end it with its results;
// SIGUSR1 asks for a checkpoint. A second SIGTERM or SIGINT ends the program at once.
#include <csignal>

namespace dgtd::app {

/// Handles the signals as long as it exists; at most one object does.
class SignalRequests {
 public:
  SignalRequests();
  ~SignalRequests();
  SignalRequests(const SignalRequests&) = delete;
  SignalRequests& operator=(const SignalRequests&) = delete;

  struct Taken {
    int ending = 0;  // number of the signal; 0: none
    bool write = false;
  };
  /// What came since the last call.
  Taken take();

 private:
  static constexpr int count = 4;
  struct sigaction before_[count];
};

/// "SIGTERM"
const char* signal_name(int number);

}  // namespace dgtd::app
