#include "dgtd/base/log.hpp"

#include <cstdio>

namespace dgtd::log {

namespace {
bool printing = true;
}

void set_enabled(bool enabled) { printing = enabled; }
bool enabled() { return printing; }

void line(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

void warning(std::string_view text) {
  std::fflush(stdout);
  std::fprintf(stderr, "dgtd: warning: %.*s\n", static_cast<int>(text.size()), text.data());
}

}  // namespace dgtd::log
