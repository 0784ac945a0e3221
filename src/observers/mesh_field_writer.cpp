#include "dgtd/observers/mesh_field_writer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "dgtd/base/error.hpp"

namespace dgtd::observers {

namespace {

using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;
using solver::Quantity;
using Points = std::vector<std::array<double, 4>>;
using Elements = std::span<const std::uint32_t>;

/// A value at a time, or a phasor at one of several frequencies.
struct State {
  bool present = true;
  std::size_t frequency = 0;
};

Quantity quantity(Field field, Part part, const State& state) {
  return {field, state.present ? Part::present : part, state.frequency};
}

// |E| = sqrt(sum of the squares of the components, real and imaginary), of vectors [count][3].
void add_squares(const double* vectors, std::size_t count, double* sums) {
  const auto n = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i)
    sums[i] += vectors[3 * i] * vectors[3 * i] + vectors[3 * i + 1] * vectors[3 * i + 1] +
               vectors[3 * i + 2] * vectors[3 * i + 2];
}
void take_roots(std::size_t count, double* sums) {
  const auto n = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) sums[i] = std::sqrt(sums[i]);
}

/// The fields of one state at points of elements, column by column.
class FieldColumns {
 public:
  FieldColumns(const solver::ElementSolver& solver, const FieldChoice& choice, const State& state)
      : solver_(solver), choice_(choice), state_(state) {}

  /// peak, suffix: as in electric_name().
  std::vector<io::Column> list(bool peak, const std::string& suffix) const {
    if (state_.present) {
      std::vector<io::Column> columns;
      if (choice_.amplitude) columns.push_back({"E_magnitude_V_per_m", 1});
      if (choice_.electric) columns.push_back({"E_V_per_m", 3});
      if (choice_.magnetic) columns.push_back({"H_A_per_m", 3});
      return columns;
    }
    std::vector<io::Column> columns;
    if (choice_.amplitude) columns.push_back({electric_name("amplitude", peak, suffix), 1});
    for (const char* part : {"real", "imag"})
      if (choice_.electric) columns.push_back({electric_name(part, peak, suffix), 3});
    for (const char* part : {"real", "imag"})
      if (choice_.magnetic) columns.push_back({magnetic_name(part, peak, suffix), 3});
    return columns;
  }

  /// values: as list() names them, [elements][points][components].
  void fill(const Points& points, Elements elements, std::span<double* const> values) {
    const std::size_t count = elements.size() * points.size();
    std::size_t next = choice_.amplitude ? 1 : 0;
    if (choice_.amplitude) std::fill_n(values[0], count, 0.0);
    for (const Part part : parts()) {
      if (!choice_.electric && !choice_.amplitude) continue;
      scratch_.resize(choice_.electric ? 0 : 3 * count);
      double* const to = choice_.electric ? values[next++] : scratch_.data();
      solver_.sample(quantity(Field::electric, part, state_), points, elements, to);
      if (choice_.amplitude) add_squares(to, count, values[0]);
    }
    if (choice_.amplitude) take_roots(count, values[0]);
    for (const Part part : parts())
      if (choice_.magnetic) solver_.sample(quantity(Field::magnetic, part, state_), points, elements, values[next++]);
  }

 private:
  std::vector<Part> parts() const {
    return state_.present ? std::vector{Part::present} : std::vector{Part::real, Part::imaginary};
  }

  const solver::ElementSolver& solver_;
  FieldChoice choice_;
  State state_;
  std::vector<double> scratch_;
};

std::vector<State> states_of(std::size_t frequencies) {
  std::vector<State> states;
  for (std::size_t f = 0; f < frequencies; ++f) states.push_back({false, f});
  return states;
}

// Points of each cell. The file outlives the columns' use.
io::Columns separate_columns(const std::shared_ptr<FieldColumns>& fields, std::vector<io::Column> list,
                             const io::TetrahedraFile& file) {
  return {std::move(list),
          [fields, points = io::lagrange_points(file.degree), elements = Elements(file.elements)](
              std::size_t first, std::size_t count, std::span<double* const> values) {
            fields->fill(points, elements.subspan(first, count), values);
          },
          32};
}

// Cells that share points have one value each, the root of the mean of |E|^2: values at vertices would be those of
// polynomials at their ends, where they are too large, and would not give the absorbed power.
io::Columns mean_columns(std::vector<double> mean_square, std::vector<io::Column> list,
                         const io::TetrahedraFile& file) {
  std::vector<std::vector<double>> values(1);
  for (const std::uint32_t element : file.elements) values[0].push_back(std::sqrt(mean_square[element]));
  return io::columns_of(std::move(list), std::move(values));
}

}  // namespace

MeshFieldWriter::MeshFieldWriter(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, int order,
                                 FieldSelection selection, const parallel::Communicator& comm)
    : solver_(solver),
      mesh_(mesh),
      order_(order),
      selection_(std::move(selection)),
      chosen_(chosen_groups(selection_.groups, mesh.volume_names)),
      comm_(comm) {
  if (selection_.points != PointChoice::shared) return;
  for (const FieldChoice& c : {selection_.phasors, selection_.present})
    if (c.electric || c.magnetic)
      throw Error(
          "output.points = shared: E and H jump between elements; allowed with output.fields = E_amplitude SAR");
  if (selection_.degree.value_or(1) > 1)
    throw Error("output.points = shared: cells have their vertices only; allowed with output.degree = 1");
}

bool MeshFieldWriter::shares_points(const FieldChoice& choice) const {
  if (selection_.points != PointChoice::automatic) return selection_.points == PointChoice::shared;
  return !choice.electric && !choice.magnetic && selection_.degree.value_or(1) == 1;
}

// Degrees above two are written as quadratic cells unless more is asked for: ParaView draws no more.
io::TetrahedraFile MeshFieldWriter::file_of(const FieldChoice& choice) const {
  io::TetrahedraFile file;
  file.mesh = &mesh_;
  file.precision = selection_.precision;
  file.degree = shares_points(choice) ? 1 : selection_.degree.value_or(std::min(order_, 2));
  file.elements = solver_.stored_order();
  if (!std::all_of(chosen_.begin(), chosen_.end(), [](bool c) { return c; }))
    std::erase_if(file.elements, [&](std::uint32_t e) { return !chosen_[mesh_.element_group[e]]; });
  return file;
}

std::int64_t MeshFieldWriter::write(const io::PiecedFile& to, io::TetrahedraFile& file) const {
  return io::write_vtu(to, file, comm_);
}

// Quantities of the cells of a file, which outlives the columns' use.
io::Columns MeshFieldWriter::columns_of_cells(const std::vector<io::CellQuantity>& cell,
                                              const io::TetrahedraFile& file) {
  return quantity_columns(cell, [&file](std::size_t first, std::span<std::size_t> places) {
    std::copy_n(file.elements.begin() + static_cast<std::ptrdiff_t>(first), places.size(), places.begin());
  });
}

std::int64_t MeshFieldWriter::write_present(const io::PiecedFile& to,
                                            const std::vector<io::CellQuantity>& cell) const {
  const FieldChoice& choice = selection_.present;
  io::TetrahedraFile file = file_of(choice);
  const auto fields = std::make_shared<FieldColumns>(solver_, choice, State{});
  auto list = fields->list(true, "");
  std::optional<io::SharedPoints> shared;
  if (shares_points(choice)) {
    file.shared = &shared.emplace(io::share_points(mesh_, file.elements));
    if (!list.empty()) file.cell = mean_columns(solver_.mean_square_electric({}), std::move(list), file);
  } else {
    file.point = separate_columns(fields, std::move(list), file);
  }
  if (!cell.empty()) {
    std::vector<io::Columns> of_cells;
    of_cells.push_back(std::move(file.cell));
    of_cells.push_back(columns_of_cells(cell, file));
    file.cell = io::joined(std::move(of_cells));
  }
  return write(to, file);
}

std::int64_t MeshFieldWriter::write_phasors(const io::PiecedFile& to, const std::vector<double>& frequencies, bool peak,
                                            const std::vector<io::CellQuantity>& cell) const {
  const FieldChoice& choice = selection_.phasors;
  io::TetrahedraFile file = file_of(choice);
  file.conventions = conventions_of(selection_, cell);
  std::optional<io::SharedPoints> shared;
  if (shares_points(choice)) file.shared = &shared.emplace(io::share_points(mesh_, file.elements));
  const auto suffixes = frequency_suffixes(frequencies);
  std::vector<io::Columns> columns, of_cells;
  for (const State& state : states_of(frequencies.size())) {
    const auto fields = std::make_shared<FieldColumns>(solver_, choice, state);
    auto list = fields->list(peak, suffixes[state.frequency]);
    if (list.empty()) continue;
    if (file.shared)
      of_cells.push_back(mean_columns(solver_.mean_square_electric(state.frequency), std::move(list), file));
    else columns.push_back(separate_columns(fields, std::move(list), file));
  }
  file.point = io::joined(std::move(columns));
  of_cells.push_back(columns_of_cells(cell, file));
  file.cell = io::joined(std::move(of_cells));
  return write(to, file);
}

std::int64_t MeshFieldWriter::bytes_present(std::size_t quantities) const {
  io::TetrahedraFile file = file_of(selection_.present);
  std::optional<io::SharedPoints> shared;
  if (shares_points(selection_.present)) file.shared = &shared.emplace(io::share_points(mesh_, file.elements));
  file.cell.list.assign(quantities, {"SAR_W_per_kg", 1});
  for (auto& column : FieldColumns(solver_, selection_.present, {}).list(true, ""))
    (file.shared ? file.cell : file.point).list.push_back(std::move(column));
  return io::vtu_bytes(file);
}

std::int64_t MeshFieldWriter::bytes_phasors(const std::vector<double>& frequencies, std::size_t quantities) const {
  io::TetrahedraFile file = file_of(selection_.phasors);
  file.conventions = selection_.conventions;
  std::optional<io::SharedPoints> shared;
  if (shares_points(selection_.phasors)) file.shared = &shared.emplace(io::share_points(mesh_, file.elements));
  file.cell.list.assign(quantities, {"SAR_W_per_kg", 1});
  for (const State& state : states_of(frequencies.size()))
    for (auto& column : FieldColumns(solver_, selection_.phasors, state).list(true, ""))
      (file.shared ? file.cell : file.point).list.push_back(std::move(column));
  return io::vtu_bytes(file);
}

}  // namespace dgtd::observers
