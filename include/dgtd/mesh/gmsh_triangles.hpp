#pragma once
// Triangles of an STL file, as Gmsh reads them.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

namespace dgtd::mesh {

/// Gmsh merges equal points, without which no two triangles would share an edge.
struct GmshTriangles {
  std::vector<std::size_t> tags;     // [points]
  std::vector<double> coordinates;   // [points][3], in the file's unit
  std::vector<std::size_t> corners;  // [triangles][3] tags
};

/// The function that reads them, for a child process: call this one before the process is split, since it loads a
/// library. Throws Error where that cannot be loaded. The function throws Error for what is no STL file.
std::function<GmshTriangles(const std::filesystem::path&)> gmsh_triangle_reader();

}  // namespace dgtd::mesh
