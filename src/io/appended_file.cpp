#include "dgtd/io/appended_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "xml.hpp"

namespace dgtd::io {

std::int64_t bytes_of(Kind kind) {
  switch (kind) {
    case Kind::float64:
    case Kind::int64: return 8;
    case Kind::uint8: return 1;
    default: return 4;
  }
}

std::string_view vtk_name(Kind kind) {
  switch (kind) {
    case Kind::float32: return "Float32";
    case Kind::float64: return "Float64";
    case Kind::int32: return "Int32";
    case Kind::int64: return "Int64";
    default: return "UInt8";
  }
}

namespace {
constexpr std::string_view before_data = "  <AppendedData encoding=\"raw\">\n   _";
}  // namespace

AppendedLayout::AppendedLayout(std::string_view type, Storage storage)
    : type_(type), length_bytes_(storage == Storage::raw ? 8 : 0) {
  head_ = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\"{}>\n",
      type, storage == Storage::zlib ? " compressor=\"vtkZLibDataCompressor\"" : "");
}

std::size_t AppendedLayout::array(std::string_view name, Kind kind, int components, std::int64_t values) {
  return declare(name, kind, components, values * bytes_of(kind));
}

std::size_t AppendedLayout::compressed_array(std::string_view name, Kind kind, int components, std::int64_t bytes) {
  return declare(name, kind, components, bytes);
}

std::size_t AppendedLayout::declare(std::string_view name, Kind kind, int components, std::int64_t bytes) {
  head_ += fmt::format(
      "        <DataArray type=\"{}\"{} NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
      vtk_name(kind), name.empty() ? std::string() : fmt::format(" Name=\"{}\"", xml_escaped(std::string(name))),
      components, data_bytes_);
  lengths_.push_back(bytes);
  data_bytes_ += length_bytes_ + lengths_.back();
  return lengths_.size() - 1;
}

std::string AppendedLayout::head() const { return head_ + std::string(before_data); }

std::string_view AppendedLayout::tail() { return "\n  </AppendedData>\n</VTKFile>\n"; }

std::int64_t AppendedLayout::place(std::size_t array) const {
  auto at = static_cast<std::int64_t>(head_.size() + before_data.size()) + length_bytes_;
  for (std::size_t i = 0; i < array; ++i) at += lengths_[i] + length_bytes_;
  return at;
}

std::int64_t AppendedLayout::bytes() const {
  return static_cast<std::int64_t>(head_.size() + before_data.size() + tail().size()) + data_bytes_;
}

BackgroundFile::BackgroundFile(std::filesystem::path file)
    : path_(std::move(file)), unfinished_(path_.string() + ".tmp") {
  file_ = ::open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    failure_ = errno;
    throw_failure();
  }
  try {
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {}  // no memory for a stack: with none at all write() writes
}

BackgroundFile::~BackgroundFile() {
  finish_threads();
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(unfinished_.c_str());
}

void BackgroundFile::throw_failure() {
  throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", path_.string(), os_reason(failure_)));
}

BackgroundFile::Block BackgroundFile::block(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return failure_ != 0 || bytes_in_use_ == 0 || bytes_in_use_ + bytes <= most_bytes_waiting; });
  if (failure_ != 0) throw_failure();
  bytes_in_use_ += bytes;
  Block block;
  const auto large = std::find_if(free_.begin(), free_.end(), [&](const Block& b) { return b.capacity >= bytes; });
  if (large != free_.end()) {
    block = std::move(*large);
    free_.erase(large);
  } else {
    free_.clear();  // too small: of a file's last, shorter blocks
    block.data.reset(new std::byte[bytes]);
    block.capacity = bytes;
  }
  block.size = bytes;
  return block;
}

void BackgroundFile::write(std::int64_t offset, Block block) {
  if (workers_.empty()) {
    if (failure_ == 0) write_now(offset, block.data.get(), block.size);
    bytes_in_use_ -= block.size;
    free_.push_back(std::move(block));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({offset, std::move(block)});
  }
  changed_.notify_all();
}

void BackgroundFile::write(std::int64_t offset, std::string_view bytes) {
  Block copy = block(bytes.size());
  std::memcpy(copy.data.get(), bytes.data(), bytes.size());
  write(offset, std::move(copy));
}

void BackgroundFile::write_now(std::int64_t offset, const std::byte* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::pwrite(file_, data, size, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      const std::lock_guard lock(mutex_);
      if (failure_ == 0) failure_ = done < 0 ? errno : ENOSPC;
      return;
    }
    data += done, offset += done, size -= static_cast<std::size_t>(done);
  }
}

void BackgroundFile::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    if (failure_ == 0) {
      lock.unlock();
      write_now(next.offset, next.block.data.get(), next.block.size);
      lock.lock();
    }
    bytes_in_use_ -= next.block.size;
    free_.push_back(std::move(next.block));
    changed_.notify_all();
  }
}

void BackgroundFile::finish_threads() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (auto& worker : workers_) worker.join();
  workers_.clear();
}

void BackgroundFile::close() {
  finish_threads();
  const int result = ::close(file_);
  file_ = -1;
  if (failure_ == 0 && result != 0) failure_ = errno;
  if (failure_ == 0 && std::rename(unfinished_.c_str(), path_.c_str()) != 0) failure_ = errno;
  if (failure_ == 0) return;
  ::unlink(unfinished_.c_str());
  throw_failure();
}

}  // namespace dgtd::io
