#pragma once
// Tetrahedra that are changed one operation after the other; an operation can be taken back.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/mesh/tetrahedron.hpp"
#include "improve.hpp"

namespace dgtd::mesher {

using Corners = std::array<std::int32_t, 4>;

// Corners of a face, opposite its corner, seen from outside counter-clockwise.
inline constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
inline constexpr double worthwhile = 0.99;  // an operation leaves at most this share of the cost of what it replaces

/// Cost of an element of a quality: zero from 1 on, rising steeply towards 0, so that the worst ones dominate a sum.
inline double cost_of(double quality) {
  constexpr double degenerate = 0.01;
  if (quality >= 1) return 0;
  if (quality > degenerate) return (1 / quality - 1) * (1 / quality - 1);
  return (1 / degenerate - 1) * (1 / degenerate - 1) + 1e7 * (degenerate - quality);
}

class EditableMesh {
 protected:
  EditableMesh(Tetrahedra& mesh, const ImproveGoal& goal) : mesh_(mesh), goal_(goal) {
    around_.resize(mesh.points.size());
    for (std::size_t t = 0; t < mesh.corners.size(); ++t)
      for (const int v : mesh.corners[t]) around_[v].push_back(static_cast<int>(t));
    alive_.assign(mesh.corners.size(), true);
  }

  // ---- measures

  double quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, int region) const {
    ++evaluations_;
    const auto [inradius, shape] = mesh::Tetrahedron{{a, b, c, d}}.shape();
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

  double volume_of(const Corners& c) const { return mesh::Tetrahedron::at(mesh_.points, c).signed_volume(); }

  double volume(int t) const { return volume_of(mesh_.corners[t]); }

  Corners positive(Corners c) const {
    if (volume_of(c) < 0) std::swap(c[0], c[1]);
    return c;
  }

  bool has(int t, int v) const {
    const Corners& c = mesh_.corners[t];
    return c[0] == v || c[1] == v || c[2] == v || c[3] == v;
  }

  /// The tetrahedron beyond face f of t, -1 at the boundary.
  int beyond(int t, int f) const {
    const Corners& c = mesh_.corners[t];
    const int a = c[faces[f][0]], b = c[faces[f][1]], d = c[faces[f][2]];
    for (const int other : around_[a])
      if (other != t && has(other, b) && has(other, d)) return other;
    return -1;
  }

  int region_beyond(int t, int f) const {
    const int other = beyond(t, f);
    return other < 0 ? 0 : mesh_.region[other];
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
  mutable std::int64_t evaluations_ = 0;  // of quality
  std::vector<std::vector<int>> around_;  // [points] tetrahedra
  std::vector<bool> alive_;               // [tetrahedra]
  double total_ = 0;                      // cost of all elements, but for a constant
  std::vector<Change> journal_;           // of the operation under way
};

}  // namespace dgtd::mesher
