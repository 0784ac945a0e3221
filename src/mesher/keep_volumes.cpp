#include "keep_volumes.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "mesh_with_surfaces.hpp"

namespace dgtd::mesher {
namespace {

using Pair = std::pair<int, int>;  // regions, ascending

/// One at a vertex: what it has of the surface between two regions, m2, from the first region to the second.
struct Fan {
  Pair pair;
  Vec3 area;
};

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
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(Eigen::Index(regions), Eigen::Index(regions));
    for (const int v : surface_) {
      fans.push_back(fans_at(v));
      for (const Fan& fan : fans.back()) {
        const auto [a, b] = fan.pair;
        const double area = norm(fan.area);
        matrix(a, a) += area;
        matrix(b, b) += area;
        matrix(a, b) -= area;
        matrix(b, a) -= area;
      }
    }
    for (std::size_t r = 0; r < regions; ++r)
      if (!(wanted_.volume[r] > 0)) matrix.row(Eigen::Index(r)).setZero(), matrix.col(Eigen::Index(r)).setZero();
    // The smallest solution: regions without a wanted volume, or without a surface, have p = 0.
    const Eigen::VectorXd potential = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(matrix).solve(
        Eigen::Map<const Eigen::VectorXd>(missing.data(), Eigen::Index(regions)));
    bool any = false;
    for (std::size_t s = 0; s < surface_.size(); ++s) {
      Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
      Eigen::Vector3d right = Eigen::Vector3d::Zero();
      for (const Fan& fan : fans[s]) {
        const Eigen::Vector3d area(fan.area.x, fan.area.y, fan.area.z);
        m += area * area.transpose();
        right += (potential[fan.pair.first] - potential[fan.pair.second]) * area.norm() * area;
      }
      if (m.trace() <= 0) continue;
      m.diagonal().array() += 1e-3 * m.trace();  // along the surface nothing determines the move
      const Eigen::Vector3d by = m.ldlt().solve(right);
      any = shift(s, {by[0], by[1], by[2]}) || any;
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
