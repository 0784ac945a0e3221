#pragma once
// Progress of a run: a bar on a terminal, a plain line every few seconds in a log.
#include <cstdint>

#include "dgtd/base/timer.hpp"

namespace dgtd::app {

class Progress {
 public:
  Progress(std::int64_t steps, double time_step, double elements);
  /// After step n; energy is the latest known, J. Cheap where nothing is due.
  void show(std::int64_t n, double energy);
  void finish();

 private:
  std::int64_t steps_;
  double time_step_, elements_;
  bool terminal_;
  Timer timer_;
  double next_ = 0;
};

}  // namespace dgtd::app
