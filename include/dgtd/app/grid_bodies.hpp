#pragma once
// From the shapes of a case to bodies on its grid.
#include <functional>
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/mesh/grid.hpp"
#include "dgtd/mesh/shapes.hpp"

namespace dgtd::app {

/// number_of: the number of a material, by its name. Reads the files of shapes that have one.
/// Throws Error, with the shape's place in the case file, where a shape is none or lies outside the grid.
std::vector<mesh::Body> make_bodies(const std::vector<config::Shape>& shapes, const mesh::Grid& grid,
                                    const std::function<int(const std::string&)>& number_of);

}  // namespace dgtd::app
