#include "dgtd/io/text_files.hpp"

#include <fmt/format.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"

namespace dgtd::io {

namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& file, int reason) {
  throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", file.string(), os_reason(reason)));
}

}  // namespace

void make_directory(const std::filesystem::path& directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure)
    throw Error(ExitCode::other,
                fmt::format("{}: cannot create the directory: {}", directory.string(), os_reason(failure.value())));
}

void write_text(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::path temporary = file;
  temporary += ".tmp";
  std::FILE* out = std::fopen(temporary.c_str(), "wb");
  if (out == nullptr) cannot_write(file, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
  int reason = written ? 0 : errno;
  if (std::fclose(out) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) reason = errno;
  if (reason != 0) {
    std::remove(temporary.c_str());
    cannot_write(file, reason);
  }
}

ProbeFile::ProbeFile(std::filesystem::path file, int significant_digits, std::int64_t continue_at)
    : path_(std::move(file)), digits_(significant_digits), bytes_(continue_at) {
  if (continue_at > 0) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(path_, failure);
    if (failure || size < static_cast<std::uintmax_t>(continue_at))
      throw Error(fmt::format(
          "{}: the rows before the checkpoint, {} bytes, are not there; continue in the output directory of "
          "the run that wrote it, or copy this table from there",
          path_.string(), continue_at));
    std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(continue_at), failure);
    if (failure) cannot_write(path_, failure.value());
  }
  open(continue_at > 0 ? "a" : "w");
  if (continue_at > 0) return;
  const std::string line = std::string(head) + "\n";
  if (std::fputs(line.c_str(), file_) < 0 || std::fflush(file_) != 0) cannot_write(path_, errno);
  bytes_ = static_cast<std::int64_t>(line.size());
}

ProbeFile::ProbeFile(ProbeFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, nullptr)),
      digits_(other.digits_),
      bytes_(other.bytes_) {}

ProbeFile::~ProbeFile() { close(); }

void ProbeFile::open(const char* mode) {
  file_ = std::fopen(path_.c_str(), mode);
  if (file_ == nullptr) cannot_write(path_, errno);
}

void ProbeFile::close() {
  if (file_ != nullptr) std::fclose(file_);
  file_ = nullptr;
}

void ProbeFile::add(double time_s, const Vec3& electric_V_per_m, const Vec3& magnetic_A_per_m) {
  const Vec3 &e = electric_V_per_m, &h = magnetic_A_per_m;
  std::string row = fmt::format("{:.{}g}", time_s, digits_double);  // time is kept in double precision always
  for (const double value : {e.x, e.y, e.z, h.x, h.y, h.z}) row += fmt::format(",{:.{}g}", value, digits_);
  row += '\n';
  if (file_ == nullptr) open("a");
  if (std::fwrite(row.data(), 1, row.size(), file_) != row.size() || std::fflush(file_) != 0) {
    const int reason = errno;
    __fpurge(file_);  // half a row, of which closing the file would write more
    (void)!ftruncate(fileno(file_), bytes_);
    cannot_write(path_, reason);
  }
  bytes_ += static_cast<std::int64_t>(row.size());
}

void ProbeFile::sync() {
  if (file_ == nullptr) open("a");
  if (::fsync(::fileno(file_)) != 0) cannot_write(path_, errno);
}

}  // namespace dgtd::io
