#pragma once
// Bodies on structured grids: which material a point has, and what a cell that an interface cuts is made of.
#include <vector>

#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

struct Shape {
  enum class Type { box, sphere, ellipsoid, cylinder, solid } type = Type::box;
  Vec3 centre{};       // m
  Vec3 size{};         // m, box: full edges along the axes
  double radius = 0;   // m, sphere and cylinder
  Vec3 radii{};        // m, ellipsoid: semi-axes along the axes
  Vec3 axis{0, 0, 1};  // cylinder, of any length but zero
  double height = 0;   // m, cylinder: full
  int material = 0;
  int priority = 0;
  std::shared_ptr<const Solid> solid = nullptr;  // solid: has its own place; centre and all lengths above mean nothing
};

/// Throws Error for a body without volume.
Bounds bounds(const Shape& body);

/// Bodies in a background. Where bodies overlap the higher priority wins, of equal ones the later body.
/// Thread-safe.
class Scene {
 public:
  /// Throws Error for a body without volume.
  Scene(std::vector<Shape> bodies, int background);

  /// A body holds its own surface.
  int material_at(const Vec3& x) const;

  /// The material that fills the box centre +- size/2, or -1 where a body's surface may cut it.
  int filling(const Vec3& centre, const Vec3& size) const;

  /// The two most frequent materials of a box and the share of the second in both, at most 1/2. The unit
  /// normal, from first to second, is that of the surface between them which is nearest to the centre. It is
  /// zero, and both materials the same, where one fills the box; zero too about a small ellipsoid's centre.
  struct Mixture {
    int first = 0, second = 0;
    double share_of_second = 0;
    Vec3 normal;
  };
  /// Mixture in the box centre +- size/2, by samples^2 lines across the interface: each is cut exactly, so that plane
  /// interfaces along the axes are exact and smooth ones have an error of order 1/samples^2. 0: 8, or 4 where solids
  /// are cut, whose lines cost more. Of voxels alone by their exact shares.
  Mixture mixture(const Vec3& centre, const Vec3& size, int samples = 0) const;

  /// Whether a body is a part of a labelled volume.
  bool has_voxels() const;

  /// The bodies whose surfaces may cut a box, the winning ones first, and what lies behind them.
  struct Contents {
    std::vector<const Shape*> cut;
    int behind = 0;
    int material_at(const Vec3& x) const;
    bool uniform() const;
  };

 private:
  /// Valid until the thread's next call.
  const Contents& contents_of_box(const Vec3& centre, const Vec3& size) const;
  const LabelledVolume* only_volume_ = nullptr;  // that all bodies are parts of, so that it is asked once for all
  std::vector<Shape> bodies_;                    // the winning ones first
  std::vector<Bounds> bounds_;                   // [bodies]
  int background_;
};

/// Relative permittivity for the component of D and E along the axis in a box of two materials, such that
/// a Yee grid stays accurate to second order at the interface.
double averaged_permittivity(const Scene::Mixture& mixture, double eps_first, double eps_second, int axis);

/// The conductivity that goes with it (in the unit of the given ones), to first order in the loss: what the same
/// average of eps + i sigma / (omega eps0) has as its imaginary part. The field across an interface is weaker in the
/// denser medium, and so is what it loses there.
double averaged_conductivity(const Scene::Mixture& mixture, double eps_first, double eps_second, double sigma_first,
                             double sigma_second, int axis);

}  // namespace dgtd::grid
