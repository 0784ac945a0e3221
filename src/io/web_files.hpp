#pragma once
// Style sheet and scripts of pages: the files of src/io/web, which cmake/EmbedText.cmake turns into a source.
#include <string_view>

namespace dgtd::io {

extern const std::string_view page_css;           // of every page
extern const std::string_view scene_data_js;      // from the text of a scene to arrays
extern const std::string_view scene_geometry_js;  // from arrays to triangles and lines
extern const std::string_view scene_view_js;      // draws them
extern const std::string_view scene_controls_js;  // what is drawn, cuts, the pointer; starts all scenes

}  // namespace dgtd::io
