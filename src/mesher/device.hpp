#pragma once
// Metal bodies beside the tissues: exact geometry, sharp edges, element sizes.
#include <memory>
#include <vector>

#include "dgtd/grid/solid.hpp"
#include "dgtd/mesher/from_labels.hpp"

namespace dgtd::mesher {

using Polyline = std::vector<Vec3>;  // m

class Device {
 public:
  /// Throws Error for a box without volume and for a surface that cannot be read or is not closed.
  static Device none() { return {}; }
  static Device of(const Phone& phone, double element_size);
  static Device of(const StlDevice& stl, double element_size);

  bool empty() const { return boxes_.empty() && !solid_; }
  /// x: m.
  bool inside(const Vec3& x) const;
  /// Element size (m) that the device requires at x; it grows by `growth` per distance.
  double size_at(const Vec3& x, double growth) const;
  /// x moved onto the faces of boxes that are nearer than `tolerance` (m).
  Vec3 snapped(const Vec3& x, double tolerance) const;
  /// Edges at which the surface turns sharply.
  const std::vector<Polyline>& edges() const { return edges_; }
  /// Points on the surface, some on each part of it, and a length to either side within which only this part is
  /// crossed.
  struct SurfacePoint {
    Vec3 position, normal;
  };
  const std::vector<SurfacePoint>& surface_points() const { return surface_points_; }
  const std::vector<Vec3>& corners() const { return corners_; }  // m, of a hull
  /// The smallest element size.
  double smallest_size() const;

 private:
  struct Box {
    Vec3 centre, half;  // m, in the device's axes
    double size;        // m, element size
  };
  Device() = default;
  void place(const Placement& placement);
  void add_box(const Vec3& centre, const Vec3& size, double element_size);
  void add_sharp_edges(const grid::TriangleSurface& surface);
  Vec3 to_device(const Vec3& x) const {
    const Vec3 d = x - position_;
    return {dot(d, axes_[0]), dot(d, axes_[1]), dot(d, axes_[2])};
  }
  Vec3 from_device(const Vec3& x) const { return position_ + x.x * axes_[0] + x.y * axes_[1] + x.z * axes_[2]; }

  std::array<Vec3, 3> axes_{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // of the device, unit vectors
  Vec3 position_;
  std::vector<Box> boxes_;
  std::shared_ptr<const grid::Solid> solid_;  // in the image's axes
  double solid_size_ = 0;                     // m, element size
  std::vector<Polyline> edges_;
  std::vector<SurfacePoint> surface_points_;
  std::vector<Vec3> corners_;
};

}  // namespace dgtd::mesher
