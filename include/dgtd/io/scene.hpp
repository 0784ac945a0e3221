#pragma once
// A view in three dimensions as a value: surfaces of materials, voxels for cuts, and lines. Pages draw it where scripts
// and WebGL 2 are there.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/io/raster.hpp"

namespace dgtd::io {

struct Scene {
  using Colour = std::array<std::uint8_t, 3>;  // red, green, blue
  using Point = std::array<float, 3>;          // m

  struct Material {
    std::string name;
    Colour colour{};
    bool is_shown = true;     // at first
    bool has_surface = true;  // else it is what surrounds the bodies
  };
  /// Surface of one material as triangles.
  struct Surface {
    std::size_t material = 0;
    std::vector<Point> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;  // numbers of points
    std::vector<std::vector<float>> values;               // [quantities][triangles]; not a number: none
  };
  /// Voxels between nodes, x fastest.
  struct Volume {
    static constexpr std::uint8_t nothing = 255;
    std::array<std::vector<double>, 3> nodes;  // [axis][voxels + 1] m, ascending
    std::vector<std::uint8_t> material;        // [voxels], or `nothing`
    std::vector<std::vector<float>> values;    // [quantities][voxels]; not a number: none
    bool has_surfaces = false;                 // faces between voxels of two materials are their surfaces
  };
  /// A box, an arrow or a layer.
  struct Lines {
    std::string name;
    Colour colour{};
    std::vector<std::array<Point, 2>> segments;
    bool is_shown = true;
  };

  std::string title, note;
  std::vector<ColourScale> quantities;  // of the values; none: colours of the materials only
  std::vector<Material> materials;
  std::vector<Surface> surfaces;
  std::optional<Volume> volume;
  std::vector<Lines> lines;
  std::string packed = {};  // the arrays as pages have them, by pack_scenes; empty: packed for each page
};

/// The twelve edges of a box, m.
std::vector<std::array<Scene::Point, 2>> box_edges(const std::array<double, 3>& low, const std::array<double, 3>& high);

/// A colour that differs from those of the numbers before, readable on light and dark pages.
Scene::Colour material_colour(std::size_t number);

/// At most so many triangles, by joining points that are in one cell of a lattice. A surface with fewer is unchanged.
void thin_out(Scene::Surface& surface, std::size_t most);
/// The same of several surfaces, by all threads. most: [surfaces].
void thin_out(std::vector<Scene::Surface>& surfaces, const std::vector<std::size_t>& most);

}  // namespace dgtd::io
