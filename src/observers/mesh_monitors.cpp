#include "dgtd/observers/mesh_monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "dgtd/base/error.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/time_series.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/observers/field_writer.hpp"
#include "lagrange_values.hpp"

namespace dgtd::observers {

namespace {

constexpr double most_cells = 2e9, default_cells_of_longest_edge = 200;

// The frequencies' numbers among those of the sums, to 1e-9 relative.
std::vector<std::size_t> numbers_of(const physics::Monitor& monitor, const std::vector<double>& sums) {
  std::vector<std::size_t> numbers;
  for (const double f : monitor.frequencies) {
    const auto found = std::find_if(sums.begin(), sums.end(), [&](double s) { return std::abs(s - f) <= 1e-9 * f; });
    if (found == sums.end())
      throw Error(fmt::format("{}: monitor.{}.frequencies: {} is not one of dft.frequencies; allowed are {}",
                              monitor.origin, monitor.name, f, fmt::join(sums, " ")));
    numbers.push_back(static_cast<std::size_t>(found - sums.begin()));
  }
  return numbers;
}

std::vector<io::Column> list_of(const physics::Monitor& monitor, bool peak) {
  std::vector<io::Column> list;
  const auto add = [&](const char* field, const auto& name) {
    if (!monitor.keeps(field)) return;
    list.push_back({name("amplitude", peak, ""), 1});
    list.push_back({name("real", peak, ""), 3});
    list.push_back({name("imag", peak, ""), 3});
  };
  add("E", electric_name);
  add("H", magnetic_name);
  return list;
}

}  // namespace

MeshMonitors::MeshMonitors(const std::vector<physics::Monitor>& monitors, const solver::ElementSolver& solver,
                           const mesh::Subdomain& mesh, int order, FourierPlan plan, io::FilePrecision precision,
                           const parallel::Communicator& comm)
    : solver_(solver), mesh_(mesh), order_(order), plan_(std::move(plan)), precision_(precision), comm_(comm) {
  if (plan_.frequencies.empty()) return;  // a run shorter than a period
  for (const auto& monitor : monitors) {
    Region region{monitor, numbers_of(monitor, plan_.frequencies), {}, {}, {}};
    const double longest = std::max({monitor.size.x, monitor.size.y, monitor.size.z});
    const double spacing = monitor.spacing.value_or(longest / default_cells_of_longest_edge);
    double cells = 1;
    for (int a = 0; a < 3; ++a) {
      const double n = std::max(1.0, std::round(monitor.size[a] / spacing));
      cells *= n;
      if (cells > most_cells)
        throw Error(fmt::format("{}: monitor.{}: more than {:g} cells; a larger spacing or a smaller box",
                                monitor.origin, monitor.name, most_cells));
      const bool flat = monitor.size[a] == 0;
      region.grid.origin[a] = monitor.centre[a] - 0.5 * monitor.size[a];
      region.grid.spacing[a].assign(static_cast<std::size_t>(n), flat ? spacing : monitor.size[a] / n);
      region.extent.last[a] = flat ? 0 : static_cast<std::int64_t>(n);
      for (double i = 0; i < n; ++i)
        region.centres[a].push_back(region.grid.origin[a] + (flat ? 0 : (i + 0.5) * monitor.size[a] / n));
    }
    regions_.push_back(std::move(region));
  }
}

/// A hit's values for root.
struct MeshMonitors::Values {
  std::int64_t cell, element;  // element: global number
  double field[4][3];          // E real, E imaginary, H real, H imaginary
};

std::vector<std::vector<double>> MeshMonitors::values_at_root(const Region& region, const std::vector<LatticeHit>& hits,
                                                              std::size_t frequency) const {
  using Quantity = solver::Quantity;
  const auto points = io::lagrange_points(order_);
  std::vector<std::uint32_t> elements;
  for (const LatticeHit& hit : hits)
    if (elements.empty() || elements.back() != hit.element) elements.push_back(hit.element);
  std::vector<Values> values(hits.size());
  std::vector<double> at_points(elements.size() * points.size() * 3), weights(points.size());
  for (int f = 0; f < 4; ++f) {
    const bool electric = f < 2;
    if (!region.monitor.keeps(electric ? "E" : "H")) continue;
    solver_.sample({electric ? Quantity::Field::electric : Quantity::Field::magnetic,
                    f % 2 == 0 ? Quantity::Part::real : Quantity::Part::imaginary, frequency},
                   points, elements, at_points.data());
    std::size_t place = 0;
    for (std::size_t h = 0; h < hits.size(); ++h) {
      while (elements[place] != hits[h].element) ++place;
      values[h].cell = hits[h].point;
      values[h].element = mesh_.element_id[hits[h].element];
      lagrange_values(points, order_, hits[h].barycentric, weights);
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t q = 0; q < points.size(); ++q)
          sum += weights[q] * at_points[(place * points.size() + q) * 3 + c];
        values[h].field[f][c] = sum;
      }
    }
  }
  auto all = comm_.gather_vectors(values);
  std::sort(all.begin(), all.end(),
            [](const Values& a, const Values& b) { return std::tie(a.cell, a.element) < std::tie(b.cell, b.element); });

  std::vector<std::vector<double>> columns;
  const std::size_t cells = comm_.is_root() ? region.extent.cells() : 0;
  for (const int f : {0, 2}) {
    if (!region.monitor.keeps(f == 0 ? "E" : "H")) continue;
    std::vector<double> amplitude(cells), real(3 * cells), imag(3 * cells);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0 && all[i].cell == all[i - 1].cell) continue;
      double sum = 0;
      for (int c = 0; c < 3; ++c) {
        real[3 * all[i].cell + c] = all[i].field[f][c];
        imag[3 * all[i].cell + c] = all[i].field[f + 1][c];
        sum += all[i].field[f][c] * all[i].field[f][c] + all[i].field[f + 1][c] * all[i].field[f + 1][c];
      }
      amplitude[all[i].cell] = std::sqrt(sum);
    }
    for (auto* column : {&amplitude, &real, &imag}) columns.push_back(std::move(*column));
  }
  return columns;
}

io::GridFile MeshMonitors::file_of(const Region& region) const {
  return {&region.grid,
          region.extent,
          comm_.is_root() ? &region.extent : nullptr,
          precision_,
          {list_of(region.monitor, plan_.peak), {}, 1}};
}

void MeshMonitors::finish_fields(io::Results& results) {
  if (!plan_.complete(results.summary)) return;
  for (const Region& region : regions_) {
    const auto hits = find_lattice_hits(mesh_, solver_.stored_order(), region.centres);
    const std::string name = "monitor_" + region.monitor.name;
    const bool several = region.frequencies.size() > 1;
    std::optional<io::TimeSeries> series;
    if (several && comm_.is_root()) series.emplace(results.file(name + ".pvd"));
    for (std::size_t f = 0; f < region.frequencies.size(); ++f) {
      const std::string stem = several ? fmt::format("{}_{:04}", name, f + 1) : name;
      io::GridFile file = file_of(region);
      file.cell = io::columns_of(std::move(file.cell.list), values_at_root(region, hits, region.frequencies[f]));
      results.field_bytes += io::write_vtr({results.files, stem, io::Lifetime::at_end, several}, file, comm_);
      if (series) series->add(region.monitor.frequencies[f], results.files.directory() / (stem + ".pvtr"));
    }
  }
}

std::vector<solver::FileSize> MeshMonitors::field_files(std::int64_t) const {
  std::vector<solver::FileSize> files;
  for (const Region& region : regions_)
    files.push_back({fmt::format("monitor_{}.pvtr", region.monitor.name),
                     double(comm_.sum(io::vtr_bytes(file_of(region)))),
                     static_cast<std::int64_t>(region.frequencies.size())});
  return files;
}

}  // namespace dgtd::observers
