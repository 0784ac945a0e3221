#include "partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>

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
};

DualGraph dual_graph(const CompactMesh& mesh) {
  DualGraph graph;
  graph.first.reserve(mesh.elements() + 1);
  graph.first.push_back(0);
  graph.neighbours.reserve(4 * mesh.elements());
  for (const auto& faces : mesh.behind) {
    for (const std::uint32_t code : faces)
      if (code < FaceAdjacency::first_surface) graph.neighbours.push_back(static_cast<idx_t>(code / 4));
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

}  // namespace

Partition metis_partition(const CompactMesh& mesh, int parts, const std::string& source) {
  const std::size_t elements = mesh.elements();
  if (parts < 1 || static_cast<std::size_t>(parts) > elements)
    throw Error(fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", source, parts, elements, elements));
  if (parts == 1) return Partition::along_curve(static_cast<std::int64_t>(elements), 1);
  if (4 * elements > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw Error(fmt::format("{}: {} elements are too many for this build of METIS; use solver.partitioner = curve",
                            source, elements));

  DualGraph graph = dual_graph(mesh);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // the largest part may have 1 % more than the mean: every rank waits for it
  idx_t vertices = static_cast<idx_t>(elements), constraints = 1, wanted = parts, cut = 0;
  std::vector<idx_t> part(elements);
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.first.data(), graph.neighbours.data(), nullptr,
                                         nullptr, nullptr, &wanted, nullptr, nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ExitCode::out_of_memory, fmt::format("{}: METIS is out of memory", source));
  if (status != METIS_OK) throw Error(ExitCode::other, fmt::format("{}: METIS failed with code {}", source, status));
  std::vector<int> result(part.begin(), part.end());
  if (const int filled = fill_empty_parts(result, parts); filled > 0)
    log::warn("{}: {} of {} ranks would have no elements, and took one each from others; fewer ranks are faster",
              source, filled, parts);
  return {std::move(result), parts};
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
