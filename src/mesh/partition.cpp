#include "partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd::mesh {
namespace {

/// The dual graph in METIS' form: a vertex an element, an edge an inner face, each seen from both ends.
struct DualGraph {
  std::vector<idx_t> first;       // [elements + 1] into neighbours
  std::vector<idx_t> neighbours;  // [2 inner faces] elements
};

DualGraph dual_graph(const FaceAdjacency& adjacency) {
  DualGraph graph;
  graph.first.reserve(adjacency.behind.size() / 4 + 1);
  graph.first.push_back(0);
  graph.neighbours.reserve(adjacency.behind.size());
  for (std::size_t code = 0; code < adjacency.behind.size(); ++code) {
    if (!adjacency.boundary(code)) graph.neighbours.push_back(static_cast<idx_t>(adjacency.behind[code] / 4));
    if (code % 4 == 3) graph.first.push_back(static_cast<idx_t>(graph.neighbours.size()));
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

std::vector<int> partition(const GlobalMesh& mesh, const FaceAdjacency& adjacency, int parts) {
  const std::size_t elements = mesh.tetrahedra.size();
  if (parts < 1 || static_cast<std::size_t>(parts) > elements)
    throw Error(
        fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", mesh.source, parts, elements, elements));
  if (parts == 1) return std::vector<int>(elements, 0);
  if (adjacency.behind.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw Error(
        fmt::format("{}: {} elements are too many for this build of METIS (at most {}); use one with 64-bit idx_t",
                    mesh.source, elements, std::numeric_limits<idx_t>::max() / 4));

  DualGraph graph = dual_graph(adjacency);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // the largest part may have 1 % more than the mean: every rank waits for it
  idx_t vertices = static_cast<idx_t>(elements), constraints = 1, wanted = parts, cut = 0;
  std::vector<idx_t> part(elements);
  const int status = METIS_PartGraphKway(&vertices, &constraints, graph.first.data(), graph.neighbours.data(), nullptr,
                                         nullptr, nullptr, &wanted, nullptr, nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ExitCode::out_of_memory, fmt::format("{}: METIS is out of memory", mesh.source));
  if (status != METIS_OK)
    throw Error(ExitCode::other, fmt::format("{}: METIS failed with code {}", mesh.source, status));
  std::vector<int> result(part.begin(), part.end());
  if (const int filled = fill_empty_parts(result, parts); filled > 0)
    log::warn("{}: {} of {} ranks would have no elements, and took one each from others; fewer ranks are faster",
              mesh.source, filled, parts);
  return result;
}

std::vector<int> partition(const GlobalMesh& mesh, int parts) { return partition(mesh, pair_faces(mesh), parts); }

}  // namespace dgtd::mesh
