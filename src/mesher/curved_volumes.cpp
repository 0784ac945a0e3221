#include "curved_volumes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "dgtd/mesh/tetrahedron.hpp"

namespace dgtd::mesher {
namespace {

using mesh::Body;

// Radon's rule of degree 5 on each of the 16 triangles of a triangle whose edges are cut into four. A circle of twelve
// edges then has the area of its gaps to 1e-8.
struct TrianglePoint {
  double l0, l1, weight;
};
std::vector<TrianglePoint> triangle_rule() {
  constexpr int parts = 4;
  const double root = std::sqrt(15.0);
  std::vector<TrianglePoint> rule;
  const auto add = [&](double l0, double l1, double weight) {
    for (int i = 0; i < parts; ++i)
      for (int j = 0; i + j < parts; ++j) {
        rule.push_back({(i + l0) / parts, (j + l1) / parts, weight / (parts * parts)});
        if (i + j + 1 < parts) rule.push_back({(i + 1 - l0) / parts, (j + 1 - l1) / parts, weight / (parts * parts)});
      }
  };
  add(1.0 / 3, 1.0 / 3, 9.0 / 40);
  for (const double sign : {-1.0, 1.0}) {
    const double a = (6 + sign * root) / 21, weight = (155 + sign * root) / 1200;
    add(a, a, weight);
    add(a, 1 - 2 * a, weight);
    add(1 - 2 * a, a, weight);
  }
  return rule;
}

class CurvedSurface {
 public:
  explicit CurvedSurface(const Body& body)
      : body_(body), rotation_(body.turn ? geometry::Rotation(*body.turn) : geometry::Rotation()) {}

  bool has(const Vec3& x, double tolerance) const {
    const Vec3 d = x - body_.centre;
    if (body_.form == Body::Form::ellipsoid) return std::abs(mesh::distance(body_, x)) < tolerance;
    const double along = dot(d, body_.axis);
    return std::abs(norm(d - along * body_.axis) - body_.radius) < tolerance &&
           std::abs(along) < body_.height / 2 + tolerance;
  }

  Vec3 normal(const Vec3& x) const {
    Vec3 n = across(x);
    if (body_.form == Body::Form::ellipsoid)
      for (int a = 0; a < 3; ++a) n[a] /= body_.size[a] * body_.size[a];
    return rotation_(n) / norm(n);
  }

  /// m, signed, to first order next to the surface.
  double distance_to(const Vec3& x) const {
    if (body_.form == Body::Form::ellipsoid) return mesh::distance(body_, x);
    const Vec3 d = x - body_.centre;
    return norm(d - dot(d, body_.axis) * body_.axis) - body_.radius;
  }

  /// m3, between a triangle and the surface.
  double gap(const Vec3& a, const Vec3& b, const Vec3& c) const {
    static const auto rule = triangle_rule();
    const bool round = body_.form == Body::Form::ellipsoid;
    const Vec3 p = in_units(a), q = in_units(b), r = in_units(c);
    Vec3 area = 0.5 * cross(q - p, r - p);
    if (dot(area, across_in_units(p + q + r)) < 0) area = -1.0 * area;
    double sum = 0;
    for (const auto& [l0, l1, weight] : rule) {
      const Vec3 y = across_in_units(l0 * p + l1 * q + (1 - l0 - l1) * r);
      const double length2 = dot(y, y);
      sum += weight * dot(y, area) * (round ? (1 / (length2 * std::sqrt(length2)) - 1) / 3 : (1 / length2 - 1) / 2);
    }
    return sum * (round ? body_.size.x * body_.size.y * body_.size.z : std::pow(body_.radius, 3));
  }

 private:
  Vec3 across(const Vec3& x) const {
    const Vec3 d = rotation_.back(x - body_.centre);
    return body_.form == Body::Form::ellipsoid ? d : d - dot(d, body_.axis) * body_.axis;
  }
  // The ellipsoid is the unit sphere, the cylinder has radius 1.
  Vec3 in_units(const Vec3& x) const {
    Vec3 d = rotation_.back(x - body_.centre);
    if (body_.form == Body::Form::cylinder) return d / body_.radius;
    for (int a = 0; a < 3; ++a) d[a] /= body_.size[a];
    return d;
  }
  Vec3 across_in_units(const Vec3& y) const {
    return body_.form == Body::Form::ellipsoid ? y : y - dot(y, body_.axis) * body_.axis;
  }

  const Body& body_;
  geometry::Rotation rotation_;  // of an ellipsoid; a cylinder's axis is turned already
};

class CurvedVolumeKeeper {
 public:
  CurvedVolumeKeeper(mesh::GlobalMesh& mesh, const mesh::BodyModel& model)
      : mesh_(mesh), model_(model), size_(norm(model.high - model.low)), home_(mesh.vertices),
        state_(mesh.vertices.size(), VertexState::free) {
    find_patches();
  }

  CurvedVolumes run() {
    for (std::size_t b = 0; b < patches_.size(); ++b)
      if (!patches_[b].empty()) restore(b);
    return result_;
  }

  std::map<EdgeEnds, Vec3> bends() const {
    std::map<EdgeEnds, std::vector<Vec3>> planes;  // unit normals of flat faces at an edge
    for (const FaceCorners& face : flat_) {
      const Vec3 n = cross(at(face[1]) - at(face[0]), at(face[2]) - at(face[0]));
      for (const EdgeEnds& edge : edges_of(face)) planes[edge].push_back(n / norm(n));
    }
    std::map<EdgeEnds, Vec3> bends;
    for (std::size_t b = 0; b < patches_.size(); ++b)
      for (const FaceCorners& face : patches_[b])
        for (const EdgeEnds& edge : edges_of(face))
          if (!bends.contains(edge)) {
            const Vec3 middle = 0.5 * (at(edge[0]) + at(edge[1]));
            bends[edge] = onto_surface(CurvedSurface(model_.bodies[b]), middle, planes[edge]) - middle;
          }
    return bends;
  }

 private:
  enum class VertexState : std::uint8_t { free, moved };
  struct Direction {
    std::int64_t vertex;
    Vec3 by;  // m, at a factor of 1
  };

  static Vec3 onto_surface(const CurvedSurface& surface, Vec3 x, const std::vector<Vec3>& planes) {
    constexpr int most_steps = 20;
    const Vec3 start = x;
    for (int step = 0; step < most_steps; ++step) {
      const Vec3 along = along_planes(surface.normal(x), planes);
      if (!(dot(along, along) > 0)) return start;
      const double d = surface.distance_to(x);
      x -= d * along;
      if (std::abs(d) < 1e-15 * norm(x - start)) break;
    }
    return x;
  }

  const Vec3& at(std::int64_t v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }

  bool is_on_flat_face(const Vec3& x) const {
    const double near = 1e-9 * size_;
    for (int a = 0; a < 3 && !model_.ball; ++a)
      if (std::abs(x[a] - model_.low[a]) < near || std::abs(x[a] - model_.high[a]) < near) return true;
    return std::any_of(model_.bodies.begin(), model_.bodies.end(), [&](const Body& body) {
      return body.form != Body::Form::ellipsoid && std::abs(mesh::distance(body, x)) < near;
    });
  }

  // The first body on whose curved surface a triangle is; bodies.size(): none.
  std::size_t body_of(const FaceCorners& face) const {
    const double tolerance = 1e-6 * size_;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (!mesh::has_curved_elements(model_.bodies[b].form)) continue;
      const CurvedSurface surface(model_.bodies[b]);
      if (std::all_of(face.begin(), face.end(), [&](std::int64_t v) { return surface.has(at(v), tolerance); }) &&
          !is_on_flat_face((at(face[0]) + at(face[1]) + at(face[2])) / 3))
        return b;
    }
    return model_.bodies.size();
  }

  void find_patches() {
    patches_.resize(model_.bodies.size());
    for (const FaceCorners& face : interfaces_of(mesh_)) {
      const std::size_t b = body_of(face);
      if (b < patches_.size()) patches_[b].push_back(face);
      else flat_.push_back(face);
    }
  }

  double gap(const CurvedSurface& surface, const std::vector<FaceCorners>& patch) const {
    double sum = 0;
    for (const auto& [a, b, c] : patch) sum += surface.gap(at(a), at(b), at(c));
    return sum;
  }

  // Unit normals of what a vertex has to stay on: other triangles at it, those of other curved surfaces among them.
  void add_planes(const std::vector<FaceCorners>& faces, const std::vector<std::int64_t>& vertices,
                  std::vector<std::vector<Vec3>>& planes) const {
    for (const auto& face : faces) {
      Vec3 n = cross(at(face[1]) - at(face[0]), at(face[2]) - at(face[0]));
      n = n / norm(n);
      for (const std::int64_t v : face) {
        const auto found = std::lower_bound(vertices.begin(), vertices.end(), v);
        if (found != vertices.end() && *found == v)
          planes[static_cast<std::size_t>(found - vertices.begin())].push_back(n);
      }
    }
  }

  // Along the planes, by 1 along the normal; zero where they leave no direction near the normal.
  static Vec3 along_planes(const Vec3& normal, const std::vector<Vec3>& planes) {
    constexpr double same = 1e-6, steepest = 0.3;
    std::vector<Vec3> basis;
    Vec3 direction = normal;
    for (Vec3 n : planes) {
      for (const Vec3& e : basis) n -= dot(n, e) * e;
      if (norm(n) < same) continue;
      basis.push_back(n / norm(n));
      direction -= dot(direction, basis.back()) * basis.back();
    }
    if (basis.size() > 2 || norm(direction) < steepest) return {};
    return direction / dot(direction, direction);
  }

  std::vector<Direction> directions(std::size_t body, const CurvedSurface& surface) const {
    const auto& patch = patches_[body];
    std::vector<std::int64_t> vertices;
    for (const auto& face : patch) vertices.insert(vertices.end(), face.begin(), face.end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());

    std::vector<std::vector<Vec3>> planes(vertices.size());
    add_planes(flat_, vertices, planes);
    for (std::size_t b = 0; b < patches_.size(); ++b)
      if (b != body) add_planes(patches_[b], vertices, planes);

    std::vector<double> volume(vertices.size(), 0.0), area(vertices.size(), 0.0);
    double whole_volume = 0, whole_area = 0;
    for (const auto& face : patch) {
      const double v = surface.gap(at(face[0]), at(face[1]), at(face[2]));
      const double a = 0.5 * norm(cross(at(face[1]) - at(face[0]), at(face[2]) - at(face[0])));
      whole_volume += v, whole_area += a;
      for (const std::int64_t corner : face) {
        const auto i = static_cast<std::size_t>(std::lower_bound(vertices.begin(), vertices.end(), corner) - vertices.begin());
        volume[i] += v, area[i] += a;
      }
    }
    const bool alike = model_.periodic != std::array<bool, 3>{};
    std::vector<Direction> moves;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (state_[static_cast<std::size_t>(vertices[i])] == VertexState::moved) continue;
      const Vec3 along = along_planes(surface.normal(at(vertices[i])), planes[i]);
      const double height = alike ? whole_volume / whole_area : volume[i] / area[i];
      if (dot(along, along) > 0) moves.push_back({vertices[i], height * along});
    }
    return moves;
  }

  void move(const std::vector<Direction>& moves, double factor) {
    for (const auto& [v, by] : moves) {
      const auto i = static_cast<std::size_t>(v);
      mesh_.vertices[i] = home_[i] + factor * by;
    }
  }

  bool elements_are_whole() const {
    constexpr double least = 0.25;  // of a volume
    const auto& x = mesh_.vertices;
    return std::all_of(mesh_.tetrahedra.begin(), mesh_.tetrahedra.end(), [&](const auto& t) {
      return mesh::Tetrahedron::at(x, t).signed_volume() / mesh::Tetrahedron::at(home_, t).signed_volume() > least;
    });
  }

  // The factor by the secant method: the volume is a cubic function of it, nearly linear.
  void restore(std::size_t body) {
    constexpr int most_steps = 20;
    constexpr double close = 1e-12;
    const CurvedSurface surface(model_.bodies[body]);
    const std::vector<Direction> moves = directions(body, surface);
    const double missing = gap(surface, patches_[body]);
    if (moves.empty() || missing == 0) return;
    double before = 0, there = missing, factor = 1;
    for (int step = 0; step < most_steps; ++step) {
      move(moves, factor);
      const double left = gap(surface, patches_[body]);
      if (std::abs(left) < close * std::abs(missing) || left == there) break;
      const double next = factor - left * (factor - before) / (left - there);
      before = factor, there = left, factor = next;
    }
    if (!elements_are_whole()) {
      move(moves, 0);
      result_.left.push_back(model_.bodies[body].name);
      return;
    }
    for (const Direction& m : moves) state_[static_cast<std::size_t>(m.vertex)] = VertexState::moved;
    ++result_.surfaces;
    result_.vertices += static_cast<std::int64_t>(moves.size());
  }

  mesh::GlobalMesh& mesh_;
  const mesh::BodyModel& model_;
  double size_;  // m
  std::vector<Vec3> home_;
  std::vector<VertexState> state_;                  // [vertices]
  std::vector<std::vector<FaceCorners>> patches_;   // [bodies]
  std::vector<FaceCorners> flat_;                   // other interfaces
  CurvedVolumes result_;
};

// The surface of a combined body consists of those of its operands.
void add_simple(const Body& body, const std::string& name, std::vector<Body>& to) {
  for (const Body& operand : body.operands) add_simple(operand, name, to);
  if (body.form == Body::Form::combined) return;
  to.push_back(body);
  to.back().name = name;
}
mesh::BodyModel with_simple_bodies(const mesh::BodyModel& model) {
  mesh::BodyModel simple = model;
  simple.bodies.clear();
  for (const Body& body : model.bodies) add_simple(body, body.name, simple.bodies);
  return simple;
}

}  // namespace

CurvedVolumes restore_curved_volumes(mesh::GlobalMesh& mesh, const mesh::BodyModel& model) {
  const mesh::BodyModel simple = with_simple_bodies(model);
  return CurvedVolumeKeeper(mesh, simple).run();
}

std::map<EdgeEnds, Vec3> bends_of_edges(mesh::GlobalMesh& mesh, const mesh::BodyModel& model) {
  mesh::BodyModel all = with_simple_bodies(model);
  if (model.ball) {
    Body domain;
    domain.form = Body::Form::ellipsoid;
    domain.centre = 0.5 * (model.low + model.high);
    domain.size = 0.5 * (model.high - model.low);
    all.bodies.push_back(domain);
  }
  return CurvedVolumeKeeper(mesh, all).bends();
}

CurvedEdges curve_edges(mesh::GlobalMesh& mesh, const mesh::BodyModel& model) {
  return bend_edges(mesh, bends_of_edges(mesh, model));
}

}  // namespace dgtd::mesher
