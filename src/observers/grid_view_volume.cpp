// Points and amplitudes of a grid for views in three dimensions.
#include <algorithm>
#include <cmath>
#include <map>

#include "dgtd/observers/grid_view.hpp"

namespace dgtd::observers {

std::vector<PixelHit> GridView::lattice(const std::array<std::vector<double>, 3>& x) const {
  const grid::Block& b = solver_.block();
  struct Point {
    std::int64_t number, cell;
  };
  std::array<std::vector<Point>, 3> mine;  // [axis] points in cells of this rank
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < x[a].size(); ++i) {
      if (x[a][i] < nodes_[a].front() || x[a][i] > nodes_[a].back()) continue;
      const std::int64_t cell = solver_.grid().cell_at(a, x[a][i]);
      if (cell >= b.first[a] && cell < b.first[a] + b.cells[a]) mine[a].push_back({static_cast<std::int64_t>(i), cell});
    }
  const auto nx = static_cast<std::int64_t>(x[0].size()), ny = static_cast<std::int64_t>(x[1].size());
  std::vector<PixelHit> hits(mine[0].size() * mine[1].size() * mine[2].size());
  const auto rows = static_cast<std::ptrdiff_t>(mine[1].size() * mine[2].size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::ptrdiff_t row = 0; row < rows; ++row) {
    const Point j = mine[1][static_cast<std::size_t>(row) % mine[1].size()];
    const Point k = mine[2][static_cast<std::size_t>(row) / mine[1].size()];
    auto* hit = hits.data() + static_cast<std::size_t>(row) * mine[0].size();
    for (const Point& i : mine[0]) {
      const Cell cell{i.cell, j.cell, k.cell};
      *hit++ = {static_cast<std::int32_t>((k.number * ny + j.number) * nx + i.number), material(cell), id_of(cell),
                place_of(cell), 0};
    }
  }
  return hits;
}

// The grid's own nodes, every n-th of them.
std::array<std::vector<double>, 3> GridView::voxel_nodes(const std::array<Vec3, 2>& box, double most) const {
  std::array<std::int64_t, 3> first, count;
  for (int a = 0; a < 3; ++a) {
    first[a] = solver_.grid().cell_at(a, std::max(box[0][a], nodes_[a].front()));
    count[a] = solver_.grid().cell_at(a, std::min(box[1][a], nodes_[a].back())) + 1 - first[a];
  }
  std::int64_t every = 1;
  const auto voxels = [&](int a) { return double((count[a] + every - 1) / every); };
  while (voxels(0) * voxels(1) * voxels(2) > most) ++every;
  std::array<std::vector<double>, 3> nodes;
  for (int a = 0; a < 3; ++a) {
    for (std::int64_t i = 0; i < count[a]; i += every)
      nodes[a].push_back(nodes_[a][static_cast<std::size_t>(first[a] + i)]);
    nodes[a].push_back(nodes_[a][static_cast<std::size_t>(first[a] + count[a])]);
  }
  return nodes;
}

// Layer by layer along z, of which only those with a place are sampled.
std::vector<float> GridView::amplitudes(std::span<const std::size_t> places) const {
  using solver::Quantity;
  const grid::Block& b = solver_.block();
  const std::size_t layer = static_cast<std::size_t>(b.cells[0]) * static_cast<std::size_t>(b.cells[1]);
  std::map<std::size_t, std::vector<std::size_t>> layers;  // numbers in `places`
  for (std::size_t i = 0; i < places.size(); ++i) layers[places[i] / layer].push_back(i);
  std::vector<float> result(places.size(), 0);
  std::vector<double> values(3 * layer);
  for (const auto part : {Quantity::Part::real, Quantity::Part::imaginary}) {
    const auto sampler = solver_.cell_sampler({Quantity::Field::electric, part, 0});
    for (const auto& [z, numbers] : layers) {
      sampler->sample({0, 0, static_cast<int>(z)}, {b.cells[0], b.cells[1], 1}, values.data());
      for (const std::size_t i : numbers)
        for (std::size_t a = 0; a < 3; ++a) {
          const double v = values[3 * (places[i] % layer) + a];
          result[i] += static_cast<float>(v * v);
        }
    }
  }
  for (float& v : result) v = std::sqrt(v);
  return result;
}

}  // namespace dgtd::observers
