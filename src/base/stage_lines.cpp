#include "dgtd/base/stage_lines.hpp"

#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd {

StageLines::StageLines(std::string what, std::chrono::milliseconds every) : what_(std::move(what)), every_(every) {}

StageLines::~StageLines() { end(); }

void StageLines::begin(const std::string& stage) {
  end();
  if (!log::enabled()) return;
  ended_ = false;
  teller_ = std::thread([this, stage] { tell_until_next(stage); });
}

void StageLines::tell_until_next(const std::string& stage) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, every_, [&] { return ended_; })) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    try {
      log::info("{}: {}, {:.0f} s", what_, stage, taken.count());
    } catch (const Error&) {  // the task's own next line finds standard output closed, too
      return;
    }
  }
}

void StageLines::end() {
  if (!teller_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  teller_.join();
}

}  // namespace dgtd
