#pragma once
// The part of mesh generation that does not depend on the geometry. Models are built in a unit that
// makes them about 100 large, as Open CASCADE's tolerances want it; files are in metres.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dgtd/base/stage_lines.hpp"
#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/generate.hpp"
#include "mesh/generate/generate_surface.hpp"

namespace dgtd::mesh {

/// Element size wanted at a point.
using SizeFunction = std::function<double(const Vec3&)>;

/// A solid of the model; where solids overlap the later one of a list wins.
struct Solid {
  int tag;            // Open CASCADE volume
  std::string group;  // empty: a metal body, whose inside is not meshed
};

/// Adds a solid to the model.
int add(const Ellipsoid& ellipsoid);

/// Splits overlapping solids into conforming regions and names the groups: the solids' own ones,
/// "absorbing" on the outer boundary and "metal" on that of the bodies that are left out.
void build_regions(const std::vector<Solid>& solids);

/// Meshes the current model, whose curved surfaces are the ellipsoids, writes it and measures it.
/// unit: metres in a unit of the model. stages: is told what is done. comment: one line at the end of the file (comment_of). The file is whole or
/// absent.
MeshSummary mesh_and_write(const SizeFunction& size, const std::vector<Ellipsoid>& ellipsoids, Polyhedra polyhedra,
                           double unit, const std::filesystem::path& file, StageLines& stages,
                           const std::string& comment = {});

/// Runs work in a Gmsh session of its own; errors of Gmsh become Error with what as their start.
MeshSummary with_gmsh(const std::string& what, const std::function<MeshSummary()>& work);

}  // namespace dgtd::mesh
