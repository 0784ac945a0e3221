#include "mesh_cache.hpp"

#include "check.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/hash_bytes.hpp"

namespace dgtd::mesh {
namespace {

CompactKey key_of(const MeshSource& source) {
  const MappedFile file(source.file);
  return {file.size(), parallel::hash_chunks(file.data(), file.size()), source.unit};
}

CompactArrays convert(const MeshSource& source, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "read/parse");
  const GlobalMesh mesh = read_gmsh(source.file, source.unit);
  stage.emplace(timers, "read/check");
  check_elements(mesh);
  stage.emplace(timers, "read/pair_faces");
  const FaceAdjacency adjacency = pair_faces(mesh);
  stage.emplace(timers, "read/check");
  check_neighbours(mesh, adjacency);
  stage.emplace(timers, "read/order");
  return make_compact(mesh, adjacency);
}

/// Whether every rank has opened the file.
bool open_everywhere(const MeshSource& source, const CompactKey& key, const parallel::Communicator& comm,
                     std::optional<CompactFile>& file) {
  file.reset();
  if (auto opened = CompactFile::open(compact_path(source.file), key)) file.emplace(std::move(*opened));
  const bool everywhere = comm.min(std::int64_t{file.has_value()}) == 1;
  if (!everywhere) file.reset();
  return everywhere;
}

}  // namespace

std::filesystem::path compact_path(const std::filesystem::path& mesh_file) { return mesh_file.string() + ".compact"; }

StoredMesh open_mesh(const MeshSource& source, bool renew, const parallel::Communicator& comm, Timers& timers) {
  StoredMesh mesh;
  CompactKey key;
  {
    const auto stage = timers.measure("read/hash");
    parallel::root_or_throw(comm, [&] { key = key_of(source); });
    key = comm.broadcast_value(key);
  }
  if (!renew && open_everywhere(source, key, comm, mesh.file)) return mesh;

  const std::filesystem::path compact = compact_path(source.file);
  parallel::root_or_throw(comm, [&] {
    mesh.arrays = convert(source, timers);
    const auto stage = timers.measure("read/write");
    try {
      write_compact(mesh.arrays.view(), key, compact);
      log::info("mesh: {} was read and is kept as {} for later runs", source.file.filename().string(),
                compact.filename().string());
    } catch (const Error& error) {
      log::info("mesh: {}; later runs read {} again", error.what(), source.file.filename().string());
    }
  });
  if (open_everywhere(source, key, comm, mesh.file)) mesh.arrays = {};
  return mesh;
}

}  // namespace dgtd::mesh
