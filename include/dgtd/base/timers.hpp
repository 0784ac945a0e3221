#pragma once
// Wall-clock seconds of the named stages of a run.
#include <string>
#include <utility>
#include <vector>

#include "dgtd/base/profiler_range.hpp"
#include "dgtd/base/timer.hpp"

namespace dgtd {

class Timers {
 public:
  /// Adds the time from its construction to its destruction to a stage, which is a range of profilers as well.
  class Scope {
   public:
    Scope(Timers& timers, std::string stage) : timers_(timers), stage_(std::move(stage)), range_(stage_) {}
    ~Scope() { timers_.add(stage_, timer_.seconds()); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Timers& timers_;
    std::string stage_;
    ProfilerRange range_;
    Timer timer_;
  };

  [[nodiscard]] Scope measure(std::string stage) { return {*this, std::move(stage)}; }
  void add(const std::string& stage, double seconds);
  /// 0 for a stage that was not measured.
  double seconds(const std::string& stage) const;
  /// Name and seconds in the order in which the stages were first measured.
  const std::vector<std::pair<std::string, double>>& stages() const { return stages_; }

 private:
  std::vector<std::pair<std::string, double>> stages_;
};

}  // namespace dgtd
