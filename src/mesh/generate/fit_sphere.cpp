#include "mesh/generate/fit_sphere.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace dgtd::mesh {

std::optional<FittedSphere> fit_sphere(const std::vector<Vec3>& points) {
  if (points.size() < 4) return {};
  // Relative to the middle of the points and to their largest distance from it.
  Vec3 middle;
  for (const Vec3& p : points) middle += p;
  middle *= 1 / static_cast<double>(points.size());
  double scale = 0;
  for (const Vec3& p : points) scale = std::max(scale, norm(p - middle));
  if (!(scale > 0)) return {};

  // |q - c|^2 = r^2 is linear in c and d = r^2 - |c|^2 (I. Kasa, IEEE Trans. Instrum. Meas. 25, 8, 1976):
  //   2 q . c + d = |q|^2
  const auto rows = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixX4d matrix(rows, 4);
  Eigen::VectorXd right(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Vec3 q = (1 / scale) * (points[static_cast<std::size_t>(i)] - middle);
    matrix.row(i) << 2 * q.x, 2 * q.y, 2 * q.z, 1;
    right[i] = dot(q, q);
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixX4d> factors(matrix);
  factors.setThreshold(1e-6);
  if (factors.rank() < 4) return {};
  const Eigen::Vector4d solution = factors.solve(right);
  const Vec3 centre{solution[0], solution[1], solution[2]};
  FittedSphere sphere{middle + scale * centre, scale * std::sqrt(std::max(0.0, solution[3] + dot(centre, centre)))};
  for (const Vec3& p : points)
    sphere.deviation = std::max(sphere.deviation, std::abs(norm(p - sphere.centre) - sphere.radius));
  return sphere;
}

}  // namespace dgtd::mesh
