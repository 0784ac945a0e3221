#include "dgtd/dg/kernel_table.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <utility>

#include "dgtd/base/error.hpp"

namespace dgtd::dg {

namespace {

template <class Real, int... order_less_one>
auto make_kernel_tables(std::integer_sequence<int, order_less_one...>) {
  return std::array{make_kernel_table<order_less_one + 1, Real>()...};
}

}  // namespace

int highest_order() { return DGTD_MAX_ORDER; }

void check_order(int order, int highest) {
  if (order <= highest) return;
  throw Error(
      fmt::format("solver.order = {}: this program was built for orders up to {}; build with -DDGTD_MAX_ORDER=6 or "
                  "scripts/build.sh",
                  order, highest));
}

void check_curved_order(int order) {
  if (order > highest_curved_order)
    throw Error(fmt::format("mesh.curved = full: solver.order = {}: elements have their metric at each point up to order {}; "
                            "mesh.curved = mean is allowed for all orders",
                            order, highest_curved_order));
}

template <class Real>
const KernelTable<Real>& kernel_table(int order) {
  static const auto tables = make_kernel_tables<Real>(std::make_integer_sequence<int, DGTD_MAX_ORDER>());
  check_order(order);
  assert(order >= 1);
  return tables[order - 1];
}

template const KernelTable<float>& kernel_table<float>(int);
template const KernelTable<double>& kernel_table<double>(int);

}  // namespace dgtd::dg
