// Solids of STEP files: their names, and closed surfaces of triangles.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "dgtd/base/error.hpp"
#include "mesh/generate/generate_surface.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/gmsh_session.hpp"
#include "mesh/read/crossing_triangles.hpp"

namespace dgtd::mesh {
namespace {

constexpr double edges_per_circle = 48;

struct Entity {
  int dimension, tag, number;  // number: among the solids
  std::string path;            // "Shapes/board/patch"

  std::string name() const {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
  }
  // A component of the path: an assembly's name stands for all that is in it.
  bool is_called(const std::string& wanted) const {
    return ("/" + path + "/").find("/" + wanted + "/") != std::string::npos;
  }
};

// Solids, and faces that belong to none.
std::vector<Entity> entities_of(const std::filesystem::path& file) {
  gmsh::vectorpair top, found, faces;
  // All dimensions: else the faces of a shell that is open are lost where the file has solids too.
  gmsh::model::occ::importShapes(file.string(), top, false, "step");
  gmsh::model::occ::synchronize();
  std::set<int> of_solids;
  for (const auto& entity : top) {
    if (entity.first == 3) found.push_back(entity);
    gmsh::vectorpair walls;
    if (entity.first == 3) gmsh::model::getBoundary({entity}, walls, false, false, false);
    for (const auto& [dimension, tag] : walls) of_solids.insert(tag);
  }
  gmsh::model::getEntities(faces, 2);
  for (const auto& face : faces)
    if (!of_solids.contains(face.second)) found.push_back(face);
  std::vector<Entity> entities;
  int solids = 0;
  for (const auto& [dimension, tag] : found) {
    Entity e{dimension, tag, dimension == 3 ? solids++ : -1, {}};
    gmsh::model::getEntityName(dimension, tag, e.path);
    if (e.path.empty()) e.path = fmt::format("{} {}", dimension == 3 ? "solid" : "face", tag);
    entities.push_back(e);
  }
  return entities;
}

std::string names_of_bodies(const std::vector<Entity>& entities) {
  std::set<std::string> names;
  for (const Entity& e : entities)
    if (e.dimension == 3) names.insert(e.name());
  std::string text;
  constexpr std::size_t most = 20;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (++count > most) return text + fmt::format(" and {} more", names.size() - most);
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::vector<Entity> solids_called(const std::vector<Entity>& entities, const std::string& body,
                                  std::vector<std::string>& surfaces) {
  std::vector<Entity> solids;
  for (const Entity& e : entities) {
    if (!body.empty() && !e.is_called(body)) continue;
    if (e.dimension == 3) solids.push_back(e);
    else surfaces.push_back(e.name());
  }
  if (!solids.empty()) return solids;
  if (!surfaces.empty())
    throw Error(fmt::format("body {}: is a surface or a shell that is open, without a volume; closed solids are needed",
                            surfaces.front()));
  if (entities.empty()) throw Error("has no bodies; closed solids are needed");
  const auto loose = std::count_if(entities.begin(), entities.end(), [](const Entity& e) { return e.dimension < 3; });
  throw Error(fmt::format("there is no body {}; its bodies are {}{}", body, names_of_bodies(entities),
                          loose > 0 ? fmt::format(", and {} faces belong to shells that are open", loose) : ""));
}

// Its points in the order of their numbers, and in metres.
void read_surface_of(StepSolid& solid, int tag, double unit) {
  gmsh::vectorpair faces;
  gmsh::model::getBoundary({{3, tag}}, faces, false, false, false);
  std::map<std::size_t, std::array<double, 3>> places;
  std::vector<std::size_t> corners;
  for (const auto& [dimension, face] : faces) {
    std::vector<std::size_t> nodes, elements, of_face;
    std::vector<double> coordinates, parameters;
    gmsh::model::mesh::getNodes(nodes, coordinates, parameters, 2, face, true, false);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      places[nodes[n]] = {coordinates[3 * n], coordinates[3 * n + 1], coordinates[3 * n + 2]};
    gmsh::model::mesh::getElementsByType(triangle_type, elements, of_face, face);
    corners.insert(corners.end(), of_face.begin(), of_face.end());
  }
  std::unordered_map<std::size_t, int> number;
  for (const auto& [node, x] : places) {
    number[node] = static_cast<int>(solid.points.size());
    solid.points.push_back(unit * Vec3{x[0], x[1], x[2]});
  }
  for (std::size_t c = 0; c + 2 < corners.size(); c += 3)
    solid.triangles.push_back({number.at(corners[c]), number.at(corners[c + 1]), number.at(corners[c + 2])});
}

double diagonal_of(int tag) {
  Vec3 low, high;
  gmsh::model::occ::getBoundingBox(3, tag, low.x, low.y, low.z, high.x, high.y, high.z);
  return norm(high - low);
}

void triangulate(const std::vector<Entity>& all, const std::vector<Entity>& wanted) {
  constexpr double coarse = 0.125, fine = 1e-3;  // of the largest solid's diagonal
  double diagonal = 0;
  for (const Entity& e : wanted) diagonal = std::max(diagonal, diagonal_of(e.tag));
  gmsh::vectorpair removed;
  for (const Entity& e : all)
    if (std::none_of(wanted.begin(), wanted.end(),
                     [&](const Entity& w) { return w.dimension == e.dimension && w.tag == e.tag; }))
      removed.emplace_back(e.dimension, e.tag);
  gmsh::model::removeEntities(removed, true);
  gmsh::option::setNumber("Mesh.MeshSizeFromPoints", 0);
  gmsh::option::setNumber("Mesh.MeshSizeExtendFromBoundary", 0);
  gmsh::option::setNumber("Mesh.MeshSizeFromCurvature", edges_per_circle);
  gmsh::option::setNumber("Mesh.MeshSizeMax", coarse * diagonal);
  gmsh::option::setNumber("Mesh.MeshSizeMin", fine * diagonal);
  gmsh::model::mesh::generate(2);
}

// A polyhedron of so many edges per circle has 0.6 % less volume than a ball; thin shells lose more.
void require_sound(const StepSolid& solid) {
  constexpr double thinnest = 1e-6, tolerance = 0.1;
  const auto refuse = [&](const std::string& why) { throw Error(fmt::format("body {}: {}", solid.name, why)); };
  Vec3 low, high;
  if (solid.points.empty()) refuse("has no surface");
  low = high = solid.points.front();
  for (const Vec3& p : solid.points)
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  if (!is_closed(solid.triangles)) refuse("its shell is open; closed solids are needed");
  // A plate's thickness is twice its volume over its area.
  if (!(2 * std::abs(solid.volume) > thinnest * norm(high - low) * solid.area))
    refuse("is thinner than its length by 1e6 or more; a sheet without thickness is type = plate");
  double enclosed = 0;
  for (const auto& [a, b, c] : solid.triangles)
    enclosed += dot(solid.points[a] - low, cross(solid.points[b] - low, solid.points[c] - low)) / 6;
  if (!(std::abs(std::abs(enclosed) - std::abs(solid.volume)) <= tolerance * std::abs(solid.volume)))
    refuse(fmt::format("its faces do not enclose it: triangles on them hold {:.3g} m3, and the solid has {:.3g} m3",
                       std::abs(enclosed), std::abs(solid.volume)));
  if (const auto place = crossing_of(solid.points, solid.triangles))
    refuse(fmt::format("its faces cross each other, near {:.4g} {:.4g} {:.4g} m", place->x, place->y, place->z));
}

}  // namespace

StepContents read_step_by_gmsh(const std::filesystem::path& file, const std::string& body) {
  constexpr double unit = step_unit;
  StepContents contents;
  const GmshSession session;
  try {
    const auto entities = entities_of(file);
    const auto solids = solids_called(entities, body, contents.surfaces);
    for (const Entity& e : solids) {
      StepSolid& solid = contents.solids.emplace_back();
      solid.name = e.name();
      solid.number = e.number;
      gmsh::model::occ::getMass(3, e.tag, solid.volume);
      solid.volume *= unit * unit * unit;
      gmsh::vectorpair faces;
      gmsh::model::getBoundary({{3, e.tag}}, faces, false, false, false);
      for (const auto& [dimension, tag] : faces) {
        double area = 0;
        gmsh::model::occ::getMass(dimension, tag, area);
        solid.area += unit * unit * area;
      }
    }
    triangulate(entities, solids);
    for (std::size_t s = 0; s < solids.size(); ++s) {
      read_surface_of(contents.solids[s], solids[s].tag, unit);
      require_sound(contents.solids[s]);
      contents.solids[s].volume = std::abs(contents.solids[s].volume);
    }
  } catch (const Error& error) { throw Error(error.code(), fmt::format("{}: {}", file.string(), error.what()));
  } catch (const std::string& message) {
    throw Error(fmt::format("{}: cannot be read as a STEP file: {}", file.string(), one_line(message)));
  }
  return contents;
}

}  // namespace dgtd::mesh
