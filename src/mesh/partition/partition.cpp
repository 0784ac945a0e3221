#include "mesh/partition/partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "mesh/partition/balance_stages.hpp"

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

// METIS leaves parts empty where there are few elements for each. Each of them takes one from the largest part, of
// equal ones the first. Returns how many were empty.
int fill_empty_parts(std::vector<PartNumber>& part, int parts) {
  std::vector<std::size_t> count(static_cast<std::size_t>(parts), 0);
  for (const PartNumber p : part) ++count[p];
  const auto empty = static_cast<int>(std::count(count.begin(), count.end(), std::size_t{0}));
  if (empty == 0) return 0;
  std::vector<std::vector<std::size_t>> elements(count.size());
  for (std::size_t e = 0; e < part.size(); ++e) elements[part[e]].push_back(e);
  for (std::size_t p = 0; p < elements.size(); ++p) {
    if (!elements[p].empty()) continue;
    auto& largest = *std::max_element(elements.begin(), elements.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
    part[largest.back()] = static_cast<PartNumber>(p);
    elements[p].push_back(largest.back());
    largest.pop_back();
  }
  return empty;
}

/// log: whether this rank warns of parts that were empty.
Partition without_empty_parts(std::vector<PartNumber>&& part, int parts, const std::string& source, bool log = true) {
  if (const int filled = fill_empty_parts(part, parts); filled > 0 && log)
    log::warn("{}: {} of {} ranks would have no elements, and took one each from others; fewer ranks are faster",
              source, filled, parts);
  return {std::move(part), parts};
}

void require_enough(std::int64_t elements, int parts, const std::string& source) {
  if (parts < 1 || parts > elements)
    throw Error(fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", source, parts, elements, elements));
  if (parts > std::numeric_limits<PartNumber>::max() + 1)
    throw Error(fmt::format("{}: {} ranks; a mesh of a file is divided among at most 65536", source, parts));
}

/// Work of elements along the curve by the last stage in which they have any.
struct WorkByLastStage {
  std::vector<std::uint8_t> last;  // [elements]
  std::vector<int> work;           // [elements] in all stages
  std::vector<double> sum;         // [stages] of the elements with this last stage
};

WorkByLastStage by_last_stage(const ElementWork& work, std::size_t stages) {
  const std::size_t elements = work.of_element.size() / stages;
  WorkByLastStage result{std::vector<std::uint8_t>(elements, 0), std::vector<int>(elements, 0),
                         std::vector<double>(stages, 0.0)};
  for (std::size_t e = 0; e < elements; ++e) {
    for (std::size_t s = 0; s < stages; ++s) {
      const int of_stage = work.of_element[e * stages + s];
      result.work[e] += of_stage;
      if (of_stage > 0) result.last[e] = static_cast<std::uint8_t>(s);
    }
    result.sum[result.last[e]] += result.work[e];
  }
  return result;
}

/// Parts of consecutive elements. before: [stages] work of the elements before them; all: of the whole mesh.
std::vector<PartNumber> cut_each_stage(const WorkByLastStage& mine, std::vector<double> before,
                                       const std::vector<double>& all, int parts) {
  std::vector<PartNumber> part(mine.last.size(), 0);
  for (std::size_t e = 0; e < part.size(); ++e) {
    const std::size_t s = mine.last[e];
    const double middle = before[s] + 0.5 * mine.work[e];
    before[s] += mine.work[e];
    if (all[s] > 0) part[e] = static_cast<PartNumber>(std::min(parts - 1, static_cast<int>(middle / all[s] * parts)));
  }
  return part;
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

}  // namespace

Partition metis_partition(const CompactMesh& mesh, int parts, const std::string& source,
                          const ElementWork& exact_work) {
  const std::size_t elements = mesh.elements();
  require_enough(static_cast<std::int64_t>(elements), parts, source);
  if (parts == 1) return Partition::along_curve(static_cast<std::int64_t>(elements), 1);
  if (4 * elements > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw Error(fmt::format("{}: {} elements are too many for this build of METIS; use solver.partitioner = curve",
                            source, elements));

  const ElementWork work = work_for_metis(exact_work);
  DualGraph graph = dual_graph(mesh, work);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // the largest part may have 1 % more than the mean: every rank waits for it
  const StagedWork staged{work.stages, {work.of_element.begin(), work.of_element.end()}};
  StagedWork weights = work.stages > 0 ? merged_stages(staged, parts) : StagedWork{1, {}};
  idx_t vertices = static_cast<idx_t>(elements), constraints = weights.stages, wanted = parts, cut = 0;
  std::vector<idx_t> part(elements);
  const auto given = [](std::vector<idx_t>& list) { return list.empty() ? nullptr : list.data(); };
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.first.data(), graph.neighbours.data(),
                                         given(weights.of_element), nullptr, given(graph.face_work), &wanted, nullptr,
                                         nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ExitCode::out_of_memory, fmt::format("{}: METIS is out of memory", source));
  if (status != METIS_OK) throw Error(ExitCode::other, fmt::format("{}: METIS failed with code {}", source, status));
  if (work.stages > 0) balance_stages(graph, staged, parts, part);
  return without_empty_parts({part.begin(), part.end()}, parts, source);
}

Partition curve_partition(std::int64_t elements, int parts, const std::string& source, const ElementWork& work) {
  require_enough(elements, parts, source);
  if (work.stages == 0 || parts == 1) return Partition::along_curve(elements, parts);
  const WorkByLastStage whole = by_last_stage(work, static_cast<std::size_t>(work.stages));
  const std::vector<double> before(whole.sum.size(), 0.0);
  return without_empty_parts(cut_each_stage(whole, before, whole.sum, parts), parts, source);
}

// Sums of whole numbers are exact, so the parts do not depend on the number of ranks that compute them.
Partition curve_partition(std::int64_t elements, const std::string& source, const ElementWork& mine,
                          const parallel::Communicator& comm) {
  const int parts = comm.size();
  require_enough(elements, parts, source);
  const auto stages = static_cast<std::size_t>(comm.max(std::int64_t{mine.stages}));
  if (stages == 0 || parts == 1) return Partition::along_curve(elements, parts);
  const WorkByLastStage own = by_last_stage(mine, stages);
  std::vector<double> before(stages, 0.0);
  MPI_Exscan(own.sum.data(), before.data(), static_cast<int>(stages), MPI_DOUBLE, MPI_SUM, comm.handle());
  if (comm.is_root()) std::fill(before.begin(), before.end(), 0.0);  // MPI_Exscan leaves it undefined
  const std::vector<PartNumber> cut = cut_each_stage(own, before, comm.sum(own.sum), parts);

  std::vector<PartNumber> part(static_cast<std::size_t>(elements));
  std::vector<int> counts, firsts;  // below 2^31: a mesh of a file has fewer elements (pair_faces)
  const Partition equal = Partition::along_curve(elements, parts);
  for (int r = 0; r < parts; ++r) {
    const Partition::Range range = equal.ranges(r).front();
    firsts.push_back(static_cast<int>(range.first));
    counts.push_back(static_cast<int>(range.last - range.first));
  }
  MPI_Allgatherv(cut.data(), static_cast<int>(cut.size()), MPI_UINT16_T, part.data(), counts.data(), firsts.data(),
                 MPI_UINT16_T, comm.handle());
  return without_empty_parts(std::move(part), parts, source, comm.is_root());
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
