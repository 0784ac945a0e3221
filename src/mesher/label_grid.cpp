#include "label_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace dgtd::mesher {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// Squared distances along one line, from those of its points: min_j (x_i - x_j)^2 + f_j, the lower envelope of
/// parabolas.
class LineTransform {
 public:
  explicit LineTransform(int most) : f(std::size_t(most)), result(f.size()), vertex_(f.size()), from_(f.size() + 1) {}

  void run(int n, double spacing) {
    const double h2 = spacing * spacing;
    int last = -1;
    for (int q = 0; q < n; ++q) {
      if (!std::isfinite(f[q])) continue;
      double s = -std::numeric_limits<double>::infinity();
      for (; last >= 0; --last) {
        const int p = vertex_[last];
        s = (f[q] / h2 + double(q) * q - (f[p] / h2 + double(p) * p)) / (2.0 * (q - p));
        if (s > from_[last]) break;
        s = -std::numeric_limits<double>::infinity();
      }
      ++last;
      vertex_[last] = q;
      from_[last] = s;
    }
    if (last < 0) {
      std::fill_n(result.begin(), n, infinite);
      return;
    }
    int k = 0;
    for (int q = 0; q < n; ++q) {
      while (k < last && from_[k + 1] < q) ++k;
      const double d = q - vertex_[k];
      result[q] = static_cast<float>(d * d * h2 + f[vertex_[k]]);
    }
  }

  std::vector<float> f, result;  // [points] m2

 private:
  std::vector<int> vertex_;
  std::vector<double> from_;
};

/// Calls work(voxel) for the face neighbours of voxel v at (i, j, k).
template <class Work>
void for_face_neighbours(const LabelGrid& g, int i, int j, int k, const Work& work) {
  const std::size_t v = g.at(i, j, k), row = g.size[0], plane = row * g.size[1];
  if (i > 0) work(v - 1);
  if (i + 1 < g.size[0]) work(v + 1);
  if (j > 0) work(v - row);
  if (j + 1 < g.size[1]) work(v + row);
  if (k > 0) work(v - plane);
  if (k + 1 < g.size[2]) work(v + plane);
}

std::array<int, 3> place(const LabelGrid& g, std::size_t v) {
  const std::size_t row = g.size[0], plane = row * g.size[1];
  return {int(v % row), int(v % plane / row), int(v / plane)};
}

std::vector<std::uint8_t> marks_of(const LabelGrid& grid, int tissue) {
  std::vector<std::uint8_t> mark(grid.voxels());
  for (std::size_t v = 0; v < mark.size(); ++v) mark[v] = grid.tissue[v] == tissue;
  return mark;
}

}  // namespace

std::vector<double> volumes(const LabelGrid& grid, std::size_t tissues) {
  std::vector<std::int64_t> count(tissues, 0);
  for (const std::uint8_t t : grid.tissue) ++count[t];
  std::vector<double> result;
  for (const std::int64_t c : count) result.push_back(double(c) * grid.voxel_volume());
  return result;
}

std::vector<float> distance_to(const std::vector<std::uint8_t>& mark, const LabelGrid& grid) {
  std::vector<float> d(mark.size());
  for (std::size_t v = 0; v < d.size(); ++v) d[v] = mark[v] ? 0 : infinite;
  const std::size_t stride[3] = {1, std::size_t(grid.size[0]), std::size_t(grid.size[0]) * grid.size[1]};
  for (int axis = 0; axis < 3; ++axis) {
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2, n = grid.size[axis];
#pragma omp parallel
    {
      LineTransform line(n);
#pragma omp for schedule(static)
      for (int l = 0; l < grid.size[b]; ++l)
        for (int m = 0; m < grid.size[a]; ++m) {
          float* const first = d.data() + l * stride[b] + m * stride[a];
          for (int i = 0; i < n; ++i) line.f[i] = first[i * stride[axis]];
          line.run(n, grid.spacing[axis]);
          for (int i = 0; i < n; ++i) first[i * stride[axis]] = line.result[i];
        }
    }
  }
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < d.size(); ++v) d[v] = std::sqrt(d[v]);
  return d;
}

Pieces find_pieces(const LabelGrid& grid) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  Pieces pieces;
  pieces.of_voxel.assign(grid.voxels(), none);
  std::vector<std::size_t> stack;
  for (std::size_t start = 0; start < grid.voxels(); ++start) {
    if (pieces.of_voxel[start] != none) continue;
    const auto piece = static_cast<std::uint32_t>(pieces.tissue.size());
    const std::uint8_t tissue = grid.tissue[start];
    std::int64_t count = 0;
    stack.assign(1, start);
    pieces.of_voxel[start] = piece;
    while (!stack.empty()) {
      const std::size_t v = stack.back();
      stack.pop_back();
      ++count;
      const auto [i, j, k] = place(grid, v);
      for_face_neighbours(grid, i, j, k, [&](std::size_t n) {
        if (grid.tissue[n] != tissue || pieces.of_voxel[n] != none) return;
        pieces.of_voxel[n] = piece;
        stack.push_back(n);
      });
    }
    pieces.tissue.push_back(tissue);
    pieces.voxels.push_back(count);
    pieces.first.push_back(start);
  }
  return pieces;
}

std::vector<std::uint8_t> exterior_of(const Pieces& pieces) {
  std::vector<std::uint8_t> mark(pieces.of_voxel.size());
  for (std::size_t v = 0; v < mark.size(); ++v) mark[v] = pieces.of_voxel[v] == 0;
  return mark;
}

void fill_from_neighbours(LabelGrid& grid, std::vector<std::uint8_t> mark) {
  std::vector<std::size_t> open;
  for (std::size_t v = 0; v < mark.size(); ++v)
    if (mark[v]) open.push_back(v);
  while (!open.empty()) {
    std::vector<std::pair<std::size_t, std::uint8_t>> found;
    std::vector<std::size_t> rest;
    for (const std::size_t v : open) {
      const auto [i, j, k] = place(grid, v);
      std::array<int, 32> count{};
      for (int c = std::max(0, k - 1); c <= std::min(grid.size[2] - 1, k + 1); ++c)
        for (int b = std::max(0, j - 1); b <= std::min(grid.size[1] - 1, j + 1); ++b)
          for (int a = std::max(0, i - 1); a <= std::min(grid.size[0] - 1, i + 1); ++a)
            if (const std::size_t n = grid.at(a, b, c); !mark[n]) ++count[grid.tissue[n]];
      const auto most = std::max_element(count.begin(), count.end());
      if (*most == 0) rest.push_back(v);
      else found.emplace_back(v, std::uint8_t(most - count.begin()));
    }
    if (found.empty()) return;  // everything is marked
    for (const auto& [v, tissue] : found) {
      grid.tissue[v] = tissue;
      mark[v] = 0;
    }
    open = std::move(rest);
  }
}

void remove_islands(LabelGrid& grid, double volume) {
  const auto least = static_cast<std::int64_t>(volume / grid.voxel_volume());
  const Pieces pieces = find_pieces(grid);
  std::array<std::int64_t, 32> largest{};
  for (std::size_t p = 0; p < pieces.tissue.size(); ++p)
    largest[pieces.tissue[p]] = std::max(largest[pieces.tissue[p]], pieces.voxels[p]);
  std::vector<std::uint8_t> mark(grid.voxels());
  for (std::size_t v = 0; v < mark.size(); ++v) {
    const std::uint32_t p = pieces.of_voxel[v];
    mark[v] = pieces.voxels[p] < least && pieces.voxels[p] < largest[pieces.tissue[p]];
  }
  fill_from_neighbours(grid, std::move(mark));
}

void remove_thin_parts(LabelGrid& grid, int tissue, double thickness) {
  const double half_voxel = 0.5 * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}), radius = thickness / 2;
  std::vector<std::uint8_t> mark = marks_of(grid, tissue);
  const std::vector<std::uint8_t> own = mark;
  for (std::uint8_t& m : mark) m = !m;
  const std::vector<float> inside = distance_to(mark, grid);
  for (std::size_t v = 0; v < mark.size(); ++v) mark[v] = inside[v] - half_voxel >= radius;  // centres of such balls
  const std::vector<float> to_centre = distance_to(mark, grid);
  for (std::size_t v = 0; v < mark.size(); ++v) mark[v] = own[v] && to_centre[v] > radius + half_voxel;
  fill_from_neighbours(grid, std::move(mark));
}

namespace {

/// The shortest way through voxels of `tissue` in `before` from piece `from` to another marked piece of it; empty if
/// there is none. to: [pieces] 1 where it may end.
std::vector<std::size_t> path_between(const LabelGrid& before, int tissue, const Pieces& pieces, std::uint32_t from,
                                      const std::vector<std::uint8_t>& to) {
  constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> came_from(before.voxels(), unseen);
  std::vector<std::size_t> front;
  for (std::size_t v = 0; v < before.voxels(); ++v)
    if (pieces.of_voxel[v] == from) {
      came_from[v] = static_cast<std::uint32_t>(v);
      front.push_back(v);
    }
  while (!front.empty()) {
    std::vector<std::size_t> next;
    std::size_t end = before.voxels();
    for (const std::size_t v : front) {
      const auto [i, j, k] = place(before, v);
      for_face_neighbours(before, i, j, k, [&](std::size_t n) {
        if (came_from[n] != unseen || before.tissue[n] != tissue) return;
        came_from[n] = static_cast<std::uint32_t>(v);
        next.push_back(n);
        if (end == before.voxels() && to[pieces.of_voxel[n]]) end = n;
      });
      if (end != before.voxels()) break;
    }
    if (end != before.voxels()) {
      std::vector<std::size_t> path{end};
      while (came_from[path.back()] != path.back()) path.push_back(came_from[path.back()]);
      return path;
    }
    front = std::move(next);
  }
  return {};
}

}  // namespace

void reconnect(LabelGrid& grid, const LabelGrid& before, int tissue, double thickness, double volume) {
  const auto least = static_cast<std::int64_t>(volume / grid.voxel_volume());
  const Pieces old = find_pieces(before);
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Pieces pieces = find_pieces(grid);
    // Larger pieces come first, and the first of each old piece is where the others go: a path is sought where there is
    // one, since to find that there is none takes as long, for each of many thousands of pieces.
    const auto wanted = [&](std::uint32_t p) { return pieces.tissue[p] == tissue && pieces.voxels[p] >= least; };
    std::vector<std::set<std::uint32_t>> within(pieces.tissue.size());  // old pieces that it is in or next to
    for (std::size_t v = 0; v < grid.voxels(); ++v) {
      const std::uint32_t p = pieces.of_voxel[v];
      if (!wanted(p)) continue;
      const auto note = [&](std::size_t n) {
        if (before.tissue[n] == tissue) within[p].insert(old.of_voxel[n]);
      };
      note(v);
      const auto [i, j, k] = place(grid, v);
      for_face_neighbours(grid, i, j, k, note);
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t p = 0; p < pieces.tissue.size(); ++p)
      if (wanted(p)) order.push_back(p);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return pieces.voxels[a] > pieces.voxels[b]; });
    std::vector<std::size_t> path;
    std::vector<std::uint8_t> to(pieces.tissue.size(), 0);
    std::set<std::uint32_t> reached;
    for (const std::uint32_t p : order) {
      if (std::any_of(within[p].begin(), within[p].end(), [&](std::uint32_t o) { return reached.contains(o); })) {
        path = path_between(before, tissue, pieces, p, to);
        if (!path.empty()) break;
      }
      to[p] = 1;
      reached.insert(within[p].begin(), within[p].end());
    }
    if (path.empty()) return;
    std::vector<std::uint8_t> mark(grid.voxels(), 0);
    for (const std::size_t v : path) mark[v] = 1;
    const std::vector<float> d = distance_to(mark, grid);
    for (std::size_t v = 0; v < grid.voxels(); ++v)
      if (d[v] <= thickness / 2 && grid.tissue[v] != 0) grid.tissue[v] = static_cast<std::uint8_t>(tissue);
  }
}

void keep_apart(LabelGrid& grid, int of, int inner, int outer, double thickness) {
  const double half_voxel = 0.5 * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const std::vector<float> d = distance_to(marks_of(grid, outer), grid);
  for (std::size_t v = 0; v < grid.voxels(); ++v)
    if (grid.tissue[v] == inner && d[v] - half_voxel < thickness) grid.tissue[v] = static_cast<std::uint8_t>(of);
}

void split_shell(LabelGrid& grid, int shell, int of, double thickness) {
  const double half_voxel = 0.5 * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const std::vector<float> d = distance_to(exterior_of(find_pieces(grid)), grid);
  for (std::size_t v = 0; v < grid.voxels(); ++v)
    if (grid.tissue[v] == of && d[v] - half_voxel < thickness) grid.tissue[v] = static_cast<std::uint8_t>(shell);
}

}  // namespace dgtd::mesher
