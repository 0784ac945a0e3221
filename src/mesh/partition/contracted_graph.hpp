#pragma once
// The dual graph with a vertex for each piece of a mesh (whole_pieces.hpp) in place of its elements.
#include <cstdint>
#include <vector>

#include "mesh/partition/balance_stages.hpp"

namespace dgtd::mesh {

struct ContractedGraph {
  std::vector<idx_t> vertex_of_element;  // [elements]
  DualGraph graph;                       // of the vertices; several faces between two are one edge with their work
  StagedWork work;                       // [vertices][stages], at most half of the mean of a part: METIS divides no
                                         // stage evenly of which a vertex has more, and the others neither
};

/// piece: [elements] the first element of each element's piece (whole_pieces), of a mesh that is on one rank.
ContractedGraph contract(const DualGraph& graph, const StagedWork& work, const std::vector<std::uint32_t>& piece,
                         int parts);

}  // namespace dgtd::mesh
