#pragma once
// Meshes of a few elements, and what tests of the mesh module share.
#include <gtest/gtest.h>

#include <string>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/global_mesh.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesh::testing {

/// Two tetrahedra on both sides of the face (1, 2, 3), all six boundary faces in "wall".
inline GlobalMesh two_tetrahedra() {
  GlobalMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.tetrahedra = {{3, 1, 0, 2}, {1, 2, 3, 4}};
  mesh.tetrahedron_group = {0, 1};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {3, 2, 0}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}};
  mesh.triangle_group = {0, 0, 0, 0, 0, 0};
  mesh.volume_names = {"left", "right"};
  mesh.surface_names = {"wall", "lid"};
  mesh.source = "two.msh";
  return mesh;
}

/// The message of the Error that work throws.
template <class Work>
std::string message_of(const Work& work, ExitCode expected = ExitCode::bad_input) {
  return message(work, expected);
}

}  // namespace dgtd::mesh::testing
