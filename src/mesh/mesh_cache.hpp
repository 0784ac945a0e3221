#pragma once
// The compact mesh file beside a mesh file: made when it is missing, outdated or damaged, and used afterwards.
#include <optional>

#include "compact_file.hpp"
#include "dgtd/base/timers.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// FILE.compact
std::filesystem::path compact_path(const std::filesystem::path& mesh_file);

/// A mesh from a file: on every rank the compact file, or, where that cannot be written or is not seen by all ranks,
/// arrays in root's memory.
struct StoredMesh {
  std::optional<CompactFile> file;
  CompactArrays arrays;
};

/// renew: an existing compact file is not used. Throws Error for a mesh file that is wrong. Adds the stages read/hash,
/// and where it converts read/parse, read/check, read/pair_faces, read/order, read/write. Collective.
StoredMesh open_mesh(const MeshSource& source, bool renew, const parallel::Communicator& comm, Timers& timers);

}  // namespace dgtd::mesh
