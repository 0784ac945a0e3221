#pragma once
// Pictures of the report.
#include <array>
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
  std::array<std::string, 2> axes;            // names of the directions to the right and upwards
  std::array<double, 2> low{}, high{};        // m, corners of the image along these
  int width = 0, height = 0;                  // pixels
  std::string png;                            // bytes of the file
  std::optional<std::array<double, 2>> mark;  // m, a place that is marked
  std::optional<Plane> plane;                 // of a cut
};

/// Pictures of one quantity with one scale.
struct PictureRow {
  std::string title, note;
  ColourScale scale;
  std::vector<Picture> pictures;
};

}  // namespace dgtd::io
