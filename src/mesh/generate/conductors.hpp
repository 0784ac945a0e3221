#pragma once
// The perfect conductors of a model, and distances from them.
#include <vector>

#include "dgtd/mesh/conductor_sizes.hpp"

namespace dgtd::mesh {

/// The holes of a model, of STEP files a conductor per solid, then its plates.
std::vector<Conductor> conductors_of(const BodyModel& model);

/// m, from its surface, negative inside; of solids of STEP files from their triangles.
double distance_of(const Conductor& conductor, const Vec3& x);
/// m, at most distance_of; of solids of STEP files from the box around them, in less time.
double least_distance_of(const Conductor& conductor, const Vec3& x);

/// Edges of a body by its form, with that largest element at them (m); of STEP files and combined bodies
/// none.
ConductorEdges edges_of(const Body& body, double element);
ConductorEdges edges_of(const Plate& plate, double element);
/// Those of a STEP file or a combined body in parts, as far as they are known before its solid is made: without the
/// edges that a combination makes.
std::vector<ConductorEdge> expected_edges_of(const Body& body, double element);

/// m, two points that are nearer to each other are the same.
double rounding_of(const BodyModel& model);

}  // namespace dgtd::mesh
