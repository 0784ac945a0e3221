#include "dgtd/base/os_reason.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace dgtd {

std::string os_reason(int number) {
  switch (number) {
    case EFBIG: return "the file would be larger than the process may write; see ulimit -f and the file system's limit";
    case ELOOP: return "its symbolic links form a loop, or are too many";
    default: return std::strerror(number);
  }
}

Error error_of(const std::exception& error) {
  const auto* const failure = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (failure == nullptr) return {ExitCode::other, error.what()};
  const int number = failure->code().value();
  return {number == ELOOP || number == ENAMETOOLONG ? ExitCode::bad_input : ExitCode::other,
          failure->path1().string() + ": " + os_reason(number)};
}

}  // namespace dgtd
