#include "mesh/partition/contracted_graph.hpp"

#include <algorithm>

namespace dgtd::mesh {

constexpr double most_of_mean_work = 0.5;

ContractedGraph contract(const DualGraph& graph, const StagedWork& work, const std::vector<std::uint32_t>& piece,
                         int parts) {
  const std::size_t elements = piece.size();
  const auto stages = static_cast<std::size_t>(work.stages);
  ContractedGraph result;
  result.work.stages = work.stages;
  std::vector<idx_t>& vertex = result.vertex_of_element;
  vertex.resize(elements);
  std::vector<idx_t> first{0};  // [vertices + 1] into members
  for (std::size_t e = 0; e < elements; ++e) {
    if (piece[e] == e) {
      vertex[e] = static_cast<idx_t>(first.size() - 1);
      first.push_back(0);
    } else {
      vertex[e] = vertex[piece[e]];  // a piece begins with its first element
    }
    ++first[static_cast<std::size_t>(vertex[e]) + 1];
  }
  const std::size_t vertices = first.size() - 1;
  for (std::size_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
  std::vector<idx_t> members(elements), next(first.begin(), first.end() - 1);
  for (std::size_t e = 0; e < elements; ++e)
    members[static_cast<std::size_t>(next[static_cast<std::size_t>(vertex[e])]++)] = static_cast<idx_t>(e);

  result.work.of_element.assign(vertices * stages, 0);
  std::vector<double> sum(stages, 0.0);
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t s = 0; s < stages; ++s) {
      const idx_t of_element = work.of_element[e * stages + s];
      result.work.of_element[static_cast<std::size_t>(vertex[e]) * stages + s] += of_element;
      sum[s] += of_element;
    }
  for (std::size_t i = 0; i < result.work.of_element.size(); ++i) {
    idx_t& of_vertex = result.work.of_element[i];
    of_vertex = std::min(of_vertex, std::max(idx_t{1}, static_cast<idx_t>(most_of_mean_work * sum[i % stages] / parts)));
  }

  result.graph.first.push_back(0);
  std::vector<std::ptrdiff_t> place(vertices, -1);  // of an edge to the vertex, if it is not before the present vertex
  std::vector<idx_t>&neighbours = result.graph.neighbours, &face_work = result.graph.face_work;
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto begin = static_cast<std::ptrdiff_t>(neighbours.size());
    for (idx_t m = first[v]; m < first[v + 1]; ++m) {
      const auto e = static_cast<std::size_t>(members[static_cast<std::size_t>(m)]);
      for (auto i = static_cast<std::size_t>(graph.first[e]); i < static_cast<std::size_t>(graph.first[e + 1]); ++i) {
        const auto to = static_cast<std::size_t>(vertex[static_cast<std::size_t>(graph.neighbours[i])]);
        if (to == v) continue;
        const idx_t faces = graph.face_work.empty() ? 1 : graph.face_work[i];
        if (place[to] < begin) {
          place[to] = static_cast<std::ptrdiff_t>(neighbours.size());
          neighbours.push_back(static_cast<idx_t>(to));
          face_work.push_back(faces);
        } else {
          face_work[static_cast<std::size_t>(place[to])] += faces;
        }
      }
    }
    result.graph.first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  return result;
}

}  // namespace dgtd::mesh
