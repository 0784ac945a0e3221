#include "dgtd/observers/mesh_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "beside.hpp"
#include "dgtd/base/first_exception.hpp"
#include "dgtd/observers/lattice_hits.hpp"
#include "dgtd/parallel/in_order.hpp"

namespace dgtd::observers {

namespace {

// A triangle in the plane of an image: places to the right and upwards, and along the axis, m.
struct FlatTriangle {
  std::array<double, 3> right, up, depth;
};

// Calls take(column, row, depth) for the pixels whose centre the triangle covers. Rows count from the top.
template <class Take>
void cover(const FlatTriangle& t, const PixelPlane& view, const Take& take) {
  const double area = (t.right[1] - t.right[0]) * (t.up[2] - t.up[0]) - (t.right[2] - t.right[0]) * (t.up[1] - t.up[0]);
  if (area == 0) return;
  const auto pixel = [&](double at, int side) { return (at - view.low[side]) / view.pixel - 0.5; };
  const auto [left, right] = std::minmax({pixel(t.right[0], 0), pixel(t.right[1], 0), pixel(t.right[2], 0)});
  const auto [low, high] = std::minmax({pixel(t.up[0], 1), pixel(t.up[1], 1), pixel(t.up[2], 1)});
  const int first = std::max(0, static_cast<int>(std::ceil(left))),
            last = std::min(view.width - 1, static_cast<int>(std::floor(right)));
  const int bottom = std::max(0, static_cast<int>(std::ceil(low))),
            top = std::min(view.height - 1, static_cast<int>(std::floor(high)));
  for (int j = bottom; j <= top; ++j)
    for (int i = first; i <= last; ++i) {
      const int row = view.height - 1 - j;
      const double x = view.column_at(i) - t.right[0], y = view.row_at(row) - t.up[0];
      const double b = (x * (t.up[2] - t.up[0]) - y * (t.right[2] - t.right[0])) / area,
                   c = (y * (t.right[1] - t.right[0]) - x * (t.up[1] - t.up[0])) / area;
      if (b < -1e-12 || c < -1e-12 || b + c > 1 + 1e-12) continue;
      take(i, row, (1 - b - c) * t.depth[0] + b * t.depth[1] + c * t.depth[2]);
    }
}

}  // namespace

std::vector<PixelHit> MeshView::slice(const PixelPlane& plane) const {
  std::array<std::vector<double>, 3> coordinates;
  coordinates[plane.axis] = {plane.position};
  for (int i = 0; i < plane.width; ++i) coordinates[plane.right()].push_back(plane.column_at(i));
  for (int row = plane.height - 1; row >= 0; --row) coordinates[plane.up()].push_back(plane.row_at(row));
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> at(static_cast<std::size_t>(plane.width) * plane.height, none);
  // The lattice counts from the bottom, with the direction to the right fastest.
  for (const LatticeHit& hit : find_lattice_hits(mesh_, coordinates)) {
    const auto up = static_cast<int>(hit.point / plane.width), column = static_cast<int>(hit.point % plane.width);
    std::uint32_t& element = at[static_cast<std::size_t>(plane.number(plane.height - 1 - up, column))];
    if (element == none || mesh_.element_id[hit.element] < mesh_.element_id[element]) element = hit.element;
  }
  std::vector<PixelHit> hits;
  for (std::size_t pixel = 0; pixel < at.size(); ++pixel)
    if (const std::uint32_t e = at[pixel]; e != none)
      hits.push_back({static_cast<std::int32_t>(pixel), mesh_.element_group[e], mesh_.element_id[e], e, 0});
  return hits;
}

// Faces between two of the places are never seen. Faces to other ranks are drawn; where they are inside, others hide
// them.
std::vector<std::vector<PixelHit>> MeshView::surfaces(std::span<const SurfaceView> views,
                                                      std::span<const std::size_t> places) const {
  std::vector<std::uint8_t> chosen(mesh_.elements(), 0);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places.size(); ++i) chosen[places[i]] = 1;
  struct Face {
    std::uint32_t element;
    std::uint8_t face;
  };
  const auto faces = parallel::collect_in_order<Face>(places.size(), [&](std::size_t i, std::deque<Face>& list) {
    for (std::uint8_t f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = mesh_.element_faces[places[i]][f];
      if (!has_neighbour_beside(mesh_, places[i], f) || chosen[link.index] == 0)
        list.push_back({static_cast<std::uint32_t>(places[i]), f});
    }
  });
  constexpr double hidden = -std::numeric_limits<double>::infinity();
  struct Seen {
    double depth = hidden;
    std::size_t element = 0;
  };
  const auto hits_of = [&](const PixelPlane& plane, bool from_above) {
    const double sign = from_above ? 1 : -1;
    std::vector<Seen> seen(static_cast<std::size_t>(plane.width) * plane.height);
    for (const Face& face : faces) {
      const std::size_t e = face.element;
      FlatTriangle t;
      for (int v = 0, corner = 0; v < 4; ++v) {
        if (v == face.face) continue;
        const Vec3 x = mesh_.vertex(e, v);
        t.right[corner] = x[plane.right()], t.up[corner] = x[plane.up()], t.depth[corner] = sign * x[plane.axis];
        ++corner;
      }
      cover(t, plane, [&](int column, int row, double depth) {
        Seen& s = seen[static_cast<std::size_t>(plane.number(row, column))];
        if (depth > s.depth || (depth == s.depth && mesh_.element_id[e] < mesh_.element_id[s.element])) s = {depth, e};
      });
    }
    std::vector<PixelHit> hits;
    for (std::size_t pixel = 0; pixel < seen.size(); ++pixel)
      if (const Seen& s = seen[pixel]; s.depth != hidden)
        hits.push_back({static_cast<std::int32_t>(pixel), mesh_.element_group[s.element], mesh_.element_id[s.element],
                        s.element, s.depth});
    return hits;
  };
  std::vector<std::vector<PixelHit>> hits(views.size());
  FirstException error;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t v = 0; v < views.size(); ++v)
    error.catch_from([&] { hits[v] = hits_of(views[v].plane, views[v].from_above); });
  error.rethrow();
  return hits;
}

std::array<Vec3, 2> MeshView::box(std::span<const std::size_t> places) const {
  constexpr double far = std::numeric_limits<double>::infinity();
  double low[3] = {far, far, far}, high[3] = {-far, -far, -far};
#pragma omp parallel for schedule(static) reduction(min : low[:3]) reduction(max : high[:3])
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int v = 0; v < 4; ++v) {
      const Vec3 x = mesh_.vertex(places[i], v);
      for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
    }
  return {Vec3{low[0], low[1], low[2]}, Vec3{high[0], high[1], high[2]}};
}

// The elements with the smallest scrambled numbers of all ranks.
std::size_t MeshView::watch(int count, std::span<const Box> boxes) {
  bool any = false;
  for (std::size_t e = 0; e < mesh_.elements() && !any; ++e) any = tissue_[mesh_.element_group[e]];
  in_tissue_ = comm_.max(std::int64_t{any}) > 0;
  std::vector<std::uint64_t> keys;  // of the candidates
  const auto key_of = [&](std::size_t e) { return scrambled(static_cast<std::uint64_t>(mesh_.element_id[e])); };
  const auto is_in = [&](std::size_t e, const Box& box) {
    for (int a = 0; a < 3; ++a) {
      double low = mesh_.vertex(e, 0)[a], high = low;
      for (int v = 1; v < 4; ++v)
        low = std::min(low, mesh_.vertex(e, v)[a]), high = std::max(high, mesh_.vertex(e, v)[a]);
      if (high < box[0][a] || low > box[1][a]) return false;
    }
    return true;
  };
  const auto is_in_boxes = [&](std::size_t e) {
    return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) { return is_in(e, box); });
  };
  std::vector<bool> in_boxes;  // empty: no element is
  if (!in_tissue_ && !boxes.empty()) {
    bool found = false;
    for (std::size_t e = 0; e < mesh_.elements(); ++e) in_boxes.push_back(is_in_boxes(e)), found = found || in_boxes[e];
    if (comm_.max(std::int64_t{found}) == 0) in_boxes.clear();
  }
  const auto is_candidate = [&](std::size_t e) {
    return in_tissue_ ? bool(tissue_[mesh_.element_group[e]]) : in_boxes.empty() || in_boxes[e];
  };
  for (std::size_t e = 0; e < mesh_.elements(); ++e)
    if (is_candidate(e)) keys.push_back(key_of(e));
  const auto most = std::min(keys.size(), static_cast<std::size_t>(count));
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(most), keys.end());
  keys.resize(most);
  auto all = comm_.gather_vectors(keys);
  std::sort(all.begin(), all.end());
  const std::uint64_t last =
      comm_.broadcast_value(all.empty() ? 0 : all[std::min(all.size(), static_cast<std::size_t>(count)) - 1]);
  watched_.clear();
  if (comm_.max(static_cast<std::int64_t>(most)) > 0)
    for (const std::uint32_t e : solver_.stored_order())
      if (is_candidate(e) && key_of(e) <= last) watched_.push_back(e);
  return watched_.size();
}

std::vector<std::int64_t> MeshView::watched_numbers() const {
  std::vector<std::int64_t> numbers;
  for (const std::uint32_t element : watched_) numbers.push_back(mesh_.element_id[element]);
  return numbers;
}

std::vector<Vec3> MeshView::watched() const {
  using solver::Quantity;
  std::vector<double> values(3 * watched_.size());
  solver_.sample({Quantity::Field::electric, Quantity::Part::present, 0}, {{0.25, 0.25, 0.25, 0.25}}, watched_,
                 values.data());
  std::vector<Vec3> fields(watched_.size());
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return fields;
}

}  // namespace dgtd::observers
