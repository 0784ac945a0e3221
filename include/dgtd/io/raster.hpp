#pragma once
// Values on a plane as a coloured image: no window, no graphics library.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dgtd::io {

/// Values at the centres of square pixels, in rows from the top to the bottom.
struct Raster {
  int width = 0, height = 0;
  std::vector<std::int32_t> region;  // [height][width] number of what is there; -1: nothing. Outlined where it changes
  std::vector<float> value;          // [height][width] not a number: no colour
  std::vector<float> light;          // [height][width] factor of brightness, 0 to 1; empty: 1

  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

/// Colours of rising lightness without bands that the eye would see: S. van der Walt, N. Smith, "viridis" and "magma"
/// (2015), CC0.
enum class ColourMap { viridis, magma };

/// Red, green and blue at a place of a map, 0 to 1; places outside have the colours of the ends.
std::array<std::uint8_t, 3> colour_at(ColourMap map, double place);

/// Map from values to colours.
struct ColourScale {
  ColourMap map = ColourMap::viridis;
  double lowest = 0, highest = 1;  // values of the ends; logarithmic: both positive
  bool logarithmic = false;
  std::string unit, title;

  double place(double value) const;  // 0 to 1
};

/// [height][width] red, green, blue, opacity. A pixel without a value is transparent. Where the region changes to that
/// of the pixel on the right or below, a line is drawn: white or black on colours, grey elsewhere.
std::vector<std::uint8_t> coloured(const Raster& raster, const ColourScale& scale);

/// The bytes of a PNG file of [height][width] red, green, blue, opacity. Throws Error.
std::string png_of(int width, int height, std::span<const std::uint8_t> rgba);

/// RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace dgtd::io
