#include "mesh/generate/gmsh_library.hpp"

#include <dlfcn.h>

#include "dgtd/base/error.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

namespace dgtd::mesh {

namespace {

// By its path: sanitizers open libraries for others, and then the run path of this one does not count.
std::filesystem::path beside_this_library(const char* name) {
  static const char own = 0;
  Dl_info info{};
  if (dladdr(&own, &info) == 0 || info.dli_fname == nullptr) return name;
  return std::filesystem::path(info.dli_fname).parent_path() / name;
}

}  // namespace

const GmshFunctions& gmsh_library() {
  static const GmshFunctions* const functions = [] {
    void* const library = dlopen(beside_this_library("libdgtd_gmsh.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const void* const found = library != nullptr ? dlsym(library, "dgtd_gmsh_functions") : nullptr;
    if (found == nullptr) throw Error(ExitCode::other, std::string("Gmsh cannot be loaded: ") + dlerror());
    return static_cast<const GmshFunctions*>(found);
  }();
  return *functions;
}

MeshSummary generate_head_phone(const std::string& level, const std::filesystem::path& file) {
  return gmsh_library().generate_head_phone(level, file);
}
MeshSummary generate_spheres(const Spheres& spheres, const std::filesystem::path& file) {
  return gmsh_library().generate_spheres(spheres, file);
}
MeshSummary generate_bodies(const BodyModel& model, const std::filesystem::path& file) {
  return gmsh_library().generate_bodies(model, file);
}
void require_writable_msh(const std::filesystem::path& file) { check_writable(file); }
void write_msh(const GlobalMesh& mesh, const std::filesystem::path& file, MshForm form) {
  gmsh_library().write_msh(mesh, file, form);
}
std::function<GmshTriangles(const std::filesystem::path&)> gmsh_triangle_reader() {
  return gmsh_library().read_triangles;
}

}  // namespace dgtd::mesh
