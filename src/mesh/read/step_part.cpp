#include "dgtd/mesh/step_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "dgtd/base/constants.hpp"

namespace dgtd::mesh {
namespace {

// Twice the angle between neighbours of read_step's 48 triangles along a circle.
constexpr double least_sharp_turn = pi / 12;

// The triangles of a solid whose normals are outward ones where sign is 1, else inward ones.
class TriangleNormals {
 public:
  explicit TriangleNormals(const StepSolid& solid) : solid_(solid) {
    double enclosed = 0;
    for (const auto& t : solid.triangles) {
      const Vec3 from = solid.points.front();
      enclosed += dot(corner(t, 0) - from, cross(corner(t, 1) - from, corner(t, 2) - from));
    }
    sign_ = enclosed < 0 ? -1 : 1;
  }
  Vec3 corner(const std::array<int, 3>& t, std::size_t i) const {
    return solid_.points[static_cast<std::size_t>(t[i])];
  }
  // Twice the triangle's area long.
  Vec3 outward(const std::array<int, 3>& t) const {
    return sign_ * cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
  }

 private:
  const StepSolid& solid_;
  double sign_;
};

}  // namespace

// A chord of a circle that turns by an angle t from one to the next, s long, is off it by s t / 8.
StepSurface surface_of(const StepSolid& solid) {
  const TriangleNormals normals(solid);
  std::map<std::pair<int, int>, std::size_t> first_at;  // edges: the first triangle there
  double deviation = 0;
  std::vector<SharpEdge> sharp;
  for (std::size_t k = 0; k < solid.triangles.size(); ++k) {
    const auto& t = solid.triangles[k];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [at, is_new] = first_at.emplace(std::minmax(t[i], t[(i + 1) % 3]), k);
      if (is_new) continue;
      const auto& other = solid.triangles[at->second];
      const Vec3 here = normals.outward(t), there = normals.outward(other);
      const Vec3 from = normals.corner(t, i), to = normals.corner(t, (i + 1) % 3);
      const double turn = std::atan2(norm(cross(here, there)), dot(here, there)), length = norm(to - from);
      if (length == 0) continue;
      if (turn <= least_sharp_turn) {
        deviation = std::max(deviation, std::max(norm(here), norm(there)) / length * turn / 8);
        continue;
      }
      const auto last =
          std::find_if(other.begin(), other.end(), [&](int c) { return c != t[i] && c != t[(i + 1) % 3]; });
      if (last == other.end()) continue;
      const Vec3 beyond = solid.points[static_cast<std::size_t>(*last)];
      if (dot(here, beyond - from) < 0) sharp.push_back({from, to, turn});
    }
  }
  return {geometry::TriangleTree(solid.points, solid.triangles), deviation, std::move(sharp)};
}

double StepSurface::distance(const Vec3& x) const {
  const double away = norm(x - tree.nearest(x));
  return tree.is_inside(x) ? -away : away;
}

StepPart read_step_part(const std::filesystem::path& file, const std::string& body, double growth, double per_circle) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  StepPart part;
  part.file = file;
  const auto solids = read_step(file, body);
  part.content = hash_of_file(file);
  part.low = {infinity, infinity, infinity}, part.high = -part.low;
  part.thickness = infinity;
  for (const StepSolid& solid : solids) {
    part.numbers.push_back(solid.number);
    part.volume += solid.volume;
    part.thickness = std::min(part.thickness, 2 * solid.volume / solid.area);
    for (const SurfaceSize& size : surface_sizes(solid, growth, per_circle)) part.sizes.push_back(size);
    for (const Vec3& p : solid.points)
      for (int a = 0; a < 3; ++a)
        part.low[a] = std::min(part.low[a], p[a]), part.high[a] = std::max(part.high[a], p[a]);
    part.surfaces.push_back(std::make_shared<const StepSurface>(surface_of(solid)));
  }
  return part;
}

}  // namespace dgtd::mesh
