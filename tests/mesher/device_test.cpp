// Metal bodies: where they are, their edges, the sizes around them.
#include "mesher/device.hpp"

#include <gtest/gtest.h>

#include "mesh/scratch_folder.hpp"
#include "mesher_images.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesher {
namespace {

// The box is below the gap, the antenna above it; turned by 90 degrees about x, +z becomes -y.
TEST(Device, PhoneIsPlacedAndTurned) {
  Phone phone;
  phone.placement = {{0.1, 0.2, 0.3}, {90, 0, 0}};
  const Device device = Device::of(phone, 0.006);
  const Vec3 at = phone.placement.position;
  EXPECT_FALSE(device.inside(at));
  EXPECT_TRUE(device.inside(at + Vec3{0, -0.0011, 0}));
  EXPECT_FALSE(device.inside(at + Vec3{0.002, -0.0011, 0}));
  EXPECT_TRUE(device.inside(at + Vec3{0.009, 0.0011, 0.019}));
  EXPECT_TRUE(device.inside(at + Vec3{0, -0.0409, 0}));
  EXPECT_FALSE(device.inside(at + Vec3{0, -0.0411, 0}));
  EXPECT_EQ(device.edges().size(), 24u);
  EXPECT_EQ(device.smallest_size(), 0.003);
}

TEST(Device, SizesGrowFromIt) {
  Phone phone;
  const Device device = Device::of(phone, 0.006);
  EXPECT_DOUBLE_EQ(device.size_at({0, 0, 0.021}, 0.3), 0.003);
  EXPECT_NEAR(device.size_at({0.0115, 0, 0.021}, 0.3), 0.003 + 0.3 * 0.010, 1e-12);
  EXPECT_NEAR(device.size_at({0.020, 0, -0.051}, 0.3), 0.006 + 0.3 * 0.010, 1e-12);
}

TEST(Device, PointsNearFacesAreMovedOntoThem) {
  Phone phone;
  phone.placement = {{0.1, 0.2, 0.3}, {0, 0, 30}};
  const Device device = Device::of(phone, 0.006);
  const Vec3 corner = device.edges().front().front();
  EXPECT_LT(norm(device.snapped(corner + Vec3{3e-6, -2e-6, 4e-6}, 1e-5) - corner), 1e-12);
  const Vec3 beside = corner + Vec3{1e-3, 1e-3, 1e-3};
  EXPECT_EQ(device.snapped(beside, 1e-5), beside);
}

TEST(Device, StlHasItsSharpEdges) {
  const mesh::testing::ScratchFolder folder("device_stl");
  const auto file = folder.write("cube.stl", testing::stl_cube(10));
  const Device device = Device::of(StlDevice{file, 1e-3, {{0.5, 0, 0}, {0, 0, 0}}}, 0.002);
  EXPECT_TRUE(device.inside({0.5, 0, 0}));
  EXPECT_TRUE(device.inside({0.5049, 0.0049, -0.0049}));
  EXPECT_FALSE(device.inside({0.5051, 0, 0}));
  EXPECT_EQ(device.edges().size(), 12u);  // no diagonals
  for (const Polyline& edge : device.edges()) EXPECT_NEAR(norm(edge.back() - edge.front()), 0.010, 1e-9);
}

TEST(Device, BadOnesAreRefused) {
  Phone phone;
  phone.size.y = 0;
  EXPECT_EQ(message([&] { Device::of(phone, 0.006); }),
            "phone: every edge of its boxes must be longer than 0, not 0 m");
  phone = {};
  phone.gap = 0;
  EXPECT_EQ(message([&] { Device::of(phone, 0.006); }), "phone: the gap must be longer than 0, not 0 m");
  EXPECT_EQ(message([] { Device::of(StlDevice{"/none.stl", 1, {}}, 0.01); }), "/none.stl: cannot be opened");
}

}  // namespace
}  // namespace dgtd::mesher
