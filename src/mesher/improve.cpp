#include "improve.hpp"

#include <fmt/format.h>

#include "mesh_with_surfaces.hpp"

namespace dgtd::mesher {
namespace {

constexpr double least_gain = 1e-3;  // of cost, by an operation with its surroundings

class Improver : private MeshWithSurfaces {
 public:
  Improver(Tetrahedra& mesh, const ImproveGoal& goal, const Exterior& exterior,
           const std::function<int(const Vec3&)>& region)
      : MeshWithSurfaces(mesh, goal, exterior, region) {}

  ImproveResult run() {
    ImproveResult result;
    const double elements = double(alive_.size());
    for (int pass = 0; pass <= goal_.passes; ++pass) {
      std::vector<std::pair<double, int>> bad;
      for (std::size_t t = 0; t < alive_.size(); ++t)
        if (alive_[t])
          if (const double q = quality(int(t)); q < 1) bad.emplace_back(q, int(t));
      std::sort(bad.begin(), bad.end());
      const double worst = bad.empty() ? 1 : bad.front().first;
      if (pass == 0) {
        result.bad_before = std::int64_t(bad.size());
        result.worst_before = worst;
      }
      result.bad_after = std::int64_t(bad.size());
      result.worst_after = worst;
      if (bad.empty() || pass == goal_.passes || result.ended_by_effort) break;
      std::int64_t done = 0;
      for (std::size_t b = 0; b < bad.size() && !result.ended_by_effort; ++b) {
        const int t = bad[b].second;
        journal_.clear();
        if (alive_[t] && quality(t) < 1) done += mend(t, result);
        result.ended_by_effort = double(evaluations_) > goal_.effort * elements;
        if (goal_.progress && b % 256 == 0)
          goal_.progress(fmt::format("improvement: pass {} of at most {}, {:.0f} % of {} bad elements (worst {:.3f})",
                                     pass + 1, goal_.passes, 100 * double(b) / double(bad.size()), bad.size(), worst));
      }
      if (thorough_ && done == 0) break;
      thorough_ = thorough_ || pass + 4 >= goal_.passes;
    }
    result.effort = double(evaluations_) / elements;
    compact();
    return result;
  }

 private:
  // Each operation returns whether it lowered the cost.

  bool mend(int t, ImproveResult& result) {
    if (flip(t)) return ++result.flips, true;
    const Corners c = mesh_.corners[t];
    bool moved = false;
    for (const int v : c)
      if (move(v)) {
        moved = true;
        ++result.moves;
        if (quality(t) >= 1) return true;
      }
    if (moved) return true;
    for (const auto& [a, b] : mesh::edge_corners)
      if (collapse(c[a], c[b], true) || collapse(c[b], c[a], true)) return ++result.collapses, true;
    constexpr double poor = 0.85;  // surroundings are expensive: for those that matter most
    if (!thorough_ || quality(t) > poor) return false;
    for (const auto& [a, b] : mesh::edge_corners)
      if (with_surroundings([&, a = a, b = b] { return collapse(c[a], c[b], false); }) ||
          with_surroundings([&, a = a, b = b] { return collapse(c[b], c[a], false); }))
        return ++result.collapses, true;
    for (const auto& [a, b] : mesh::edge_corners)
      if (with_surroundings([&, a = a, b = b] { return split(c[a], c[b]); })) return ++result.splits, true;
    return false;
  }

  /// Carries out an operation that may make things worse, then moves and flips around it. All is taken back unless it
  /// costs less in the end.
  template <class Operation>
  bool with_surroundings(const Operation& operation) {
    const std::size_t mark = journal_.size();
    const double before = total_;
    if (!operation()) return false;
    constexpr double hopeless = 5;  // of cost; what is much worse is not made good by what follows
    for (int round = 0; round < 2 && total_ < before + hopeless; ++round) {
      for (const int t : touched_since(mark)) {
        if (!alive_[t] || quality(t) >= 1) continue;
        if (flip(t)) continue;
        const Corners c = mesh_.corners[t];
        for (const int v : c) move(v);
      }
      if (total_ < before - least_gain) return true;
    }
    take_back(mark);
    total_ = before;
    return false;
  }

  /// A new vertex in the middle of an edge inside a region.
  bool split(int a, int b) {
    Ring ring;
    if (!find_ring(a, b, ring) || !ring.closed) return false;
    const int region = mesh_.region[ring.elements[0]];
    for (const int t : ring.elements)
      if (mesh_.region[t] != region) return false;
    const int v = add_free_vertex(0.5 * (mesh_.points[a] + mesh_.points[b]));
    for (const int t : ring.elements) {
      Corners with_a = mesh_.corners[t], with_b = with_a;
      std::replace(with_a.begin(), with_a.end(), b, v);
      std::replace(with_b.begin(), with_b.end(), a, v);
      remove(t);
      add(with_a, region);
      add(with_b, region);
    }
    return true;
  }

  /// Cost of the elements around v with the vertex at p; stops above `enough`.
  double cost_with(int v, const Vec3& p, double enough) {
    const Vec3 kept = mesh_.points[v];
    mesh_.points[v] = p;
    double sum = 0;
    for (const int t : around_[v]) {
      sum += cost(t);
      if (sum >= enough) break;
    }
    mesh_.points[v] = kept;
    return sum;
  }

  /// Tries places away from the faces opposite the vertex in the worst elements, and towards the middle.
  bool move(int v) {
    if (freedom_[v] == Freedom::fixed || is_held(v)) return false;
    const double first = cost_around(v);
    double best = first;
    for (int round = 0; round < 4 && best > 0; ++round) {
      const double before = best;
      const Vec3 normal = freedom_[v] == Freedom::interface ? interface_normal(v) : Vec3{};
      Vec3 place = mesh_.points[v];
      for (const Vec3& direction : directions(v))
        for (const double share : {0.4, 0.2, 0.1, 0.05}) {
          Vec3 p = mesh_.points[v] + share * direction;
          if (!project(v, normal, p)) continue;
          if (const double sum = cost_with(v, p, best); sum < best) {
            best = sum;
            place = p;
          }
        }
      if (best >= before) break;
      put(v, place);
      if (best > 0.995 * before) break;
    }
    return best < first * worthwhile;
  }

  std::vector<Vec3> directions(int v) const {
    const Vec3& x = mesh_.points[v];
    std::vector<std::pair<double, int>> order;
    Vec3 middle;
    double length = 0;
    for (const int t : around_[v]) {
      order.emplace_back(quality(t), t);
      const Corners& c = mesh_.corners[t];
      for (const int w : c) middle += 1.0 / 3 * (mesh_.points[w] - x);
    }
    std::sort(order.begin(), order.end());
    const double n = double(around_[v].size());
    for (const int t : around_[v])
      for (const int w : mesh_.corners[t]) length += norm(mesh_.points[w] - x) / (3 * n);
    std::vector<Vec3> result{middle / n};
    Vec3 sum;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, order.size()); ++i) {
      const Corners& c = mesh_.corners[order[i].second];
      int f = 0;
      while (c[f] != v) ++f;
      const Vec3 &p = mesh_.points[c[faces[f][0]]], &q = mesh_.points[c[faces[f][1]]],
                 &r = mesh_.points[c[faces[f][2]]];
      Vec3 away = cross(q - p, r - p);
      if (norm(away) == 0) continue;
      away *= (dot(away, x - p) < 0 ? -1 : 1) * length / norm(away);
      sum += away;
      result.push_back(away);
      result.push_back(away + result.front());
      // Towards the middle of that face in its plane: out of a sliver.
      result.push_back((p + q + r) / 3 - x);
      result.push_back(-1.0 * away);
    }
    result.push_back(sum);
    return result;
  }

  bool flip(int t) {
    const Corners c = mesh_.corners[t];
    for (const auto& [a, b] : mesh::edge_corners)
      if (remove_edge(c[a], c[b])) return true;
    for (int f = 0; f < 4; ++f)
      if (remove_face(t, f)) return true;
    return false;
  }

  /// Two elements of a region become three around the edge between their apices.
  bool remove_face(int t, int f) {
    const int other = beyond(t, f);
    if (other < 0 || mesh_.region[other] != mesh_.region[t]) return false;
    const Corners& c = mesh_.corners[t];
    const int p = c[faces[f][0]], q = c[faces[f][1]], r = c[faces[f][2]], d = c[f];
    int e = -1;
    for (const int v : mesh_.corners[other])
      if (v != p && v != q && v != r) e = v;
    std::vector<Corners> replacement;
    for (const auto& [u, w] : {std::pair(p, q), std::pair(q, r), std::pair(r, p)})
      replacement.push_back(positive({d, e, u, w}));
    // Three elements of positive volume could overlap: their volumes must add up.
    double before = volume(t) + volume(other), after = 0;
    for (const Corners& n : replacement) after += volume_of(n);
    if (std::abs(after - before) > 1e-9 * before) return false;
    return replace({t, other}, replacement, mesh_.region[t]);
  }

  /// The elements around an edge become those of a triangulation of their ring, above and below it. Where the edge is
  /// between two regions, or on the boundary, that of each side: the other diagonal becomes the surface's edge.
  bool remove_edge(int a, int b) {
    Ring ring;
    if (!find_ring(a, b, ring)) return false;
    const int steps = int(ring.elements.size());
    std::vector<int> changes;  // steps whose region differs from the one before
    for (int i = 0; i < steps; ++i)
      if (i > 0 || ring.closed)
        if (mesh_.region[ring.elements[i]] != mesh_.region[ring.elements[(i + steps - 1) % steps]])
          changes.push_back(i);
    std::vector<std::vector<int>> chains;  // points
    std::vector<int> regions;
    if (changes.empty()) {
      chains.push_back(ring.points);
      regions.push_back(mesh_.region[ring.elements[0]]);
    } else if (changes.size() == 2 && ring.closed) {
      for (int c = 0; c < 2; ++c) {
        const int from = changes[c], to = changes[1 - c];
        chains.emplace_back();
        for (int i = from;; i = (i + 1) % steps) {
          chains.back().push_back(ring.points[i]);
          if (i == to) break;
        }
        regions.push_back(mesh_.region[ring.elements[from]]);
      }
    } else return false;
    const bool on_surface = !ring.closed || chains.size() == 2;
    if (on_surface && (goal_.surfaces_stay || !can_turn(a, b, chains.front()))) return false;
    double before = 0, after = 0;
    for (const int t : ring.elements) before += cost(t);
    std::vector<std::vector<Corners>> replacement(chains.size());
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (chains[c].size() < 3 || chains[c].size() > 7) return false;
      if (!triangulate(a, b, chains[c], regions[c], replacement[c])) return false;
      for (const Corners& corners : replacement[c]) after += cost_of(quality_of(corners, regions[c]));
    }
    if (!(after < before * worthwhile)) return false;
    for (const int t : ring.elements) remove(t);
    for (std::size_t c = 0; c < chains.size(); ++c)
      for (const Corners& corners : replacement[c]) add(corners, regions[c]);
    return true;
  }

  /// The triangulation of the ring that costs least (G. T. Klincsek's dynamic programme); false if none is valid.
  bool triangulate(int a, int b, const std::vector<int>& ring, int region, std::vector<Corners>& replacement) const {
    constexpr double invalid = std::numeric_limits<double>::infinity();
    const int n = int(ring.size());
    std::array<std::array<double, 7>, 7> least{};
    std::array<std::array<int, 7>, 7> choice{};
    const auto triangle = [&](int i, int k, int j) {
      const double above = quality_of({ring[i], ring[k], ring[j], b}, region);
      const double below = quality_of({ring[i], ring[j], ring[k], a}, region);
      return above > 0 && below > 0 ? cost_of(above) + cost_of(below) : invalid;
    };
    for (int span = 2; span < n; ++span)
      for (int i = 0; i + span < n; ++i) {
        const int j = i + span;
        least[i][j] = invalid;
        for (int k = i + 1; k < j; ++k) {
          if (least[i][k] == invalid || least[k][j] == invalid) continue;
          if (const double sum = least[i][k] + least[k][j] + triangle(i, k, j); sum < least[i][j]) {
            least[i][j] = sum;
            choice[i][j] = k;
          }
        }
      }
    if (least[0][n - 1] == invalid) return false;
    std::vector<std::pair<int, int>> open{{0, n - 1}};
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      if (j < i + 2) continue;
      const int k = choice[i][j];
      replacement.push_back({ring[i], ring[k], ring[j], b});
      replacement.push_back({ring[i], ring[j], ring[k], a});
      open.emplace_back(i, k);
      open.emplace_back(k, j);
    }
    return true;
  }

  /// Vertex v goes to u; the elements at their edge vanish. improving: only if that raises the worst quality.
  bool collapse(int v, int u, bool improving) {
    if (freedom_[v] == Freedom::fixed || freedom_[v] == Freedom::junction || is_held(v)) return false;
    if (freedom_[v] == Freedom::line) {
      const Vec3 d = mesh_.points[u] - mesh_.points[v];
      if (norm(cross(d, direction_[v])) > 1e-6 * norm(d)) return false;
    }
    if (freedom_[v] != Freedom::free && !keeps_surface(v, u)) return false;
    double before = 0, after = 0;
    bool any = false;
    for (const int t : around_[v]) {
      before += cost(t);
      if (!has(t, u)) {
        Corners c = mesh_.corners[t];
        std::replace(c.begin(), c.end(), v, u);
        const double q = quality_of(c, mesh_.region[t]);
        if (!(q > 0)) return false;
        after += cost_of(q);
        any = true;
      } else if (pinches(t, v, u)) return false;
    }
    if (!any || (improving && !(after < before * worthwhile))) return false;
    const std::vector<int> old = around_[v];
    for (const int t : old) {
      Corners c = mesh_.corners[t];
      const int region = mesh_.region[t];
      const bool vanishes = has(t, u);
      remove(t);
      if (vanishes) continue;
      std::replace(c.begin(), c.end(), v, u);
      add(c, region);
    }
    return true;
  }

  bool is_held(int v) const { return goal_.surfaces_stay && freedom_[v] != Freedom::free; }

  bool thorough_ = false;  // with operations that need their surroundings
};

}  // namespace

ImproveResult improve(Tetrahedra& mesh, const ImproveGoal& goal, const Exterior& exterior,
                      const std::function<int(const Vec3&)>& region) {
  return Improver(mesh, goal, exterior, region).run();
}

}  // namespace dgtd::mesher
