#include "dgtd/fdtd/field_region.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "fdtd/discretisation/ghosts.hpp"

namespace dgtd::fdtd {

namespace {

// Yee's lattice: along an axis a component stands between nodes or on them.
bool between_nodes(bool electric, int component, int axis) { return (component == axis) == electric; }

// The lowest global index of samples. A plane takes part of E from the cell below it.
std::int64_t lowest(const FieldRegion& region, int axis) {
  return region.nodes.first[axis] - (axis == region.normal ? 1 : 0);
}

/// A value at a centre: weights of a component's values around it, offsets from the cell.
struct Weight {
  int offset[3];
  double weight;
};

// Along an axis that the fields do not vary along there is one layer. Else: values between nodes are at the centre,
// those on nodes are half a cell away on both sides. On a plane, E along its normal is the mean of both sides, weighted
// as their distances; all others are on the upper node.
template <class Real>
std::array<double, 2> axis_weights(const Discretisation<Real>& d, const FieldRegion& region, bool electric,
                                   int component, int axis) {
  if (axis >= d.axes) return {1, 0};
  if (axis != region.normal)
    return between_nodes(electric, component, axis) ? std::array{1.0, 0.0} : std::array{0.5, 0.5};
  if (!electric || component != axis) return {0, 1};
  const auto node = static_cast<std::size_t>(region.nodes.first[axis]);
  const double below = d.grid.spacing[axis][node - 1], above = d.grid.spacing[axis][node];
  return {above / (below + above), below / (below + above)};
}

template <class Real>
std::vector<Weight> weights_of(const Discretisation<Real>& d, const FieldRegion& region, bool electric, int component) {
  std::array<std::array<double, 2>, 3> w;
  for (int a = 0; a < 3; ++a) w[a] = axis_weights(d, region, electric, component, a);
  std::vector<Weight> list;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        if (const double weight = w[0][i] * w[1][j] * w[2][k]; weight > 0) list.push_back({{i, j, k}, weight});
  return list;
}

}  // namespace

FieldRegion field_region(const grid::CartesianGrid& grid, const std::array<bool, 3>& periodic,
                         const physics::Monitor& monitor) {
  FieldRegion region;
  const auto fail = [&](const std::string& why) {
    throw Error(fmt::format("{}: monitor.{}: {}", monitor.origin, monitor.name, why));
  };
  for (int a = 0; a < 3; ++a) {
    const double low = monitor.centre[a] - 0.5 * monitor.size[a], high = monitor.centre[a] + 0.5 * monitor.size[a];
    const auto x = grid.nodes(a);
    region.nodes.first[a] = grid.nearest_node(a, low);
    region.nodes.last[a] = grid.nearest_node(a, high);
    const bool flat = monitor.type == physics::Monitor::Type::plane && monitor.size[a] == 0;
    if (flat) {
      region.normal = a;
      if (region.nodes.first[a] < 1 || region.nodes.first[a] >= grid.cells(a)) {
        if (grid.cells(a) < 2)
          fail(fmt::format("a plane across {} needs two cells along {}, and the grid has one; take type = box",
                           "xyz"[a], "xyz"[a]));
        fail(fmt::format("{} = {:.9g} m is not inside the grid; a plane across {} may lie from {:.9g} to {:.9g} m",
                         "xyz"[a], low, "xyz"[a], x[1], x[x.size() - 2]));
      }
    } else if (region.nodes.first[a] >= region.nodes.last[a]) {
      fail(fmt::format(
          "from {:.9g} to {:.9g} m along {} there is no cell; the grid goes from {:.9g} to {:.9g} m, in cells of "
          "{:.4g} m and more",
          low, high, "xyz"[a], x.front(), x.back(), *std::min_element(grid.spacing[a].begin(), grid.spacing[a].end())));
    } else if (periodic[a] && region.nodes.last[a] == grid.cells(a) && region.nodes.first[a] > 0) {
      fail(
          fmt::format("reaches the upper end of the periodic axis {}, {:.9g} m, but not the lower one, {:.9g} m; it "
                      "must reach both or stay below the upper one",
                      "xyz"[a], x.back(), x.front()));
    }
  }
  return region;
}

std::size_t SampleRanges::count(const std::array<std::array<Range, 3>, 3>& field) {
  std::size_t sum = 0;
  for (const auto& component : field) {
    std::size_t n = 1;
    for (const Range& r : component) n *= static_cast<std::size_t>(std::max<std::int64_t>(0, r.end - r.first));
    sum += n;
  }
  return sum;
}

SampleRanges sample_ranges(const FieldRegion& region, const std::array<std::int64_t, 3>& first,
                           const std::array<int, 3>& cells, bool electric, bool magnetic) {
  SampleRanges ranges;
  for (const bool of_electric : {true, false}) {
    if (!(of_electric ? electric : magnetic)) continue;
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) {
        const bool half = between_nodes(of_electric, c, a);
        SampleRanges::Range r{region.nodes.first[a], region.nodes.last[a] + (half ? 0 : 1)};
        if (a == region.normal) r = {region.nodes.first[a] - (half && of_electric ? 1 : 0), region.nodes.first[a] + 1};
        (of_electric ? ranges.electric : ranges.magnetic)[c][a] = {std::max(r.first, first[a]),
                                                                   std::min(r.end, first[a] + cells[a])};
      }
  }
  return ranges;
}

template <class Real>
SpectrumSamples region_samples(const Discretisation<Real>& d, const FieldRegion& region, const SampleRanges& ranges) {
  SpectrumSamples samples;
  const auto index = [&](int c, std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto& f = d.block.first;
    return static_cast<std::uint64_t>(c * d.layout.reals + d.layout.index(static_cast<int>(i - f[0]),
                                                                          static_cast<int>(j - f[1]),
                                                                          static_cast<int>(k - f[2])));
  };
  SampleRanges::for_each(ranges.electric, [&](int c, std::int64_t i, std::int64_t j, std::int64_t k) {
    samples.electric.push_back(index(c, i, j, k));
  });
  const int normal = region.normal;
  SampleRanges::for_each(ranges.magnetic, [&](int c, std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::uint64_t here = index(c, i, j, k);
    if (normal < 0) return samples.magnetic_below.push_back(here);
    const auto node = static_cast<std::size_t>(region.nodes.first[normal]);
    const double below = d.grid.spacing[normal][node - 1], above = d.grid.spacing[normal][node];
    const bool mean = c != normal;
    samples.magnetic_below.push_back(here - (mean ? static_cast<std::uint64_t>(d.layout.stride(normal)) : 0));
    samples.magnetic_above.push_back(here);
    samples.weight_below.push_back(mean ? above / (below + above) : 0);
  });
  return samples;
}

solver::RegionCells region_cells(const grid::CartesianGrid& grid, const FieldRegion& region, const grid::Block& shown) {
  solver::RegionCells cells;
  cells.grid = &grid;
  cells.whole = region.nodes;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t end = shown.first[a] + shown.cells[a];
    if (a == region.normal) {
      cells.mine.first[a] = cells.mine.last[a] = region.nodes.first[a];
      cells.empty = cells.empty || lowest(region, a) < shown.first[a] || lowest(region, a) >= end;
    } else {
      cells.mine.first[a] = std::max(region.nodes.first[a], shown.first[a]);
      cells.mine.last[a] = std::min(region.nodes.last[a], end);
      cells.empty = cells.empty || cells.mine.first[a] >= cells.mine.last[a];
    }
  }
  return cells;
}

// The samples in a dense block with a layer above each axis, which the ranks above fill.
template <class Real>
std::array<std::vector<float>, 2> region_centres(const Discretisation<Real>& d, const FieldRegion& region,
                                                 const SampleRanges& ranges, const solver::RegionCells& cells,
                                                 bool electric, const double* real, const double* imag,
                                                 const std::array<double, 3>& bloch_phase,
                                                 const parallel::Communicator& comm) {
  std::array<std::int64_t, 3> low;
  UpperLayers layers;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t first = d.block.first[a], end = first + d.layout.cells[a];
    const bool wraps = d.periodic[a] && region.nodes.first[a] == 0 && region.nodes.last[a] == d.grid.cells(a);
    low[a] = std::max(lowest(region, a), first);
    layers.points[a] = static_cast<int>(std::min(region.nodes.last[a] + 1, end) - low[a]);
    if (layers.points[a] <= 0) return {};
    layers.below[a] = lowest(region, a) < first || (wraps && first == 0) ? d.block.lower[a] : -1;
    layers.above[a] = region.nodes.last[a] >= end ? d.block.upper[a] : -1;
    layers.phase[a] = end == d.global_cells[a] ? bloch_phase[a] : 0;
  }
  const std::int64_t row = layers.points[0] + 1, plane = row * (layers.points[1] + 1),
                     all = plane * (layers.points[2] + 1);
  const auto index = [=](int c, int i, int j, int k) {
    return static_cast<std::size_t>(c * all + k * plane + j * row + i);
  };
  std::vector<double> values[2];
  for (int part = 0; part < 2; ++part) {
    values[part].assign(static_cast<std::size_t>(3 * all), 0);
    const double* from = part == 0 ? real : imag;
    SampleRanges::for_each(electric ? ranges.electric : ranges.magnetic, [&](int c, std::int64_t i, std::int64_t j,
                                                                             std::int64_t k) {
      values[part][index(c, static_cast<int>(i - low[0]), static_cast<int>(j - low[1]), static_cast<int>(k - low[2]))] =
          *from++;
    });
  }
  fill_upper_layers(layers, index, values[0].data(), values[1].data(), comm);

  std::array<std::vector<float>, 2> centres;
  if (cells.empty) return centres;
  const double scale = electric ? 1 : 1 / vacuum_impedance;
  std::vector<Weight> weights[3];
  for (int c = 0; c < 3; ++c) weights[c] = weights_of(d, region, electric, c);
  std::array<int, 3> begin, end;  // cells in the dense block
  for (int a = 0; a < 3; ++a) {
    begin[a] = a == region.normal ? 0 : static_cast<int>(cells.mine.first[a] - low[a]);
    end[a] = a == region.normal ? 1 : static_cast<int>(cells.mine.last[a] - low[a]);
  }
  for (int part = 0; part < 2; ++part)
    for (int k = begin[2]; k < end[2]; ++k)
      for (int j = begin[1]; j < end[1]; ++j)
        for (int i = begin[0]; i < end[0]; ++i)
          for (int c = 0; c < 3; ++c) {
            double mean = 0;
            for (const Weight& w : weights[c])
              mean += w.weight * values[part][index(c, i + w.offset[0], j + w.offset[1], k + w.offset[2])];
            centres[part].push_back(static_cast<float>(scale * mean));
          }
  return centres;
}

#define DGTD_INSTANTIATE(Real)                                                                                         \
  template SpectrumSamples region_samples<Real>(const Discretisation<Real>&, const FieldRegion&, const SampleRanges&); \
  template std::array<std::vector<float>, 2> region_centres<Real>(                                                     \
      const Discretisation<Real>&, const FieldRegion&, const SampleRanges&, const solver::RegionCells&, bool,          \
      const double*, const double*, const std::array<double, 3>&, const parallel::Communicator&);
DGTD_INSTANTIATE(float)
DGTD_INSTANTIATE(double)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
