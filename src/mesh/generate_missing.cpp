#include "generate_missing.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/generate.hpp"

namespace dgtd::mesh {
namespace {

namespace fs = std::filesystem;

/// A name of this process beside the file.
fs::path unfinished(const fs::path& file) { return file.string() + fmt::format(".{}.msh", getpid()); }

/// Whether a file can be made there, in a folder that is made where it is missing.
bool can_make(const fs::path& file) {
  std::error_code failure;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), failure);
  if (failure) return false;
  const fs::path trial = unfinished(file);
  const bool made = std::ofstream(trial).is_open();
  fs::remove(trial, failure);
  return made;
}

/// Writes under another name and renames, so that a run beside this one, or after one that was broken off, never reads
/// half a mesh.
void make_head_phone(const std::string& level, const fs::path& file) {
  log::info("mesh: generating head-phone {} into {}", level, file.string());
  const fs::path part = unfinished(file);
  try {
    generate_head_phone(level, part);
    fs::rename(part, file);
  } catch (...) {
    std::error_code ignored;  // the reason why it failed matters more
    fs::remove(part, ignored);
    throw;
  }
}

}  // namespace

fs::path user_meshes() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    return fs::path(value ? value : "");
  };
  if (const fs::path cache = folder("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "dgtd";
  if (const fs::path home = folder("HOME"); home.is_absolute()) return home / ".cache" / "dgtd";
  return fs::absolute("meshes");
}

fs::path generated_mesh(const MeshSource& wanted) {
  if (fs::exists(wanted.file)) return wanted.file;
  fs::path file = wanted.file;
  if (!can_make(file)) {
    file = user_meshes() / fmt::format("head_phone_{}.msh", wanted.level);
    if (fs::exists(file)) return file;
    if (!can_make(file))
      throw Error(
          ExitCode::other,
          fmt::format("mesh: neither {} nor {} can be written; --set mesh.file=FILE says where the mesh is kept",
                      wanted.file.string(), file.string()));
  }
  make_head_phone(wanted.level, file);
  return file;
}

}  // namespace dgtd::mesh
