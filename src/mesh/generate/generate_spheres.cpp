// Concentric spheres: the verification study with an exact solution, and its absorbing boundary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "mesh/generate/generate_common.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

namespace dgtd::mesh {
namespace {

constexpr double outer_radius = 100;         // model units: see generate_common.hpp
constexpr double growth_from_spheres = 0.2;  // of the element size, for a unit of distance
constexpr double most_tetrahedra = 1e8;

/// From how many a volume has when all of them are regular.
double estimated_tetrahedra(const Spheres& spheres) {
  double sum = 0, inner = 0;
  for (std::size_t i = 0; i < spheres.radii.size(); ++i) {
    const double outer = spheres.radii[i];
    sum += 4 * pi / 3 * (std::pow(outer, 3) - std::pow(inner, 3)) / (std::pow(spheres.sizes[i], 3) / std::sqrt(72.0));
    inner = outer;
  }
  return sum;
}

void check(const Spheres& spheres) {
  const auto& [radii, sizes, names, refinements, exact_volumes] = spheres;
  if (radii.empty()) throw Error("spheres: no radius given (at least one is needed)");
  if (sizes.size() != radii.size() || names.size() != radii.size())
    throw Error(fmt::format("spheres: {} radii, {} sizes and {} names (one size and one name a radius)", radii.size(),
                            sizes.size(), names.size()));
  double inner = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    if (!(radii[i] > inner) || !std::isfinite(radii[i]))
      throw Error(fmt::format("spheres: radius {} after {} (radii are positive and ascend)", radii[i], inner));
    if (!(sizes[i] > 0) || sizes[i] > radii[i])
      throw Error(fmt::format("spheres: element size {} in the sphere of radius {} (positive, at most the radius)",
                              sizes[i], radii[i]));
    if (names[i].empty()) throw Error(fmt::format("spheres: the name of sphere {} is empty", i + 1));
    inner = radii[i];
  }
  if (std::set(names.begin(), names.end()).size() != names.size())
    throw Error(fmt::format("spheres: names {} (each at most once)", fmt::join(names, " ")));
  for (const Refinement& r : refinements)
    if (!(r.size > 0) || !(norm(r.position) < radii.back()))
      throw Error(fmt::format("spheres: element size {} at {} {} {} (positive, inside the outermost sphere)", r.size,
                              r.position.x, r.position.y, r.position.z));
  if (const double estimate = estimated_tetrahedra(spheres); estimate > most_tetrahedra)
    throw Error(
        fmt::format("spheres: these sizes make about {:.0e} tetrahedra (at most {:.0e})", estimate, most_tetrahedra));
}

/// The smallest of the sizes of shells and refinements as they are seen from their distance.
double element_size(const Spheres& spheres, const Vec3& point) {
  const double radius = norm(point);
  double size = std::numeric_limits<double>::infinity(), inner = 0;
  for (std::size_t i = 0; i < spheres.radii.size(); ++i) {
    const double outer = spheres.radii[i];
    size = std::min(size, spheres.sizes[i] + growth_from_spheres * std::max({inner - radius, radius - outer, 0.0}));
    inner = outer;
  }
  for (const Refinement& r : spheres.refinements)
    size = std::min(size, r.size + growth_from_spheres * norm(point - r.position));
  return size;
}

}  // namespace

MeshSummary generate_spheres_by_gmsh(const Spheres& spheres, const std::filesystem::path& file) {
  check(spheres);
  check_writable(file);
  const double unit = spheres.radii.back() / outer_radius;
  return with_gmsh("spheres", [&] {
    StageLines stages("mesh");
    std::vector<Ellipsoid> ellipsoids;
    std::vector<Solid> solids;
    for (std::size_t i = spheres.radii.size(); i-- > 0;) {
      const double radius = spheres.radii[i] / unit;
      ellipsoids.push_back({{}, {radius, radius, radius}});
      solids.push_back({add(ellipsoids.back()), spheres.names[i]});
    }
    build_regions(solids);
    const auto size = [&](const Vec3& point) { return element_size(spheres, unit * point) / unit; };
    const Polyhedra polyhedra = spheres.exact_volumes ? Polyhedra::exact_volumes : Polyhedra::inscribed;
    return mesh_and_write(size, ellipsoids, polyhedra, unit, file, stages);
  });
}

}  // namespace dgtd::mesh
