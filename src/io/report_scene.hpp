#pragma once
// Views in three dimensions in pages.
#include <string>

#include "dgtd/io/scene.hpp"

namespace dgtd::io {

/// An element that stays hidden until the script has drawn the scene: the scene as JSON (src/io/web/scene_data.js has
/// its keys), whose arrays are quantised, compressed and in base64.
std::string html_of(const Scene& scene);

/// The scripts of all scenes of a page.
std::string scene_scripts();

}  // namespace dgtd::io
