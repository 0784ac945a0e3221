// Middles of edges on the faces and curves of the solids of a STEP file, by Open CASCADE's projections.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "dgtd/base/error.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/gmsh_session.hpp"

namespace dgtd::mesh {
namespace {

using Triangle = std::array<std::int64_t, 3>;
using Edge = std::array<std::int64_t, 2>;
constexpr int face_dimension = 2, curve_dimension = 1, none = -1;

// In metres; entities of Gmsh are in step_unit.
Vec3 closest(int dimension, int tag, const Vec3& x) {
  std::vector<double> found, parameters;
  gmsh::model::getClosestPoint(dimension, tag, {x.x / step_unit, x.y / step_unit, x.z / step_unit}, found, parameters);
  return step_unit * Vec3{found.at(0), found.at(1), found.at(2)};
}

class Middles {
 public:
  Middles(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) : points_(points), triangles_(triangles) {
    Vec3 low = points.front(), high = low;
    for (const Vec3& p : points)
      for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
    near_ = 1e-6 * norm(high - low);
    find_faces_of_vertices();
    for (const Triangle& t : triangles_) face_of_.push_back(face_of(t));
  }

  std::vector<EdgeMiddle> all() const {
    struct Sides {
      std::set<int> faces;
      std::vector<Vec3> planes;  // unit normals of triangles on no face
    };
    std::map<Edge, Sides> edges;
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      auto [a, b, c] = triangles_[i];
      const Vec3 n = cross(at(b) - at(a), at(c) - at(a));
      for (Edge edge : {Edge{a, b}, Edge{b, c}, Edge{a, c}}) {
        std::sort(edge.begin(), edge.end());
        Sides& sides = edges[edge];
        if (face_of_[i] != none) sides.faces.insert(face_of_[i]);
        else sides.planes.push_back(n / norm(n));
      }
    }
    std::vector<EdgeMiddle> result;
    for (const auto& [edge, sides] : edges) {
      const Vec3 middle = 0.5 * (at(edge[0]) + at(edge[1]));
      if (sides.faces.empty()) continue;
      result.push_back({edge, sides.faces.size() > 1 ? on_curve(sides.faces, edge, middle)
                                                     : on_face(*sides.faces.begin(), middle, sides.planes)});
    }
    return result;
  }

 private:
  const Vec3& at(std::int64_t v) const { return points_[static_cast<std::size_t>(v)]; }

  void find_faces_of_vertices() {
    faces_of_vertex_.resize(points_.size());
    std::set<std::int64_t> used;
    for (const Triangle& t : triangles_) used.insert(t.begin(), t.end());
    gmsh::vectorpair faces;
    gmsh::model::getEntities(faces, face_dimension);
    for (const auto& [dimension, tag] : faces) {
      Vec3 low, high;
      gmsh::model::getBoundingBox(dimension, tag, low.x, low.y, low.z, high.x, high.y, high.z);
      for (const std::int64_t v : used) {
        const Vec3& x = at(v);
        bool inside = true;
        for (int a = 0; a < 3; ++a)
          inside = inside && x[a] > step_unit * low[a] - near_ && x[a] < step_unit * high[a] + near_;
        if (inside && norm(closest(dimension, tag, x) - x) < near_) faces_of_vertex_[static_cast<std::size_t>(v)].push_back(tag);
      }
    }
  }

  // The face that all vertices are on, the one next to the middle where there are several.
  int face_of(const Triangle& t) const {
    int face = none;
    double least = std::numeric_limits<double>::infinity();
    const Vec3 middle = (at(t[0]) + at(t[1]) + at(t[2])) / 3;
    for (const int tag : faces_of_vertex_[static_cast<std::size_t>(t[0])]) {
      const auto has = [&](std::int64_t v) {
        const auto& faces = faces_of_vertex_[static_cast<std::size_t>(v)];
        return std::find(faces.begin(), faces.end(), tag) != faces.end();
      };
      if (!has(t[1]) || !has(t[2])) continue;
      const double distance = norm(closest(face_dimension, tag, middle) - middle);
      if (distance < least) least = distance, face = tag;
    }
    return face;
  }

  // By projections onto the face and the planes in turn.
  Vec3 on_face(int face, const Vec3& middle, const std::vector<Vec3>& planes) const {
    constexpr int most_steps = 50;
    Vec3 x = middle;
    for (int step = 0; step < most_steps; ++step) {
      Vec3 next = closest(face_dimension, face, x);
      for (const Vec3& n : planes) next -= dot(next - middle, n) * n;
      const double moved = norm(next - x);
      x = next;
      if (planes.empty() || moved < 1e-12 * norm(x - middle)) break;
    }
    return x;
  }

  Vec3 on_curve(const std::set<int>& faces, const Edge& edge, const Vec3& middle) const {
    std::map<int, int> uses;
    for (const int face : faces) {
      gmsh::vectorpair curves;
      gmsh::model::getBoundary({{face_dimension, face}}, curves, false, false, false);
      for (const auto& [dimension, tag] : curves) ++uses[tag];
    }
    Vec3 place = middle;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [curve, count] : uses) {
      if (count < 2) continue;
      const auto distance = [&](const Vec3& x) { return norm(closest(curve_dimension, curve, x) - x); };
      if (distance(at(edge[0])) > near_ || distance(at(edge[1])) > near_) continue;
      const Vec3 found = closest(curve_dimension, curve, middle);
      if (norm(found - middle) < least) least = norm(found - middle), place = found;
    }
    return place;
  }

  const std::vector<Vec3>& points_;
  const std::vector<Triangle>& triangles_;
  double near_ = 0;                                // m
  std::vector<std::vector<int>> faces_of_vertex_;  // [points] tags
  std::vector<int> face_of_;                       // [triangles] tag, or none
};

}  // namespace

std::vector<EdgeMiddle> middles_on_step_by_gmsh(const std::filesystem::path& file, const std::vector<Vec3>& points,
                                                const std::vector<Triangle>& triangles) {
  const GmshSession session;
  try {
    gmsh::vectorpair found;
    gmsh::model::occ::importShapes(file.string(), found, true, "step");
    gmsh::model::occ::synchronize();
    return Middles(points, triangles).all();
  } catch (const std::string& message) {
    throw Error(fmt::format("{}: cannot be read as a STEP file: {}", file.string(), one_line(message)));
  }
}

}  // namespace dgtd::mesh
