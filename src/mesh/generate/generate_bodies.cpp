// Meshes of the bodies of a case: what Open CASCADE makes of them, and the names of its volumes and faces.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/body_sizes.hpp"
#include "mesh/generate/generate_common.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/layout_solids.hpp"
#include "mesh/generate/solid_edges.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

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
    for (const BodyModel::Sheet& sheet : model_.sheets) solids.push_back({add_beside(sheet)});
    for (const Plate& plate : model_.plates) solids.push_back({add_beside(plate)});
    divide(solids);
    remove_what_is_not_meshed();
    name_volumes();
    name_surfaces();
    if (model_.periodic != std::array<bool, 3>{}) join_sides();
    return ellipsoids_;
  }

  /// Edges of the conductors that have theirs in their solids (has_edges_of_solid), after build().
  const std::vector<ConductorEdge>& edges_of_solids() const { return edges_of_solids_; }

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
    if (body.form == Body::Form::step) return add_step(body);
    if (body.form == Body::Form::combined) return combine(body);
    const int tag = add_body(body);
    if (body.turn) turn(tag, body);
    return {tag};
  }

  // Operands of several solids count as the union of these.
  std::vector<int> combine(const Body& body) {
    using Combination = geometry::Combination;
    const auto solids_of = [&](const Body& operand) {
      GmshTags solids;
      for (const int tag : add_solids(operand)) solids.emplace_back(3, tag);
      return solids;
    };
    GmshTags result = solids_of(body.operands.front());
    for (std::size_t k = 1; k < body.operands.size(); ++k) {
      const GmshTags first = result, other = solids_of(body.operands[k]);
      std::vector<GmshTags> pieces_of;
      result.clear();
      switch (body.combination) {
        case Combination::unite: gmsh::model::occ::fuse(first, other, result, pieces_of); break;
        case Combination::subtract: gmsh::model::occ::cut(first, other, result, pieces_of); break;
        case Combination::intersect: gmsh::model::occ::intersect(first, other, result, pieces_of); break;
      }
    }
    std::vector<int> tags;
    for (const auto& [dimension, tag] : result)
      if (dimension == 3) tags.push_back(tag);
    if (tags.empty()) throw Error(fmt::format("body {}: nothing is left of it", body.name));
    return tags;
  }

  void turn(int tag, const Body& body) {
    const Vec3 centre = to_model(body.centre), &axis = body.turn->axis;
    gmsh::model::occ::rotate({{3, tag}}, centre.x, centre.y, centre.z, axis.x, axis.y, axis.z, body.turn->angle);
    if (body.form == Body::Form::ellipsoid) ellipsoids_.back().rotation = geometry::Rotation(*body.turn);
  }

  // A sheet is a face of a box, inside of the domain, which belongs to no body.
  int add_beside(const BodyModel::Sheet& sheet) const {
    Vec3 low = sheet.centre - 0.5 * sheet.size, size = sheet.size;
    for (int a = 0; a < 3; ++a) {
      if (sheet.size[a] != 0) continue;
      size[a] = 0.5 * std::min(sheet.size[(a + 1) % 3], sheet.size[(a + 2) % 3]);
      if (low[a] + size[a] > model_.high[a]) low[a] -= size[a];
    }
    low = to_model(low), size = size / unit_;
    return gmsh::model::occ::addBox(low.x, low.y, low.z, size.x, size.y, size.z);
  }

  // The same of an oblique plate, with a prism that ends where the domain does, or in other bodies.
  int add_beside_oblique(const Plate& plate) const {
    Vec3 along;
    along[plate.axis] = 0.5 * width(plate) / unit_;
    const Vec3 centre = to_model(plate.centre), &axis = plate.turn->axis;
    const int tag = add_prism(plate.name, plate.points, plate.axis, centre, along);
    gmsh::model::occ::rotate({{3, tag}}, centre.x, centre.y, centre.z, axis.x, axis.y, axis.z, plate.turn->angle);
    return tag;
  }

  // The same of a plate. It ends half way to what is parallel to the plate, on the side where that is farther.
  int add_beside(const Plate& plate) const {
    if (plate.turn) return add_beside_oblique(plate);
    double above = model_.high[plate.axis] - plate.centre[plate.axis], below = plate.centre[plate.axis] - model_.low[plate.axis];
    const auto keep_from = [&](double at) {
      const double away = at - plate.centre[plate.axis];
      if (away > on_a_side * unit_) above = std::min(above, away);
      if (away < -on_a_side * unit_) below = std::min(below, -away);
    };
    for (const Body& body : model_.bodies) {
      const bool upright = body.form == Body::Form::prism || body.form == Body::Form::cylinder;
      if (body.form != Body::Form::box && !(upright && body.axis[plate.axis] != 0)) continue;
      const double half = 0.5 * (upright ? body.height : body.size[plate.axis]);
      keep_from(body.centre[plate.axis] - half), keep_from(body.centre[plate.axis] + half);
    }
    for (const Plate& other : model_.plates)
      if (other.axis == plate.axis && !other.turn) keep_from(other.centre[plate.axis]);
    const double room = above >= below ? above : -below, height = std::min(width(plate), 0.5 * std::abs(room));
    Vec3 along;
    along[plate.axis] = std::copysign(height, room) / unit_;
    return add_prism(plate.name, plate.points, plate.axis, to_model(plate.centre), along);
  }

  // The file has been read before (read_step), so that its solids are known to be sound.
  std::vector<int> add_step(const Body& body) {
    gmsh::option::setNumber("Geometry.OCCScaling", step_unit / unit_);
    GmshTags made, removed, kept;
    gmsh::model::occ::importShapes(body.step.file.string(), made, true, "step");
    gmsh::option::setNumber("Geometry.OCCScaling", 1);
    int number = 0;
    for (const auto& [dimension, tag] : made) {
      const auto& wanted = body.step.numbers;
      const bool is_wanted = dimension == 3 && std::find(wanted.begin(), wanted.end(), number) != wanted.end();
      number += dimension == 3;
      (is_wanted ? kept : removed).emplace_back(dimension, tag);
    }
    gmsh::model::occ::remove(removed, true);
    if (body.turn) {
      const Vec3& axis = body.turn->axis;
      gmsh::model::occ::rotate(kept, 0, 0, 0, axis.x, axis.y, axis.z, body.turn->angle);
    }
    const Vec3 to = to_model(body.centre);
    gmsh::model::occ::translate(kept, to.x, to.y, to.z);
    std::vector<int> tags;
    for (const auto& [dimension, tag] : kept) tags.push_back(tag);
    return tags;
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
      case Body::Form::cone:
        return gmsh::model::occ::addCone(foot.x, foot.y, foot.z, along.x, along.y, along.z, body.radius / unit_,
                                         body.top_radius / unit_);
      case Body::Form::torus: return add_torus(body, centre);
      case Body::Form::step:
      case Body::Form::layout:
      case Body::Form::combined:
      case Body::Form::prism: break;
    }
    return add_prism(body.name, body.points, body.axis.x != 0 ? 0 : body.axis.y != 0 ? 1 : 2, foot, along);
  }

  // About z, turned to its axis.
  int add_torus(const Body& body, const Vec3& centre) const {
    const int tag =
        gmsh::model::occ::addTorus(centre.x, centre.y, centre.z, body.radius / unit_, body.tube_radius / unit_);
    const Vec3 &to = body.axis, across{-to.y, to.x, 0};
    const double sine = norm(across);
    const Vec3 about = sine > 0 ? across : Vec3{1, 0, 0};
    gmsh::model::occ::rotate({{3, tag}}, centre.x, centre.y, centre.z, about.x, about.y, about.z,
                             std::atan2(sine, to.z));
    return tag;
  }

  // points: m, about the foot.
  int add_prism(const std::string& name, const std::vector<std::array<double, 2>>& points, int axis, const Vec3& foot,
                const Vec3& along) const {
    std::vector<int> corners, edges;
    for (const auto& [u, v] : points) {
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
    throw Error(fmt::format("body {}: the prism has no volume", name));
  }

  // [domain, bodies, what is beside sheets and plates][solids]. Pieces belong to the last of the bodies that they are parts of;
  // those outside of the domain to none.
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
        if (body_of[i] > model_.bodies.size()) beside_sheets_.insert(tag);
        const std::size_t first_plate = 1 + model_.bodies.size() + model_.sheets.size();
        if (inside.contains(tag) && body_of[i] >= first_plate) beside_plate_[body_of[i] - first_plate].push_back(tag);
        if (inside.contains(tag) && body_of[i] > model_.bodies.size()) continue;
        if (inside.contains(tag)) owner_[tag] = body_of[i];
        else outside_.insert(tag);
      }
    std::vector<bool> has_piece(solids.size(), false);
    for (const auto& [tag, owner] : owner_) has_piece[owner] = true;
    for (std::size_t i = 1; i <= model_.bodies.size(); ++i)
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
    std::map<int, std::set<int>> suffixes_at;  // faces: how many suffixes the volumes at them have
    for (const auto& [tag, owner] : owner_) {
      if (is_hole(owner)) {
        holes[group(owner)].push_back(tag);
        removed.emplace_back(3, tag);
      } else {
        meshed.push_back(tag);
        std::string name = group(owner);
        for (int s = beside_sheets_.contains(tag) ? suffixes_of(tag, suffixes_at) : 0; s > 0; --s) name += sheet_suffix;
        volumes_[name].push_back(tag);
      }
    }
    surfaces_ = walls_of(meshed);
    for (const auto& [name, volumes] : holes)
      for (const int wall : walls_of(volumes))
        if (surfaces_.contains(wall)) walls_[name].push_back(wall), surfaces_.erase(wall), of_holes_.insert(wall);
    find_plates();
    if (has_edges_of_solids(model_)) find_edges();
    // With the faces that belong to nothing that stays.
    gmsh::model::removeEntities(removed, true);
  }

  // While the holes are still there.
  void find_edges() {
    constexpr double deviation = 0.1;  // of a chord, in elements: sizes grow by less than that over it
    std::vector<int> holes;
    SolidFaces faces{of_holes_, {}};
    for (const auto& [tag, owner] : owner_) {
      if (!is_hole(owner)) continue;
      holes.push_back(tag);
      if (!has_edges_of_solid(model_.bodies[owner - 1])) continue;
      for (const int wall : walls_of({tag}))
        if (of_holes_.contains(wall)) faces.searched.insert(wall);
    }
    const double element = element_at_edges(model_);
    for (const EdgeSegment& e : convex_edges(holes, faces, ConductorSizes::least_turn, deviation * element / unit_))
      edges_of_solids_.push_back({from_model(e.from), from_model(e.to), element});
  }

  // The least number that no neighbour has.
  static int suffixes_of(int volume, std::map<int, std::set<int>>& suffixes_at) {
    const std::set<int> faces = walls_of({volume});
    int number = 1;
    while (std::any_of(faces.begin(), faces.end(), [&](int face) { return suffixes_at[face].contains(number); })) ++number;
    for (const int face : faces) suffixes_at[face].insert(number);
    return number;
  }

  bool is_in_plane(int face, const Plate& plate) const {
    if (!plate.turn) {
      const double at = to_model(plate.centre)[plate.axis];
      const Box b = box_of(face);
      return std::abs(b.low[plate.axis] - at) < on_a_side && std::abs(b.high[plate.axis] - at) < on_a_side;
    }
    GmshTags corners;
    gmsh::model::getBoundary({{2, face}}, corners, false, false, true);
    return std::all_of(corners.begin(), corners.end(), [&](const auto& corner) {
      std::vector<double> x;
      gmsh::model::getValue(0, corner.second, {}, x);
      return std::abs(plate.own_place(from_model({x[0], x[1], x[2]}))[plate.axis]) < on_a_side * unit_;
    });
  }

  // The faces in its plane of what is beside a plate; on the wall of a hole they are that, and a part of the domain's side
  // there is none (app::body_model).
  void find_plates() {
    std::set<int> known;
    for (const auto& [number, volumes] : beside_plate_) {
      const Plate& plate = model_.plates[number];
      for (const int volume : volumes) {
        if (is_hole(owner_.at(volume))) continue;
        for (const int face : walls_of({volume})) {
          if (is_in_plane(face, plate) && !of_holes_.contains(face) && !surfaces_.contains(face) && known.insert(face).second)
            walls_[plate.group + std::string(plate_suffix)].push_back(face);
        }
      }
    }
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
    for (const auto& [name, tags] : volumes_)
      if (name.ends_with(sheet_suffix)) name_group(3, tags, name);
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
  std::set<int> beside_sheets_;       // pieces beside sheets and plates
  std::map<std::size_t, std::vector<int>> beside_plate_;  // [plates] pieces
  std::set<int> of_holes_;                                // walls
  std::vector<ConductorEdge> edges_of_solids_;
  std::map<std::string, std::vector<int>> volumes_, walls_;
  std::set<int> surfaces_;  // of the domain
  std::array<std::vector<int>, 7> sides_;
};

// Throws Error where that is too much.
void check_number(const BodySizes& sizes) {
  if (const double number = sizes.tetrahedra(); number > most_elements)
    throw Error(fmt::format("mesh: these sizes make about {:.0e} tetrahedra (at most {:.0e})", number, most_elements));
}

}  // namespace

MeshSummary generate_bodies_by_gmsh(const BodyModel& model, const std::filesystem::path& file) {
  check_writable(file);
  check_number(BodySizes(model));
  const Vec3 size = model.high - model.low;
  const double unit = std::max({size.x, size.y, size.z}) / model_size;
  return with_gmsh("mesh", [&] {
    // Surfaces are meshed by threads, through which no exception can pass: mesh_and_write() asks for the error.
    gmsh::option::setNumber("General.AbortOnError", 1);
    StageLines stages("mesh");
    stages.begin("cutting the solids");
    ModelBuilder builder(model, unit);
    const auto ellipsoids = builder.build();
    const BodySizes sizes(model, builder.edges_of_solids());
    if (!builder.edges_of_solids().empty()) check_number(sizes);
    const auto element = [&](const Vec3& x) { return sizes.at(builder.from_model(x)) / unit; };
    const Polyhedra polyhedra =
        model.exact_volumes == ExactVolumes::off ? Polyhedra::inscribed : Polyhedra::exact_volumes;
    return mesh_and_write(element, ellipsoids, polyhedra, unit, file, stages);
  });
}

}  // namespace dgtd::mesh
