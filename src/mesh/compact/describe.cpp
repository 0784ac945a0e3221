#include "mesh/compact/describe.hpp"

#include <fmt/format.h>

namespace dgtd::mesh {
namespace {

template <std::size_t N>
std::string centre(const GlobalMesh& mesh, const std::array<std::int64_t, N>& vertices) {
  Vec3 sum;
  for (const std::int64_t v : vertices) sum += mesh.vertices[v];
  sum *= 1.0 / N;
  return fmt::format("centre {:.6g} {:.6g} {:.6g}", sum.x, sum.y, sum.z);
}

}  // namespace

std::string describe_element(const GlobalMesh& mesh, std::int64_t element) {
  return fmt::format("element {} ({})", element, centre(mesh, mesh.tetrahedra[element]));
}

std::string describe_face(const GlobalMesh& mesh, const std::array<std::int64_t, 3>& vertices) {
  return fmt::format("face (vertices {} {} {}, {})", vertices[0], vertices[1], vertices[2], centre(mesh, vertices));
}

}  // namespace dgtd::mesh
