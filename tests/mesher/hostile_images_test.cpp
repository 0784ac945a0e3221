// Images that are hard to mesh: shells and plates of one voxel, checkerboards, isolated voxels. They end soon, in a
// mesh or in one line that says what to do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/mesh/load.hpp"
#include "dgtd/mesher/from_labels.hpp"
#include "mesh/scratch_folder.hpp"
#include "mesher_images.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesher {
namespace {

/// Twelve labels in a ball of 30 mm, voxels of 2 mm: shells of one voxel (2, 3, 5) around an inside of a checkerboard
/// of voxels (6, 7), one of 4 mm (8, 9), isolated voxels (10) and a plate of one voxel (11) in 12.
int twelve_labels(const Vec3& x) {
  const double r = norm(x);
  const auto index = [](double c, double h) { return int(std::floor(c / h + 0.5)); };
  const auto odd = [&](double h) { return (index(x.x, h) + index(x.y, h) + index(x.z, h)) % 2 != 0; };
  if (r > 30) return 0;
  if (r > 28) return 2;
  if (r > 26) return 3;
  if (r > 21) return 4;
  if (r > 19) return 5;
  if (x.x < 0 && x.y < 0) return odd(2) ? 6 : 7;
  if (x.x < 0) return odd(4) ? 8 : 9;
  if (x.y > 0 && index(x.x, 2) % 4 == 0 && index(x.y, 2) % 4 == 0 && index(x.z, 2) % 4 == 0) return 10;
  if (std::abs(x.z) < 1.5) return 11;
  return x.z > 0 ? 12 : 1;
}

class HostileImages : public ::testing::Test {
 protected:
  HostileImages() {
    settings_.image = folder_.write("twelve.nrrd", testing::nrrd(33, 2, twelve_labels));
    settings_.resolution = 2e-3;
    settings_.margin = 0.03;
    settings_.progress = [this](const std::string& line) { lines_.push_back(line); };
  }
  void use(const std::string& tissues) { settings_.tissues = folder_.write("t.txt", tissues); }

  bool has_line(const std::string& part) const {
    return std::any_of(lines_.begin(), lines_.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  mesh::testing::ScratchFolder folder_{"hostile"};
  FromLabels settings_;
  std::vector<std::string> lines_;
};

TEST_F(HostileImages, EndInAMeshWithAWarningForWhatIsLost) {
  settings_.effort = 200;
  const FromLabelsResult r = mesh_from_labels(settings_);
  mesh::check(r.mesh);
  ASSERT_EQ(r.tissues.size(), 13u);
  std::size_t lost = 0;
  for (std::size_t t = 1; t < r.tissues.size(); ++t) {
    const TissueResult& tissue = r.tissues[t];
    EXPECT_GT(tissue.mesh_volume, 0) << tissue.name;
    if (tissue.mesh_volume >= 0.8 * tissue.image_volume) continue;
    ASSERT_LT(lost, r.warnings.size());
    EXPECT_EQ(r.warnings[lost++],
              fmt::format("tissue '{}' has {:.0f} % of its volume in the image, {:.3g} of {:.3g} cm3: it needs smaller "
                          "elements ({}.size, --elements), less smoothing (--smooth, --resolution) or a minimum "
                          "thickness (layer {} INNER OUTER THICKNESS)",
                          tissue.name, 100 * tissue.mesh_volume / tissue.image_volume, 1e6 * tissue.mesh_volume,
                          1e6 * tissue.image_volume, tissue.name, tissue.name));
  }
  EXPECT_GE(lost, 3u);  // of the shells and boards of one voxel
  EXPECT_EQ(lost, r.warnings.size());
  EXPECT_TRUE(has_line("; ended by --effort after 20"));
  for (const std::string& line : lines_) EXPECT_EQ(line.find("nan"), std::string::npos) << line;
}

// Every voxel of a board is a piece of its own, none is removed or averaged with others, and there is no path between
// any two of them.
TEST_F(HostileImages, EndWhereNothingIsSmoothed) {
  settings_.effort = 20;
  settings_.island = 0;
  settings_.smoothing = 1e-4;
  const FromLabelsResult r = mesh_from_labels(settings_);
  mesh::check(r.mesh);
  EXPECT_TRUE(has_line("perturbation and exudation left out, "));
}

TEST_F(HostileImages, ATissueOfWhichNothingIsLeftIsAnError) {
  // One voxel, which is less than smoothing sees.
  settings_.image = folder_.write("one.nrrd", testing::nrrd(33, 2, [](const Vec3& x) {
                                    return norm(x - Vec3{10, 0, 0}) < 1 ? 2 : norm(x) < 30 ? 1 : 0;
                                  }));
  settings_.smoothing = 4e-3;
  EXPECT_EQ(message([&] { (void)mesh_from_labels(settings_); }),
            settings_.image.string() +
                ": nothing is left after smoothing of tissue 'tissue_2', which has 0.008 cm3 in the image: it needs "
                "smaller elements (tissue_2.size, --elements), less smoothing (--smooth, --resolution) or a minimum "
                "thickness (layer tissue_2 INNER OUTER THICKNESS)");
}

// Surfaces that need many times the elements that are wanted end the refinement before it takes all memory.
TEST_F(HostileImages, FarMoreElementsThanAreWantedIsAnError) {
  settings_.facet_distance = 1e-4;
  settings_.elements = 1000;
  const std::string text = message([&] { (void)mesh_from_labels(settings_); });
  EXPECT_EQ(
      text.substr(0, 108),
      "from-labels: the surfaces between tissues need more than 108000 tetrahedra, of which about 1000 are wanted: ");
}

}  // namespace
}  // namespace dgtd::mesher
