#pragma once
// The solids of a STEP file as a mesh of bodies needs them: sizes, and surfaces of triangles.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/triangle_tree.hpp"
#include "dgtd/mesh/step_file.hpp"

namespace dgtd::mesh {

/// An edge of a surface of triangles, convex: both faces are turned away from each other.
struct SharpEdge {
  Vec3 from, to;  // m
  double turn;    // rad, angle between the outward normals of its two triangles
};

/// The surface of one solid, in the file's axes.
struct StepSurface {
  geometry::TriangleTree tree;
  double deviation;              // m, of the triangles from the curved surface, estimated
  std::vector<SharpEdge> sharp;  // edges that turn by more than those of a circle of triangles

  /// m, from the triangles, negative inside.
  double distance(const Vec3& x) const;
};
StepSurface surface_of(const StepSolid& solid);

/// Solids of a STEP file.
struct StepPart {
  std::filesystem::path file;
  std::uint64_t content = 0;                                 // hash of the file
  std::vector<int> numbers;                                  // of the solids
  Vec3 low, high;                                            // m, of the box around them, in the file's axes
  double thickness = 0;                                      // m, twice the least ratio of volume to area
  double volume = 0;                                         // m3, of all solids
  std::vector<SurfaceSize> sizes;                            // m, in the file's axes
  std::vector<std::shared_ptr<const StepSurface>> surfaces;  // [solids]
};

/// The part of all solids of that name (read_step), with sizes of `per_circle` elements along a circle that grow by
/// `growth` for a unit of distance (surface_sizes).
StepPart read_step_part(const std::filesystem::path& file, const std::string& body, double growth, double per_circle);

}  // namespace dgtd::mesh
