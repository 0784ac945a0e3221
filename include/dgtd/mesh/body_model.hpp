#pragma once
// Bodies in a domain, of which a mesh is made. Lengths in metres.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/combination.hpp"
#include "dgtd/geometry/polygon.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/mesh/plate.hpp"
#include "dgtd/geometry/turn.hpp"
#include "dgtd/mesh/step_part.hpp"

namespace dgtd::mesh {

struct Body {
  enum class Form { box, ellipsoid, cylinder, prism, layout, cone, torus, step, combined };
  std::string name;   // for messages
  std::string group;  // volume group; of a hole the surface group of its walls
  bool hole = false;  // not meshed
  Form form = Form::box;
  Vec3 centre;
  Vec3 size;                                  // box: edges; ellipsoid: semi-axes
  Vec3 axis{0, 0, 1};                         // cylinder, cone, torus, prism: unit vector; of a prism along x, y or z
  double radius = 0, height = 0;              // cylinder, prism; cone: radius of the lower end; torus: of its circle
  double top_radius = 0, tube_radius = 0;     // cone; torus
  std::optional<geometry::Turn> turn;         // box, ellipsoid, prism, step: about the centre
  StepPart step;                              // centre is the place of the file's origin
  std::vector<std::array<double, 2>> points;  // prism: corners from the centre along the two axes that follow its own
  geometry::Extrusion layout;                 // in place of all lengths above; centre is that of its box
  geometry::Combination combination{};        // combined: of `operands`, in place of all lengths above
  std::vector<Body> operands;                 // whose names, groups, holes and elements mean nothing
  double element = 0;                         // largest element in it; 0: that of what is around

  /// A point in the body's own axes, from its centre, and back.
  Vec3 own_place(const Vec3& x) const {
    const Vec3 d = x - centre;
    return turn ? geometry::Rotation(*turn).back(d) : d;
  }
  Vec3 place_of(const Vec3& own) const { return centre + (turn ? geometry::Rotation(*turn)(own) : own); }
};

/// Whether vertices, and the edges of curved elements, can be put on its curved surface.
inline bool has_curved_elements(Body::Form form) {
  return form == Body::Form::ellipsoid || form == Body::Form::cylinder;
}

/// Bodies of which a mesh is made. Of bodies that overlap the later one counts.
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
  /// Rectangles that faces between elements fill, with faces on walls where they are there: one of the size is 0.
  struct Sheet {
    Vec3 centre, size;
  };
  std::vector<Sheet> sheets;
  std::vector<Plate> plates;
  /// Least elements along a circle of a curved surface; of one whose elements stay straight at least
  /// BodySizes::per_straight_circle where others are curved.
  double per_circle = 12;
  double finest = 0;           // bodies' curvature and thickness ask for no smaller elements than this
  double ratio = 1.3;          // an element's size may grow by ratio - 1 for a unit of distance
  double edge_refinement = 1;  // elements at edges of perfect conductors are so many times smaller
  ExactVolumes exact_volumes = ExactVolumes::on;
  bool curved = false;  // elements at curved surfaces are of second order, with vertices on the surface
  /// [axes] whether the triangles on both sides of a box are the same.
  std::array<bool, 3> periodic{};
};

/// Ends the names of the volume groups beside sheets and plates in what generate_bodies writes, once or, of neighbours,
/// several times. mesh_of_bodies gives their elements to the groups without it when the mesh is done.
inline constexpr std::string_view sheet_suffix = " (sheet)";

/// Identifies the mesh of a model: what it is made of, and the version of this generator.
std::uint64_t hash_of(const BodyModel& model);

/// Lengths that a body's thickness asks of the elements in it and beside it, m. They are as long as it is thick, unless it
/// is so thin that they would be too many: then they are flat.
struct Thinness {
  /// Elements that the thickness asks for along the edge of a square of the body's area (its volume over its thickness).
  static constexpr double elements_across = 50;
  /// Length of an element over the body's thickness, above which Gmsh makes too bad elements.
  static constexpr double largest_aspect = 20;

  double thickness = 1, element = 1;
  double aspect() const { return element / thickness; }
};
/// The thinness of a body; that of its thinnest operand where it is combined.
Thinness thinness_of(const Body& body, const BodyModel& model);

/// m, from a body's surface, negative inside; not exact far from ellipsoids; of STEP files from the box around it.
double distance(const Body& body, const Vec3& x);
/// The same with STEP files by the triangles of their surfaces, where these are known (StepPart::surfaces).
double surface_distance(const Body& body, const Vec3& x);
/// m, from a plate.
double distance(const Plate& plate, const Vec3& x);

}  // namespace dgtd::mesh
