#include "improve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "tetrahedron.hpp"

namespace dgtd::mesher {
namespace {

using Corners = std::array<std::int32_t, 4>;
constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // opposite a corner, seen from it clockwise
constexpr int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr double least_gain = 1e-3;  // of cost, by an operation with its surroundings
constexpr double worthwhile = 0.99;  // an operation leaves at most this share of the cost of what it replaces

/// What an element of a quality costs: nothing from 1 on, more and more towards 0, so that a sum is ruled by the worst.
double cost_of(double quality) {
  constexpr double degenerate = 0.01;
  if (quality >= 1) return 0;
  if (quality > degenerate) return (1 / quality - 1) * (1 / quality - 1);
  return (1 / degenerate - 1) * (1 / degenerate - 1) + 1e7 * (degenerate - quality);
}

/// How a vertex may move.
enum class Freedom : std::uint8_t { free, interface, plane, line, sphere, junction, fixed };

class Improver {
 public:
  Improver(Tetrahedra& mesh, const ImproveGoal& goal, const Exterior& exterior,
           const std::function<int(const Vec3&)>& region)
      : mesh_(mesh), goal_(goal), exterior_(exterior), region_(region) {
    around_.resize(mesh.points.size());
    for (std::size_t t = 0; t < mesh.corners.size(); ++t)
      for (const int v : mesh.corners[t]) around_[v].push_back(static_cast<int>(t));
    alive_.assign(mesh.corners.size(), true);
    find_freedoms();
  }

  ImproveResult run() {
    ImproveResult result;
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
      if (bad.empty() || pass == goal_.passes) break;
      std::int64_t done = 0;
      for (const auto& [before, t] : bad) {
        journal_.clear();
        if (alive_[t] && quality(t) < 1) done += mend(t, result);
      }
      if (thorough_ && done == 0) break;
      thorough_ = thorough_ || done * 20 < std::int64_t(bad.size());
    }
    compact();
    return result;
  }

 private:
  // ---- measures

  double quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, int region) const {
    const auto [inradius, shape] = shape_of(a, b, c, d);
    return std::min(inradius * goal_.slowness[region] / goal_.inradius, shape / goal_.shape);
  }
  double quality_of(const Corners& c, int region) const {
    const auto& x = mesh_.points;
    return quality(x[c[0]], x[c[1]], x[c[2]], x[c[3]], region);
  }
  double quality(int t) const { return quality_of(mesh_.corners[t], mesh_.region[t]); }

  double cost(int t) const { return cost_of(quality(t)); }
  double cost_around(int v) const {
    double sum = 0;
    for (const int t : around_[v]) sum += cost(t);
    return sum;
  }

  /// The tetrahedron beyond face f of t, -1 at the boundary.
  int beyond(int t, int f) const {
    const Corners& c = mesh_.corners[t];
    const int a = c[faces[f][0]], b = c[faces[f][1]], d = c[faces[f][2]];
    for (const int other : around_[a])
      if (other != t && has(other, b) && has(other, d)) return other;
    return -1;
  }
  bool has(int t, int v) const {
    const Corners& c = mesh_.corners[t];
    return c[0] == v || c[1] == v || c[2] == v || c[3] == v;
  }
  int region_beyond(int t, int f) const {
    const int other = beyond(t, f);
    return other < 0 ? 0 : mesh_.region[other];
  }

  // ---- what a vertex may do

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
    constexpr double share = 0.15;
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

  // ---- operations; each returns whether it raised the worst quality of the elements that it replaced

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
    for (const auto& [a, b] : edges)
      if (collapse(c[a], c[b], true) || collapse(c[b], c[a], true)) return ++result.collapses, true;
    if (!thorough_) return false;
    for (const auto& [a, b] : edges)
      if (with_surroundings([&] { return collapse(c[a], c[b], false); }) ||
          with_surroundings([&] { return collapse(c[b], c[a], false); }))
        return ++result.collapses, true;
    for (const auto& [a, b] : edges)
      if (with_surroundings([&] { return split(c[a], c[b]); })) return ++result.splits, true;
    return false;
  }

  /// Carries out an operation that may make things worse, then moves and flips around it. All is taken back unless it
  /// costs less in the end.
  template <class Operation>
  bool with_surroundings(const Operation& operation) {
    const std::size_t mark = journal_.size();
    const double before = total_;
    if (!operation()) return false;
    for (int round = 0; round < 3; ++round) {
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

  /// Elements that were added, or whose vertices were moved, and that are still there; ascending.
  std::vector<int> touched_since(std::size_t mark) const {
    std::vector<int> touched;
    for (std::size_t i = mark; i < journal_.size(); ++i) {
      const Change& change = journal_[i];
      if (change.kind == Change::Kind::added && alive_[change.what]) touched.push_back(change.what);
      if (change.kind == Change::Kind::moved)
        touched.insert(touched.end(), around_[change.what].begin(), around_[change.what].end());
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    return touched;
  }

  /// A new vertex in the middle of an edge inside a region.
  bool split(int a, int b) {
    Ring ring;
    if (!find_ring(a, b, ring) || !ring.closed) return false;
    const int region = mesh_.region[ring.elements[0]];
    for (const int t : ring.elements)
      if (mesh_.region[t] != region) return false;
    const int v = int(mesh_.points.size());
    mesh_.points.push_back(0.5 * (mesh_.points[a] + mesh_.points[b]));
    around_.emplace_back();
    freedom_.push_back(Freedom::free);
    direction_.emplace_back();
    pair_.emplace_back(0, 0);
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

  /// Of the elements around v with the vertex at p; stops above `enough`.
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
    if (freedom_[v] == Freedom::fixed) return false;
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

  // ---- changes, which can be taken back

  struct Change {
    enum class Kind : std::uint8_t { added, removed, moved } kind;
    int what;  // tetrahedron or point
    Vec3 from;
  };
  void take_back(std::size_t mark) {
    for (; journal_.size() > mark; journal_.pop_back()) {
      const Change& change = journal_.back();
      if (change.kind == Change::Kind::moved) {
        mesh_.points[change.what] = change.from;
        continue;
      }
      const bool removed = change.kind == Change::Kind::removed;
      alive_[change.what] = removed;
      for (const int v : mesh_.corners[change.what])
        if (removed) around_[v].push_back(change.what);
        else around_[v].erase(std::find(around_[v].begin(), around_[v].end(), change.what));
    }
  }
  void put(int v, const Vec3& p) {
    journal_.push_back({Change::Kind::moved, v, mesh_.points[v]});
    total_ -= cost_around(v);
    mesh_.points[v] = p;
    total_ += cost_around(v);
  }
  int add(const Corners& c, int region) {
    const int t = static_cast<int>(mesh_.corners.size());
    journal_.push_back({Change::Kind::added, t, {}});
    mesh_.corners.push_back(c);
    mesh_.region.push_back(static_cast<std::uint8_t>(region));
    alive_.push_back(true);
    for (const int v : c) around_[v].push_back(t);
    total_ += cost(t);
    return t;
  }
  void remove(int t) {
    journal_.push_back({Change::Kind::removed, t, {}});
    total_ -= cost(t);
    alive_[t] = false;
    for (const int v : mesh_.corners[t]) around_[v].erase(std::find(around_[v].begin(), around_[v].end(), t));
  }
  bool replace(const std::vector<int>& old, const std::vector<Corners>& replacement, int region) {
    double before = 0, after = 0;
    for (const int t : old) before += cost(t);
    for (const Corners& c : replacement) {
      const double q = quality_of(c, region);
      if (!(q > 0)) return false;
      after += cost_of(q);
    }
    if (!(after < before * worthwhile)) return false;
    for (const int t : old) remove(t);
    for (const Corners& c : replacement) add(c, region);
    return true;
  }

  bool flip(int t) {
    const Corners c = mesh_.corners[t];
    for (const auto& [a, b] : edges)
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
  double volume_of(const Corners& c) const {
    return signed_volume(mesh_.points[c[0]], mesh_.points[c[1]], mesh_.points[c[2]], mesh_.points[c[3]]);
  }
  double volume(int t) const { return volume_of(mesh_.corners[t]); }
  Corners positive(Corners c) const {
    if (volume_of(c) < 0) std::swap(c[0], c[1]);
    return c;
  }

  /// The elements around an edge, in order: b is seen from a, corner ring[i] before ring[i + 1].
  struct Ring {
    std::vector<int> elements;  // [steps] at ring[i], ring[i + 1]
    std::vector<int> points;    // closed: [steps], open: [steps + 1]
    bool closed = false;
  };
  bool find_ring(int a, int b, Ring& ring) const {
    struct Step {
      int from, to, element;
    };
    std::vector<Step> steps;
    for (const int t : around_[a]) {
      if (!has(t, b)) continue;
      int rest[2], n = 0;
      for (const int v : mesh_.corners[t])
        if (v != a && v != b) rest[n++] = v;
      if (volume_of({a, b, rest[0], rest[1]}) < 0) std::swap(rest[0], rest[1]);
      steps.push_back({rest[0], rest[1], t});
    }
    constexpr std::size_t most = 10;
    if (steps.empty() || steps.size() > most) return false;
    // An open ring starts where no step arrives.
    std::size_t first = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (std::none_of(steps.begin(), steps.end(), [&](const Step& s) { return s.to == steps[i].from; })) first = i;
    int at = steps[first].from;
    const int start = at;
    ring.points.assign(1, at);
    while (ring.elements.size() < steps.size()) {
      const auto step = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.from == at; });
      if (step == steps.end()) return false;
      ring.elements.push_back(step->element);
      at = step->to;
      ring.points.push_back(at);
    }
    ring.closed = at == start;
    if (ring.closed) ring.points.pop_back();
    return true;
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
    if ((!ring.closed || chains.size() == 2) && !can_turn(a, b, chains.front())) return false;
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
    if (freedom_[v] == Freedom::fixed || freedom_[v] == Freedom::junction) return false;
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

  void compact() {
    Tetrahedra kept;
    std::vector<std::int32_t> number(mesh_.points.size(), -1);
    for (std::size_t t = 0; t < alive_.size(); ++t) {
      if (!alive_[t]) continue;
      Corners c = mesh_.corners[t];
      for (auto& v : c) {
        if (number[v] < 0) {
          number[v] = static_cast<std::int32_t>(kept.points.size());
          kept.points.push_back(mesh_.points[v]);
        }
        v = number[v];
      }
      kept.corners.push_back(c);
      kept.region.push_back(mesh_.region[t]);
    }
    mesh_ = std::move(kept);
  }

  Tetrahedra& mesh_;
  const ImproveGoal& goal_;
  const Exterior& exterior_;
  const std::function<int(const Vec3&)>& region_;
  std::vector<std::vector<int>> around_;             // [points] tetrahedra
  std::vector<bool> alive_;                          // [tetrahedra]
  double total_ = 0;                                 // cost of all elements, but for a constant
  bool thorough_ = false;                            // with operations that need their surroundings
  std::vector<Change> journal_;                      // of the operation under way
  std::vector<Freedom> freedom_;                     // [points]
  std::vector<Vec3> direction_;                      // [points] normal of a plane, direction of a line
  std::map<int, std::pair<Vec3, double>> junction_;  // place and how far the vertex may move, m
  std::vector<std::pair<int, int>> pair_;            // [points] regions at an interface, ascending
};

}  // namespace

ImproveResult improve(Tetrahedra& mesh, const ImproveGoal& goal, const Exterior& exterior,
                      const std::function<int(const Vec3&)>& region) {
  return Improver(mesh, goal, exterior, region).run();
}

}  // namespace dgtd::mesher
