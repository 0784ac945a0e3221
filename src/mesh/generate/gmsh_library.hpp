#pragma once
// Functions that need the Gmsh SDK, in a library that is loaded at its first use: Gmsh depends on 90 libraries,
// which take longer to load (docs/notebook/2026-11-23-grids-set-up.md) than most other work before a run's first step.
#include <filesystem>
#include <string>

#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesh/gmsh_triangles.hpp"
#include "dgtd/mesh/step_file.hpp"
#include "dgtd/mesh/step_surface.hpp"
#include "dgtd/mesh/write_msh.hpp"

namespace dgtd::mesh {

constexpr int triangle_type = 2, tetrahedron_type = 4;  // Gmsh's numbers of the affine element types

constexpr double step_unit = 1e-3;  // m, in which Open CASCADE has lengths of STEP files, whatever their unit

struct StepContents {
  std::vector<std::string> surfaces;  // names of what has no volume
  std::vector<StepSolid> solids;
};

// The functions of that library. They are called through gmsh_library() or through the functions of the same names
// without the ending.
MeshSummary generate_head_phone_by_gmsh(const std::string& level, const std::filesystem::path& file);
MeshSummary generate_spheres_by_gmsh(const Spheres& spheres, const std::filesystem::path& file);
MeshSummary generate_bodies_by_gmsh(const BodyModel& model, const std::filesystem::path& file);
void write_msh_by_gmsh(const GlobalMesh& mesh, const std::filesystem::path& file, MshForm form);
GmshTriangles read_triangles_by_gmsh(const std::filesystem::path& file);
StepContents read_step_by_gmsh(const std::filesystem::path& file, const std::string& body);
std::vector<EdgeMiddle> middles_on_step_by_gmsh(const std::filesystem::path& file, const std::vector<Vec3>& points,
                                                const std::vector<std::array<std::int64_t, 3>>& triangles);

struct GmshFunctions {
  decltype(&generate_head_phone_by_gmsh) generate_head_phone;
  decltype(&generate_spheres_by_gmsh) generate_spheres;
  decltype(&generate_bodies_by_gmsh) generate_bodies;
  decltype(&write_msh_by_gmsh) write_msh;
  decltype(&read_triangles_by_gmsh) read_triangles;
  decltype(&read_step_by_gmsh) read_step;
  decltype(&middles_on_step_by_gmsh) middles_on_step;
};

/// Loads the library. Throws Error (other) where it cannot be loaded.
const GmshFunctions& gmsh_library();

}  // namespace dgtd::mesh
