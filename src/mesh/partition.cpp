#include "partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd::mesh {

Partition Partition::along_curve(std::int64_t elements, int parts) {
  Partition partition;
  partition.elements_ = elements;
  partition.parts_ = parts;
  return partition;
}

Partition::Partition(std::vector<int> part, int parts)
    : elements_(static_cast<std::int64_t>(part.size())), parts_(parts), part_(std::move(part)) {}

// Along the curve rank r has the positions from floor(elements r / parts) on.
int Partition::owner(std::int64_t position) const {
  if (!is_along_curve()) return part_[static_cast<std::size_t>(position)];
  return static_cast<int>(((position + 1) * parts_ - 1) / elements_);
}

std::vector<Partition::Range> Partition::ranges(int rank) const {
  if (is_along_curve()) return {{elements_ * rank / parts_, elements_ * (rank + 1) / parts_}};
  std::vector<Range> ranges;
  for (std::int64_t p = 0; p < elements_; ++p) {
    if (part_[static_cast<std::size_t>(p)] != rank) continue;
    if (!ranges.empty() && ranges.back().last == p) ++ranges.back().last;
    else ranges.push_back({p, p + 1});
  }
  return ranges;
}

void Partition::broadcast(const parallel::Communicator& comm) {
  elements_ = comm.broadcast_value(elements_);
  parts_ = comm.broadcast_value(parts_);
  part_.resize(comm.broadcast_value(static_cast<std::uint64_t>(part_.size())));
  MPI_Bcast(part_.data(), static_cast<int>(part_.size()), MPI_INT, 0, comm.handle());
}

namespace {

/// The dual graph in METIS' form: each inner face is seen from both ends.
struct DualGraph {
  std::vector<idx_t> first;       // [elements + 1] into neighbours
  std::vector<idx_t> neighbours;  // [2 inner faces] elements
  std::vector<idx_t> face_work;   // [2 inner faces]; empty where all elements have the same work
};

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
int fill_empty_parts(std::vector<int>& part, int parts) {
  std::vector<std::vector<std::size_t>> elements(static_cast<std::size_t>(parts));
  for (std::size_t e = 0; e < part.size(); ++e) elements[static_cast<std::size_t>(part[e])].push_back(e);
  int filled = 0;
  for (int p = 0; p < parts; ++p) {
    if (!elements[static_cast<std::size_t>(p)].empty()) continue;
    auto& largest = *std::max_element(elements.begin(), elements.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
    part[largest.back()] = p;
    elements[static_cast<std::size_t>(p)].push_back(largest.back());
    largest.pop_back();
    ++filled;
  }
  return filled;
}

Partition without_empty_parts(std::vector<int>&& part, int parts, const std::string& source) {
  if (const int filled = fill_empty_parts(part, parts); filled > 0)
    log::warn("{}: {} of {} ranks would have no elements, and took one each from others; fewer ranks are faster",
              source, filled, parts);
  return {std::move(part), parts};
}

void require_enough(std::int64_t elements, int parts, const std::string& source) {
  if (parts < 1 || parts > elements)
    throw Error(fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", source, parts, elements, elements));
}

}  // namespace

Partition metis_partition(const CompactMesh& mesh, int parts, const std::string& source, const ElementWork& work) {
  const std::size_t elements = mesh.elements();
  require_enough(static_cast<std::int64_t>(elements), parts, source);
  if (parts == 1) return Partition::along_curve(static_cast<std::int64_t>(elements), 1);
  if (4 * elements > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw Error(fmt::format("{}: {} elements are too many for this build of METIS; use solver.partitioner = curve",
                            source, elements));

  const double all = std::accumulate(work.of_element.begin(), work.of_element.end(), 0.0);
  if (4 * all > static_cast<double>(std::numeric_limits<idx_t>::max()))
    throw Error(fmt::format(
        "{}: work of {:.0f} in all is too much for this build of METIS; use solver.partitioner = curve", source, all));

  DualGraph graph = dual_graph(mesh, work);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // the largest part may have 1 % more than the mean: every rank waits for it
  idx_t vertices = static_cast<idx_t>(elements), constraints = std::max(1, work.stages), wanted = parts, cut = 0;
  std::vector<idx_t> part(elements), weights(work.of_element.begin(), work.of_element.end());
  const auto given = [](std::vector<idx_t>& list) { return list.empty() ? nullptr : list.data(); };
  const int status =
      METIS_PartGraphKway(&vertices, &constraints, graph.first.data(), graph.neighbours.data(), given(weights), nullptr,
                          given(graph.face_work), &wanted, nullptr, nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ExitCode::out_of_memory, fmt::format("{}: METIS is out of memory", source));
  if (status != METIS_OK) throw Error(ExitCode::other, fmt::format("{}: METIS failed with code {}", source, status));
  return without_empty_parts({part.begin(), part.end()}, parts, source);
}

Partition curve_partition(std::int64_t elements, int parts, const std::string& source, const ElementWork& work) {
  require_enough(elements, parts, source);
  if (work.stages == 0 || parts == 1) return Partition::along_curve(elements, parts);
  const auto stages = static_cast<std::size_t>(work.stages);
  const std::vector<std::int64_t> total = total_work(work);
  std::vector<std::size_t> last(total.size(), 0);      // [positions] last stage with work
  std::vector<double> all(stages, 0), before(stages);  // [stages] work of the elements with this last stage
  for (std::size_t e = 0; e < total.size(); ++e) {
    for (std::size_t s = 0; s < stages; ++s)
      if (work.of_element[e * stages + s] > 0) last[e] = s;
    all[last[e]] += static_cast<double>(total[e]);
  }
  std::vector<int> part(total.size());
  for (std::size_t e = 0; e < total.size(); ++e) {
    const double mine = static_cast<double>(total[e]), middle = before[last[e]] + 0.5 * mine;
    before[last[e]] += mine;
    part[e] = all[last[e]] > 0 ? std::min(parts - 1, static_cast<int>(middle / all[last[e]] * parts)) : 0;
  }
  return without_empty_parts(std::move(part), parts, source);
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
