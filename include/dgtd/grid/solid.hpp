#pragma once
// Geometry of a body of any form on a structured grid: points, lines and boxes in it.
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/turn.hpp"

namespace dgtd::grid {

/// Coverage of a box by a body. `part` is also possible for a box just outside.
enum class Cover { none, part, all };

/// A piece of a line x + t along a coordinate axis: low < t < high, m; empty unless low < high.
struct Interval {
  double low = 0, high = 0;
};

/// To first order the distance to a body's surface (m, negative inside) and the outward normal there.
struct Surface {
  double distance = 0;
  Vec3 normal;
};

/// A box along the axes.
struct Bounds {
  Vec3 low, high;  // m
};

class LabelledVolume;

/// Thread-safe.
class Solid {
 public:
  virtual ~Solid() = default;
  virtual Bounds bounds() const = 0;
  virtual bool inside(const Vec3& x) const = 0;
  /// Cover of the box centre +- half (m).
  virtual Cover cover_of_box(const Vec3& centre, const Vec3& half) const = 0;
  /// Adds the pieces of the line x + t along the axis that lie in the body, at least those with |t| <= reach.
  virtual void add_crossings(const Vec3& x, int axis, double reach, std::vector<Interval>& to) const = 0;
  virtual Surface surface_near(const Vec3& x) const = 0;
  /// The volume that the body is a part of, if it is one.
  virtual const LabelledVolume* labels() const { return nullptr; }
};

/// A polygon's prism. The corners (m, from the centre) lie in the plane across the coordinate axis, as coordinates
/// along the two axes that follow it: y z, z x, x y for axis = 0, 1, 2. They may go either way round, and need not be
/// convex. Throws Error for fewer than three corners and for edges that touch or cross.
std::shared_ptr<const Solid> make_prism(std::vector<std::array<double, 2>> corners, int axis, const Vec3& centre,
                                        double height);

/// The inside of a closed surface of triangles (corners as indices of points, m, in any order): where a line has
/// crossed it an odd number of times, so that a surface within another one is a hole. Throws Error for a surface that
/// is not closed.
std::shared_ptr<const Solid> make_triangulated(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles);

/// A surface of triangles.
struct TriangleSurface {
  std::vector<Vec3> points;                   // m
  std::vector<std::array<int, 3>> triangles;  // indices of points
};

/// From an STL file, text or binary, whose coordinates times `unit` are m. Equal points are one. Throws Error.
TriangleSurface read_stl_surface(const std::filesystem::path& file, double unit);

/// The inside of an STL file's surface, turned about the file's origin and moved by `position`.
std::shared_ptr<const Solid> read_stl(const std::filesystem::path& file, double unit, const Vec3& position,
                                      const geometry::Rotation& rotation = {});

}  // namespace dgtd::grid
