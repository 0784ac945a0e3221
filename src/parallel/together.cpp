#include "dgtd/parallel/together.hpp"

#include <new>
#include <string>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"

namespace dgtd::parallel {

namespace {
// The exit code as a character, then the message.
std::string report_of(ExitCode code, const std::string& message) { return static_cast<char>(code) + message; }
}  // namespace

std::string first_text(const Communicator& communicator, const std::string& text) {
  if (communicator.max(static_cast<std::int64_t>(text.size())) == 0) return "";
  std::vector<char> mine(text.begin(), text.end());
  if (!text.empty()) mine.push_back('\0');
  const std::vector<char> all = communicator.gather_vectors(mine);
  return communicator.broadcast(all.empty() ? std::string() : std::string(all.data()));
}

void together(const Communicator& communicator, const std::function<void()>& work) {
  std::string report;
  try {
    work();
  } catch (const Error& error) { report = report_of(error.code(), error.what()); } catch (const std::bad_alloc&) {
    report = report_of(ExitCode::out_of_memory, "out of memory on rank " + std::to_string(communicator.rank()));
  } catch (const std::exception& error) {
    const Error failure = error_of(error);
    report = report_of(failure.code(), failure.what());
  }
  const std::string first = first_text(communicator, report);
  if (first.empty()) return;
  throw Error(static_cast<ExitCode>(first.front()), first.substr(1));
}

}  // namespace dgtd::parallel
