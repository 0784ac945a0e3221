#pragma once
// The compact mesh file of a mesh file: made when it is missing, outdated or damaged, and used afterwards.
#include <optional>

#include "dgtd/base/timers.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "mesh/compact/compact_file.hpp"

namespace dgtd::mesh {

/// FILE.compact beside the mesh file (Cache::beside, and generated meshes), or FILE.HASH.compact in user_meshes(),
/// where HASH is that of the mesh file's path; empty with Cache::off. A mesh with layers has a file of its own, with
/// their hash in HASH, or FILE.HASH.compact beside the mesh file.
std::filesystem::path compact_path(const MeshSource& source);

/// A mesh from a file: on every rank the compact file, or, where that is not wanted, cannot be written or is not seen
/// by all ranks, arrays in root's memory.
struct StoredMesh {
  std::filesystem::path path;  // of the compact file, as root determines it; empty: not wanted
  std::optional<CompactFile> file;
  CompactArrays arrays;
};

/// renew: an existing compact file is not used. Throws Error for a mesh file that is wrong. Adds the stages read/hash,
/// and where it converts read/parse, read/layers, read/check, read/pair_faces, read/order, read/write. Collective.
StoredMesh open_mesh(const MeshSource& source, bool renew, const parallel::Communicator& comm, Timers& timers);

}  // namespace dgtd::mesh
