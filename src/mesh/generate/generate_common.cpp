#include "mesh/generate/generate_common.hpp"

#include <gmsh.h>

#include <algorithm>
#include <map>
#include <set>

#include "dgtd/base/error.hpp"
#include "mesh/generate/generate_summary.hpp"
#include "mesh/generate/generate_volumes.hpp"
#include "mesh/generate/gmsh_session.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

namespace dgtd::mesh {
namespace {

// Gmsh's numbers of its algorithms.
constexpr int frontal_delaunay = 6, hxt = 10;

/// Surfaces that bound the union of the volumes, each once.
std::set<int> boundary_of(const std::vector<int>& volumes) {
  gmsh::vectorpair volume_tags, surface_tags;
  for (int volume : volumes) volume_tags.emplace_back(3, volume);
  gmsh::model::getBoundary(volume_tags, surface_tags, true, false, false);
  std::set<int> surfaces;
  for (auto [dimension, tag] : surface_tags) surfaces.insert(tag);
  return surfaces;
}

void name_group(int dimension, const std::vector<int>& tags, const std::string& name) {
  const int group = gmsh::model::addPhysicalGroup(dimension, tags);
  gmsh::model::setPhysicalName(dimension, group, name);
}

void set_options(double unit) {
  // The size function alone decides.
  gmsh::option::setNumber("Mesh.MeshSizeFromPoints", 0);
  gmsh::option::setNumber("Mesh.MeshSizeFromCurvature", 0);
  gmsh::option::setNumber("Mesh.MeshSizeExtendFromBoundary", 0);
  gmsh::option::setNumber("Mesh.Algorithm", frontal_delaunay);
  gmsh::option::setNumber("Mesh.Algorithm3D", hxt);
  // HXT mends tetrahedra whose shape is below this.
  gmsh::option::setNumber("Mesh.OptimizeThreshold", 0.45);
  gmsh::option::setNumber("Mesh.MshFileVersion", 4.1);
  gmsh::option::setNumber("Mesh.Binary", 1);
  gmsh::option::setNumber("Mesh.ScalingFactor", unit);
}

// Throws the last error of Gmsh where it does not throw itself.
void check_for_errors() {
  std::string error;
  gmsh::logger::getLastError(error);
  if (!error.empty()) throw error;
}

}  // namespace

int add(const Ellipsoid& ellipsoid) {
  const Vec3 &centre = ellipsoid.centre, &axes = ellipsoid.semi_axes;
  const int tag = gmsh::model::occ::addSphere(centre.x, centre.y, centre.z, 1);
  gmsh::model::occ::dilate({{3, tag}}, centre.x, centre.y, centre.z, axes.x, axes.y, axes.z);
  return tag;
}

void build_regions(const std::vector<Solid>& solids) {
  gmsh::vectorpair inputs, pieces;
  for (const Solid& solid : solids) inputs.emplace_back(3, solid.tag);
  std::vector<gmsh::vectorpair> pieces_of;
  if (inputs.size() > 1)
    gmsh::model::occ::fragment({inputs.front()}, {inputs.begin() + 1, inputs.end()}, pieces, pieces_of);
  else pieces_of = {inputs};
  gmsh::model::occ::synchronize();

  std::map<int, std::string> group_of;
  for (std::size_t i = 0; i < solids.size(); ++i)
    for (auto [dimension, piece] : pieces_of[i]) group_of[piece] = solids[i].group;

  std::map<std::string, std::vector<int>> volumes;
  std::vector<int> meshed;
  for (const auto& [piece, group] : group_of) {
    if (!group.empty()) {
      volumes[group].push_back(piece);
      meshed.push_back(piece);
    }
  }
  const std::vector<int> bodies = [&] {
    std::vector<int> tags;
    for (const auto& [piece, group] : group_of)
      if (group.empty()) tags.push_back(piece);
    return tags;
  }();
  const std::set<int> metal = bodies.empty() ? std::set<int>{} : boundary_of(bodies);
  std::vector<int> absorbing;
  for (int surface : boundary_of(meshed))
    if (!metal.contains(surface)) absorbing.push_back(surface);

  gmsh::vectorpair removed;
  for (int body : bodies) removed.emplace_back(3, body);
  gmsh::model::removeEntities(removed);

  // Innermost solid first.
  for (auto solid = solids.rbegin(); solid != solids.rend(); ++solid)
    if (!solid->group.empty()) name_group(3, volumes[solid->group], solid->group);
  name_group(2, absorbing, "absorbing");
  if (!metal.empty()) name_group(2, {metal.begin(), metal.end()}, "metal");
}

MeshSummary mesh_and_write(const SizeFunction& size, const std::vector<Ellipsoid>& ellipsoids, Polyhedra polyhedra,
                           double unit, const std::filesystem::path& file, StageLines& stages,
                           const std::string& comment) {
  set_options(unit);
  stages.begin("triangles on the surfaces");
  gmsh::model::mesh::setSizeCallback([&size](int, int, double x, double y, double z) { return size({x, y, z}); });
  gmsh::model::mesh::generate(2);
  check_for_errors();
  stages.begin("tetrahedra in the volumes");
  fill_volumes(ellipsoids, polyhedra);
  check_for_errors();
  gmsh::model::mesh::removeSizeCallback();
  stages.begin("writing " + file.filename().string());
  const UnfinishedMesh unfinished(file);
  gmsh::write(unfinished.name().string());
  const MeshSummary summary = summarise_model(unit);
  unfinished.finish(comment);
  return summary;
}

MeshSummary with_gmsh(const std::string& what, const std::function<MeshSummary()>& work) {
  const GmshSession session;
  try {
    return work();
  } catch (const Error&) { throw; } catch (const std::bad_alloc&) {
    throw Error(ExitCode::out_of_memory, what + ": not enough memory for this mesh");
  } catch (const std::string& message) {  // what Gmsh 4.8 throws
    throw Error(ExitCode::other, what + ": gmsh: " + one_line(message));
  }
}

}  // namespace dgtd::mesh
