#pragma once
// Pictures of the report.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/io/raster.hpp"

namespace dgtd::io {

struct Picture {
  struct Plane {
    int axis = 0;         // its normal
    double position = 0;  // m
  };
  std::string title;
  std::array<std::string, 2> axes;      // names of the directions to the right and upwards
  std::array<double, 2> low{}, high{};  // m, corners of the image along these
  int width = 0, height = 0;            // pixels
  std::string png;                      // bytes of the file
  /// A line on the image.
  struct Stroke {
    std::array<std::uint8_t, 3> colour{};
    std::array<double, 4> ends{};  // m, to the right and upwards, of both ends
  };
  std::optional<std::array<double, 2>> mark;  // m, a place that is marked
  std::vector<Stroke> strokes = {};
  std::optional<Plane> plane;  // of a cut
};

/// Pictures of one quantity with one scale, or of things with names.
struct PictureRow {
  struct Label {
    std::string name;
    std::array<std::uint8_t, 3> colour{};
  };
  std::string title, note;
  ColourScale scale;
  std::vector<Label> labels = {};  // in place of the scale
  std::vector<Picture> pictures;
  std::string folded = {};  // the line that unfolds the row on the page; empty: it is shown at once
};

}  // namespace dgtd::io
