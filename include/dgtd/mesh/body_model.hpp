#pragma once
// Bodies in a domain, of which a mesh is made. Lengths in metres.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/polygon.hpp"

namespace dgtd::mesh {

struct Body {
  enum class Form { box, ellipsoid, cylinder, prism, layout };
  std::string name;   // for messages
  std::string group;  // volume group; of a hole the surface group of its walls
  bool hole = false;  // not meshed
  Form form = Form::box;
  Vec3 centre;
  Vec3 size;                                  // box: edges; ellipsoid: semi-axes
  Vec3 axis{0, 0, 1};                         // cylinder, prism: unit vector; of a prism along x, y or z
  double radius = 0, height = 0;              // cylinder, prism
  std::vector<std::array<double, 2>> points;  // prism: corners from the centre along the two axes that follow its own
  geometry::Extrusion layout;                 // in place of all lengths above; centre is that of its box
  double element = 0;                         // largest element in it; 0: that of what is around
};

/// What a mesh is made of. Of bodies that overlap the later one counts.
struct BodyModel {
  Vec3 low, high;      // of the domain
  bool ball = false;   // the domain is the ball in the box from low to high, which is a cube
  std::string around;  // volume group outside of all bodies
  double element = 0;  // largest element there
  std::vector<Body> bodies;

  struct Finer {  // a box, or a point
    Vec3 centre, size;
    double element;
  };
  std::vector<Finer> finer;
  double finest = 0;          // bodies' curvature and thickness ask for no smaller elements than this
  double ratio = 1.3;         // an element's size may grow by ratio - 1 for a unit of distance
  bool exact_volumes = true;  // of ellipsoids that nothing cuts
  /// [axes] whether the triangles on both sides of a box are the same.
  std::array<bool, 3> periodic{};
};

/// Identifies the mesh of a model: what it is made of, and the version of this generator.
std::uint64_t hash_of(const BodyModel& model);

/// Element sizes of a model.
class BodySizes {
 public:
  /// Elements along a circle of a curved surface.
  static constexpr double per_circle = 12;

  explicit BodySizes(const BodyModel& model) : model_(model) {}

  /// m, of an element at a point. What bodies ask for grows with the distance from them.
  double at(const Vec3& x) const;
  /// Number of tetrahedra of these sizes in the domain, from samples.
  double tetrahedra() const;
  /// m, the size that a body asks for at a point: its element, its smallest thickness, its curvature.
  double asked_by(const Body& body, const Vec3& x) const;

 private:
  const BodyModel& model_;
};

/// m, from a body's surface, negative inside; not exact far from ellipsoids.
double distance(const Body& body, const Vec3& x);

}  // namespace dgtd::mesh
