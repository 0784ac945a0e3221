#pragma once
// Solids in STEP files (ISO 10303), as Gmsh's Open CASCADE kernel reads them.
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

struct StepSolid {
  std::string name;  // the last one of its path through the file's assemblies
  int number = 0;    // among the file's solids, from 0
  double volume = 0, area = 0;                // m^3, m^2
  std::vector<Vec3> points;                   // m, of a closed surface of triangles, 48 of whose edges are a circle
  std::vector<std::array<int, 3>> triangles;  // indices of points
};

/// The solids of that name, all of them where it is empty. The file's unit counts. Reads in a child process. Throws Error
/// (bad_input), one line: what is no STEP file; a body that is missing, with the names that exist; one that is a surface,
/// whose shell is open, or which has no volume.
std::vector<StepSolid> read_step(const std::filesystem::path& file, const std::string& body);

/// A place where elements of a solid are to be small.
struct SurfaceSize {
  Vec3 place;
  double element;  // m
};
/// Sizes of elements that follow the curvature of a solid's surface: at places of which no other one asks for about as
/// little, where elements grow by `growth` for a unit of distance and a circle has `per_circle` of them.
std::vector<SurfaceSize> surface_sizes(const StepSolid& solid, double growth, double per_circle = 12);

/// Hash that identifies a STEP file.
std::uint64_t hash_of_file(const std::filesystem::path& file);

}  // namespace dgtd::mesh
