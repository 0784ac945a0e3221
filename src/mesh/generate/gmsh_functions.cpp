// Functions that dgtd_mesh finds in this library.
#include "mesh/generate/gmsh_library.hpp"

extern "C" const dgtd::mesh::GmshFunctions dgtd_gmsh_functions;
const dgtd::mesh::GmshFunctions dgtd_gmsh_functions{
    dgtd::mesh::generate_head_phone_by_gmsh, dgtd::mesh::generate_spheres_by_gmsh, dgtd::mesh::generate_bodies_by_gmsh,
    dgtd::mesh::write_msh_by_gmsh,           dgtd::mesh::read_triangles_by_gmsh,   dgtd::mesh::read_step_by_gmsh,
    dgtd::mesh::middles_on_step_by_gmsh};
