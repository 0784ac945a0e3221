#pragma once
// Models of perfect conductors from boxes, STEP files and combinations, and their meshes.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/mesh/body_model.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/load.hpp"
#include "step_files.hpp"

namespace dgtd::mesher::testing {

/// A domain of 1.4 m with elements of 0.2 m, four times smaller ones at edges.
inline mesh::BodyModel model_of(std::vector<mesh::Body> bodies) {
  mesh::BodyModel model;
  model.low = {-0.7, -0.7, -0.7}, model.high = {0.7, 0.7, 0.7};
  model.around = "air", model.element = 0.2, model.edge_refinement = 4;
  model.bodies = std::move(bodies);
  for (mesh::Body& body : model.bodies) body.name = body.group = "metal", body.hole = true;
  return model;
}

inline mesh::Body box(const Vec3& centre, const Vec3& size) {
  mesh::Body b;
  b.centre = centre, b.size = size;
  return b;
}

inline mesh::Body combined(geometry::Combination combination, std::vector<mesh::Body> operands) {
  mesh::Body b;
  b.form = mesh::Body::Form::combined, b.combination = combination, b.operands = std::move(operands);
  return b;
}

/// All solids that `make` adds to Gmsh's model, in mm, from a file.
inline mesh::Body step(const std::filesystem::path& file, const std::function<void()>& make) {
  write_step(file, make);
  mesh::Body b;
  b.form = mesh::Body::Form::step;
  b.step = mesh::read_step_part(file, "", 0.3, 12);
  return b;
}

/// Without the optimiser, which leaves surfaces as they are. The domain's middle is the origin.
inline mesh::GlobalMesh mesh_of(const mesh::BodyModel& model, const std::filesystem::path& file) {
  mesh::generate_bodies(model, file);
  return mesh::read_gmsh(file, 1);
}

inline double elements(const mesh::GlobalMesh& mesh) { return double(mesh.tetrahedra.size()); }

}  // namespace dgtd::mesher::testing
