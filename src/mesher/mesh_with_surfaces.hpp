#pragma once
// Edits that keep surfaces between regions and on the boundary: which vertices may move, which edges may go.
#include <map>

#include "editable_mesh.hpp"

namespace dgtd::mesher {

/// Freedom of a vertex to move.
enum class Freedom : std::uint8_t { free, interface, plane, line, sphere, junction, fixed };

class MeshWithSurfaces : public EditableMesh {
 protected:
  MeshWithSurfaces(Tetrahedra& mesh, const ImproveGoal& goal, const Exterior& exterior,
                   const std::function<int(const Vec3&)>& region)
      : EditableMesh(mesh, goal), exterior_(exterior), region_(region) {
    find_freedoms();
  }

  /// A vertex inside a region.
  int add_free_vertex(const Vec3& place) {
    mesh_.points.push_back(place);
    around_.emplace_back();
    freedom_.push_back(Freedom::free);
    direction_.emplace_back();
    pair_.emplace_back(0, 0);
    return static_cast<int>(mesh_.points.size()) - 1;
  }

  void find_freedoms() {
    const std::size_t points = mesh_.points.size();
    struct Found {
      std::vector<Vec3> normals;  // of faces between regions, unit vectors
      int a = -1, b = -1;         // their regions, a < b
      bool several = false;       // pairs of regions
      bool boundary = false;
      int count = 0;
    };
    std::vector<Found> found(points);
    for (std::size_t t = 0; t < alive_.size(); ++t)
      for (int f = 0; f < 4; ++f) {
        const int here = mesh_.region[t], there = region_beyond(int(t), f);
        if (here == there || (there != 0 && there < here)) continue;
        const Corners& c = mesh_.corners[t];
        const Vec3 &p = mesh_.points[c[faces[f][0]]], &q = mesh_.points[c[faces[f][1]]],
                   &r = mesh_.points[c[faces[f][2]]];
        const Vec3 n = cross(q - p, r - p);
        for (const int corner : faces[f]) {
          Found& at = found[c[corner]];
          const int a = std::min(here, there), b = std::max(here, there);
          at.several = at.several || (at.count > 0 && (at.a != a || at.b != b));
          at.boundary = at.boundary || a == 0;
          at.a = a;
          at.b = b;
          ++at.count;
          if (a == 0) at.normals.push_back(n / norm(n));
        }
      }
    freedom_.assign(points, Freedom::free);
    direction_.assign(points, Vec3{});
    pair_.assign(points, {0, 0});
    for (std::size_t v = 0; v < points; ++v) {
      const Found& at = found[v];
      if (at.count == 0) continue;
      pair_[v] = {at.a, at.b};
      if (at.boundary && at.several) {
        freedom_[v] = Freedom::fixed;
      } else if (at.several || (at.a > 0 && !is_disc(int(v)))) {
        set_junction(int(v));
      } else if (at.a > 0) {
        freedom_[v] = Freedom::interface;
      } else if (exterior_.form == FromLabels::Exterior::sphere &&
                 std::abs(exterior_.depth(mesh_.points[v])) < 1e-3 * exterior_.radius)
        freedom_[v] = Freedom::sphere;
      else set_flat_freedom(int(v), at.normals);
    }
  }

  // Where more than two regions meet the surfaces are known less well than a part of an edge.
  void set_junction(int v) {
    constexpr double share = 0.25;
    double shortest = std::numeric_limits<double>::infinity();
    for (const int t : around_[v])
      for (const int w : mesh_.corners[t])
        if (w != v) shortest = std::min(shortest, norm(mesh_.points[w] - mesh_.points[v]));
    freedom_[v] = Freedom::junction;
    junction_[v] = {mesh_.points[v], share * shortest};
  }

  // On a plane all normals are equal; on a straight edge between planes there are two, across the edge.
  void set_flat_freedom(int v, const std::vector<Vec3>& normals) {
    constexpr double equal = 3e-3;  // as exact as the points of a surface that is known by bisection
    std::vector<Vec3> distinct;
    for (const Vec3& n : normals) {
      const bool known =
          std::any_of(distinct.begin(), distinct.end(), [&](const Vec3& d) { return norm(d - n) < equal; });
      if (!known) distinct.push_back(n);
    }
    freedom_[v] = distinct.size() == 1 ? Freedom::plane : distinct.size() == 2 ? Freedom::line : Freedom::fixed;
    direction_[v] = distinct.front();
    if (distinct.size() == 2) {
      const Vec3 along = cross(distinct[0], distinct[1]);
      if (norm(along) < 0.1) freedom_[v] = Freedom::fixed;  // slightly curved
      else direction_[v] = along / norm(along);
    }
  }

  /// Faces between the vertex' two regions, as pairs of the other two vertices, positive seen from region b.
  std::vector<std::array<int, 2>> interface_faces(int v) const {
    std::vector<std::array<int, 2>> result;
    for (const int t : around_[v]) {
      if (mesh_.region[t] != pair_[v].first && pair_[v].first > 0) continue;
      const Corners& c = mesh_.corners[t];
      for (int f = 0; f < 4; ++f) {
        if (c[f] == v || region_beyond(t, f) == mesh_.region[t]) continue;
        int at = 0;
        while (c[faces[f][at]] != v) ++at;
        result.push_back({c[faces[f][(at + 1) % 3]], c[faces[f][(at + 2) % 3]]});
      }
    }
    return result;
  }

  /// Whether the faces between two regions around a vertex are one closed fan.
  bool is_disc(int v) const {
    const auto fan = interface_faces(v);
    std::map<int, int> next;
    for (const auto& [a, b] : fan)
      if (!next.emplace(a, b).second) return false;
    if (next.empty()) return false;
    std::size_t steps = 0;
    int at = next.begin()->first;
    do {
      const auto to = next.find(at);
      if (to == next.end()) return false;
      at = to->second;
      ++steps;
    } while (at != next.begin()->first && steps <= fan.size());
    return steps == fan.size();
  }

  Vec3 interface_normal(int v) const {
    Vec3 n;
    const Vec3& x = mesh_.points[v];
    for (const auto& [a, b] : interface_faces(v)) n += cross(mesh_.points[a] - x, mesh_.points[b] - x);
    const double length = norm(n);
    return length > 0 ? n / length : n;
  }

  /// The place near p at which the vertex may be; false if there is none. normal: of an interface.
  bool project(int v, const Vec3& normal, Vec3& p) const {
    const Vec3& x = mesh_.points[v];
    switch (freedom_[v]) {
      case Freedom::free: return true;
      case Freedom::plane: p -= dot(p - x, direction_[v]) * direction_[v]; return true;
      case Freedom::line: p = x + dot(p - x, direction_[v]) * direction_[v]; return true;
      case Freedom::sphere:
        p = exterior_.centre + exterior_.radius / norm(p - exterior_.centre) * (p - exterior_.centre);
        return true;
      case Freedom::interface: {
        p -= dot(p - x, normal) * normal;
        return on_interface(v, normal, 0.5 * norm(p - x), p);
      }
      case Freedom::junction: {
        const auto& [home, reach] = junction_.at(v);
        const double away = norm(p - home);
        if (away > reach) p = home + reach / away * (p - home);
        return true;
      }
      case Freedom::fixed: break;
    }
    return false;
  }

  /// Moves p along +- normal (m) to the surface between the vertex' regions.
  bool on_interface(int v, const Vec3& normal, double reach, Vec3& p) const {
    double low = -reach, high = reach;
    const int a = region_(p + low * normal), b = region_(p + high * normal);
    if (a == b || std::pair(std::min(a, b), std::max(a, b)) != pair_[v]) return false;
    for (int i = 0; i < 12; ++i) {
      const double middle = 0.5 * (low + high);
      const int at = region_(p + middle * normal);
      if (at != a && at != b) return false;
      (at == a ? low : high) = middle;
    }
    p += 0.5 * (low + high) * normal;
    return true;
  }

  /// Whether the surface's edge a b may become p q, the ends of a chain: flat surfaces exactly, others nearly.
  bool can_turn(int a, int b, const std::vector<int>& chain) const {
    const int p = chain.front(), q = chain.back();
    const auto normal = [&](int u, int v, int w) {
      const Vec3 n = cross(mesh_.points[v] - mesh_.points[u], mesh_.points[w] - mesh_.points[u]);
      return n / norm(n);
    };
    const auto flat = [&](int v) { return freedom_[v] == Freedom::plane || freedom_[v] == Freedom::line; };
    const bool exact = flat(a) || flat(b) || flat(p) || flat(q) || pair_[a].first == 0;
    const bool sphere = freedom_[a] == Freedom::sphere && freedom_[b] == Freedom::sphere;
    const double least = exact && !sphere ? 1 - 1e-5 : 0.95;
    const Vec3 old_p = normal(a, b, p), old_q = normal(b, a, q);
    if (dot(old_p, old_q) < least) return false;
    const Vec3 new_a = normal(a, q, p), new_b = normal(b, p, q);
    for (const Vec3& n : {new_a, new_b})
      if (std::abs(dot(n, old_p)) < least || std::abs(dot(n, old_q)) < least) return false;
    return true;
  }

  /// Where an element at the edge vanishes, what is behind its faces meets: two other regions must not.
  bool pinches(int t, int v, int u) const {
    int of_v = 0, of_u = 0;
    for (int f = 0; f < 4; ++f) {
      if (mesh_.corners[t][f] == u) of_v = region_beyond(t, f);  // the face without u
      if (mesh_.corners[t][f] == v) of_u = region_beyond(t, f);
    }
    return of_v != mesh_.region[t] && of_u != mesh_.region[t];
  }

  /// u is next to v on its surface, and the surface's faces turn little.
  bool keeps_surface(int v, int u) const {
    constexpr double least_cosine = 0.9;
    const auto fan = interface_faces(v);
    const Vec3 normal = interface_normal(v);
    bool neighbour = false;
    for (const auto& [a, b] : fan) {
      if (a == u || b == u) {
        neighbour = true;
        continue;
      }
      if (freedom_[v] == Freedom::line) continue;
      const Vec3 n = cross(mesh_.points[a] - mesh_.points[u], mesh_.points[b] - mesh_.points[u]);
      if (!(dot(n, normal) > least_cosine * norm(n))) return false;
    }
    return neighbour;
  }

  const Exterior& exterior_;
  const std::function<int(const Vec3&)>& region_;
  std::vector<Freedom> freedom_;                     // [points]
  std::vector<Vec3> direction_;                      // [points] normal of a plane, direction of a line
  std::map<int, std::pair<Vec3, double>> junction_;  // place and how far the vertex may move, m
  std::vector<std::pair<int, int>> pair_;            // [points] regions at an interface, ascending
};

}  // namespace dgtd::mesher
