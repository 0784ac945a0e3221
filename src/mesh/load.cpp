#include "dgtd/mesh/load.hpp"

#include <fmt/format.h>

#include <optional>

#include "compact_part.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "distribute.hpp"
#include "generate_missing.hpp"
#include "mesh_cache.hpp"
#include "partition.hpp"

namespace dgtd::mesh {
namespace {

bool use_metis(Partitioner partitioner, std::int64_t elements) {
  constexpr std::int64_t most = 2'000'000;  // METIS takes about 1 s per million (docs/performance.md)
  return partitioner == Partitioner::metis || (partitioner == Partitioner::automatic && elements <= most);
}

/// mesh is read on root only. Collective.
Partition make_partition(const CompactMesh& mesh, Partitioner partitioner, const std::string& source,
                         const parallel::Communicator& comm) {
  Partition partition;
  parallel::root_or_throw(comm, [&] {
    const auto elements = static_cast<std::int64_t>(mesh.elements());
    const int parts = comm.size();
    if (parts > elements)
      throw Error(fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", source, parts, elements, elements));
    partition = parts > 1 && use_metis(partitioner, elements) ? metis_partition(mesh, parts, source)
                                                              : Partition::along_curve(elements, parts);
  });
  partition.broadcast(comm);
  return partition;
}

/// This rank's part from the file; nothing on any rank if the file is damaged. Collective.
std::optional<Subdomain> read_part(const CompactFile& file, Partitioner partitioner, const std::string& source,
                                   const parallel::Communicator& comm, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "partition");
  const bool for_graph = comm.is_root() && comm.size() > 1;
  const auto elements = static_cast<std::int64_t>(file.mesh().elements());
  const bool readable =
      !for_graph || !use_metis(partitioner, elements) || file.sound(CompactFile::behind, 0, file.mesh().elements());
  if (!comm.broadcast_value(readable)) return {};
  const Partition partition = make_partition(file.mesh(), partitioner, source, comm);
  stage.emplace(timers, "distribute");
  std::optional<Subdomain> mine;
  try {
    CompactFilePart part(file, partition, comm.rank());
    mine = assemble(comm.rank(), part);
  } catch (const CompactFilePart::Damaged&) {}
  if (comm.min(std::int64_t{mine.has_value()}) == 0) return {};
  share_totals(file.mesh(), *mine, comm);
  return mine;
}

/// The mesh file, which root makes where it is missing. Collective.
MeshSource with_file(MeshSource wanted, const parallel::Communicator& comm, Timers& timers) {
  if (wanted.generator != MeshSource::Generator::head_phone) return wanted;
  const auto reading = timers.measure("read"), generation = timers.measure("read/generate");
  parallel::root_or_throw(comm, [&] { wanted.file = generated_mesh(wanted); });
  wanted.file = comm.broadcast(comm.is_root() ? wanted.file.string() : "");
  return wanted;
}

Subdomain load_file(const MeshSource& asked, Partitioner partitioner, const parallel::Communicator& comm,
                    Timers& timers) {
  const MeshSource wanted = with_file(asked, comm, timers);
  const std::string source = wanted.file.filename().string();
  for (const bool renew : {false, true}) {
    std::optional<Timers::Scope> stage(std::in_place, timers, "read");
    const StoredMesh mesh = open_mesh(wanted, renew, comm, timers);
    stage.reset();
    if (mesh.file) {
      if (auto mine = read_part(*mesh.file, partitioner, source, comm, timers)) return std::move(*mine);
      if (comm.is_root()) log::warn("mesh: {} is damaged and is made anew", compact_path(wanted.file).string());
      continue;
    }
    stage.emplace(timers, "partition");
    const CompactMesh arrays = mesh.arrays.view();
    const Partition partition = make_partition(arrays, partitioner, source, comm);
    stage.emplace(timers, "distribute");
    return distribute(arrays, partition, comm);
  }
  throw Error(ExitCode::other, fmt::format("{} cannot be read back", compact_path(wanted.file).string()));
}

}  // namespace

Subdomain load(const MeshSource& mesh, Partitioner partitioner, const parallel::Communicator& comm, Timers& timers) {
  if (mesh.generator != MeshSource::Generator::box) return load_file(mesh, partitioner, comm, timers);
  const auto stage = timers.measure("read");
  return make_box(mesh.cells, mesh.size, comm);
}

Subdomain load(const MeshSource& mesh, const parallel::Communicator& comm) {
  Timers timers;
  return load(mesh, Partitioner::automatic, comm, timers);
}

}  // namespace dgtd::mesh
