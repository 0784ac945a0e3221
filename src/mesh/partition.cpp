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

Partition::Partition(std::int64_t elements, std::int64_t block, std::vector<int> part, int parts)
    : elements_(elements), block_(block), parts_(parts), part_(std::move(part)) {}

// Along the curve rank r has the positions from floor(elements r / parts) on.
int Partition::owner(std::int64_t position) const {
  if (block_ > 0) return part_[static_cast<std::size_t>(position / block_)];
  return static_cast<int>(((position + 1) * parts_ - 1) / elements_);
}

std::vector<Partition::Range> Partition::ranges(int rank) const {
  if (block_ == 0) return {{elements_ * rank / parts_, elements_ * (rank + 1) / parts_}};
  std::vector<Range> ranges;
  for (std::int64_t b = 0; b < static_cast<std::int64_t>(part_.size()); ++b) {
    if (part_[static_cast<std::size_t>(b)] != rank) continue;
    const std::int64_t first = b * block_, last = std::min(elements_, first + block_);
    if (!ranges.empty() && ranges.back().last == first) ranges.back().last = last;
    else ranges.push_back({first, last});
  }
  return ranges;
}

void Partition::broadcast(const parallel::Communicator& comm) {
  elements_ = comm.broadcast_value(elements_);
  block_ = comm.broadcast_value(block_);
  parts_ = comm.broadcast_value(parts_);
  part_.resize(comm.broadcast_value(static_cast<std::uint64_t>(part_.size())));
  MPI_Bcast(part_.data(), static_cast<int>(part_.size()), MPI_INT, 0, comm.handle());
}

std::int64_t metis_block(std::int64_t elements, int parts) {
  constexpr std::int64_t largest_graph = 400'000, least_blocks_per_part = 1'000;
  const std::int64_t wanted = (elements + largest_graph - 1) / largest_graph;
  return std::clamp<std::int64_t>(elements / (least_blocks_per_part * parts), 1, std::max<std::int64_t>(wanted, 1));
}

namespace {

/// The dual graph of blocks in METIS' form: each edge is seen from both ends.
struct DualGraph {
  std::vector<idx_t> first;              // [blocks + 1] into neighbours
  std::vector<idx_t> neighbours, faces;  // [edges] block, common faces
  std::vector<idx_t> elements;           // [blocks]
};

DualGraph dual_graph(const CompactMesh& mesh, std::int64_t block) {
  const auto elements = static_cast<std::int64_t>(mesh.elements());
  const std::int64_t blocks = (elements + block - 1) / block;
  DualGraph graph;
  graph.first.resize(static_cast<std::size_t>(blocks) + 1);
  graph.elements.resize(static_cast<std::size_t>(blocks));
  // The blocks next to block b with the number of common faces, ascending.
  const auto neighbours_of = [&](std::int64_t b, std::vector<idx_t>& seen, const auto& take) {
    seen.clear();
    for (std::int64_t e = b * block; e < std::min(elements, (b + 1) * block); ++e)
      for (const std::uint32_t code : mesh.behind[static_cast<std::size_t>(e)])
        if (code < FaceAdjacency::first_surface && code / 4 / block != b)
          seen.push_back(static_cast<idx_t>(code / 4 / block));
    std::sort(seen.begin(), seen.end());
    for (auto at = seen.begin(); at != seen.end();) {
      const auto end = std::upper_bound(at, seen.end(), *at);
      take(*at, static_cast<idx_t>(end - at));
      at = end;
    }
  };
#pragma omp parallel if (blocks > few_iterations)
  {
    std::vector<idx_t> seen;
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < blocks; ++b) {
      idx_t count = 0;
      neighbours_of(b, seen, [&](idx_t, idx_t) { ++count; });
      graph.first[static_cast<std::size_t>(b) + 1] = count;
      graph.elements[static_cast<std::size_t>(b)] = static_cast<idx_t>(std::min(elements, (b + 1) * block) - b * block);
    }
#pragma omp single
    {
      std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
      graph.neighbours.resize(static_cast<std::size_t>(graph.first.back()));
      graph.faces.resize(graph.neighbours.size());
    }
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < blocks; ++b) {
      auto next = static_cast<std::size_t>(graph.first[static_cast<std::size_t>(b)]);
      neighbours_of(b, seen, [&](idx_t neighbour, idx_t faces) {
        graph.neighbours[next] = neighbour;
        graph.faces[next++] = faces;
      });
    }
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

Partition metis_partition(const CompactMesh& mesh, std::int64_t block, int parts, const std::string& source) {
  const auto elements = static_cast<std::int64_t>(mesh.elements());
  const std::int64_t blocks = (elements + block - 1) / block;
  if (parts < 1 || parts > blocks)
    throw Error(fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", source, parts, elements, blocks));
  if (parts == 1) return Partition::along_curve(elements, 1);
  if (4 * blocks > std::numeric_limits<idx_t>::max())
    throw Error(fmt::format("{}: {} elements are too many for this build of METIS; use solver.partitioner = curve",
                            source, elements));

  DualGraph graph = dual_graph(mesh, block);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // the largest part may have 1 % more than the mean: every rank waits for it
  idx_t vertices = static_cast<idx_t>(blocks), constraints = 1, wanted = parts, cut = 0;
  std::vector<idx_t> part(static_cast<std::size_t>(blocks));
  const bool weighted = block > 1;
  const int status = METIS_PartGraphKway(
      &vertices, &constraints, graph.first.data(), graph.neighbours.data(), weighted ? graph.elements.data() : nullptr,
      nullptr, weighted ? graph.faces.data() : nullptr, &wanted, nullptr, nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ExitCode::out_of_memory, fmt::format("{}: METIS is out of memory", source));
  if (status != METIS_OK) throw Error(ExitCode::other, fmt::format("{}: METIS failed with code {}", source, status));
  std::vector<int> result(part.begin(), part.end());
  if (const int filled = fill_empty_parts(result, parts); filled > 0)
    log::warn("{}: {} of {} ranks would have no elements, and took one each from others; fewer ranks are faster",
              source, filled, parts);
  return {elements, block, std::move(result), parts};
}

std::vector<int> partition(const GlobalMesh& mesh, int parts) {
  const CompactArrays arrays = make_compact(mesh, pair_faces(mesh));
  const Partition partition = metis_partition(arrays.view(), 1, parts, mesh.source);
  std::vector<int> part(mesh.tetrahedra.size());
  for (std::size_t p = 0; p < part.size(); ++p)
    part[arrays.element_id[p]] = partition.owner(static_cast<std::int64_t>(p));
  return part;
}

}  // namespace dgtd::mesh
