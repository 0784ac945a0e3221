#include "mesh/read/mesh_cache.hpp"

#include "dgtd/base/error.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/hash_bytes.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "mesh/compact/check.hpp"
#include "mesh/generate/add_layers.hpp"
#include "mesh/generate/generate_missing.hpp"
#include "mesh/quality/curvature.hpp"
#include "mesh/read/inner_surfaces.hpp"
#include "mesh/read/periodic.hpp"

namespace dgtd::mesh {
namespace {

bool is_periodic(const MeshSource& source) { return source.periodic != std::array<bool, 3>{}; }

/// Identifies the changes to the file's mesh before it is kept; nothing: there are none.
std::optional<std::uint64_t> hash_of_changes(const MeshSource& source) {
  if (!source.inner_surfaces.empty()) {
    MeshSource others = source;
    others.inner_surfaces.clear();
    Hash hash;
    hash.add(hash_of_changes(others).value_or(0));
    for (const AskedSurface& asked : source.inner_surfaces) {
      for (const char c : asked.name) hash.add(c);
      hash.add('\0');
    }
    return hash.value();
  }
  if (!is_periodic(source)) return source.layers.empty() ? std::nullopt : std::optional(hash_of(source.layers));
  Hash hash;
  for (const bool axis : source.periodic) hash.add(axis);
  if (source.curved == CurvedElements::off) hash.add('s');  // straight
  return hash.add(hash_of(source.layers)).value();
}

CompactKey key_of(const MeshSource& source) {
  const MappedFile file(source.file);
  CompactKey key{file.size(), parallel::hash_chunks(file.data(), file.size()), source.unit};
  if (const auto changes = hash_of_changes(source)) key.hash = Hash().add(key.hash).add(*changes).value();
  return key;
}

CompactArrays convert(const MeshSource& source, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "read/parse");
  GlobalMesh mesh = read_gmsh(source.file, source.unit);
  take_inner_surfaces(mesh, source.inner_surfaces);
  if (is_periodic(source)) {
    if (source.curved == CurvedElements::off) mesh.curved_edges.clear();
    if (!mesh.curved_edges.empty())
      throw Error(fmt::format("{}: its tetrahedra are curved, which periodic sides do not allow: mesh.curved = off makes "
                              "them straight",
                              mesh.source));
    order_periodic_vertices(mesh, source.periodic);
  }
  if (!source.layers.empty()) {
    stage.emplace(timers, "read/layers");
    std::vector<std::string> surfaces;
    for (const AddedLayers& layers : layers_by_surface(source.layers, mesh.surface_names))
      surfaces.push_back(layers.surface);
    straighten(mesh, surfaces);
    mesh = add_layers(std::move(mesh), source.layers);
    if (is_periodic(source)) order_periodic_vertices(mesh, source.periodic);
  }
  stage.emplace(timers, "read/check");
  check_elements(mesh);
  stage.emplace(timers, "read/pair_faces");
  FaceAdjacency adjacency = pair_faces(mesh);
  stage.emplace(timers, "read/check");
  check_neighbours(mesh, adjacency);
  if (is_periodic(source)) join_periodic_faces(mesh, source.periodic, adjacency);
  stage.emplace(timers, "read/order");
  return make_compact(mesh, adjacency);
}

/// Whether every rank has opened the file.
bool open_everywhere(const std::filesystem::path& compact, const CompactKey& key, const parallel::Communicator& comm,
                     std::optional<CompactFile>& file) {
  file.reset();
  if (auto opened = CompactFile::open(compact, key)) file.emplace(std::move(*opened));
  const bool everywhere = comm.min(std::int64_t{file.has_value()}) == 1;
  if (!everywhere) file.reset();
  return everywhere;
}

/// Makes the folder where it is missing. Throws Error (other).
void keep(const CompactArrays& arrays, const CompactKey& key, const std::filesystem::path& compact) {
  std::error_code failure;
  std::filesystem::create_directories(compact.parent_path(), failure);
  if (failure)
    throw Error(ExitCode::other, fmt::format("{} cannot be written: {}", compact.string(), failure.message()));
  write_compact(arrays.view(), key, compact);
}

}  // namespace

std::filesystem::path compact_path(const MeshSource& source) {
  using Cache = MeshSource::Cache;
  if (source.cache == Cache::off) return {};
  const auto changes = hash_of_changes(source);
  if (source.cache == Cache::beside || source.generator == MeshSource::Generator::head_phone)
    return source.file.string() +
           (changes ? fmt::format(".{:016x}.compact", *changes) : ".compact");
  std::error_code unknown;
  std::filesystem::path file = std::filesystem::weakly_canonical(source.file, unknown);
  if (unknown) file = source.file;
  Hash hash;
  for (const char c : file.string()) hash.add(c);
  if (changes) hash.add(*changes);
  return user_meshes() / fmt::format("{}.{:016x}.compact", file.filename().string(), hash.value());
}

StoredMesh open_mesh(const MeshSource& source, bool renew, const parallel::Communicator& comm, Timers& timers) {
  StoredMesh mesh;
  const std::string name = source.file.filename().string();
  // The environment of other ranks may name another cache.
  mesh.path = comm.broadcast(comm.is_root() ? compact_path(source).string() : "");
  CompactKey key;
  if (!mesh.path.empty()) {
    const auto stage = timers.measure("read/hash");
    parallel::root_or_throw(comm, [&] { key = key_of(source); });
    key = comm.broadcast_value(key);
    if (!renew && open_everywhere(mesh.path, key, comm, mesh.file)) {
      if (comm.is_root()) log::info("mesh: {} is taken from {}", name, mesh.path.string());
      return mesh;
    }
  }

  bool kept = false;
  parallel::root_or_throw(comm, [&] {
    mesh.arrays = convert(source, timers);
    if (mesh.path.empty()) return;
    const auto stage = timers.measure("read/write");
    try {
      keep(mesh.arrays, key, mesh.path);
      kept = true;
      log::info("mesh: {} was read and is kept as {} for later runs", name, mesh.path.string());
    } catch (const Error& error) { log::info("mesh: {}; later runs read {} again", error.what(), name); }
  });
  if (mesh.path.empty()) return mesh;
  if (open_everywhere(mesh.path, key, comm, mesh.file)) mesh.arrays = {};
  else if (kept)
    log::info("mesh: {} is not seen by all ranks: rank 0 sends them their parts, and later runs read {} again",
              mesh.path.string(), name);
  return mesh;
}

}  // namespace dgtd::mesh
