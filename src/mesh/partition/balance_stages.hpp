#pragma once
// Moves elements between the parts of a partition until each part has its share of the work of every stage.
#include <metis.h>

#include <vector>

namespace dgtd::mesh {

/// The dual graph in METIS' form: each inner face is seen from both ends.
struct DualGraph {
  std::vector<idx_t> first;       // [elements + 1] into neighbours
  std::vector<idx_t> neighbours;  // [2 inner faces] elements
  std::vector<idx_t> face_work;   // [2 inner faces]; empty where all elements have the same work
};

/// Work of elements in stages, each of which is a part of those before it (mesh/element_work.hpp).
struct StagedWork {
  int stages;
  std::vector<idx_t> of_element;  // [elements][stages]
};

/// Constraints for METIS, [elements][constraints]: stages with fewer than 16 elements per part are added to the stage
/// before them. METIS cannot divide them evenly and gives up the other stages as well: head_m0 on 128 parts had 2.7 times
/// the mean in every stage.
StagedWork merged_stages(const StagedWork& work, int parts);

/// Brings the work of each part in each stage to at most 1.05 of the mean, or to the next whole element, where it is not
/// yet there; then moves elements to parts with which they have more faces in common, within these bounds.
/// part: [elements], in 0 ... parts - 1. Deterministic.
void balance_stages(const DualGraph& graph, const StagedWork& work, int parts, std::vector<idx_t>& part);

}  // namespace dgtd::mesh
