#pragma once
// Meshes made by the Gmsh SDK: the shipped phone case and the spheres of the verification study.
#include <filesystem>
#include <string>
#include <vector>

namespace dgtd::mesh {

/// Head of four nested smooth tissues (skin, skull, csf, brain) beside a metallic phone (INRIA
/// report 7592, section 5.1). level: m0, m1, m2, m3. Volume groups skin, skull, csf, brain, air;
/// surface groups absorbing, metal. Writes MSH 4.1 binary, metres.
void generate_head_phone(const std::string& level, const std::filesystem::path& file);

/// Concentric spheres around the origin: radii ascending (m), the last one is the absorbing outer
/// boundary; sizes: element size in each shell (m), the first one being the innermost ball. Volume
/// groups named by names, surface group "absorbing" on the outer sphere.
struct Spheres {
  std::vector<double> radii;
  std::vector<double> sizes;
  std::vector<std::string> names;
};
void generate_spheres(const Spheres& spheres, const std::filesystem::path& file);

}  // namespace dgtd::mesh
