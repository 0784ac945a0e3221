#pragma once
// Pictures in the report: images inside drawings (SVG) that have the axes, so that text stays sharp.
#include <string>

#include "dgtd/io/pictures.hpp"
#include "dgtd/io/value.hpp"

namespace dgtd::io {

std::string html_of(const PictureRow& row);
/// All but the pixels, for report.json.
Value value_of(const PictureRow& row);

}  // namespace dgtd::io
