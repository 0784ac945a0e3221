#include "dgtd/io/raster.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::io {

namespace {

// At 0, 1/15, ..., 1.
constexpr std::uint32_t viridis[16] = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
                                       0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
constexpr std::uint32_t magma[16] = {0x000004, 0x0b0724, 0x20114b, 0x3b0f70, 0x57157e, 0x721f81, 0x8c2981, 0xa8327d,
                                     0xc43c75, 0xde4968, 0xf1605d, 0xfa7f5e, 0xfe9f6d, 0xfebf84, 0xfddea0, 0xfcfdbf};

using Rgb = std::array<std::uint8_t, 3>;

// Perceived brightness, 0 to 255 (ITU-R BT.601).
double brightness(const Rgb& c) { return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]; }

// Whether the region changes to the pixel on the right or below.
bool is_border(const Raster& r, int row, int column) {
  const std::size_t at = static_cast<std::size_t>(row) * r.width + column;
  return (column + 1 < r.width && r.region[at] != r.region[at + 1]) ||
         (row + 1 < r.height && r.region[at] != r.region[at + r.width]);
}

}  // namespace

Rgb colour_at(ColourMap map, double place) {
  const auto& table = map == ColourMap::viridis ? viridis : magma;
  const double x = 15 * std::clamp(std::isnan(place) ? 0.0 : place, 0.0, 1.0);
  const int i = std::min(14, static_cast<int>(x));
  Rgb colour;
  for (int c = 0; c < 3; ++c) {
    const int shift = 16 - 8 * c;
    const double low = double(table[i] >> shift & 0xff), high = double(table[i + 1] >> shift & 0xff);
    colour[c] = static_cast<std::uint8_t>(std::lround(low + (x - i) * (high - low)));
  }
  return colour;
}

double ColourScale::place(double value) const {
  const double from = logarithmic ? std::log(lowest) : lowest, to = logarithmic ? std::log(highest) : highest;
  const double at = logarithmic ? std::log(std::max(value, lowest)) : value;
  return to > from ? std::clamp((at - from) / (to - from), 0.0, 1.0) : 0;
}

std::vector<std::uint8_t> coloured(const Raster& r, const ColourScale& scale) {
  constexpr std::uint8_t grey = 128, opaque = 255;
  constexpr double line_share = 0.75;  // of a line's colour in a pixel that has a colour of its own
  std::vector<std::uint8_t> rgba(4 * r.pixels());
#pragma omp parallel for schedule(static)
  for (int row = 0; row < r.height; ++row)
    for (int column = 0; column < r.width; ++column) {
      const std::size_t at = static_cast<std::size_t>(row) * r.width + column;
      std::uint8_t* const to = rgba.data() + 4 * at;
      const bool border = is_border(r, row, column);
      if (std::isnan(r.value[at])) {
        if (border) to[0] = to[1] = to[2] = grey, to[3] = opaque;
        continue;
      }
      Rgb colour = colour_at(scale.map, scale.place(r.value[at]));
      const double light = r.light.empty() ? 1 : r.light[at];
      const double line = brightness(colour) > 140 ? 0 : 255;
      for (int c = 0; c < 3; ++c) {
        double shown = light * colour[c];
        if (border) shown += line_share * (line - shown);
        to[c] = static_cast<std::uint8_t>(std::lround(shown));
      }
      to[3] = opaque;
    }
  return rgba;
}

}  // namespace dgtd::io
