#include "dgtd/observers/mesh_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "dgtd/base/error.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "lagrange_values.hpp"

namespace dgtd::observers {

namespace {

constexpr double most_cells = 2e9, default_cells_of_longest_edge = 200;

}  // namespace

MeshCells::MeshCells(const physics::Monitor& monitor, const mesh::Subdomain& mesh, std::vector<std::uint32_t> stored,
                     int order, const parallel::Communicator& comm, const char* section)
    : mesh_(mesh),
      stored_(std::move(stored)),
      order_(order),
      comm_(comm),
      electric_(monitor.keeps("E")),
      magnetic_(monitor.keeps("H")) {
  const double longest = std::max({monitor.size.x, monitor.size.y, monitor.size.z});
  const double spacing = monitor.spacing.value_or(longest / default_cells_of_longest_edge);
  std::array<double, 3> count{};
  double cells = 1;
  for (int a = 0; a < 3; ++a) {
    count[a] = std::max(1.0, std::round(monitor.size[a] / spacing));
    cells *= count[a];
    if (cells > most_cells)
      throw Error(fmt::format("{}: {}.{}: more than {:g} cells; a larger spacing or a smaller box", monitor.origin,
                              section, monitor.name, most_cells));
  }
  solver::NodeBox nodes;
  for (int a = 0; a < 3; ++a) {
    const double n = count[a];
    const bool flat = monitor.size[a] == 0;
    grid_.origin[a] = monitor.centre[a] - 0.5 * monitor.size[a];
    grid_.spacing[a].assign(static_cast<std::size_t>(n), flat ? spacing : monitor.size[a] / n);
    nodes.last[a] = flat ? 0 : static_cast<std::int64_t>(n);
    for (double i = 0; i < n; ++i)
      centres_[a].push_back(grid_.origin[a] + (flat ? 0 : (i + 0.5) * monitor.size[a] / n));
  }
  samples_.frequencies = monitor.frequencies;
  samples_.cells = {&grid_, nodes, nodes, !comm_.is_root()};
}

/// A hit's values for root.
struct MeshCells::Values {
  std::int64_t cell, element;  // element: global number
  double field[4][3];          // E real, E imaginary, H real, H imaginary
};

const std::vector<LatticeHit>& MeshCells::hits() const {
  if (!hits_) hits_ = find_lattice_hits(mesh_, stored_, centres_);
  return *hits_;
}

std::vector<std::uint32_t> MeshCells::elements() const {
  std::vector<std::uint32_t> elements;
  for (const LatticeHit& hit : hits())
    if (elements.empty() || elements.back() != hit.element) elements.push_back(hit.element);
  return elements;
}

// Looks at the cells of a coarser lattice first, and at all cells only where none of these is inside.
MeshCells::Coverage MeshCells::coverage() const {
  constexpr std::size_t most = 16;  // along an axis
  std::array<std::vector<double>, 3> some;
  for (int a = 0; a < 3; ++a) {
    const auto& all = centres_[a];
    const std::size_t count = std::min(all.size(), most);
    for (std::size_t i = 0; i < count; ++i) some[a].push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  }
  const auto cells = static_cast<double>(count());
  std::vector<double> is_inside(some[0].size() * some[1].size() * some[2].size(), 0.0);
  const auto hits = find_lattice_hits(mesh_, stored_, some);
  for (const LatticeHit& hit : hits) is_inside[static_cast<std::size_t>(hit.point)] = 1;
  const double of_rank = double(hits.size()) / double(is_inside.size());  // points on faces count twice
  is_inside = comm_.max(std::move(is_inside));
  double inside = 0;
  for (const double one : is_inside) inside += one / double(is_inside.size());
  if (inside == 0) inside = double(comm_.sum(static_cast<std::int64_t>(this->hits().size()))) / cells;

  // sums(): hits and their values; on root those of all ranks, twice while they are gathered, and then the fields.
  const double fields = (electric_ ? 1 : 0) + (magnetic_ ? 1 : 0);
  double bytes = of_rank * cells * (sizeof(LatticeHit) + sizeof(Values));
  if (comm_.is_root())
    bytes += inside * cells * sizeof(Values) + std::max(inside * sizeof(Values), 48 * fields) * cells;
  return {cells, inside, bytes};
}

// The part of a field at all hits, to field[place] of their values, which exist.
void MeshCells::evaluate(solver::Quantity::Field field, solver::Quantity::Part part, const Sample& sample, int place,
                         std::vector<Values>& values) const {
  const std::vector<LatticeHit>& hits = this->hits();
  const auto points = io::lagrange_points(order_);
  const std::vector<std::uint32_t> elements = this->elements();
  std::vector<double> at_points(elements.size() * points.size() * 3), weights(points.size());
  sample(field, part, points, elements, at_points.data());
  std::size_t of_element = 0;
  for (std::size_t h = 0; h < hits.size(); ++h) {
    while (elements[of_element] != hits[h].element) ++of_element;
    values[h].cell = hits[h].point;
    values[h].element = mesh_.element_id[hits[h].element];
    lagrange_values(points, order_, hits[h].barycentric, weights);
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (std::size_t q = 0; q < points.size(); ++q)
        sum += weights[q] * at_points[(of_element * points.size() + q) * 3 + c];
      values[h].field[place][c] = sum;
    }
  }
}

// Those of all ranks on root, by cells, each cell's first one from the element with the lowest number.
std::vector<MeshCells::Values> MeshCells::gather(const std::vector<Values>& values) const {
  auto all = comm_.gather_vectors(values);
  std::sort(all.begin(), all.end(),
            [](const Values& a, const Values& b) { return std::tie(a.cell, a.element) < std::tie(b.cell, b.element); });
  all.erase(std::unique(all.begin(), all.end(), [](const Values& a, const Values& b) { return a.cell == b.cell; }),
            all.end());
  return all;
}

std::vector<float> MeshCells::present(solver::Quantity::Field field, const Sample& sample) const {
  std::vector<Values> values(hits().size());
  evaluate(field, solver::Quantity::Part::present, sample, 0, values);
  const auto all = gather(values);
  std::vector<float> present(comm_.is_root() ? 3 * count() : 0);
  for (const Values& v : all)
    for (std::size_t c = 0; c < 3; ++c)
      present[3 * static_cast<std::size_t>(v.cell) + c] = static_cast<float>(v.field[0][c]);
  return present;
}

solver::RegionSums MeshCells::sums(const Sample& sample) const {
  using Quantity = solver::Quantity;
  std::vector<Values> values(hits().size());
  for (int f = 0; f < 4; ++f) {
    const bool electric = f < 2;
    if (electric ? electric_ : magnetic_)
      evaluate(electric ? Quantity::Field::electric : Quantity::Field::magnetic,
               f % 2 == 0 ? Quantity::Part::real : Quantity::Part::imaginary, sample, f, values);
  }
  const auto all = gather(values);

  const std::size_t cells = comm_.is_root() ? count() : 0;
  const auto values_of = [&](int f) -> solver::RegionValues {  // of the fields f and f + 1
    std::vector<double> parts[2];
    for (auto& part : parts) part.resize(3 * cells);
    for (const Values& v : all)
      for (int part = 0; part < 2; ++part)
        for (int c = 0; c < 3; ++c) parts[part][3 * v.cell + c] = v.field[f + part][c];
    return [real = std::make_shared<const std::vector<double>>(std::move(parts[0])),
            imag = std::make_shared<const std::vector<double>>(std::move(parts[1]))](
               std::size_t first, std::size_t count, double* to_real, double* to_imag) {
      std::copy_n(real->data() + 3 * first, 3 * count, to_real);
      std::copy_n(imag->data() + 3 * first, 3 * count, to_imag);
    };
  };
  solver::RegionSums sums;
  if (electric_) sums.electric = values_of(0);
  if (magnetic_) sums.magnetic = values_of(2);
  return sums;
}

}  // namespace dgtd::observers
