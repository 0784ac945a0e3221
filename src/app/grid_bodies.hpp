#pragma once
// From the shapes of a case to bodies on its grid.
#include <functional>
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/grid/shapes.hpp"

namespace dgtd::app {

/// number_of: the number of a material, by its name. Reads the files of shapes that have one.
/// Throws Error, with the shape's place in the case file, where a shape is none or lies outside the grid.
std::vector<grid::Shape> make_bodies(const std::vector<config::Shape>& shapes, const grid::CartesianGrid& grid,
                                     const std::function<int(const std::string&)>& number_of);

}  // namespace dgtd::app
