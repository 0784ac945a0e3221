#pragma once
// Programs that were built for the lower orders only (DGTD_MAX_ORDER) run the tests of these orders.
#include <initializer_list>
#include <vector>

#include "dgtd/dg/kernel_table.hpp"

namespace dgtd::dg {

/// Those of the given orders that this program has kernels for: all of them in a build for six orders.
inline std::vector<int> built_orders(std::initializer_list<int> orders) {
  std::vector<int> built;
  for (const int order : orders)
    if (order <= highest_order()) built.push_back(order);
  return built;
}

}  // namespace dgtd::dg
