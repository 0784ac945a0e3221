#include "mesh/quality/curvature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd::mesh {
namespace {

struct WorstElement {
  double ratio;     // of its smallest J over its largest
  std::int64_t id;  // global
};

// Collective; a ratio of 1 without curved elements.
WorstElement worst_element(const Subdomain& mesh, const parallel::Communicator& comm) {
  std::vector<double> ratios(mesh.curved.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < ratios.size(); ++c)
    ratios[c] = determinant_ratio(mesh.tetrahedron(mesh.curved[c]), mesh.curvature[c]);
  double worst = 1;
  for (const double r : ratios) worst = std::min(worst, r);
  worst = comm.min(worst);
  std::int64_t id = std::numeric_limits<std::int64_t>::max();
  for (std::size_t c = 0; c < ratios.size(); ++c)
    if (ratios[c] == worst) id = std::min(id, mesh.element_id[mesh.curved[c]]);
  return {worst, comm.min(id)};
}

void straighten_edges(const MeshSource& source, Subdomain& mesh) {
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::vector<bool> straight;  // [surface groups]
  for (const std::string& name : mesh.surface_names)
    straight.push_back(has(source.straight_surfaces, name) ||
                       (has(source.straight_surfaces, "*") && !has(source.shaped_surfaces, name)));
  std::size_t kept = 0;
  for (std::size_t c = 0; c < mesh.curved.size(); ++c) {
    CurvedElement element = mesh.curvature[c];
    for (std::size_t i = 0; i < element.bend.size(); ++i)
      if (element.surface[i] != no_single_surface && straight[element.surface[i]]) element.bend[i] = {};
    if (element.is_straight()) continue;
    mesh.curved[kept] = mesh.curved[c];
    mesh.curvature[kept++] = element;
  }
  mesh.curved.resize(kept);
  mesh.curvature.resize(kept);
}

}  // namespace

void apply_curvature(const MeshSource& source, Subdomain& mesh, const parallel::Communicator& comm) {
  if (source.curved == CurvedElements::off) {
    mesh.curved.clear();
    mesh.curvature.clear();
    return;
  }
  straighten_edges(source, mesh);
  const auto [ratio, id] = worst_element(mesh, comm);
  if (!(ratio > 0))
    throw Error(fmt::format("{}: element {}: its curved edges turn it inside out (J changes its sign): a finer or an "
                            "optimised mesh is needed (Gmsh: Mesh.HighOrderOptimize = 1), or mesh.curved = off",
                            source.file.filename().string(), id));
}

void log_curvature(const Subdomain& mesh, const parallel::Communicator& comm) {
  constexpr double poor = 0.3;
  const std::int64_t elements = comm.sum(static_cast<std::int64_t>(mesh.curved.size()));
  if (elements == 0) return;
  const auto [ratio, id] = worst_element(mesh, comm);
  if (!comm.is_root()) return;
  log::info("mesh: {} of {} elements are curved, smallest J / largest J in an element at least {:.2f}", elements,
            mesh.global_elements, ratio);
  if (ratio < poor)
    log::warn("mesh: element {} is bent so much that its smallest J is {:.2f} of its largest: the time step may be short; "
              "a finer or an optimised mesh (Gmsh: Mesh.HighOrderOptimize = 1) helps",
              id, ratio);
}

void straighten(GlobalMesh& mesh, const std::vector<std::string>& surfaces) {
  std::vector<std::array<std::int64_t, 2>> edges;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (std::find(surfaces.begin(), surfaces.end(), mesh.surface_names[mesh.triangle_group[t]]) == surfaces.end()) continue;
    auto v = mesh.triangles[t];
    std::sort(v.begin(), v.end());
    edges.insert(edges.end(), {{v[0], v[1]}, {v[0], v[2]}, {v[1], v[2]}});
  }
  std::sort(edges.begin(), edges.end());
  std::erase_if(mesh.curved_edges, [&](const CurvedEdge& e) { return std::binary_search(edges.begin(), edges.end(), e.vertices); });
}

}  // namespace dgtd::mesh
