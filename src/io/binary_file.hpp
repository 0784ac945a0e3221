#pragma once
// A file that is written and read at given places by several ranks and threads.
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace dgtd::io {

class BinaryFile {
 public:
  enum class Access { read, write };
  /// Opens an existing file. Throws Error, as all functions do, that names the file.
  BinaryFile(std::filesystem::path file, Access access);
  ~BinaryFile();
  BinaryFile(const BinaryFile&) = delete;
  BinaryFile& operator=(const BinaryFile&) = delete;

  std::uint64_t size() const;
  void read(void* to, std::size_t bytes, std::uint64_t offset) const;
  void write(const void* from, std::size_t bytes, std::uint64_t offset) const;
  /// Returns when all is on the device.
  void sync() const;

 private:
  std::filesystem::path path_;
  int file_;
};

/// Makes a renamed or removed entry of a directory lasting.
void sync_directory(const std::filesystem::path& directory);

}  // namespace dgtd::io
