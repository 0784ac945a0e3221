// Free-form media: which permittivity each component has, and files that are refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <random>

#include "dgtd/base/numpy_file.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

std::unique_ptr<Media> vacuum() {
  return std::make_unique<SceneMedia>(Scene({}, 0), std::vector<physics::Medium>{physics::Medium{}}, true);
}

// Two cells of 1 along each axis from the origin on, with values 1 to 8.
PermittivityArray eight() { return {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, 1, {1, 2, 3, 4, 5, 6, 7, 8}}; }

TEST(Permittivity, AveragesAcrossAndInSeriesAlong) {
  std::vector<PermittivityArray> arrays{eight()};
  const PermittivityMedia media(vacuum(), arrays, true);
  // E_x at (0.5, 1, 1): between the cells of values 1, 2, 3 and 4, a quarter of each.
  EXPECT_NEAR(media.electric({0.5, 1, 1}, {0.5, 1, 1}, {1, 1, 1}, 0).permittivity, 2.5, 1e-12);
  EXPECT_NEAR(media.electric({1.5, 1, 1}, {1.5, 1, 1}, {1, 1, 1}, 0).permittivity, 6.5, 1e-12);
  // E_z at (1, 1, 0.5).
  EXPECT_NEAR(media.electric({1, 1, 0.5}, {1, 1, 0.5}, {1, 1, 1}, 2).permittivity, 0.25 * (1 + 3 + 5 + 7), 1e-12);
  // Two cells along: 1 / eps is the mean of 1 / 2.5 and 1 / 6.5.
  EXPECT_NEAR(media.electric({1, 1, 1}, {1, 1, 1}, {2, 1, 1}, 0).permittivity, 2 / (1 / 2.5 + 1 / 6.5), 1e-12);
  // On the array's surface what is inside, beyond it what is behind.
  EXPECT_NEAR(media.electric({0.5, 0, 0}, {0.5, 0, 0}, {1, 1, 1}, 0).permittivity, 1, 1e-12);
  EXPECT_NEAR(media.electric({1.5, 2, 2}, {1.5, 2, 2}, {1, 1, 1}, 0).permittivity, 8, 1e-12);
  EXPECT_NEAR(media.electric({2.5, 2, 2}, {2.5, 2, 2}, {1, 1, 1}, 0).permittivity, 1, 1e-12);
  EXPECT_EQ(media.filling({4, 4, 4}, {1, 1, 1}), 0);
  EXPECT_EQ(media.filling({2.4, 1, 1}, {1, 1, 1}), -1);
}

TEST(Permittivity, TakesTheValueOfThePlace) {
  std::vector<PermittivityArray> arrays{eight()};
  const PermittivityMedia plain(vacuum(), arrays, false);
  EXPECT_EQ(plain.electric({0.5, 1, 1}, {0.5, 1, 1}, {1, 1, 1}, 0).permittivity, 4);
  PermittivityArray components = eight();
  components.components = 3;
  for (int i = 8; i < 24; ++i) components.values.push_back(static_cast<float>(10 * (i / 8) + i % 8 + 1));
  arrays.push_back(components);  // in front of the first one
  const PermittivityMedia media(vacuum(), arrays, true);
  EXPECT_EQ(media.electric({0.5, 1, 1}, {0.5, 1, 1}, {1, 1, 1}, 0).permittivity, 4);
  EXPECT_EQ(media.electric({1, 0.5, 0}, {1, 0.5, 0}, {1, 1, 1}, 1).permittivity, 15);
  EXPECT_EQ(media.electric({1 - 1e-9, 1, 0.5}, {1, 1, 0.5}, {1, 1, 1}, 2).permittivity, 27);
}

// 1 / eps = sum_along part / (sum_across part eps) over the voxels that a cell covers; what lies beyond the array is as
// its outermost voxels.
double average_of(const PermittivityArray& a, const Vec3& centre, const Vec3& size, int axis) {
  const auto parts = [&](int b) {  // voxel, length
    std::vector<std::pair<int, double>> list;
    const int n = a.size[static_cast<std::size_t>(b)];
    const double low = (centre[b] - 0.5 * size[b] - a.low[b]) / a.spacing[b],
                 high = (centre[b] + 0.5 * size[b] - a.low[b]) / a.spacing[b];
    for (int i = 0; i < n; ++i) {
      const double from = i == 0 ? low : std::max<double>(low, i),
                   to = i == n - 1 ? high : std::min<double>(high, i + 1);
      if (to - from > 1e-5) list.emplace_back(i, to - from);
    }
    return list;
  };
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  double inverse = 0, along = 0, area = 0;
  for (const auto& [n, part] : parts(axis)) {
    double sum = 0;
    area = 0;
    for (const auto& [p, of_u] : parts(u))
      for (const auto& [q, of_v] : parts(v)) {
        std::array<int, 3> at{};
        at[static_cast<std::size_t>(axis)] = n, at[static_cast<std::size_t>(u)] = p,
        at[static_cast<std::size_t>(v)] = q;
        sum +=
            of_u * of_v * double(a.values[static_cast<std::size_t>((at[0] * a.size[1] + at[1]) * a.size[2] + at[2])]);
        area += of_u * of_v;
      }
    inverse += part / (sum / area);
    along += part;
  }
  return along / inverse;
}

/// Cells of different lengths along an axis, with a place in each.
struct Cells {
  std::vector<double> place, centre, size;
  Cells(double from, double mean, int n, std::mt19937& random) {
    std::uniform_real_distribution<double> length(0.6 * mean, 1.4 * mean), share(0.4, 0.6);
    for (int i = 0; i < n; ++i) {
      const double d = length(random);
      place.push_back(from + share(random) * d), centre.push_back(from + 0.5 * d), size.push_back(d);
      from += d;
    }
  }
};

// Cells of a half to fifteen voxels, voxels that are alike and such that are not, and a box beyond the array's end.
TEST(Permittivity, OfManyComponentsAreThoseOfEach) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> value(1, 12);
  PermittivityArray array{{-1, 2, 0}, {0.1, 0.12, 0.09}, {150, 90, 60}, 1, {}};
  for (int i = 0; i < 150 * 90 * 60; ++i) array.values.push_back(i / 60 % 90 < 30 ? 3 : value(random));
  for (const bool averaging : {true, false})
    for (const double cell : {0.05, 0.1, 0.37, 1.5}) {
      const PermittivityMedia media(vacuum(), {array}, averaging);
      const int n[3] = {cell > 1 ? 8 : 37, 6, cell > 1 ? 2 : 7};
      const Cells along[3] = {
          {-1 - 0.2 * cell, cell, n[0], random}, {5.6 - 2.5 * cell, cell, n[1], random}, {0, cell, n[2], random}};
      std::size_t alike = 0;
      for (int axis = 0; axis < 3; ++axis) {
        ComponentBox box{axis, {n[0], n[1], n[2]}, {}, {}, {}};
        for (std::size_t b = 0; b < 3; ++b)
          box.place[b] = along[b].place.data(), box.centre[b] = along[b].centre.data(),
          box.size[b] = along[b].size.data();
        std::vector<double> found(box.components());
        ASSERT_TRUE(media.permittivities(box, found.data()));
        const double* at = found.data();
        for (int k = 0; k < n[2]; ++k)
          for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i, ++at) {
              const auto [x, y, z] = std::array{std::size_t(i), std::size_t(j), std::size_t(k)};
              const Vec3 place{along[0].place[x], along[1].place[y], along[2].place[z]},
                  centre{along[0].centre[x], along[1].centre[y], along[2].centre[z]},
                  size{along[0].size[x], along[1].size[y], along[2].size[z]};
              ASSERT_EQ(*at, media.electric(place, centre, size, axis).permittivity);
              if (averaging) { ASSERT_NEAR(*at, average_of(array, centre, size, axis), 1e-4 * *at); }
              alike += *at == 3 ? 1 : 0;
            }
        EXPECT_EQ(media.common_permittivity(box), 0);
      }
      EXPECT_GT(alike, 0u);
    }
}

TEST(Permittivity, BoxesOfOneValueAndBoxesThatLeaveTheArray) {
  PermittivityArray array{{0, 0, 0}, {1, 1, 1}, {8, 8, 8}, 1, UninitialisedVector<float>(512, 2.5f)};
  array.values[511] = 3;
  const std::vector<double> place{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}, size(9, 1);
  const auto box = [&](int first, int n) {
    const double* const at = place.data() + first;
    return ComponentBox{1, {n, n, n}, {at, at, at}, {at, at, at}, {size.data(), size.data(), size.data()}};
  };
  PermittivityArray behind = array;
  behind.spacing = {4, 4, 4};
  const PermittivityMedia media(vacuum(), {behind, array}, true);
  std::vector<double> found(1000);
  EXPECT_EQ(media.common_permittivity(box(0, 7)), 2.5);
  EXPECT_EQ(media.common_permittivity(box(0, 8)), 0);
  EXPECT_TRUE(media.permittivities(box(0, 8), found.data()));
  EXPECT_EQ(found[511], 3);
  EXPECT_EQ(found[510], 2.5);
  EXPECT_FALSE(media.permittivities(box(0, 9), found.data()));
  EXPECT_EQ(media.common_permittivity(box(0, 9)), 0);
  EXPECT_TRUE(media.permittivities(box(8, 1), found.data()));  // of the one behind
  const PermittivityMedia alone(vacuum(), {array}, true);
  EXPECT_FALSE(alone.permittivities(box(8, 1), found.data()));

  // The part of a box that is in the array in front.
  for (const PermittivityMedia* const some : {&media, &alone}) {
    const ComponentRange part = some->part_in_array(box(2, 7));
    EXPECT_EQ(part.first, (std::array{0, 0, 0}));
    EXPECT_EQ(part.end, (std::array{6, 6, 6}));
  }
  EXPECT_EQ(media.part_in_array(box(8, 1)).end, (std::array{1, 1, 1}));
  EXPECT_TRUE(alone.part_in_array(box(8, 1)).empty());
  EXPECT_TRUE(vacuum()->part_in_array(box(0, 9)).empty());
  const Vec3 inside{4, 4, 4}, edges{2, 2, 2};
  EXPECT_EQ(alone.filling(inside, edges), -1);
  EXPECT_EQ(alone.filling_behind_arrays(inside, edges), vacuum()->filling(inside, edges));
}

TEST(Permittivity, FilesAreChecked) {
  const auto path = std::filesystem::temp_directory_path() / ("dgtd_eps_" + std::to_string(::getpid()) + ".npy");
  const auto read = [&](std::vector<std::size_t> shape, std::vector<float> values) {
    {
      std::ofstream file(path, std::ios::binary);
      file << numpy_header<float>(shape);
      file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
    }
    const std::string what = dgtd::message([&] { (void)read_permittivity(path, {1, 2, 3}, {10, 0, 0}); });
    return what.starts_with(path.string()) ? what.substr(path.string().size()) : what;
  };
  EXPECT_EQ(read({2, 1, 1}, {1, 2}), "no error");
  const PermittivityArray array = read_permittivity(path, {1, 2, 3}, {10, 0, 0});
  EXPECT_EQ(array.low.x, 9);
  EXPECT_EQ(array.low.z, -1.5);
  EXPECT_EQ(array.least(), 1);
  EXPECT_EQ(read({2, 1}, {1, 2}),
            ": its shape is 2 x 1; it must be x x y x z, or 3 x x x y x z with values per component of E");
  EXPECT_EQ(read({2, 1, 1}, {1, -2}), ": value 1 of it is -2; relative permittivities must be > 0");
  EXPECT_EQ(read({2, 1, 1}, {0, 2}), ": value 0 of it is 0; relative permittivities must be > 0");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dgtd::grid
