#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <unordered_map>

#include "dgtd/base/error.hpp"
#include "dgtd/grid/solid.hpp"
#include "dgtd/mesh/gmsh_triangles.hpp"
#include "dgtd/parallel/child_reader.hpp"
#include "stl_structure.hpp"

namespace dgtd::grid {

namespace {

using Triangles = mesh::GmshTriangles;

Triangles read_triangles(const std::filesystem::path& file) {
  Triangles triangles;
  const auto read_by_gmsh = mesh::gmsh_triangle_reader();
  parallel::read_in_child(
      file.string(), "Gmsh", parallel::read_limits(static_cast<double>(std::filesystem::file_size(file))),
      [&](parallel::Sender& sender) {
        const Triangles read = read_by_gmsh(file);
        sender.put(read.tags), sender.put(read.coordinates), sender.put(read.corners);
      },
      [&](parallel::Receiver& receiver) {
        receiver.take(triangles.tags), receiver.take(triangles.coordinates), receiver.take(triangles.corners);
      });
  return triangles;
}

}  // namespace

TriangleSurface read_stl_surface(const std::filesystem::path& file, double unit) {
  if (!std::ifstream(file)) throw Error(fmt::format("{}: cannot be opened", file.string()));
  const std::string ending = file.extension().string();
  if (ending != ".stl" && ending != ".STL")
    throw Error(fmt::format("{}: the name of a surface's file must end with .stl", file.string()));
  require_sound_stl(file);
  const auto [tags, coordinates, corners] = read_triangles(file);
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

std::shared_ptr<const Solid> read_stl(const std::filesystem::path& file, double unit, const Vec3& position,
                                      const geometry::Rotation& rotation) {
  TriangleSurface surface = read_stl_surface(file, unit);
  for (Vec3& point : surface.points) point = position + rotation(point);
  try {
    return make_triangulated(std::move(surface.points), std::move(surface.triangles));
  } catch (const Error& error) { throw Error(fmt::format("{}: {}", file.string(), error.what())); }
}

}  // namespace dgtd::grid
