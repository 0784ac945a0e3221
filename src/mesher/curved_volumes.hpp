#pragma once
// Moves vertices on the curved surfaces of bodies until what is below each surface has its exact volume.
#include "dgtd/mesh/body_model.hpp"
#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "bend_edges.hpp"

namespace dgtd::mesher {

/// Ellipsoids and round walls of cylinders, also those that sides of the domain or other bodies cut. Triangles between
/// vertices on such a surface lie inside of it; the volume between them and the surface is
///   ellipsoid, in coordinates y in which it is the unit sphere:   int_T (|y|^-3 - 1) / 3  y . n dA   (cones from its centre)
///   cylinder of radius R:                                         int_T (R^2 - r^2) / (2 r)  e_r . n dA
/// Each vertex moves along the surface's normal by the mean height of this volume over its triangles, times one factor
/// per body, with which the volumes of all triangles add up to zero. Vertices that are on flat faces too stay on them;
/// where two curved surfaces meet they do not move. Across periodic sides the mean is that of the whole surface, so
/// that both sides stay alike. Surfaces whose vertices are not on the body are left alone.
CurvedVolumes restore_curved_volumes(mesh::GlobalMesh& mesh, const mesh::BodyModel& model);

/// By which the middles of the edges of triangles on these surfaces, and on the sphere that bounds a ball of a domain,
/// are moved onto the surface, within the flat faces that they are on, m.
std::map<EdgeEnds, Vec3> bends_of_edges(mesh::GlobalMesh& mesh, const mesh::BodyModel& model);

/// Gives the mesh these curved edges (bend_edges). It has none before.
CurvedEdges curve_edges(mesh::GlobalMesh& mesh, const mesh::BodyModel& model);

}  // namespace dgtd::mesher
