#include "dgtd/mesh/element_work.hpp"

namespace dgtd::mesh {

std::vector<double> work_imbalance(const ElementWork& work, const parallel::Communicator& comm) {
  const auto stages = static_cast<std::size_t>(work.stages);
  std::vector<double> mine(stages, 0.0);
  for (std::size_t i = 0; i < work.of_element.size(); ++i) mine[i % stages] += work.of_element[i];
  const std::vector<double> largest = comm.max(mine), sum = comm.sum(mine);
  std::vector<double> imbalance(stages);
  for (std::size_t s = 0; s < stages; ++s) imbalance[s] = sum[s] > 0 ? largest[s] * comm.size() / sum[s] : 1;
  return imbalance;
}

}  // namespace dgtd::mesh
