#include "dgtd/observers/lattice_hits.hpp"

#include <algorithm>
#include <deque>
#include <tuple>

namespace dgtd::observers {

namespace {

// Barycentric coordinates of points in an element.
class Element {
 public:
  Element(const mesh::Subdomain& mesh, std::uint32_t e)
      : o_(mesh.vertex(e, 0)), u_(mesh.vertex(e, 1) - o_), v_(mesh.vertex(e, 2) - o_), w_(mesh.vertex(e, 3) - o_) {
    inverse_ = 1 / dot(u_, cross(v_, w_));
  }
  std::array<double, 4> barycentric(const Vec3& point) const {
    const Vec3 x = point - o_;
    const double a = dot(x, cross(v_, w_)) * inverse_, b = dot(u_, cross(x, w_)) * inverse_,
                 c = dot(u_, cross(v_, x)) * inverse_;
    return {1 - a - b - c, a, b, c};
  }

 private:
  Vec3 o_, u_, v_, w_;
  double inverse_;
};

}  // namespace

// Each element takes the points inside its bounding box that are inside it.
std::vector<LatticeHit> find_lattice_hits(const mesh::Subdomain& mesh, std::span<const std::uint32_t> elements,
                                          const std::array<std::vector<double>, 3>& coordinates) {
  constexpr double outside = -1e-9;
  // The axis with the fewest points first: most elements are beside a plane.
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::sort(axes.begin(), axes.end(),
            [&](std::size_t a, std::size_t b) { return coordinates[a].size() < coordinates[b].size(); });
  std::vector<LatticeHit> hits;  // element: a place in `elements`
  const auto count = static_cast<std::ptrdiff_t>(elements.size());
#pragma omp parallel
  {
    std::deque<LatticeHit> mine;  // not twice as large as it must be
#pragma omp for schedule(static)
    for (std::ptrdiff_t at = 0; at < count; ++at) {
      const std::uint32_t e = elements[static_cast<std::size_t>(at)];
      std::size_t first[3], last[3];
      bool any = true;
      for (const std::size_t a : axes) {
        const auto axis = static_cast<int>(a);
        double low = mesh.vertex(e, 0)[axis], high = low;
        for (int v = 1; v < 4; ++v)
          low = std::min(low, mesh.vertex(e, v)[axis]), high = std::max(high, mesh.vertex(e, v)[axis]);
        const double slack = 1e-9 * (high - low);
        const auto& x = coordinates[a];
        first[a] = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), low - slack) - x.begin());
        last[a] = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), high + slack) - x.begin());
        any = first[a] < last[a];
        if (!any) break;
      }
      if (!any) continue;
      const Element element(mesh, e);
      for (std::size_t k = first[2]; k < last[2]; ++k)
        for (std::size_t j = first[1]; j < last[1]; ++j)
          for (std::size_t i = first[0]; i < last[0]; ++i) {
            const auto l = element.barycentric({coordinates[0][i], coordinates[1][j], coordinates[2][k]});
            if (*std::min_element(l.begin(), l.end()) < outside) continue;
            const std::size_t point = (k * coordinates[1].size() + j) * coordinates[0].size() + i;
            mine.push_back({static_cast<std::int64_t>(point), static_cast<std::uint32_t>(at), l});
          }
    }
#pragma omp critical
    hits.insert(hits.end(), mine.begin(), mine.end());
  }
  std::sort(hits.begin(), hits.end(), [](const LatticeHit& a, const LatticeHit& b) {
    return std::tie(a.element, a.point) < std::tie(b.element, b.point);
  });
  for (LatticeHit& hit : hits) hit.element = elements[hit.element];
  return hits;
}

}  // namespace dgtd::observers
