#pragma once
// Text files: whole or not at all, and tables that grow while a run goes on.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "dgtd/base/vec3.hpp"

namespace dgtd::io {

/// Creates a directory and those above it. Throws Error that names it.
void make_directory(const std::filesystem::path& directory);

/// Writes a neighbouring temporary file and renames it, so that a reader meets the old or the new
/// text, never half of one. Throws Error; the old file then stays.
void write_text(const std::filesystem::path& file, std::string_view text);

/// E and H at a probe over time, as comma-separated values with units in the head.
class ProbeFile {
 public:
  static constexpr std::string_view head = "t_s,Ex_V_per_m,Ey_V_per_m,Ez_V_per_m,Hx_A_per_m,Hy_A_per_m,Hz_A_per_m";
  static constexpr int digits_single = 9, digits_double = 17;  // enough to give the same number back

  /// continue_at > 0: continues an existing file after so many bytes, in place of a new file. Throws Error where it has
  /// fewer.
  ProbeFile(std::filesystem::path file, int significant_digits, std::int64_t continue_at = 0);
  ~ProbeFile();
  ProbeFile(ProbeFile&& other) noexcept;
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;
  ProbeFile& operator=(ProbeFile&&) = delete;

  /// The row is in the file when this returns: a run that is cut short leaves its rows behind.
  void add(double time_s, const Vec3& electric_V_per_m, const Vec3& magnetic_A_per_m);
  std::int64_t bytes() const { return bytes_; }  // in the file
  void sync();                                   // returns when all rows are on the device
  /// The file is opened again for the next row: a process may have so many open files only.
  void close();

 private:
  void open(const char* mode);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;  // null: closed
  int digits_;
  std::int64_t bytes_ = 0;
};

}  // namespace dgtd::io
