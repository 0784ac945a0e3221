#include "keep_volumes.hpp"

#include <array>
#include <map>

#include "mesh_with_surfaces.hpp"

namespace dgtd::mesher {
namespace {

using Pair = std::pair<int, int>;  // regions, ascending

/// One at a vertex: what it has of the surface between two regions, m2, from the first region to the second.
struct Fan {
  Pair pair;
  Vec3 area;
};

/// Solves a x = b by Gauss's elimination with the largest pivot; rows without one have x = 0.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, std::abs(a[i][i]));
  std::vector<std::size_t> row_of(n, n);  // [columns]
  std::vector<bool> used(n, false);
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!used[i] && (pivot == n || std::abs(a[i][column]) > std::abs(a[pivot][column]))) pivot = i;
    if (pivot == n || !(std::abs(a[pivot][column]) > 1e-12 * scale)) continue;
    used[pivot] = true;
    row_of[column] = pivot;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == pivot) continue;
      const double factor = a[i][column] / a[pivot][column];
      for (std::size_t c = 0; c < n; ++c) a[i][c] -= factor * a[pivot][c];
      b[i] -= factor * b[pivot];
    }
  }
  std::vector<double> x(n, 0);
  for (std::size_t column = 0; column < n; ++column)
    if (row_of[column] < n) x[column] = b[row_of[column]] / a[row_of[column]][column];
  return x;
}

/// Solves (m + e 1) x = b for a symmetric, positive semidefinite m; e is small beside its trace.
Vec3 solved(const std::array<Vec3, 3>& m, const Vec3& b) {
  const double e = 1e-3 * (m[0].x + m[1].y + m[2].z);
  const Vec3 p = m[0] + Vec3{e, 0, 0}, q = m[1] + Vec3{0, e, 0}, r = m[2] + Vec3{0, 0, e};
  const Vec3 qr = cross(q, r), rp = cross(r, p), pq = cross(p, q);
  const double determinant = dot(p, qr);
  return determinant > 0 ? (b.x * qr + b.y * rp + b.z * pq) / determinant : Vec3{};
}

class VolumeKeeper : private MeshWithSurfaces {
 public:
  VolumeKeeper(Tetrahedra& mesh, const VolumeGoal& wanted, const ImproveGoal& goal, const Exterior& exterior,
               const std::function<int(const Vec3&)>& nowhere)
      : MeshWithSurfaces(mesh, goal, exterior, nowhere), wanted_(wanted), home_(mesh.points) {
    for (std::size_t v = 0; v < mesh_.points.size(); ++v) {
      if (freedom_[v] != Freedom::interface && freedom_[v] != Freedom::junction) continue;
      surface_.push_back(static_cast<int>(v));
      reach_.push_back(wanted_.reach * mean_edge(static_cast<int>(v)));
    }
  }

  std::int64_t run() {
    constexpr double close = 5e-4;  // of a volume
    for (int round = 0; round < wanted_.rounds; ++round) {
      const std::vector<double> missing = missing_volumes();
      double worst = 0;
      for (std::size_t r = 0; r < missing.size(); ++r)
        if (wanted_.volume[r] > 0) worst = std::max(worst, std::abs(missing[r]) / wanted_.volume[r]);
      if (worst < close || !move_all(missing)) break;
    }
    std::int64_t moved = 0;
    for (const int v : surface_) moved += norm(mesh_.points[v] - home_[v]) > 0;
    return moved;
  }

 private:
  double mean_edge(int v) const {
    double length = 0;
    for (const int t : around_[v])
      for (const int w : mesh_.corners[t]) length += norm(mesh_.points[w] - mesh_.points[v]);
    return length / (3 * double(around_[v].size()));
  }

  /// [regions + 1] m3
  std::vector<double> missing_volumes() const {
    std::vector<double> missing = wanted_.volume;
    for (std::size_t t = 0; t < mesh_.corners.size(); ++t) missing[mesh_.region[t]] -= volume(static_cast<int>(t));
    for (std::size_t r = 0; r < missing.size(); ++r)
      if (!(wanted_.volume[r] > 0)) missing[r] = 0;
    return missing;
  }

  /// The volume of a fan's first region grows by dot(area, d) where the vertex moves by d: a third of the faces.
  std::vector<Fan> fans_at(int v) const {
    std::vector<Fan> fans;
    for (const int t : around_[v])
      for (int f = 0; f < 4; ++f) {
        const Corners& c = mesh_.corners[t];
        if (c[f] == v) continue;
        const int here = mesh_.region[t], there = region_beyond(t, f);
        if (there <= here) continue;
        const Vec3 &p = mesh_.points[c[faces[f][0]]], &q = mesh_.points[c[faces[f][1]]],
                   &r = mesh_.points[c[faces[f][2]]];
        const Vec3 area = 1.0 / 6 * cross(q - p, r - p);
        const Pair pair(here, there);
        const auto known = std::find_if(fans.begin(), fans.end(), [&](const Fan& fan) { return fan.pair == pair; });
        if (known == fans.end()) fans.push_back({pair, area});
        else known->area += area;
      }
    return fans;
  }

  /// Returns whether any vertex was moved.
  bool move_all(const std::vector<double>& missing) {
    const std::size_t regions = missing.size();
    std::vector<std::vector<Fan>> fans;
    std::vector<std::vector<double>> matrix(regions, std::vector<double>(regions, 0));
    for (const int v : surface_) {
      fans.push_back(fans_at(v));
      for (const Fan& fan : fans.back()) {
        const auto [a, b] = fan.pair;
        const double area = norm(fan.area);
        matrix[a][a] += area;
        matrix[b][b] += area;
        matrix[a][b] -= area;
        matrix[b][a] -= area;
      }
    }
    for (std::size_t r = 0; r < regions; ++r)
      if (!(wanted_.volume[r] > 0))
        for (std::size_t c = 0; c < regions; ++c) matrix[r][c] = matrix[c][r] = 0;
    const std::vector<double> potential = solved(matrix, missing);
    bool any = false;
    for (std::size_t s = 0; s < surface_.size(); ++s) {
      std::array<Vec3, 3> m{};
      Vec3 right;
      for (const Fan& fan : fans[s]) {
        const Vec3& area = fan.area;
        for (int axis = 0; axis < 3; ++axis) m[axis] += area[axis] * area;
        right += (potential[fan.pair.first] - potential[fan.pair.second]) * norm(area) * area;
      }
      any = shift(s, solved(m, right)) || any;
    }
    return any;
  }

  bool shift(std::size_t s, const Vec3& by) {
    const int v = surface_[s];
    const Vec3 before = mesh_.points[v];
    double worst = 1;
    for (const int t : around_[v]) worst = std::min(worst, quality(t));
    for (const double share : {1.0, 0.5, 0.25}) {
      Vec3 p = before + share * by;
      if (const double away = norm(p - home_[v]); away > reach_[s]) p = home_[v] + reach_[s] / away * (p - home_[v]);
      if (norm(p - before) < 1e-3 * reach_[s]) return false;
      mesh_.points[v] = p;
      if (std::all_of(around_[v].begin(), around_[v].end(), [&](int t) { return quality(t) >= worst; })) return true;
    }
    mesh_.points[v] = before;
    return false;
  }

  const VolumeGoal& wanted_;
  std::vector<Vec3> home_;     // [points] m
  std::vector<int> surface_;   // vertices that may move
  std::vector<double> reach_;  // [surface_] m
};

}  // namespace

std::int64_t keep_volumes(Tetrahedra& mesh, const VolumeGoal& wanted, const ImproveGoal& goal,
                          const Exterior& exterior) {
  const std::function<int(const Vec3&)> nowhere = [](const Vec3&) { return 0; };
  return VolumeKeeper(mesh, wanted, goal, exterior, nowhere).run();
}

}  // namespace dgtd::mesher
