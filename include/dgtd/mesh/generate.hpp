#pragma once
// Meshes made by the Gmsh SDK: the shipped phone case and the spheres of the verification study.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/body_model.hpp"

namespace dgtd::mesh {

/// Figures of a mesh that a generator wrote: lengths in metres.
struct MeshSummary {
  std::int64_t tetrahedra = 0, nodes = 0;
  double edge_min = 0, edge_mean = 0, edge_max = 0;  // the mean is over distinct edges
  double inradius_min = 0;
  double shape_min = 0;  // 4.9 inradius / longest edge: 1 for the regular tetrahedron, 0 for a flat one
};

/// Geometry of the phone case (m). Axes: +x right, +y front, +z up; the origin is the skin's centre.
struct HeadPhone {
  struct Tissue {
    const char* name;
    Vec3 centre, semi_axes;
  };
  struct Box {
    Vec3 low, high;
  };

  static constexpr double wavelength = 0.16655;  // in air at 1.8 GHz
  static constexpr Tissue skin{"skin", {0, 0, 0}, {0.077, 0.100, 0.115}};
  static constexpr Tissue skull{"skull", {0, -0.002, 0.015}, {0.0696, 0.0876, 0.0876}};
  static constexpr Tissue csf{"csf", {0, -0.002, 0.015}, {0.0628, 0.0808, 0.0808}};
  static constexpr Tissue brain{"brain", {0, -0.002, 0.015}, {0.060, 0.078, 0.078}};
  /// 10 mm from the skin, at the right ear. Not symmetric about the antenna, so that no symmetric
  /// element face happens to pass through the feed.
  static constexpr Box phone{{0.087, -0.023, -0.090}, {0.107, 0.017, 0.010}};
  /// A quarter of a wavelength long, 2 mm above the phone's top.
  static constexpr Box antenna{{0.0955, -0.0015, 0.012}, {0.0985, 0.0015, 0.0536}};
  /// One wavelength from the skin where it is nearest (crown and chin). Centred at the origin.
  static constexpr double absorbing_radius = 0.115 + wavelength;

  /// Middle of the gap; in a case file `position = 0.097 0 0.011`, `direction = 0 0 1`.
  static constexpr Vec3 feed_position{0.097, 0, 0.011};
  static constexpr Vec3 feed_direction{0, 0, 1};
};

/// Head of four nested smooth tissues (skin, skull, csf, brain) beside a metallic phone (INRIA
/// report 7592, section 5.1). level: m0, m1, m2, m3. Volume groups skin, skull, csf, brain, air;
/// surface groups absorbing, metal. Writes MSH 4.1 binary, metres, whole or not at all. The file ends with a comment,
/// head_phone_comment(level), by which it is recognised.
MeshSummary generate_head_phone(const std::string& level, const std::filesystem::path& file);
std::string head_phone_comment(const std::string& level);

/// Finer elements around a point, such as a dipole: at most `size` there, more by the generator's growth with distance.
struct Refinement {
  Vec3 position;    // m
  double size = 0;  // m
};

/// Concentric spheres around the origin: radii ascending (m), the last one is the absorbing outer
/// boundary; sizes: element size in each shell (m), the first one being the innermost ball. Volume
/// groups named by names, surface group "absorbing" on the outer sphere. The polyhedron of a sphere has its corners on
/// the sphere, or with exact_volumes the sphere's volume, its corners being a little outside.
struct Spheres {
  std::vector<double> radii;
  std::vector<double> sizes;
  std::vector<std::string> names;
  std::vector<Refinement> refinements = {};
  bool exact_volumes = false;
};
MeshSummary generate_spheres(const Spheres& spheres, const std::filesystem::path& file);

/// Bodies in a domain. The file's origin is the middle of the domain. Volume groups are those of the model, surface
/// groups xmin, xmax, ymin, ymax, zmin, zmax of a box, outer of a ball, and one for each group of holes. The same file
/// for the same model from the first mesh of every process. Throws Error where nothing is left of a body, where periodic sides differ, and for more than 1e8
/// tetrahedra.
MeshSummary generate_bodies(const BodyModel& model, const std::filesystem::path& file);

/// The folder of a user for meshes that cannot be kept beside their case: $XDG_CACHE_HOME/dgtd, else
/// $HOME/.cache/dgtd, else ./meshes.
std::filesystem::path user_meshes();

}  // namespace dgtd::mesh
