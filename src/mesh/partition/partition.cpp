#include "mesh/partition/partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "mesh/partition/balance_stages.hpp"
#include "mesh/partition/contracted_graph.hpp"
#include "mesh/partition/nonempty_parts.hpp"

namespace dgtd::mesh {

Partition Partition::along_curve(std::int64_t elements, int parts) {
  Partition partition;
  partition.elements_ = elements;
  partition.parts_ = parts;
  return partition;
}

Partition::Partition(std::vector<PartNumber> part, int parts)
    : elements_(static_cast<std::int64_t>(part.size())), parts_(parts), part_(std::move(part)) {}

namespace {

void append(std::int64_t position, std::vector<Partition::Range>& ranges) {
  if (!ranges.empty() && ranges.back().last == position) ++ranges.back().last;
  else ranges.push_back({position, position + 1});
}

}  // namespace

// Along the curve rank r has the positions from floor(elements r / parts) on.
int Partition::owner(std::int64_t position) const {
  if (!is_along_curve()) return part_[static_cast<std::size_t>(position)];
  return static_cast<int>(((position + 1) * parts_ - 1) / elements_);
}

std::vector<Partition::Range> Partition::ranges(int rank) const {
  if (is_along_curve()) return {{elements_ * rank / parts_, elements_ * (rank + 1) / parts_}};
  std::vector<Range> ranges;
  for (std::int64_t p = 0; p < elements_; ++p)
    if (part_[static_cast<std::size_t>(p)] == rank) append(p, ranges);
  return ranges;
}

std::vector<std::vector<Partition::Range>> Partition::ranges() const {
  std::vector<std::vector<Range>> all(static_cast<std::size_t>(parts_));
  if (is_along_curve())
    for (int rank = 0; rank < parts_; ++rank) all[static_cast<std::size_t>(rank)] = ranges(rank);
  else
    for (std::int64_t p = 0; p < elements_; ++p) append(p, all[part_[static_cast<std::size_t>(p)]]);
  return all;
}

void Partition::broadcast(const parallel::Communicator& comm) {
  elements_ = comm.broadcast_value(elements_);
  parts_ = comm.broadcast_value(parts_);
  part_.resize(comm.broadcast_value(static_cast<std::uint64_t>(part_.size())));
  constexpr std::size_t piece = std::size_t{1} << 28;  // MPI counts have 32 bits
  for (std::size_t at = 0; at < part_.size(); at += piece)
    MPI_Bcast(part_.data() + at, static_cast<int>(std::min(piece, part_.size() - at)), MPI_UINT16_T, 0, comm.handle());
}

namespace {

/// Work of each element in all stages together, [positions]; empty where all elements have the same work.
std::vector<std::int64_t> total_work(const ElementWork& work) {
  const auto stages = static_cast<std::size_t>(work.stages);
  std::vector<std::int64_t> total(stages == 0 ? 0 : work.of_element.size() / stages, 0);
  for (std::size_t i = 0; i < work.of_element.size(); ++i) total[i / stages] += work.of_element[i];
  return total;
}

// A face is exchanged about as often as that of its elements is updated which has less work.
DualGraph dual_graph(const CompactMesh& mesh, const ElementWork& work) {
  DualGraph graph;
  const std::vector<std::int64_t> total = total_work(work);
  graph.first.reserve(mesh.elements() + 1);
  graph.first.push_back(0);
  graph.neighbours.reserve(4 * mesh.elements());
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    for (const std::uint32_t code : mesh.behind[e]) {
      if (code >= FaceAdjacency::first_surface) continue;
      graph.neighbours.push_back(static_cast<idx_t>(code / 4));
      if (!total.empty()) graph.face_work.push_back(static_cast<idx_t>(std::min(total[e], total[code / 4])));
    }
    graph.first.push_back(static_cast<idx_t>(graph.neighbours.size()));
  }
  return graph;
}

// The work in units so large that METIS can add up all of it; an element that has work keeps some.
ElementWork work_for_metis(const ElementWork& exact) {
  const double all = std::accumulate(exact.of_element.begin(), exact.of_element.end(), 0.0),
               most = 0.25 * static_cast<double>(std::numeric_limits<idx_t>::max());
  ElementWork work = exact;
  if (all <= most) return work;
  const double unit = all / (0.5 * most);
  for (auto& w : work.of_element)
    if (w > 0) w = std::max(1, static_cast<int>(std::lround(w / unit)));
  return work;
}

/// The part of each vertex. staged: its work, or no stages.
std::vector<idx_t> divide(DualGraph& graph, const StagedWork& staged, int parts, const std::string& source) {
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // the largest part may have 1 % more than the mean: every rank waits for it
  StagedWork weights = staged.stages > 0 ? merged_stages(staged, parts) : StagedWork{1, {}};
  idx_t vertices = static_cast<idx_t>(graph.first.size() - 1), constraints = weights.stages, wanted = parts, cut = 0;
  std::vector<idx_t> part(static_cast<std::size_t>(vertices));
  const auto given = [](std::vector<idx_t>& list) { return list.empty() ? nullptr : list.data(); };
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.first.data(), graph.neighbours.data(),
                                         given(weights.of_element), nullptr, given(graph.face_work), &wanted, nullptr,
                                         nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ExitCode::out_of_memory, fmt::format("{}: METIS is out of memory", source));
  if (status != METIS_OK) throw Error(ExitCode::other, fmt::format("{}: METIS failed with code {}", source, status));
  if (staged.stages > 0) balance_stages(graph, staged, parts, part);
  return part;
}

}  // namespace

Partition metis_partition(const CompactMesh& mesh, int parts, const std::string& source, const ElementWork& exact_work,
                          const std::vector<std::uint32_t>& piece) {
  const std::size_t elements = mesh.elements();
  require_enough(static_cast<std::int64_t>(elements), parts, source);
  if (parts == 1) return Partition::along_curve(static_cast<std::int64_t>(elements), 1);
  if (4 * elements > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw Error(fmt::format("{}: {} elements are too many for this build of METIS; use solver.partitioner = curve",
                            source, elements));

  const ElementWork work = work_for_metis(exact_work);
  DualGraph graph = dual_graph(mesh, work);
  const StagedWork staged{work.stages, {work.of_element.begin(), work.of_element.end()}};
  std::vector<idx_t> part;
  if (piece.empty()) {
    part = divide(graph, staged, parts, source);
  } else {
    ContractedGraph pieces = contract(graph, staged, piece, parts);
    const std::vector<idx_t> part_of_vertex = divide(pieces.graph, pieces.work, parts, source);
    for (const idx_t vertex : pieces.vertex_of_element)
      part.push_back(part_of_vertex[static_cast<std::size_t>(vertex)]);
  }
  return without_empty_parts({part.begin(), part.end()}, parts, source);
}

std::vector<int> partition(const GlobalMesh& mesh, int parts) {
  const CompactArrays arrays = make_compact(mesh, pair_faces(mesh));
  const Partition partition = metis_partition(arrays.view(), parts, mesh.source);
  std::vector<int> part(mesh.tetrahedra.size());
  for (std::size_t p = 0; p < part.size(); ++p)
    part[arrays.element_id[p]] = partition.owner(static_cast<std::int64_t>(p));
  return part;
}

}  // namespace dgtd::mesh
