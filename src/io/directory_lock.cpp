#include "dgtd/io/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>
#include <string_view>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"

namespace dgtd::io {

namespace {

/// The content of the file: "HOST PROCESS\n".
struct Holder {
  std::string host;  // empty: the file says nothing
  int process = 0;
};

std::string this_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

Holder read_holder(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t bytes = pread(descriptor, text.data(), text.size(), 0);
  const std::string_view line(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  Holder holder;
  const auto blank = line.find(' ');
  if (blank == std::string_view::npos) return holder;
  const auto number = line.substr(blank + 1);
  if (std::from_chars(number.data(), number.data() + number.size(), holder.process).ec == std::errc() &&
      holder.process > 0)
    holder.host = line.substr(0, blank);
  return holder;
}

[[noreturn]] void cannot_hold(const std::filesystem::path& file, int reason) {
  throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", file.string(), os_reason(reason)));
}

/// Whether the path is still that file: its holder removes it at its end, perhaps between open and flock.
bool is_at(const std::filesystem::path& path, int descriptor) {
  struct stat opened {
  }, there{};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino &&
         opened.st_dev == there.st_dev;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const Holder& holder, bool certain) {
  const std::string directory = file.parent_path().string();
  const std::string who =
      holder.host.empty() ? "another process" : fmt::format("process {} on {}", holder.process, holder.host);
  if (certain)
    throw Error(ExitCode::other,
                fmt::format("{}: {} is writing its results there; wait for its end, or set another output.directory",
                            directory, who));
  throw Error(
      ExitCode::other,
      fmt::format("{}: {} is writing its results there, or was ended before it had removed {}; remove this file "
                  "if it has ended, or set another output.directory",
                  directory, who, file.string()));
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) : file_(directory / file_name) {
  for (;;) {
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) cannot_hold(file_, errno);
    const int failure = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (failure == 0 && !is_at(file_, descriptor_)) {
      close(std::exchange(descriptor_, -1));
      continue;
    }
    const Holder holder = read_holder(descriptor_);
    const bool is_here = holder.host == this_host();
    // A file system without flock: the process' number has to do.
    const bool lives = failure == EWOULDBLOCK || (failure != 0 && is_here && kill(holder.process, 0) == 0);
    const bool elsewhere = !holder.host.empty() && !is_here;
    if (lives || elsewhere) {
      close(std::exchange(descriptor_, -1));
      refuse(file_, holder, lives);
    }
    break;
  }
  const std::string text = fmt::format("{} {}\n", this_host(), getpid());
  if (ftruncate(descriptor_, 0) != 0 ||
      pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    const int reason = errno;
    unlink(file_.c_str());
    close(descriptor_);
    cannot_hold(file_, reason);
  }
}

DirectoryLock::~DirectoryLock() {
  if (is_at(file_, descriptor_)) unlink(file_.c_str());
  close(descriptor_);
}

}  // namespace dgtd::io
