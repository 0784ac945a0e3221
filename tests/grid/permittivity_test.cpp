// Free-form media: which permittivity each component has, and files that are refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "dgtd/base/numpy_file.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

std::unique_ptr<Media> vacuum() {
  return std::make_unique<SceneMedia>(Scene({}, 0), std::vector<Material>{Material{}}, true);
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
