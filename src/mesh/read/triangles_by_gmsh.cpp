#include <fmt/format.h>
#include <gmsh.h>

#include "dgtd/base/error.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/gmsh_session.hpp"

namespace dgtd::mesh {

GmshTriangles read_triangles_by_gmsh(const std::filesystem::path& file) {
  GmshTriangles read;
  std::vector<std::size_t> elements;
  std::vector<double> parameters;
  const GmshSession session;
  try {
    gmsh::merge(file.string());
    gmsh::model::mesh::getNodes(read.tags, read.coordinates, parameters, -1, -1, false, false);
    constexpr int triangle = 2;
    gmsh::model::mesh::getElementsByType(triangle, elements, read.corners);
  } catch (const std::string&) { throw Error(fmt::format("{}: cannot be read as an STL file", file.string())); }
  return read;
}

}  // namespace dgtd::mesh
