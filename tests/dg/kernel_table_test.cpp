// A program that was built for the lower orders only says so.
#include "dgtd/dg/kernel_table.hpp"

#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "support/error_message.hpp"

namespace dgtd::dg {
namespace {

TEST(KernelTable, OrdersThatWereNotBuiltAreRefused) {
  EXPECT_NO_THROW(check_order(4, 4));
  EXPECT_EQ(message([] { check_order(5, 4); }),
            "solver.order = 5: this program was built for orders up to 4; build with -DDGTD_MAX_ORDER=6 or "
            "scripts/build.sh");
}

TEST(KernelTable, OrdersWithoutCurvedElementsAreRefused) {
  EXPECT_NO_THROW(check_curved_order(4));
  EXPECT_EQ(message([] { check_curved_order(5); }),
            "mesh.curved = full: solver.order = 5: elements have their metric at each point up to order 4; mesh.curved = "
            "mean is allowed for all orders");
}

TEST(KernelTable, OrdersThatWereBuiltHaveKernels) {
  EXPECT_NO_THROW(check_order(highest_order()));
  EXPECT_THROW(check_order(highest_order() + 1), Error);
  EXPECT_THROW(kernel_table<double>(highest_order() + 1), Error);
  for (int order = 1; order <= highest_order(); ++order) {
    EXPECT_NE(kernel_table<float>(order).stages.volume, nullptr);
    EXPECT_NE(kernel_table<double>(order).stages.volume, nullptr);
  }
}

}  // namespace
}  // namespace dgtd::dg
