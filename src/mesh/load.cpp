#include "dgtd/mesh/load.hpp"

#include <unistd.h>

#include <optional>

#include "check.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/parallel/on_root.hpp"
#include "distribute.hpp"
#include "partition.hpp"

namespace dgtd::mesh {
namespace {

/// Writes under a name of its own and renames, so that a run beside this one, or after one that was
/// broken off, never reads half a mesh.
void make_head_phone(const std::string& level, const std::filesystem::path& file) {
  log::info("mesh: generating head-phone {} into {}", level, file.string());
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  const std::filesystem::path unfinished = file.string() + fmt::format(".{}.msh", getpid());
  try {
    generate_head_phone(level, unfinished);
    std::filesystem::rename(unfinished, file);
  } catch (...) {
    std::error_code ignored;  // the reason why it failed matters more
    std::filesystem::remove(unfinished, ignored);
    throw;
  }
}

Subdomain load_file(const mesh::MeshSource& wanted, const parallel::Communicator& comm, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "read");
  GlobalMesh mesh;
  FaceAdjacency adjacency;
  std::vector<int> part;
  parallel::on_root(comm, [&] {
    if (wanted.generator == mesh::MeshSource::Generator::head_phone && !std::filesystem::exists(wanted.file))
      make_head_phone(wanted.level, wanted.file);
    mesh = read_gmsh(wanted.file, wanted.unit);
    check_elements(mesh);
    adjacency = pair_faces(mesh);
    check_neighbours(mesh, adjacency);
  });
  stage.emplace(timers, "partition");
  parallel::on_root(comm, [&] { part = partition(mesh, adjacency, comm.size()); });
  return distribute(std::move(mesh), std::move(adjacency), part, comm);
}

}  // namespace

Subdomain load(const mesh::MeshSource& mesh, const parallel::Communicator& comm, Timers& timers) {
  if (mesh.generator != mesh::MeshSource::Generator::box) return load_file(mesh, comm, timers);
  const auto stage = timers.measure("read");
  return make_box(mesh.cells, mesh.size, comm);
}

Subdomain load(const mesh::MeshSource& mesh, const parallel::Communicator& comm) {
  Timers timers;
  return load(mesh, comm, timers);
}

}  // namespace dgtd::mesh
