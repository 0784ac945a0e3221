#include "dgtd/base/log.hpp"

#include <cerrno>
#include <cstdio>

#include "dgtd/base/error.hpp"
#include "dgtd/base/one_line.hpp"
#include "dgtd/base/os_reason.hpp"

namespace dgtd::log {

namespace {
bool printing = true, warning_alone = false;
bool lost_reader = false;
std::vector<std::string> given;
}  // namespace

void set_enabled(bool enabled) { printing = enabled; }
bool enabled() { return printing; }
void set_warns(bool warns) { warning_alone = warns; }
bool warns() { return printing || warning_alone; }

void line(std::string_view text) {
  const std::string whole = std::string(text) + '\n';  // in one piece: StageLines writes from a thread of its own
  std::fwrite(whole.data(), 1, whole.size(), stdout);
  std::fflush(stdout);
  require_standard_output();
}

void require_standard_output() {
  if (std::ferror(stdout) == 0) return;
  const int reason = errno;
  std::clearerr(stdout);
  lost_reader = reason == EPIPE;
  throw Error(ExitCode::other, fmt::format("standard output: cannot write: {}", os_reason(reason)));
}

bool has_lost_reader() { return lost_reader; }

void warning(std::string_view text) {
  std::fflush(stdout);
  given.push_back(one_line(text));
  std::fprintf(stderr, "dgtd: warning: %s\n", given.back().c_str());
}

const std::vector<std::string>& warnings() { return given; }
void forget_warnings() { given.clear(); }

}  // namespace dgtd::log
