#pragma once
// Source of a tetrahedral mesh: a file or a generator.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/curved_elements.hpp"
#include "dgtd/mesh/added_layers.hpp"

namespace dgtd::mesh {

/// Whose polyhedra have the volume of the body with the curved surface: nobody's, those of spheres and ellipsoids that
/// nothing cuts, or also those of cylinders and of what sides of the domain and other bodies cut.
enum class ExactVolumes { off, on, all };

/// A surface group of a mesh file that is between elements, such as that of a port.
struct AskedSurface {
  std::string name;
  std::string by;  // "FILE:LINE: port.NAME: faces", for messages alone

  bool operator==(const AskedSurface& other) const { return name == other.name; }
};

struct MeshSource {
  enum class Generator { none, box, head_phone, shapes };
  std::filesystem::path file;  // absolute
  double unit = 1;             // metres per length unit of the file
  Generator generator = Generator::none;
  std::string level = "m0";                    // head-phone: m0, m1, m2, m3
  std::array<std::int64_t, 3> cells{8, 8, 8};  // box: cubes an axis, six tetrahedra each
  Vec3 size{1, 1, 1};                          // box: m
  // shapes: elements per wavelength at the highest frequency (0: by the order), m, growth
  double per_wavelength = 0, finest = 0, ratio = 1.3;
  std::optional<double> highest_frequency = {};  // shapes: Hz, that elements are sized for; none: the highest in use
  std::int64_t per_circle = 0;       // shapes: least elements along a circle (0: by `curved`)
  std::int64_t edge_refinement = 4;  // shapes: at edges of perfect conductors elements are so many times smaller
  ExactVolumes exact_volumes = ExactVolumes::on;  // shapes
  CurvedElements curved = CurvedElements::mean;
  // Surfaces whose edges are made straight, "*" for all that are in neither list, and others; no keys of the case.
  std::vector<std::string> straight_surfaces = {}, shaped_surfaces = {};
  /// Place of the compact mesh file of a mesh file (src/dg/notes.md): in the user's cache, but beside a mesh
  /// that the program has generated; beside any mesh file; nowhere.
  enum class Cache { user, beside, off } cache = Cache::user;
  std::vector<AddedLayers> layers;  // outside of surfaces of the file or of the box
  /// [axes] whether surfaces xmin and xmax (ymin, ymax; zmin, zmax), two sides of the mesh, are one.
  std::array<bool, 3> periodic{};

  std::vector<AskedSurface> inner_surfaces = {};  // no key of the case

  bool operator==(const MeshSource&) const = default;
};

/// Partition of the elements of a file among ranks: by METIS, along a Hilbert curve, or by METIS unless there are
/// many elements. A box is cut into blocks of cubes.
enum class Partitioner { automatic, metis, curve };

}  // namespace dgtd::mesh
