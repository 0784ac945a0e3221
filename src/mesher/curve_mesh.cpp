#include "dgtd/mesher/curve_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/step_surface.hpp"
#include "bend_edges.hpp"
#include "curved_volumes.hpp"

namespace dgtd::mesher {
namespace {

[[noreturn]] void refuse_surface(const std::string& name) {
  throw Error(
      fmt::format("{}: no triangle between two volumes, or on the boundary, has its vertices on it (to 1e-6 of the mesh's "
                  "size)",
                  name));
}

}  // namespace

CurvedMesh curve_mesh(mesh::GlobalMesh& mesh, const CurvingSurfaces& surfaces) {
  if (!mesh.curved_edges.empty())
    throw Error(fmt::format("{}: has {} curved edges already", mesh.source, mesh.curved_edges.size()));
  mesh::BodyModel model;
  model.low = model.high = mesh.vertices.at(0);
  for (const Vec3& x : mesh.vertices)
    for (int a = 0; a < 3; ++a) model.low[a] = std::min(model.low[a], x[a]), model.high[a] = std::max(model.high[a], x[a]);
  std::map<EdgeEnds, Vec3> bends;
  for (const mesh::Body& body : surfaces.bodies) {
    model.bodies = {body};
    auto of_body = bends_of_edges(mesh, model);
    if (of_body.empty()) refuse_surface(body.name);
    bends.merge(of_body);
  }
  if (!surfaces.solids.empty()) {
    const std::vector<FaceCorners> triangles = interfaces_of(mesh);
    for (const auto& file : surfaces.solids) {
      const auto middles = mesh::middles_on_step(file, mesh.vertices, triangles);
      if (middles.empty()) refuse_surface(file.string());
      for (const auto& [ends, place] : middles) {
        const auto at = [&](std::int64_t v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
        bends.try_emplace(ends, place - 0.5 * (at(ends[0]) + at(ends[1])));
      }
    }
  }
  const CurvedEdges edges = bend_edges(mesh, std::move(bends));
  return {edges.curved, edges.left};
}

}  // namespace dgtd::mesher
