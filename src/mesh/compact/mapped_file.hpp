#pragma once
// A file's bytes as read-only memory. Only pages that are read occupy memory, and several threads read at once.
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace dgtd::mesh {

class MappedFile {
 public:
  /// Empty if the file cannot be opened or has no bytes.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;

  const char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dgtd::mesh
