// Grey pictures as labels: which way up they lie, and that nothing ends along z.
#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "dgtd/base/error.hpp"
#include "dgtd/grid/labelled_volume.hpp"
#include "mesh/scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

/// Three columns, two rows: the upper one, which comes first in the file, is 0 1 2, the lower one 10 11 12.
template <class Writer>
void write_picture(const std::filesystem::path& file, int components = 1) {
  vtkNew<vtkImageData> image;  // VTK's lowest row comes first
  image->SetDimensions(3, 2, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, components);
  for (int p = 0; p < 6; ++p)
    for (int c = 0; c < components; ++c)
      image->SetScalarComponentFromDouble(p % 3, p / 3, 0, c, p % 3 + (p < 3 ? 10 : 0));
  vtkNew<Writer> writer;
  writer->SetInputData(image);
  writer->SetFileName(file.c_str());
  writer->Write();
}

/// The same picture as a BMP file of 8 bits a pixel with a palette of greys; its rows lie from below upwards, a
/// multiple of four bytes each.
std::string bmp() {
  std::string text = "BM";
  const auto number = [&](std::uint32_t value, int bytes) {
    for (int b = 0; b < bytes; ++b) text += static_cast<char>(value >> (8 * b) & 255);
  };
  for (const std::uint32_t value : {1086u, 0u, 1078u, 40u, 3u, 2u})
    number(value, 4);  // sizes of file, none, offset, header, picture
  number(1, 2), number(8, 2);
  for (const std::uint32_t value : {0u, 8u, 1000u, 1000u, 256u, 0u}) number(value, 4);
  for (std::uint32_t grey = 0; grey < 256; ++grey) number(grey * 0x10101u, 4);
  return text + std::string("\12\13\14\0\0\1\2\0", 8);
}

TEST(Picture, TheLowestRowHasTheLowestY) {
  const mesh::testing::ScratchFolder folder("picture");
  write_picture<vtkPNGWriter>(folder / "a.png");
  folder.write("a.pgm", std::string("P5\n3 2\n255\n") + std::string("\0\1\2\12\13\14", 6));
  folder.write("a.bmp", bmp());
  for (const char* name : {"a.png", "a.pgm", "a.bmp"}) {
    const Voxels v = read_voxels(folder / name, 0.5, {7, 8, 9});
    EXPECT_EQ(v.size, (std::array{3, 2, 1})) << name;
    EXPECT_TRUE(v.flat);
    EXPECT_EQ(v.spacing.x, 0.5);
    EXPECT_EQ(v.corner.y, 8);
    EXPECT_EQ(v.label, (std::vector<std::uint8_t>{10, 11, 12, 0, 1, 2})) << name;
  }
}

TEST(Picture, BadOnesAreNamed) {
  const mesh::testing::ScratchFolder folder("bad_picture");
  const std::string at = (folder / "").string();
  const auto of = [&](const std::string& name) { return message([&] { (void)read_voxels(folder / name, 1, {}); }); };
  write_picture<vtkPNGWriter>(folder / "colour.png", 3);
  EXPECT_EQ(of("colour.png"), at + "colour.png: has 3 values per pixel; a grey picture has one");
  folder.write("text.png", "not an image");
  EXPECT_EQ(of("text.png"), at + "text.png: cannot be read as a PNG picture");
  EXPECT_EQ(of("none.png"), at + "none.png: cannot be opened");
}

// Damage anywhere is one line; before the file was checked, the PNG library ended the process.
TEST(Picture, DamagedOnesAreNamed) {
  const mesh::testing::ScratchFolder folder("damaged_picture");
  write_picture<vtkPNGWriter>(folder / "whole.png");
  std::ifstream stream(folder / "whole.png", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  const std::string begin = (folder / "bad.png").string() + ": ";
  const auto of = [&](const std::string& text) {
    folder.write("bad.png", text);
    return message([&] { (void)read_voxels(folder / "bad.png", 1, {}); });
  };
  EXPECT_EQ(of(whole.substr(0, whole.size() / 2)).find(begin + "is not a whole PNG picture: "), 0u);
  EXPECT_EQ(of(whole.substr(0, whole.size() - 12)),
            begin + "is not a whole PNG picture: it ends before its last chunk, IEND");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= 0x11;
    EXPECT_EQ(of(damaged).find(begin), 0u) << at;
    EXPECT_NE(of(whole.substr(0, at)), "no error") << at;
  }
}

// A disc of 20 pixels' radius: a cell that its edge cuts at the angle phi has the normal (cos phi, sin phi, 0),
// whatever the thickness.
TEST(Picture, NormalsLieInThePlane) {
  Voxels v{{64, 64, 1}, {1, 1, 2e9}, {-32, -32, -1e9}, {}, true};
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i) v.label.push_back(std::hypot(i - 31.5, j - 31.5) < 20 ? 255 : 0);
  const auto volume = std::make_shared<LabelledVolume>(std::move(v), std::vector<std::pair<int, int>>{{255, 1}});
  const Scene scene(shapes_of(volume, 0), 0);
  for (int n = 0; n < 40; ++n) {
    const double phi = 0.157 * n;
    const Vec3 centre{20 * std::cos(phi), 20 * std::sin(phi), 0};
    const auto m = scene.mixture(centre, {4, 4, 4});
    ASSERT_NE(m.first, m.second);
    EXPECT_NEAR(m.share_of_second, 0.5, 0.1);
    EXPECT_EQ(m.normal.z, 0);
    EXPECT_NEAR(std::abs(dot(m.normal, centre)) / 20, 1, 0.03) << phi;  // 14 degrees, of some 28 pixels
  }
  EXPECT_EQ(scene.filling({0, 0, 0}, {8, 8, 8}), 1);
  EXPECT_EQ(scene.filling({30, 30, 0}, {8, 8, 8}), 0);
}

}  // namespace
}  // namespace dgtd::grid
