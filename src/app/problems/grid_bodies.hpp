#pragma once
// From the shapes of a case to bodies on its grid.
#include <functional>
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/grid/setup.hpp"
#include "dgtd/grid/shapes.hpp"

namespace dgtd::app {

/// The bodies of a shape: one, or of a labelled volume one per material. number_of: the number of a material in the
/// setup, by its name. Reads the shape's file where it has one. Throws Error, with the shape's place in the case file,
/// where the shape is none, lies outside the grid or leaves no trace on it; warns of one that is mostly outside.
std::vector<grid::Shape> make_bodies(const config::Shape& shape, const config::Case& c, const grid::Setup& setup,
                                     const std::function<int(const std::string&)>& number_of);

}  // namespace dgtd::app
