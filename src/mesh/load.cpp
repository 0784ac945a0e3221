#include "dgtd/mesh/load.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "compact_part.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/parallel/exchange_lists.hpp"
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

/// mesh and work are used on root only. Collective.
Partition make_partition(const CompactMesh& mesh, Partitioner partitioner, const ElementWork& work,
                         const std::string& source, const parallel::Communicator& comm) {
  Partition partition;
  parallel::root_or_throw(comm, [&] {
    const auto elements = static_cast<std::int64_t>(mesh.elements());
    const int parts = comm.size();
    partition = use_metis(partitioner, elements) ? metis_partition(mesh, parts, source, work)
                                                 : curve_partition(elements, parts, source, work);
  });
  partition.broadcast(comm);
  return partition;
}

using Labels = std::optional<std::vector<std::uint8_t>>;

/// From equal ranges of the curve to the elements of the parts, which ascend in position as well. Collective.
Labels hand_on(const std::vector<std::uint8_t>& mine, const Partition& partition, const parallel::Communicator& comm) {
  std::vector<std::vector<std::uint8_t>> lists(static_cast<std::size_t>(comm.size()));
  std::int64_t position = partition.elements() * comm.rank() / comm.size();
  for (const std::uint8_t label : mine) lists[static_cast<std::size_t>(partition.owner(position++))].push_back(label);
  return parallel::exchange_lists(lists, comm);
}

/// Work of all elements, [positions][stages], on root. mine: of this rank's range of the curve. Collective.
ElementWork gather(const ElementWork& mine, const parallel::Communicator& comm) {
  return {static_cast<int>(comm.max(std::int64_t{mine.stages})), comm.gather_vectors(mine.of_element), {}};
}

/// A mesh that root or each rank has, and how a rank gets its part of it.
struct WholeMesh {
  const CompactMesh& mesh;
  const std::string& source;  // for messages
  Partitioner partitioner;
  const WorkEstimate& work;  // may be empty
  Labels* labels;            // null: not wanted
  /// Collective; nothing on any rank if the mesh cannot be read.
  std::function<std::optional<Subdomain>(const Partition&)> part;
};

/// This rank's part, with the work of each stage balanced; nothing on any rank if the mesh cannot be read. The work of
/// an element is estimated where its neighbours are known as well, in equal ranges of the curve. Collective.
std::optional<Subdomain> divide(const WholeMesh& whole, const parallel::Communicator& comm, Timers& timers) {
  std::optional<Timers::Scope> stage(std::in_place, timers, "partition");
  ElementWork work, mine;
  std::optional<Subdomain> equal_range;
  if (whole.work && comm.size() > 1) {
    const auto part = timers.measure("partition/work");
    equal_range = whole.part(make_partition(whole.mesh, Partitioner::curve, {}, whole.source, comm));
    if (!equal_range) return {};
    mine = whole.work(*equal_range);
    work = gather(mine, comm);
  }
  const Partition partition = make_partition(whole.mesh, whole.partitioner, work, whole.source, comm);
  if (equal_range && whole.labels != nullptr) *whole.labels = hand_on(mine.labels, partition, comm);
  if (equal_range && partition.is_along_curve()) return equal_range;
  equal_range.reset();
  stage.emplace(timers, "distribute");
  return whole.part(partition);
}

/// This rank's part from the file; nothing on any rank if the file is damaged. Collective.
std::optional<Subdomain> read_part(const CompactFile& file, const Partition& partition,
                                   const parallel::Communicator& comm) {
  std::optional<Subdomain> mine;
  try {
    CompactFilePart part(file, partition, comm.rank());
    mine = assemble(comm.rank(), part);
  } catch (const CompactFilePart::Damaged&) {}
  if (comm.min(std::int64_t{mine.has_value()}) == 0) return {};
  share_totals(file.mesh(), *mine, comm);
  return mine;
}

/// Whether root can read what METIS needs. Collective.
bool graph_is_sound(const CompactFile& file, Partitioner partitioner, const parallel::Communicator& comm,
                    Timers& timers) {
  const auto stage = timers.measure("partition");
  const std::size_t elements = file.mesh().elements();
  const bool needed = comm.is_root() && comm.size() > 1 && use_metis(partitioner, static_cast<std::int64_t>(elements));
  return comm.broadcast_value(!needed || file.sound(CompactFile::behind, 0, elements));
}

/// The mesh file, which root makes where it is missing. Collective.
MeshSource with_file(MeshSource wanted, const parallel::Communicator& comm, Timers& timers) {
  if (wanted.generator != MeshSource::Generator::head_phone) return wanted;
  const auto reading = timers.measure("read"), generation = timers.measure("read/generate");
  parallel::root_or_throw(comm, [&] { wanted.file = generated_mesh(wanted); });
  wanted.file = comm.broadcast(comm.is_root() ? wanted.file.string() : "");
  return wanted;
}

Subdomain load_file(const MeshSource& asked, Partitioner partitioner, const WorkEstimate& work, Labels* labels,
                    const parallel::Communicator& comm, Timers& timers) {
  const MeshSource wanted = with_file(asked, comm, timers);
  const std::string source = wanted.file.filename().string();
  std::string compact;
  for (const bool renew : {false, true}) {
    std::optional<Timers::Scope> stage(std::in_place, timers, "read");
    const StoredMesh mesh = open_mesh(wanted, renew, comm, timers);
    stage.reset();
    if (!mesh.file) {
      const CompactMesh arrays = mesh.arrays.view();
      return *divide({arrays, source, partitioner, work, labels,
                      [&](const Partition& partition) { return distribute(arrays, partition, comm); }},
                     comm, timers);
    }
    if (graph_is_sound(*mesh.file, partitioner, comm, timers))
      if (auto mine = divide({mesh.file->mesh(), source, partitioner, work, labels,
                              [&](const Partition& partition) { return read_part(*mesh.file, partition, comm); }},
                             comm, timers))
        return std::move(*mine);
    compact = mesh.path.string();
    if (comm.is_root()) log::warn("mesh: {} is damaged and is made anew", compact);
  }
  throw Error(ExitCode::other, fmt::format("{} cannot be read back", compact));
}

}  // namespace

Subdomain load(const MeshSource& mesh, Partitioner partitioner, const parallel::Communicator& comm, Timers& timers,
               const WorkEstimate& work, Labels* labels) {
  if (mesh.generator != MeshSource::Generator::box) return load_file(mesh, partitioner, work, labels, comm, timers);
  const auto stage = timers.measure("read");
  return make_box(mesh.cells, mesh.size, comm, mesh.layers, mesh.periodic);
}

Subdomain load(const MeshSource& mesh, const parallel::Communicator& comm) {
  Timers timers;
  return load(mesh, Partitioner::automatic, comm, timers);
}

}  // namespace dgtd::mesh
