#pragma once
#include "dgtd/mesh/generate.hpp"

namespace dgtd::mesh {

/// Counts and quality of the tetrahedra of the open Gmsh model, whose lengths times scale are metres.
MeshSummary summarise_model(double scale);

}  // namespace dgtd::mesh
