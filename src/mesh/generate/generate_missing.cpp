#include "mesh/generate/generate_missing.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/mesh_comment.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

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

/// Throws Error where the file has the default name of another level.
void require_own_name(const MeshSource& wanted) {
  for (const char* level : {"m0", "m1", "m2", "m3"})
    if (wanted.level != level && wanted.file.filename() == fmt::format("head_phone_{}.msh", level))
      throw Error(
          fmt::format("mesh: {} is the name of level {}, and the case has mesh.level = {}; name another mesh.file "
                      "or leave it out",
                      wanted.file.string(), level, wanted.level));
}

/// The file has a mesh; throws Error where that is one of another level than the case has.
void require_level(const MeshSource& wanted, const fs::path& file) {
  const std::string found = comment_of(file), expected = head_phone_comment(wanted.level);
  if (found == expected || found == curved_head_phone_comment(wanted.level)) return;
  if (found.empty())
    return log::warn("mesh: {} does not say of which level it is; it is taken for level {}", file.string(),
                     wanted.level);
  throw Error(
      fmt::format("mesh: {} has the mesh of \"{}\", and the case has mesh.level = {}; name another mesh.file or "
                  "leave it out",
                  file.string(), found, wanted.level));
}

void make_head_phone(const std::string& level, const fs::path& file) {
  log::info("mesh: generating head-phone {} into {}", level, file.string());
  generate_head_phone(level, file);
}

}  // namespace

std::string head_phone_comment(const std::string& level) { return "dgtd-mesh head-phone --level " + level; }

std::string curved_head_phone_comment(const std::string& level) {
  return head_phone_comment(level) + " --second-order";
}

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
  const auto existing = [&](const fs::path& file) {
    require_level(wanted, file);
    return file;
  };
  if (fs::exists(wanted.file)) return existing(wanted.file);
  require_own_name(wanted);
  fs::path file = wanted.file;
  if (!can_make(file)) {
    file = user_meshes() / fmt::format("head_phone_{}.msh", wanted.level);
    if (fs::exists(file)) return existing(file);
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
