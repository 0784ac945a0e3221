#include "dgtd/parallel/together.hpp"

#include <new>
#include <string>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {
// The exit code as a character, then the message.
std::string report_of(ExitCode code, const std::string& message) { return static_cast<char>(code) + message + '\0'; }
}  // namespace

void together(const Communicator& communicator, const std::function<void()>& work) {
  std::string report;
  try {
    work();
  } catch (const Error& error) { report = report_of(error.code(), error.what()); } catch (const std::bad_alloc&) {
    report = report_of(ExitCode::out_of_memory, "out of memory on rank " + std::to_string(communicator.rank()));
  } catch (const std::exception& error) { report = report_of(ExitCode::other, error.what()); }
  if (communicator.max(static_cast<std::int64_t>(report.size())) == 0) return;
  const std::vector<char> all = communicator.gather_vectors(std::vector<char>(report.begin(), report.end()));
  const std::string first = communicator.broadcast(all.empty() ? std::string() : std::string(all.data()));
  throw Error(static_cast<ExitCode>(first.front()), first.substr(1));
}

}  // namespace dgtd::parallel
