#include "dgtd/observers/lattice_hits.hpp"

#include <algorithm>

#include "dgtd/parallel/in_order.hpp"

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

// Each element takes the points inside its bounding box that are inside it.
template <class ElementAt>
std::vector<LatticeHit> find_hits(const mesh::Subdomain& mesh, std::size_t count, const ElementAt& element_at,
                                  const std::array<std::vector<double>, 3>& coordinates) {
  constexpr double outside = -1e-9;
  // The axis with the fewest points first: most elements are beside a plane.
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::sort(axes.begin(), axes.end(),
            [&](std::size_t a, std::size_t b) { return coordinates[a].size() < coordinates[b].size(); });
  return parallel::collect_in_order<LatticeHit>(count, [&](std::size_t at, std::deque<LatticeHit>& hits) {
    const std::uint32_t e = element_at(at);
    std::size_t first[3], last[3];
    for (const std::size_t a : axes) {
      const auto axis = static_cast<int>(a);
      double low = mesh.vertex(e, 0)[axis], high = low;
      for (int v = 1; v < 4; ++v)
        low = std::min(low, mesh.vertex(e, v)[axis]), high = std::max(high, mesh.vertex(e, v)[axis]);
      const double slack = 1e-9 * (high - low);
      const auto& x = coordinates[a];
      first[a] = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), low - slack) - x.begin());
      last[a] = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), high + slack) - x.begin());
      if (first[a] >= last[a]) return;
    }
    const Element element(mesh, e);
    for (std::size_t k = first[2]; k < last[2]; ++k)
      for (std::size_t j = first[1]; j < last[1]; ++j)
        for (std::size_t i = first[0]; i < last[0]; ++i) {
          const auto l = element.barycentric({coordinates[0][i], coordinates[1][j], coordinates[2][k]});
          if (*std::min_element(l.begin(), l.end()) < outside) continue;
          const std::size_t point = (k * coordinates[1].size() + j) * coordinates[0].size() + i;
          hits.push_back({static_cast<std::int64_t>(point), e, l});
        }
  });
}

}  // namespace

std::vector<LatticeHit> find_lattice_hits(const mesh::Subdomain& mesh, std::span<const std::uint32_t> elements,
                                          const std::array<std::vector<double>, 3>& coordinates) {
  return find_hits(
      mesh, elements.size(), [&](std::size_t at) { return elements[at]; }, coordinates);
}

std::vector<LatticeHit> find_lattice_hits(const mesh::Subdomain& mesh,
                                          const std::array<std::vector<double>, 3>& coordinates) {
  return find_hits(
      mesh, mesh.elements(), [](std::size_t at) { return static_cast<std::uint32_t>(at); }, coordinates);
}

}  // namespace dgtd::observers
