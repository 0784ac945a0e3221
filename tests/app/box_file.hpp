#pragma once
// A box as a mesh file. Apart from tests that run programs, whose function dgtd() has the name of the namespace.
#include <functional>
#include <string>

/// Contents (MSH 2.2) of a box of 4 mm x 4 mm x 16 mm of cubes of 2 mm with one corner in the origin: volume group box,
/// surface groups of its sides and `group` of all faces whose centre (x, y, z in m) is chosen; none: without it.
std::string box_file(const std::string& group, const std::function<bool(double, double, double)>& chosen);
