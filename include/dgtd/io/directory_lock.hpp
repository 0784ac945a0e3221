#pragma once
// One run at a time per output directory: a file with host and process, which is locked while the run lasts.
#include <filesystem>

namespace dgtd::io {

/// Holds DIRECTORY/dgtd-run.lock from its construction to its destruction, which removes the file. flock(2) says
/// whether a process of this host still holds it, so the file of a killed one is taken over. File systems of clusters
/// need not share such locks: the file of another host is an error until it is removed.
class DirectoryLock {
 public:
  static constexpr const char* file_name = "dgtd-run.lock";

  /// Throws Error (other) with host and process of the run that holds the directory, which must exist.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace dgtd::io
