#include "dgtd/mesh/load.hpp"

#include <optional>

#include "check.hpp"
#include "dgtd/parallel/on_root.hpp"
#include "distribute.hpp"
#include "generate_missing.hpp"
#include "partition.hpp"

namespace dgtd::mesh {
namespace {

Subdomain load_file(const mesh::MeshSource& wanted, const parallel::Communicator& comm, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "read");
  GlobalMesh mesh;
  FaceAdjacency adjacency;
  std::vector<int> part;
  parallel::on_root(comm, [&] {
    const bool generated = wanted.generator == mesh::MeshSource::Generator::head_phone;
    mesh = read_gmsh(generated ? generated_mesh(wanted) : wanted.file, wanted.unit);
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
