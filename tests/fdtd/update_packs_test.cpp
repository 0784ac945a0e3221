// Rows in registers (kernels/update_packs.hpp) give the bits of rows in arrays (kernels/update_field.hpp).
#include "dgtd/fdtd/kernels/update_packs.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "two_tiles.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0);
}

template <class Real, RowKind kind>
void expect_same_bits(std::array<bool, 3> layers, bool damped = false) {
  TwoTiles<Real> arrays(layers, kind.mixed), registers(layers, kind.mixed);
  const std::vector<Real> before = arrays.field();
  arrays.template update<kind>(false, damped);
  registers.template update<kind>(true, damped);
  EXPECT_FALSE(same_bits(arrays.field(), before));
  EXPECT_TRUE(same_bits(arrays.field(), registers.field()));
  for (int a = 0; a < 3; ++a) EXPECT_TRUE(same_bits(arrays.sums(a), registers.sums(a))) << "axis " << a;
}

template <class Real, Difference direction>
void expect_same_bits_in_all_kinds() {
  expect_same_bits<Real, RowKind{direction}>({});
  expect_same_bits<Real, RowKind{direction, false, true}>({});
  for (int set = 0; set < 8; ++set) {
    const std::array<bool, 3> layers{(set & 1) != 0, (set & 2) != 0, (set & 4) != 0};
    SCOPED_TRACE(set);
    expect_same_bits<Real, RowKind{direction, true}>(layers);
    expect_same_bits<Real, RowKind{direction, true, true}>(layers);
    expect_same_bits<Real, RowKind{direction, true}>(layers, true);
  }
}

TEST(UpdatePacks, GiveTheBitsOfRowsInArrays) {
  expect_same_bits_in_all_kinds<double, Difference::backward>();
  expect_same_bits_in_all_kinds<double, Difference::forward>();
  expect_same_bits_in_all_kinds<float, Difference::backward>();
  expect_same_bits_in_all_kinds<float, Difference::forward>();
}

}  // namespace
}  // namespace dgtd::fdtd
