#pragma once
// Lines of the log about the stages of a task that takes minutes: one every quarter of a minute that a stage goes on, so
// none of a short one.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace dgtd {

class StageLines {
 public:
  /// what: the begin of each line, such as "mesh". every: between two lines of a stage.
  explicit StageLines(std::string what, std::chrono::milliseconds every = std::chrono::seconds(15));
  ~StageLines();
  StageLines(const StageLines&) = delete;
  StageLines& operator=(const StageLines&) = delete;

  /// Ends the stage before. stage: what is done in it, such as "tetrahedra in the volumes".
  void begin(const std::string& stage);

 private:
  void tell_until_next(const std::string& stage);
  void end();

  std::string what_;
  std::chrono::milliseconds every_;
  std::mutex mutex_;  // of ended_
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread teller_;
};

}  // namespace dgtd
