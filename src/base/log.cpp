#include "dgtd/base/log.hpp"

#include <cstdio>

namespace dgtd::log {

namespace {
bool printing = true;
std::vector<std::string> given;
}  // namespace

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
  given.emplace_back(text);
}

const std::vector<std::string>& warnings() { return given; }
void forget_warnings() { given.clear(); }

}  // namespace dgtd::log
