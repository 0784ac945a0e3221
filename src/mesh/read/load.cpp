#include "dgtd/mesh/load.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "dgtd/base/log.hpp"
#include "dgtd/parallel/exchange_lists.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "mesh/generate/generate_missing.hpp"
#include "mesh/partition/compact_part.hpp"
#include "mesh/partition/distribute.hpp"
#include "mesh/partition/nonempty_parts.hpp"
#include "mesh/partition/partition.hpp"
#include "mesh/partition/whole_pieces.hpp"
#include "mesh/quality/curvature.hpp"
#include "mesh/read/mesh_cache.hpp"

namespace dgtd::mesh {
namespace {

bool use_metis(Partitioner partitioner, std::int64_t elements) {
  constexpr std::int64_t most = 2'000'000;  // METIS takes about 1 s per million (docs/notebook/2026-11-22-set-up.md)
  return partitioner == Partitioner::metis || (partitioner == Partitioner::automatic && elements <= most);
}

/// Work of all elements, [positions][stages], on root. mine: of this rank's range of the curve. Collective.
ElementWork gather(const ElementWork& mine, const parallel::Communicator& comm) {
  return {static_cast<int>(comm.max(std::int64_t{mine.stages})), comm.gather_vectors(mine.of_element), {}};
}

/// mine, piece: work and Pieces::of_element of this rank's range of the curve, or none. METIS is used on root alone,
/// which then has those of all elements. Collective.
Partition make_partition(const CompactMesh& mesh, Partitioner partitioner, const ElementWork& mine,
                         const std::vector<std::uint32_t>& piece, const std::string& source,
                         const parallel::Communicator& comm) {
  // Only root has the arrays of a mesh without a compact file.
  const std::int64_t elements = comm.broadcast_value(static_cast<std::int64_t>(mesh.elements()));
  if (!use_metis(partitioner, elements)) return curve_partition(elements, source, mine, piece, comm);
  const ElementWork work = gather(mine, comm);
  const std::vector<std::uint32_t> all_pieces = comm.gather_vectors(piece);
  Partition partition;
  parallel::root_or_throw(comm, [&] { partition = metis_partition(mesh, comm.size(), source, work, all_pieces); });
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
  ElementWork mine;
  Pieces pieces;
  std::optional<Subdomain> equal_range;
  if (whole.work && comm.size() > 1) {
    const auto part = timers.measure("partition/work");
    equal_range = whole.part(make_partition(whole.mesh, Partitioner::curve, {}, {}, whole.source, comm));
    if (!equal_range) return {};
    mine = whole.work(*equal_range);
    const Partition ranges = Partition::along_curve(equal_range->global_elements, comm.size());
    pieces = whole_pieces({*equal_range, ranges.ranges(comm.rank()).front().first}, mine, comm.size(), comm);
  }
  const Partition partition =
      make_partition(whole.mesh, whole.partitioner, divided_work(mine, pieces), pieces.of_element, whole.source, comm);
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
    part.add_curved_elements_to(*mine);
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
                      [&](const Partition& partition) -> std::optional<Subdomain> {
                        Subdomain mine = distribute(arrays, partition, comm);
                        apply_curvature(wanted, mine, comm);
                        return mine;
                      }},
                     comm, timers);
    }
    if (graph_is_sound(*mesh.file, partitioner, comm, timers))
      if (auto mine = divide({mesh.file->mesh(), source, partitioner, work, labels,
                              [&](const Partition& partition) {
                                auto part = read_part(*mesh.file, partition, comm);
                                if (part) apply_curvature(wanted, *part, comm);
                                return part;
                              }},
                             comm, timers))
        return std::move(*mine);
    compact = mesh.path.string();
    if (comm.is_root()) log::warn("mesh: {} is damaged and is made anew", compact);
  }
  throw Error(ExitCode::other, fmt::format("{} cannot be read back", compact));
}

}  // namespace

std::vector<int> owners(const Subdomain& whole, Partitioner partitioner, int parts, const std::string& source,
                        const ElementWork& work) {
  const auto elements = static_cast<std::int64_t>(whole.elements());
  require_enough(elements, parts, source);
  CompactArrays arrays;  // what metis_partition() reads of them
  arrays.element_id.resize(whole.elements());
  arrays.behind.resize(whole.elements());
  for (std::size_t e = 0; e < whole.elements(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const FaceLink& link = whole.element_faces[e][f];
      if (link.kind == FaceLink::Kind::halo)
        throw Error(ExitCode::other, fmt::format("{}: owners() needs the whole mesh on one rank", source));
      arrays.behind[e][f] = link.kind == FaceLink::Kind::boundary ? FaceAdjacency::first_surface + link.index
                                                                  : 4 * link.index + link.face;
    }
  const Pieces pieces = whole_pieces({whole, 0}, work, parts, parallel::Communicator(MPI_COMM_SELF));
  const ElementWork divided = divided_work(work, pieces);
  const Partition partition = use_metis(partitioner, elements)
                                  ? metis_partition(arrays.view(), parts, source, divided, pieces.of_element)
                                  : curve_partition(elements, parts, source, divided, pieces.of_element);
  std::vector<int> owner(whole.elements());
  for (std::size_t e = 0; e < owner.size(); ++e) owner[e] = partition.owner(static_cast<std::int64_t>(e));
  return owner;
}

Subdomain load(const MeshSource& mesh, Partitioner partitioner, const parallel::Communicator& comm, Timers& timers,
               const WorkEstimate& work, Labels* labels) {
  if (mesh.generator != MeshSource::Generator::box) {
    Subdomain mine = load_file(mesh, partitioner, work, labels, comm, timers);
    log_curvature(mine, comm);
    return mine;
  }
  const auto stage = timers.measure("read");
  return make_box(mesh.cells, mesh.size, comm, mesh.layers, mesh.periodic);
}

Subdomain load(const MeshSource& mesh, const parallel::Communicator& comm) {
  Timers timers;
  return load(mesh, Partitioner::automatic, comm, timers);
}

}  // namespace dgtd::mesh
