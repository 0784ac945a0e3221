#include <fmt/format.h>
#include <gmsh.h>

#include <cmath>
#include <fstream>
#include <unordered_map>

#include "dgtd/base/crash_guard.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/grid/solid.hpp"
#include "dgtd/mesh/gmsh_session.hpp"
#include "stl_structure.hpp"

namespace dgtd::grid {

// Gmsh merges equal points, without which no two triangles would share an edge.
TriangleSurface read_stl_surface(const std::filesystem::path& file, double unit) {
  if (!std::ifstream(file)) throw Error(fmt::format("{}: cannot be opened", file.string()));
  const std::string ending = file.extension().string();
  if (ending != ".stl" && ending != ".STL")
    throw Error(fmt::format("{}: the name of a surface's file must end with .stl", file.string()));
  require_sound_stl(file);
  std::vector<std::size_t> tags, elements, corners;
  std::vector<double> coordinates, parameters;
  {
    const CrashGuard guard(crash_message(file.string(), "Gmsh"));
    const mesh::GmshSession session;
    try {
      gmsh::merge(file.string());
      gmsh::model::mesh::getNodes(tags, coordinates, parameters, -1, -1, false, false);
      constexpr int triangle = 2;
      gmsh::model::mesh::getElementsByType(triangle, elements, corners);
    } catch (const std::string&) { throw Error(fmt::format("{}: cannot be read as an STL file", file.string())); }
  }
  TriangleSurface surface;
  std::unordered_map<std::size_t, int> number;  // of a node's tag
  constexpr double farthest = 1e15;             // m
  for (const double x : coordinates)
    if (!(std::abs(unit * x) <= farthest))
      throw Error(fmt::format("{}: a vertex has the coordinate {}; allowed are finite ones up to {} m", file.string(),
                              x, farthest));
  for (std::size_t p = 0; p < tags.size(); ++p) {
    number[tags[p]] = static_cast<int>(p);
    surface.points.push_back(unit * Vec3{coordinates[3 * p], coordinates[3 * p + 1], coordinates[3 * p + 2]});
  }
  for (std::size_t c = 0; c + 2 < corners.size(); c += 3)
    surface.triangles.push_back({number.at(corners[c]), number.at(corners[c + 1]), number.at(corners[c + 2])});
  return surface;
}

std::shared_ptr<const Solid> read_stl(const std::filesystem::path& file, double unit, const Vec3& position) {
  TriangleSurface surface = read_stl_surface(file, unit);
  for (Vec3& point : surface.points) point = position + point;
  try {
    return make_triangulated(std::move(surface.points), std::move(surface.triangles));
  } catch (const Error& error) { throw Error(fmt::format("{}: {}", file.string(), error.what())); }
}

}  // namespace dgtd::grid
