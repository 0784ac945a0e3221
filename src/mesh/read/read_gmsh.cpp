// MSH 2.2 and 4.1: binary files by this program, others by the Gmsh SDK in a child process.
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/child_reader.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/read/msh_structure.hpp"
#include "mesh/read/read_msh_binary.hpp"

namespace dgtd::mesh {
namespace {

/// Gmsh guesses the format of a file and runs scripts, so what is not a mesh is turned away here.
void require_mesh_file(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw Error(fmt::format("mesh file {} does not exist", file.string()));
  std::ifstream stream(file, std::ios::binary);
  std::string start(11, ' ');
  stream.read(start.data(), 11);
  if (!stream && stream.gcount() == 0)
    throw Error(fmt::format("mesh file {} cannot be read or is empty", file.string()));
  if (start != "$MeshFormat" && start.substr(0, 9) != "$Comments")
    throw Error(fmt::format("{} is not a Gmsh mesh; allowed are MSH 2.2 and 4.1, ASCII or binary", file.string()));
}

/// For each member, of either end of the pipe.
template <class Mesh, class Function>
void for_members(Mesh& mesh, Function function) {
  function(mesh.vertices);
  function(mesh.tetrahedra), function(mesh.tetrahedron_group);
  function(mesh.triangles), function(mesh.triangle_group);
  function(mesh.curved_edges);
  function(mesh.volume_names), function(mesh.surface_names);
  function(mesh.source);
}

}  // namespace

GlobalMesh read_gmsh(const std::filesystem::path& file, double unit) {
  if (!(unit > 0 && std::isfinite(unit))) throw Error(fmt::format("{}: unit {} must be positive", file.string(), unit));
  require_mesh_file(file);
  if (auto mesh = read_msh_binary(file, unit)) return std::move(*mesh);
  require_sound_msh(file);
  GlobalMesh mesh;
  const GmshFunctions& gmsh = gmsh_library();  // here: a child process of several threads loads no library
  parallel::read_in_child(
      file.string(), "Gmsh", parallel::read_limits(static_cast<double>(std::filesystem::file_size(file))),
      [&](parallel::Sender& sender) {
        const GlobalMesh read = gmsh.read_mesh(file, unit);
        for_members(read, [&](const auto& member) { sender.put(member); });
      },
      [&](parallel::Receiver& receiver) { for_members(mesh, [&](auto& member) { receiver.take(member); }); });
  return mesh;
}

}  // namespace dgtd::mesh
