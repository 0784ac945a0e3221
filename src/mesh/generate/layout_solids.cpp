#include "mesh/generate/layout_solids.hpp"

#include <gmsh.h>

namespace dgtd::mesh {
namespace {

namespace occ = gmsh::model::occ;

// Between the ends of two lids: its plane walls, and the closed lines of the lids.
class SolidBuilder {
 public:
  SolidBuilder(const geometry::Extrusion& body, const Vec3& middle, double unit)
      : body_(body), middle_(middle), unit_(unit) {}

  int solid(const geometry::Polygon& bottom, const geometry::Polygon& top) {
    faces_.clear(), low_loops_.clear(), high_loops_.clear();
    add_ring(bottom.outer, top.outer);
    for (std::size_t h = 0; h < bottom.holes.size(); ++h) add_ring(bottom.holes[h], top.holes[h]);
    faces_.push_back(occ::addPlaneSurface(low_loops_));
    faces_.push_back(occ::addPlaneSurface(high_loops_));
    return occ::addVolume({occ::addSurfaceLoop(faces_, -1, true)});
  }

 private:
  int add_point(const geometry::Point& p, double z) const {
    const Vec3 x = (Vec3{p[0], p[1], z} - middle_) / unit_;
    return occ::addPoint(x.x, x.y, x.z);
  }

  void add_ring(const geometry::Ring& bottom, const geometry::Ring& top) {
    const std::size_t n = bottom.size();
    std::vector<int> low(n), high(n), low_edges(n), high_edges(n), upright(n);
    for (std::size_t i = 0; i < n; ++i) {
      low[i] = add_point(bottom[i], body_.low);
      high[i] = add_point(top[i], body_.high);
      upright[i] = occ::addLine(low[i], high[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t next = (i + 1) % n;
      low_edges[i] = occ::addLine(low[i], low[next]);
      high_edges[i] = occ::addLine(high[i], high[next]);
    }
    for (std::size_t i = 0; i < n; ++i)
      faces_.push_back(occ::addPlaneSurface(
          {occ::addCurveLoop({low_edges[i], upright[(i + 1) % n], -high_edges[i], -upright[i]})}));
    low_loops_.push_back(occ::addCurveLoop(low_edges));
    high_loops_.push_back(occ::addCurveLoop(high_edges));
  }

  const geometry::Extrusion& body_;
  Vec3 middle_;
  double unit_;
  std::vector<int> faces_, low_loops_, high_loops_;
};

}  // namespace

std::vector<int> layout_solids(const geometry::Extrusion& body, const Vec3& middle, double unit) {
  SolidBuilder builder(body, middle, unit);
  std::vector<int> tags;
  for (std::size_t p = 0; p < body.bottom.size(); ++p) tags.push_back(builder.solid(body.bottom[p], body.top[p]));
  return tags;
}

}  // namespace dgtd::mesh
