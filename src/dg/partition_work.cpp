#include "dgtd/dg/partition_work.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "dgtd/dg/order_choice.hpp"
#include "dgtd/mesh/added_layers.hpp"

namespace dgtd::dg {

// Ratios of one H200 in single precision (docs/notebook/2026-11-29-curved-elements-on-a-gpu.md); orders above 4 are
// refused.
int tenths_of_curved_element(int order) {
  constexpr std::array<int, 4> tenths{14, 15, 15, 22};
  return tenths[static_cast<std::size_t>(std::clamp(order, 1, 4) - 1)];
}

namespace {

constexpr int tenths_of_straight_element = 10;

/// [elements] whether their metric is that of each point, as Discretisation::is_curved says.
std::vector<std::uint8_t> elements_with_metric(const mesh::Subdomain& mesh, mesh::CurvedElements curved) {
  std::vector<std::uint8_t> with_metric(mesh.elements(), 0);
  if (curved != mesh::CurvedElements::full) return with_metric;
  for (const std::uint32_t e : mesh.curved)
    with_metric[e] = !mesh::is_layer_name(mesh.volume_names[mesh.element_group[e]]);
  return with_metric;
}

}  // namespace

mesh::ElementWork partition_work(const mesh::Subdomain& mesh, const TimeLevels& levels, const std::vector<int>& order,
                                 mesh::CurvedElements curved, const parallel::Communicator& comm) {
  mesh::ElementWork work = levels.finest > 0 ? work_of_levels(levels) : work_of_orders(order, comm);
  const std::vector<std::uint8_t> with_metric = elements_with_metric(mesh, curved);
  if (comm.max(std::int64_t{std::count(with_metric.begin(), with_metric.end(), 1) > 0}) == 0) return work;
  if (work.stages == 0) work.stages = 1, work.of_element.assign(mesh.elements(), 1);
  const auto stages = static_cast<std::size_t>(work.stages);
  for (std::size_t i = 0; i < work.of_element.size(); ++i) {
    const std::size_t e = i / stages;
    work.of_element[i] *= with_metric[e] ? tenths_of_curved_element(order[e]) : tenths_of_straight_element;
  }
  return work;
}

}  // namespace dgtd::dg
