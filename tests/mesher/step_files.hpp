#pragma once
// STEP files that Open CASCADE writes.
#include <gmsh.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace dgtd::mesher::testing {

/// Writes the solids that `make` adds to Gmsh's model, in mm, and returns the file's text. Open CASCADE names its
/// products "Open CASCADE STEP translator V N.K".
inline std::string write_step(const std::filesystem::path& file, const std::function<void()>& make) {
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::model::add("step");
  make();
  gmsh::model::occ::synchronize();
  gmsh::write(file.string());
  gmsh::finalize();
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace dgtd::mesher::testing
