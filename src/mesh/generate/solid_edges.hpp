#pragma once
// Convex edges of solids of the current Gmsh model, found in the boundary representation of Open CASCADE.
#include <set>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

/// A straight part of an edge, or a chord of a curved one, in model units.
struct EdgeSegment {
  Vec3 from, to;
};

/// The faces at which edges are searched.
struct SolidFaces {
  std::set<int> walls;     // tags of all faces of the solids that have no other one of them behind
  std::set<int> searched;  // the walls of which at least one is at an edge that is returned
};

/// Returns the curves between two walls that the solids make a convex edge of, turned by more than `least_turn`
/// (radians; that of a cube is pi / 2): neither seams and tangential joints nor concave ones. Chords of a curved edge
/// are off it by at most `deviation` (model units), unless that takes more than 256. Lines whose faces change along
/// them have the angle of their middle. solids: tags of volumes, which stay as they are; the model is synchronised
/// before. Gmsh's errors are strings.
std::vector<EdgeSegment> convex_edges(const std::vector<int>& solids, const SolidFaces& faces, double least_turn,
                                      double deviation);

}  // namespace dgtd::mesh
