#include "dgtd/observers/grid_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>

namespace dgtd::observers {

namespace {

// First and last pixel whose centre is in an interval (m) of one direction of an image, counted upwards.
std::array<int, 2> pixels_in(double from, double to, double low, double pixel, int count) {
  return {std::max(0, static_cast<int>(std::ceil((from - low) / pixel - 0.5))),
          std::min(count - 1, static_cast<int>(std::ceil((to - low) / pixel - 0.5)) - 1)};
}

}  // namespace

GridView::GridView(grid::GridSolver& solver, io::CellMaterials materials, std::vector<bool> tissue,
                   const parallel::Communicator& comm)
    : solver_(solver), materials_(std::move(materials)), tissue_(std::move(tissue)), comm_(comm) {
  for (int a = 0; a < 3; ++a) nodes_[a] = solver.grid().nodes(a);
}

GridView::Cell GridView::cell_of(std::size_t place) const {
  const grid::Block& b = solver_.block();
  const auto n = static_cast<std::int64_t>(place);
  return {b.first[0] + n % b.cells[0], b.first[1] + n / b.cells[0] % b.cells[1],
          b.first[2] + n / b.cells[0] / b.cells[1]};
}

std::size_t GridView::place_of(const Cell& cell) const {
  const grid::Block& b = solver_.block();
  return static_cast<std::size_t>(((cell[2] - b.first[2]) * b.cells[1] + cell[1] - b.first[1]) * b.cells[0] + cell[0] -
                                  b.first[0]);
}

std::int64_t GridView::id_of(const Cell& cell) const {
  return (cell[2] * solver_.grid().cells(1) + cell[1]) * solver_.grid().cells(0) + cell[0];
}

Vec3 GridView::centre(const Cell& cell) const {
  Vec3 c;
  for (int a = 0; a < 3; ++a) c[a] = 0.5 * (nodes_[a][cell[a]] + nodes_[a][cell[a] + 1]);
  return c;
}

// Cell by cell, since the material of a cell is found slowly.
std::vector<PixelHit> GridView::slice(const PixelPlane& plane) const {
  const grid::Block& b = solver_.block();
  const int right = plane.right(), up = plane.up();
  const auto& across = nodes_[plane.axis];
  if (plane.position < across.front() || plane.position > across.back()) return {};
  Cell cell{};
  cell[plane.axis] = solver_.grid().cell_at(plane.axis, plane.position);
  if (cell[plane.axis] < b.first[plane.axis] || cell[plane.axis] >= b.first[plane.axis] + b.cells[plane.axis])
    return {};
  std::vector<PixelHit> hits;
  for (int j = 0; j < b.cells[up]; ++j) {
    cell[up] = b.first[up] + j;
    const auto rows =
        pixels_in(nodes_[up][cell[up]], nodes_[up][cell[up] + 1], plane.low[1], plane.pixel, plane.height);
    for (int i = 0; i < b.cells[right] && rows[0] <= rows[1]; ++i) {
      cell[right] = b.first[right] + i;
      const auto columns =
          pixels_in(nodes_[right][cell[right]], nodes_[right][cell[right] + 1], plane.low[0], plane.pixel, plane.width);
      if (columns[0] > columns[1]) continue;
      const PixelHit hit{0, material(cell), id_of(cell), place_of(cell), 0};
      for (int y = rows[0]; y <= rows[1]; ++y)
        for (int x = columns[0]; x <= columns[1]; ++x) {
          hits.push_back(hit);
          hits.back().pixel = plane.number(plane.height - 1 - y, x);
        }
    }
  }
  return hits;
}

// The first of the cells in each column of cells, then its pixels.
std::vector<PixelHit> GridView::surface(const PixelPlane& view, bool from_above,
                                        std::span<const std::size_t> places) const {
  const grid::Block& b = solver_.block();
  const int right = view.right(), up = view.up();
  constexpr std::int64_t none = -1;
  std::vector<std::int64_t> first(static_cast<std::size_t>(b.cells[right]) * b.cells[up], none);  // along the axis
  const auto count = static_cast<std::ptrdiff_t>(places.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t n = 0; n < count; ++n) {
    const Cell cell = cell_of(places[static_cast<std::size_t>(n)]);
    const std::atomic_ref seen(
        first[static_cast<std::size_t>((cell[up] - b.first[up]) * b.cells[right] + cell[right] - b.first[right])]);
    const std::int64_t at = cell[view.axis];
    std::int64_t before = seen.load(std::memory_order_relaxed);
    while ((before == none || (from_above ? at > before : at < before)) &&
           !seen.compare_exchange_weak(before, at, std::memory_order_relaxed)) {}
  }
  std::vector<PixelHit> hits;
  for (int j = 0; j < b.cells[up]; ++j)
    for (int i = 0; i < b.cells[right]; ++i) {
      const std::int64_t at = first[static_cast<std::size_t>(j) * b.cells[right] + i];
      if (at == none) continue;
      Cell cell;
      cell[view.axis] = at, cell[right] = b.first[right] + i, cell[up] = b.first[up] + j;
      const double depth = from_above ? nodes_[view.axis][at + 1] : -nodes_[view.axis][at];
      const PixelHit hit{0, material(cell), id_of(cell), place_of(cell), depth};
      const auto rows = pixels_in(nodes_[up][cell[up]], nodes_[up][cell[up] + 1], view.low[1], view.pixel, view.height);
      const auto columns =
          pixels_in(nodes_[right][cell[right]], nodes_[right][cell[right] + 1], view.low[0], view.pixel, view.width);
      for (int y = rows[0]; y <= rows[1]; ++y)
        for (int x = columns[0]; x <= columns[1]; ++x) {
          hits.push_back(hit);
          hits.back().pixel = view.number(view.height - 1 - y, x);
        }
    }
  return hits;
}

std::vector<std::vector<PixelHit>> GridView::surfaces(std::span<const SurfaceView> views,
                                                      std::span<const std::size_t> places) const {
  std::vector<std::vector<PixelHit>> hits;
  for (const SurfaceView& v : views) hits.push_back(surface(v.plane, v.from_above, places));
  return hits;
}

std::array<Vec3, 2> GridView::box(std::span<const std::size_t> places) const {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  std::int64_t low[3] = {far, far, far}, high[3] = {-far, -far, -far};  // cells
  const auto count = static_cast<std::ptrdiff_t>(places.size());
#pragma omp parallel for schedule(static) reduction(min : low[:3]) reduction(max : high[:3])
  for (std::ptrdiff_t n = 0; n < count; ++n) {
    const Cell cell = cell_of(places[static_cast<std::size_t>(n)]);
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], cell[a]), high[a] = std::max(high[a], cell[a]);
  }
  constexpr double nowhere = std::numeric_limits<double>::infinity();
  std::array<Vec3, 2> box{Vec3{nowhere, nowhere, nowhere}, Vec3{-nowhere, -nowhere, -nowhere}};
  for (int a = 0; a < 3 && count > 0; ++a) {
    box[0][a] = nodes_[a][static_cast<std::size_t>(low[a])];
    box[1][a] = nodes_[a][static_cast<std::size_t>(high[a]) + 1];
  }
  return box;
}

// Cells of scrambled numbers until enough of them are tissue. All ranks find the same ones.
std::size_t GridView::watch(int count, std::span<const Box> boxes) {
  constexpr std::uint64_t tries = 20000;
  const auto cells = static_cast<std::uint64_t>(solver_.grid().cells());
  const auto cell_number = [&](std::uint64_t n) {
    const auto id = static_cast<std::int64_t>(scrambled(n) % cells);
    const std::int64_t nx = solver_.grid().cells(0), ny = solver_.grid().cells(1);
    return Cell{id % nx, id / nx % ny, id / nx / ny};
  };
  std::set<Cell> chosen;
  const auto choose = [&](const auto& is_candidate) {
    for (std::uint64_t n = 0; n < tries && chosen.size() < static_cast<std::size_t>(count); ++n)
      if (const Cell cell = cell_number(n); is_candidate(cell)) chosen.insert(cell);
  };
  const auto is_in = [&](const Cell& cell, const Box& box) {
    for (int a = 0; a < 3; ++a) {
      const auto nodes = solver_.grid().nodes(a);
      const auto i = static_cast<std::size_t>(cell[static_cast<std::size_t>(a)]);
      if (nodes[i + 1] < box[0][a] || nodes[i] > box[1][a]) return false;
    }
    return true;
  };
  if (std::find(tissue_.begin(), tissue_.end(), true) != tissue_.end())
    choose([&](const Cell& cell) { return bool(tissue_[static_cast<std::size_t>(material(cell))]); });
  in_tissue_ = !chosen.empty();
  if (!in_tissue_ && !boxes.empty())
    choose([&](const Cell& cell) {
      return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) { return is_in(cell, box); });
    });
  if (chosen.empty())
    for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(count); ++n) chosen.insert(cell_number(n));
  probes_.clear();
  numbers_.clear();
  for (const Cell& cell : chosen) {
    const std::string name = fmt::format("\x01{}", id_of(cell));  // no case can have this name
    if (!solver_.add_probe(name, centre(cell), "")) continue;
    probes_.push_back(name);
    numbers_.push_back(id_of(cell));
  }
  return probes_.size();
}

std::vector<std::int64_t> GridView::watched_numbers() const { return numbers_; }

std::vector<Vec3> GridView::watched() const {
  solver_.refresh_probes();
  std::vector<Vec3> fields;
  for (const std::string& name : probes_) fields.push_back(solver_.probe(name).electric);
  return fields;
}

}  // namespace dgtd::observers
