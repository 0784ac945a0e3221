#include "mesh/generate/generate_volumes.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "dgtd/base/error.hpp"
#include "mesh/generate/gmsh_library.hpp"

namespace dgtd::mesh {
namespace {

/// The closure of one CAD face: the curves of Gmsh, seams and poles of closed faces among them, play
/// no part in filling the volumes.
struct Surface {
  int tag = 0;
  std::vector<Vec3> points;
  std::vector<std::size_t> node_tags;  // [points]
  std::vector<Triangle> triangles;     // indices into points
};

struct Group {
  int dimension = 0, tag = 0;
  std::string name;
  std::vector<int> entities;
};

struct SurfaceMesh {
  std::vector<Surface> surfaces;
  std::map<int, std::vector<int>> volumes;  // signed surface tags
  std::vector<Group> groups;
};

/// In the order of the tags: Gmsh's own order of nodes and triangles differs from run to run.
Surface read_surface(int tag) {
  std::vector<std::size_t> node_tags, elements, corners;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(node_tags, coordinates, parameters, 2, tag, true, false);
  std::map<std::size_t, Vec3> position;
  for (std::size_t i = 0; i < node_tags.size(); ++i)
    position[node_tags[i]] = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};

  Surface surface;
  surface.tag = tag;
  std::unordered_map<std::size_t, int> index_of;
  for (const auto& [node, point] : position) {
    index_of[node] = int(surface.points.size());
    surface.node_tags.push_back(node);
    surface.points.push_back(point);
  }
  gmsh::model::mesh::getElementsByType(triangle_type, elements, corners, tag);
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    for (std::size_t c = 0; c < 3; ++c)
      if (!index_of.contains(corners[i + c]))
        throw Error(fmt::format("mesh: near {:.6g} {:.6g} {:.6g} model units something touches a curved surface at a "
                                "point or along a line; bodies and ports must overlap or be apart",
                                surface.points.front().x, surface.points.front().y, surface.points.front().z));
    Triangle triangle{index_of.at(corners[i]), index_of.at(corners[i + 1]), index_of.at(corners[i + 2])};
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    surface.triangles.push_back(triangle);
  }
  std::sort(surface.triangles.begin(), surface.triangles.end());
  return surface;
}

SurfaceMesh read_model() {
  SurfaceMesh mesh;
  gmsh::vectorpair surfaces, volumes, groups;
  gmsh::model::getEntities(surfaces, 2);
  for (auto [dimension, tag] : surfaces) mesh.surfaces.push_back(read_surface(tag));
  gmsh::model::getEntities(volumes, 3);
  for (const auto& volume : volumes) {
    gmsh::vectorpair boundary;
    gmsh::model::getBoundary({volume}, boundary, false, true, false);
    for (auto [dimension, tag] : boundary) mesh.volumes[volume.second].push_back(tag);
  }
  gmsh::model::getPhysicalGroups(groups);
  for (auto [dimension, tag] : groups) {
    Group group;
    group.dimension = dimension;
    group.tag = tag;
    gmsh::model::getPhysicalName(dimension, tag, group.name);
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, group.entities);
    mesh.groups.push_back(std::move(group));
  }
  return mesh;
}

bool lies_on(const Ellipsoid& ellipsoid, const Surface& surface) {
  constexpr double tolerance = 1e-5;  // of a model about 100 large: far below any distance between two surfaces
  for (const Vec3& point : surface.points)
    if (std::abs(distance(ellipsoid, point)) > tolerance) return false;
  return true;
}

void write_model(const SurfaceMesh& mesh) {
  gmsh::model::add("surface mesh");
  std::unordered_set<std::size_t> added;
  for (const Surface& surface : mesh.surfaces) {
    gmsh::model::addDiscreteEntity(2, surface.tag);
    std::vector<std::size_t> new_tags, nodes;
    std::vector<double> coordinates;
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
      if (!added.insert(surface.node_tags[i]).second) continue;
      new_tags.push_back(surface.node_tags[i]);
      for (int k = 0; k < 3; ++k) coordinates.push_back(surface.points[i][k]);
    }
    for (const Triangle& triangle : surface.triangles)
      for (int corner : triangle) nodes.push_back(surface.node_tags[corner]);
    gmsh::model::mesh::addNodes(2, surface.tag, new_tags, coordinates);
    gmsh::model::mesh::addElementsByType(surface.tag, triangle_type, {}, nodes);
  }
  for (const auto& [tag, boundary] : mesh.volumes) {
    const int loop = gmsh::model::geo::addSurfaceLoop(boundary);
    gmsh::model::geo::addVolume({loop}, tag);
  }
  gmsh::model::geo::synchronize();
  for (const Group& group : mesh.groups) {
    gmsh::model::addPhysicalGroup(group.dimension, group.entities, group.tag);
    gmsh::model::setPhysicalName(group.dimension, group.tag, group.name);
  }
}

}  // namespace

void fill_volumes(const std::vector<Ellipsoid>& ellipsoids, Polyhedra polyhedra) {
  SurfaceMesh mesh = read_model();
  for (Surface& surface : mesh.surfaces)
    for (const Ellipsoid& ellipsoid : ellipsoids)
      if (lies_on(ellipsoid, surface) && is_closed(surface.triangles)) {
        improve(ellipsoid, surface.points, surface.triangles);
        if (polyhedra == Polyhedra::exact_volumes) restore_volume(ellipsoid, surface.points, surface.triangles);
      }

  // HXT inserts the surface's nodes in the order of their addresses in memory, which after the work
  // of Open CASCADE (tables hashed by address) differs from run to run, and so would the mesh. A new
  // thread allocates from a heap of its own, where a copy's nodes lie in the order of their creation.
  std::async(std::launch::async, [&mesh] {
    gmsh::option::setNumber("General.NumThreads", 1);  // Gmsh passes it on to OpenMP, for the calling thread
    write_model(mesh);
    gmsh::model::mesh::generate(3);
  }).get();
}

}  // namespace dgtd::mesh
