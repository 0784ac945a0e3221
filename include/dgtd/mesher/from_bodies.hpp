#pragma once
// Meshes of the bodies of a case, made where they are missing.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/mesh/body_model.hpp"
#include "dgtd/mesh/generate.hpp"

namespace dgtd::mesher {

struct CurvedVolumes {
  int surfaces = 0;               // curved ones whose vertices were moved, so that what is below has its exact volume
  std::int64_t vertices = 0;      // that were moved
  std::vector<std::string> left;  // bodies that stay as they were: an element would have become too flat
};

struct BodyMesh {
  std::filesystem::path file;
  bool made = false;           // now; false: it was there
  std::int64_t elements = 0;   // of a mesh that was made now; its figures:
  double worst_shape = 0;      // 4.9 inradius / longest edge
  std::int64_t bad_before = 0, bad_after = 0;  // elements that the optimiser was to mend, and those that are left
  CurvedVolumes curved;        // where all bodies have their volumes
  std::int64_t curved_edges = 0, straight_edges = 0;  // of curved surfaces, where elements are curved
  double per_circle = 0;                              // elements along a circle, those of the model or more
  double gain = 1;  // of the time step that the worst element allows, by the optimiser
};

/// File shapes_HASH.msh in the folder (made where it is missing), where HASH is that of the model. slowness:
/// sqrt(eps_r mu_r) by volume group, which the optimiser for the time step takes; it is not a part of the hash. Where
/// too many edges of curved elements have to stay straight, the mesh is made again, with more elements along a
/// circle. The same mesh for the same model from the first mesh of every process. Throws Error for a model of which no
/// mesh can be made.
BodyMesh mesh_of_bodies(const mesh::BodyModel& model, const std::vector<std::pair<std::string, double>>& slowness,
                        const std::filesystem::path& folder);

/// Writes the mesh of concentric spheres, whose vertices are on the spheres, anew with curved edges there. Returns a line
/// about it.
std::string make_spheres_curved(const mesh::Spheres& spheres, const std::filesystem::path& file);

/// The same of the head beside a phone (generate_head_phone): the ellipsoids of its tissues, and its absorbing sphere.
std::string make_head_phone_curved(const std::filesystem::path& file);

}  // namespace dgtd::mesher
