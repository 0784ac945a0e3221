#pragma once
// Costs of elements where they differ, for the partition of a mesh.
#include <cstdint>
#include <functional>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// A step has stages that ranks compute one after the other, each with a part of the elements (levels of local time
/// steps). All ranks should have the same work in each of them.
struct ElementWork {
  int stages = 0;                         // 0: all elements have the same work, and the list is empty
  std::vector<int> of_element = {};       // [elements][stages] in any unit, 0 or more; the same unit in all stages
  std::vector<std::uint8_t> labels = {};  // [elements], or empty: what the part of the mesh gets back of its elements
  /// Whether messages take longer than a stage of few elements, as between devices: the elements of such stages that
  /// are beside each other are then on one rank, and labels are the last stages in which the elements' faces are
  /// exchanged.
  bool keeps_pieces = false;
};

/// Estimates the work of the elements of a subdomain; it is the same for an element in any partition. Called by all
/// ranks together.
using WorkEstimate = std::function<ElementWork(const Subdomain&)>;

/// [stages] work of the rank that has most over the mean of all ranks; empty where work has no stages. Collective.
std::vector<double> work_imbalance(const ElementWork& work, const parallel::Communicator& comm);

}  // namespace dgtd::mesh
