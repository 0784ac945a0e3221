#include "binary_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"

namespace dgtd::io {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* what, int reason) {
  throw Error(ExitCode::other, fmt::format("{}: cannot {}: {}", file.string(), what, os_reason(reason)));
}

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one call

}  // namespace

BinaryFile::BinaryFile(std::filesystem::path file, Access access) : path_(std::move(file)) {
  file_ = ::open(path_.c_str(), (access == Access::read ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
  if (file_ < 0) fail(path_, access == Access::read ? "read" : "write", errno);
}

BinaryFile::~BinaryFile() { ::close(file_); }

std::uint64_t BinaryFile::size() const {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(path_, "read", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void BinaryFile::read(void* to, std::size_t bytes, std::uint64_t offset) const {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t done = ::pread(file_, at, std::min(bytes, most_bytes), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(path_, "read", errno);
    if (done == 0) throw Error(ExitCode::other, path_.string() + ": ends too early");
    at += done, offset += static_cast<std::uint64_t>(done), bytes -= static_cast<std::size_t>(done);
  }
}

void BinaryFile::write(const void* from, std::size_t bytes, std::uint64_t offset) const {
  for (const auto* at = static_cast<const char*>(from); bytes > 0;) {
    const ssize_t done = ::pwrite(file_, at, std::min(bytes, most_bytes), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail(path_, "write", done < 0 ? errno : ENOSPC);
    at += done, offset += static_cast<std::uint64_t>(done), bytes -= static_cast<std::size_t>(done);
  }
}

void BinaryFile::sync() const {
  if (::fsync(file_) != 0) fail(path_, "write", errno);
}

void sync_directory(const std::filesystem::path& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // some file systems have no such thing
  ::fsync(file);
  ::close(file);
}

}  // namespace dgtd::io
