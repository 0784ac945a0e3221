#include "collective_error.hpp"

#include <string>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::io {

void together(const parallel::Communicator& communicator, const std::function<void()>& work) {
  std::string report;  // the exit code as a character, then the message
  try {
    work();
  } catch (const Error& error) { report = static_cast<char>(error.code()) + std::string(error.what()) + '\0'; }
  if (communicator.max(static_cast<std::int64_t>(report.size())) == 0) return;
  const std::vector<char> all = communicator.gather_vectors(std::vector<char>(report.begin(), report.end()));
  const std::string first = communicator.broadcast(all.empty() ? std::string() : std::string(all.data()));
  throw Error(static_cast<ExitCode>(first.front()), first.substr(1));
}

}  // namespace dgtd::io
