#include "dgtd/io/raster.hpp"

#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>

#include <cmath>
#include <limits>

#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

using Rgb = std::array<std::uint8_t, 3>;
using Pixel = std::array<int, 4>;

constexpr float none = std::numeric_limits<float>::quiet_NaN();

Pixel pixel(const std::vector<std::uint8_t>& rgba, std::size_t at) {
  return {rgba[4 * at], rgba[4 * at + 1], rgba[4 * at + 2], rgba[4 * at + 3]};
}

// The ends and the middle of the published tables.
TEST(ColourMaps, Colours) {
  EXPECT_EQ(colour_at(ColourMap::viridis, 0), (Rgb{0x44, 0x01, 0x54}));
  EXPECT_EQ(colour_at(ColourMap::viridis, 1), (Rgb{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(colour_at(ColourMap::magma, -1), (Rgb{0, 0, 4}));
  EXPECT_EQ(colour_at(ColourMap::magma, 2), (Rgb{0xfc, 0xfd, 0xbf}));
  const Rgb middle = colour_at(ColourMap::viridis, 0.5);  // 21918c
  EXPECT_NEAR(middle[0], 0x21, 2);
  EXPECT_NEAR(middle[1], 0x91, 2);
  EXPECT_NEAR(middle[2], 0x8c, 2);
}

// Perceptual: lighter from one end to the other (relative luminance, ITU-R BT.709).
TEST(ColourMaps, LightnessRises) {
  for (const ColourMap map : {ColourMap::viridis, ColourMap::magma}) {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
      const Rgb c = colour_at(map, i / 100.0);
      double y = 0;
      for (int k = 0; k < 3; ++k) y += std::array{0.2126, 0.7152, 0.0722}[k] * std::pow(c[k] / 255.0, 2.2);
      EXPECT_GT(y, before - 1e-3) << i;
      before = y;
    }
  }
}

TEST(ColourScale, Places) {
  ColourScale scale{ColourMap::magma, 0.01, 100, true, "W/kg", "SAR"};
  EXPECT_NEAR(scale.place(1), 0.5, 1e-12);  // half of four decades
  EXPECT_NEAR(scale.place(10), 0.75, 1e-12);
  EXPECT_EQ(scale.place(0), 0);
  EXPECT_EQ(scale.place(1e6), 1);
  scale.logarithmic = false;
  EXPECT_NEAR(scale.place(50.005), 0.5, 1e-12);
}

Raster two_by_three() {
  Raster r;
  r.width = 3, r.height = 2;
  r.region = {1, 1, 1, 1, 1, -1};
  r.value = {0, 0.5, 1, 1, 1, none};
  return r;
}

TEST(Raster, PixelsHaveTheColoursOfTheirValues) {
  const auto rgba = coloured(two_by_three(), {ColourMap::viridis, 0, 1, false, "", ""});
  EXPECT_EQ(pixel(rgba, 0), (Pixel{0x44, 0x01, 0x54, 255}));
  EXPECT_EQ(pixel(rgba, 3), (Pixel{0xfd, 0xe7, 0x25, 255}));
  EXPECT_EQ(pixel(rgba, 5)[3], 0);  // nothing there
}

// Pixels 2 and 4 are beside and above nothing: their yellow turns to black by three quarters.
TEST(Raster, LinesWhereTheRegionChanges) {
  const auto rgba = coloured(two_by_three(), {ColourMap::viridis, 0, 1, false, "", ""});
  for (const std::size_t at : {2u, 4u}) {
    EXPECT_NEAR(pixel(rgba, at)[0], 0xfd / 4.0, 1);
    EXPECT_NEAR(pixel(rgba, at)[1], 0xe7 / 4.0, 1);
  }
  Raster empty = two_by_three();
  empty.value.assign(6, none);
  const auto lines = coloured(empty, {ColourMap::viridis, 0, 1, false, "", ""});
  EXPECT_EQ(pixel(lines, 2), (Pixel{128, 128, 128, 255}));
  EXPECT_EQ(pixel(lines, 0)[3], 0);
}

TEST(Raster, LightDarkens) {
  Raster r = two_by_three();
  r.light.assign(6, 0.5f);
  const auto rgba = coloured(r, {ColourMap::viridis, 0, 1, false, "", ""});
  EXPECT_NEAR(pixel(rgba, 3)[0], 0xfd / 2.0, 1);
}

TEST(Png, ReadsBackWithRowsFromTheTop) {
  const Scratch scratch;
  const std::vector<std::uint8_t> rgba{1,  2,  3,  255, 4,  5,  6,  255, 7, 8, 9, 0,
                                       10, 11, 12, 128, 13, 14, 15, 255, 0, 0, 0, 0};
  const std::string bytes = png_of(3, 2, rgba);
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  std::ofstream(scratch / "a.png", std::ios::binary) << bytes;
  vtkNew<vtkPNGReader> reader;
  reader->SetFileName((scratch / "a.png").c_str());
  reader->Update();
  vtkImageData* const image = reader->GetOutput();
  ASSERT_EQ(image->GetDimensions()[0], 3);
  ASSERT_EQ(image->GetDimensions()[1], 2);
  ASSERT_EQ(image->GetNumberOfScalarComponents(), 4);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x)
      for (int c = 0; c < 4; ++c)
        EXPECT_EQ(image->GetScalarComponentAsDouble(x, 1 - y, 0, c),
                  rgba[static_cast<std::size_t>(4 * (3 * y + x) + c)]);
}

// RFC 4648, section 10.
TEST(Base64, ExamplesOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

}  // namespace
}  // namespace dgtd::io
