// Meshes of the bodies of a case: what Open CASCADE makes of them, and the names of its volumes and faces.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "dgtd/base/error.hpp"
#include "generate_common.hpp"
#include "layout_solids.hpp"
#include "gmsh_library.hpp"
#include "unfinished_mesh.hpp"

namespace dgtd::mesh {
namespace {

constexpr double model_size = 100;  // model units: see generate_common.hpp
constexpr double on_a_side = 1e-4;  // model units, above what Open CASCADE adds to bounding boxes
constexpr double most_elements = 1e8;

using GmshTags = gmsh::vectorpair;

// In model units, about the middle of the domain.
class ModelBuilder {
 public:
  ModelBuilder(const BodyModel& model, double unit)
      : model_(model), unit_(unit), middle_(0.5 * (model.low + model.high)) {}

  std::vector<Ellipsoid> build() {
    std::vector<std::vector<int>> solids{{add_domain()}};
    for (const Body& body : model_.bodies) solids.push_back(add_solids(body));
    divide(solids);
    remove_what_is_not_meshed();
    name_volumes();
    name_surfaces();
    if (model_.periodic != std::array<bool, 3>{}) join_sides();
    return ellipsoids_;
  }

  Vec3 to_model(const Vec3& x) const { return (x - middle_) / unit_; }
  Vec3 from_model(const Vec3& x) const { return unit_ * x + middle_; }

 private:
  int add_domain() {
    const Vec3 low = to_model(model_.low), size = (model_.high - model_.low) / unit_;
    if (!model_.ball) return gmsh::model::occ::addBox(low.x, low.y, low.z, size.x, size.y, size.z);
    return add_ellipsoid({}, 0.5 * size);
  }

  // A stretched sphere is a spline surface to Open CASCADE, which cuts it less surely than a sphere.
  int add_ellipsoid(const Vec3& centre, const Vec3& axes) {
    ellipsoids_.push_back({centre, axes});
    if (axes.x != axes.y || axes.x != axes.z) return add(ellipsoids_.back());
    // Poles and seam are where nothing usually cuts a sphere: surfaces with a cut there cannot be meshed.
    const int tag = gmsh::model::occ::addSphere(centre.x, centre.y, centre.z, axes.x);
    gmsh::model::occ::rotate({{3, tag}}, centre.x, centre.y, centre.z, 0.48, 0.73, 0.29, 1.17);
    return tag;
  }

  std::vector<int> add_solids(const Body& body) {
    if (body.form == Body::Form::layout) return layout_solids(body.layout, middle_, unit_);
    return {add_body(body)};
  }

  int add_body(const Body& body) {
    const Vec3 centre = to_model(body.centre), size = body.size / unit_;
    const Vec3 along = (body.height / unit_) * body.axis, foot = centre - 0.5 * along;
    switch (body.form) {
      case Body::Form::box: {
        const Vec3 low = centre - 0.5 * size;
        return gmsh::model::occ::addBox(low.x, low.y, low.z, size.x, size.y, size.z);
      }
      case Body::Form::ellipsoid: return add_ellipsoid(centre, size);
      case Body::Form::cylinder:
        return gmsh::model::occ::addCylinder(foot.x, foot.y, foot.z, along.x, along.y, along.z, body.radius / unit_);
      case Body::Form::layout:
      case Body::Form::prism: break;
    }
    return add_prism(body, foot, along);
  }

  int add_prism(const Body& body, const Vec3& foot, const Vec3& along) const {
    const int axis = body.axis.x != 0 ? 0 : body.axis.y != 0 ? 1 : 2;
    std::vector<int> corners, edges;
    for (const auto& [u, v] : body.points) {
      Vec3 x = foot;
      x[(axis + 1) % 3] += u / unit_;
      x[(axis + 2) % 3] += v / unit_;
      corners.push_back(gmsh::model::occ::addPoint(x.x, x.y, x.z));
    }
    for (std::size_t i = 0; i < corners.size(); ++i)
      edges.push_back(gmsh::model::occ::addLine(corners[i], corners[(i + 1) % corners.size()]));
    const int face = gmsh::model::occ::addPlaneSurface({gmsh::model::occ::addCurveLoop(edges)});
    GmshTags made;
    gmsh::model::occ::extrude({{2, face}}, along.x, along.y, along.z, made);
    for (const auto& [dimension, tag] : made)
      if (dimension == 3) return tag;
    throw Error(fmt::format("body {}: the prism has no volume", body.name));
  }

  // [domain and bodies][solids]. Pieces belong to the last of the bodies that they are parts of; those outside of the
  // domain to none.
  void divide(const std::vector<std::vector<int>>& solids) {
    const GmshTags domain{{3, solids.front().front()}};
    GmshTags tools;
    std::vector<std::size_t> body_of{0};  // [domain and tools]
    for (std::size_t i = 1; i < solids.size(); ++i)
      for (const int solid : solids[i]) {
        tools.emplace_back(3, solid);
        body_of.push_back(i);
      }
    std::vector<GmshTags> pieces_of{domain};
    if (!tools.empty()) {
      GmshTags pieces;
      gmsh::model::occ::fragment(domain, tools, pieces, pieces_of);
    }
    gmsh::model::occ::synchronize();
    std::set<int> inside;
    for (const auto& [dimension, tag] : pieces_of.front()) inside.insert(tag);
    for (std::size_t i = 0; i < body_of.size(); ++i)
      for (const auto& [dimension, tag] : pieces_of[i]) {
        if (inside.contains(tag)) owner_[tag] = body_of[i];
        else outside_.insert(tag);
      }
    std::vector<bool> has_piece(solids.size(), false);
    for (const auto& [tag, owner] : owner_) has_piece[owner] = true;
    for (std::size_t i = 1; i < solids.size(); ++i)
      if (!has_piece[i]) {
        const Body& body = model_.bodies[i - 1];
        throw Error(
            fmt::format("body {}: nothing of it is left in the mesh: others of higher priority fill it", body.name));
      }
    if (std::all_of(owner_.begin(), owner_.end(), [&](const auto& piece) { return is_hole(piece.second); }))
      throw Error("perfect conductors fill the whole domain");
  }

  bool is_hole(std::size_t solid) const { return solid > 0 && model_.bodies[solid - 1].hole; }
  const std::string& group(std::size_t solid) const {
    return solid > 0 ? model_.bodies[solid - 1].group : model_.around;
  }

  static std::set<int> walls_of(const std::vector<int>& volumes) {
    std::set<int> walls;
    if (volumes.empty()) return walls;
    GmshTags solids, faces;
    for (const int tag : volumes) solids.emplace_back(3, tag);
    gmsh::model::getBoundary(solids, faces, true, false, false);
    for (const auto& [dimension, tag] : faces) walls.insert(tag);
    return walls;
  }

  void remove_what_is_not_meshed() {
    std::map<std::string, std::vector<int>> holes;
    GmshTags removed;
    for (const int tag : outside_) removed.emplace_back(3, tag);
    std::vector<int> meshed;
    for (const auto& [tag, owner] : owner_) {
      if (is_hole(owner)) {
        holes[group(owner)].push_back(tag);
        removed.emplace_back(3, tag);
      } else {
        meshed.push_back(tag);
        volumes_[group(owner)].push_back(tag);
      }
    }
    surfaces_ = walls_of(meshed);
    for (const auto& [name, volumes] : holes)
      for (const int wall : walls_of(volumes))
        if (surfaces_.contains(wall)) walls_[name].push_back(wall), surfaces_.erase(wall);
    // With the faces that belong to nothing that stays.
    gmsh::model::removeEntities(removed, true);
  }

  static void name_group(int dimension, const std::vector<int>& tags, const std::string& name) {
    const int number = gmsh::model::addPhysicalGroup(dimension, tags);
    gmsh::model::setPhysicalName(dimension, number, name);
  }

  // In the order of the bodies, what is around them last.
  void name_volumes() const {
    std::set<std::string> named;
    for (const Body& body : model_.bodies)
      if (!body.hole && body.group != model_.around && named.insert(body.group).second && volumes_.contains(body.group))
        name_group(3, volumes_.at(body.group), body.group);
    if (const auto found = volumes_.find(model_.around); found != volumes_.end())
      name_group(3, found->second, model_.around);
  }

  void name_surfaces() {
    for (const int surface : surfaces_) sides_[model_.ball ? std::size_t{6} : side_of(surface)].push_back(surface);
    constexpr const char* names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "outer"};
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (!sides_[s].empty()) name_group(2, sides_[s], names[s]);
    for (const auto& [name, walls] : walls_) name_group(2, walls, name);
  }

  struct Box {
    Vec3 low, high;
  };
  static Box box_of(int surface) {
    Box b;
    gmsh::model::getBoundingBox(2, surface, b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z);
    return b;
  }
  double end(std::size_t side) const {
    const Vec3 x = to_model(side % 2 == 0 ? model_.low : model_.high);
    return x[static_cast<int>(side / 2)];
  }
  std::size_t side_of(int surface) const {
    const Box b = box_of(surface);
    for (std::size_t s = 0; s < 6; ++s) {
      const int axis = static_cast<int>(s / 2);
      if (std::abs(b.low[axis] - end(s)) < on_a_side && std::abs(b.high[axis] - end(s)) < on_a_side) return s;
    }
    throw Error(ExitCode::other, "a face of the mesh is on no side of the domain");
  }

  // Gives the faces at the upper end of a periodic axis the triangles of those at the lower end.
  void join_sides() const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!model_.periodic[static_cast<std::size_t>(axis)]) continue;
      const std::size_t low = 2 * static_cast<std::size_t>(axis), high = low + 1;
      std::vector<double> shift{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
      shift[4 * static_cast<std::size_t>(axis) + 3] = end(high) - end(low);
      if (sides_[low].size() != sides_[high].size())
        throw Error(
            fmt::format("bodies differ on the two sides of the domain along {}, which are periodic", "xyz"[axis]));
      for (const int there : sides_[high]) {
        const Box b = box_of(there);
        const auto found = std::find_if(sides_[low].begin(), sides_[low].end(), [&](int here) {
          Box a = box_of(here);
          a.low[axis] = b.low[axis], a.high[axis] = b.high[axis];
          return norm(a.low - b.low) < on_a_side && norm(a.high - b.high) < on_a_side;
        });
        if (found == sides_[low].end())
          throw Error(
              fmt::format("bodies differ on the two sides of the domain along {}, which are periodic", "xyz"[axis]));
        gmsh::model::mesh::setPeriodic(2, {there}, {*found}, shift);
      }
    }
  }

  const BodyModel& model_;
  double unit_;
  Vec3 middle_;
  std::vector<Ellipsoid> ellipsoids_;
  std::map<int, std::size_t> owner_;  // of pieces in the domain: 0 for the domain, from 1 on the body
  std::set<int> outside_;             // pieces
  std::map<std::string, std::vector<int>> volumes_, walls_;
  std::set<int> surfaces_;  // of the domain
  std::array<std::vector<int>, 7> sides_;
};

}  // namespace

MeshSummary generate_bodies_by_gmsh(const BodyModel& model, const std::filesystem::path& file) {
  check_writable(file);
  const BodySizes sizes(model);
  if (const double number = sizes.tetrahedra(); number > most_elements)
    throw Error(fmt::format("mesh: these sizes make about {:.0e} tetrahedra (at most {:.0e})", number, most_elements));
  const Vec3 size = model.high - model.low;
  const double unit = std::max({size.x, size.y, size.z}) / model_size;
  return with_gmsh("mesh", [&] {
    // Surfaces are meshed by threads, through which no exception can pass: mesh_and_write() asks for the error.
    gmsh::option::setNumber("General.AbortOnError", 1);
    ModelBuilder builder(model, unit);
    const auto ellipsoids = builder.build();
    const auto element = [&](const Vec3& x) { return sizes.at(builder.from_model(x)) / unit; };
    return mesh_and_write(element, ellipsoids, model.exact_volumes ? Polyhedra::exact_volumes : Polyhedra::inscribed,
                          unit, file);
  });
}

}  // namespace dgtd::mesh
