#include "dgtd/observers/grid_field_writer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "dgtd/base/error.hpp"

namespace dgtd::observers {

namespace {

using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;
using Cell = std::array<int, 3>;

// The nodes around all cells of the chosen materials, of all ranks.
io::NodeExtent box_around(const grid::GridSolver& solver, const std::vector<bool>& chosen,
                          const io::CellMaterials& materials, const parallel::Communicator& comm) {
  const grid::CartesianGrid& grid = solver.grid();
  if (std::all_of(chosen.begin(), chosen.end(), [](bool c) { return c; }))
    return {{0, 0, 0}, {grid.cells(0), grid.cells(1), grid.cells(2)}};
  const grid::Block& block = solver.block();
  std::array<std::vector<double>, 3> x;
  for (int a = 0; a < 3; ++a) x[a] = grid.nodes(a);
  constexpr double none = -std::numeric_limits<double>::infinity();
  double most[6] = {none, none, none, none, none, none};  // -first cell and last cell of each axis
#pragma omp parallel for schedule(dynamic) reduction(max : most[:6])
  for (int k = 0; k < block.cells[2]; ++k)
    for (int j = 0; j < block.cells[1]; ++j)
      for (int i = 0; i < block.cells[0]; ++i) {
        const std::int64_t at[3] = {block.first[0] + i, block.first[1] + j, block.first[2] + k};
        Vec3 centre;
        for (int a = 0; a < 3; ++a) centre[a] = 0.5 * (x[a][at[a]] + x[a][at[a] + 1]);
        if (!chosen[materials.at(centre)]) continue;
        for (int a = 0; a < 3; ++a) {
          most[2 * a] = std::max(most[2 * a], -double(at[a]));
          most[2 * a + 1] = std::max(most[2 * a + 1], double(at[a]));
        }
      }
  const auto ends = comm.max(std::vector<double>(most, most + 6));
  if (ends[0] == none) throw Error("output.groups: no cell of the grid has one of these materials");
  io::NodeExtent box;
  for (int a = 0; a < 3; ++a)
    box.first[a] = static_cast<std::int64_t>(-ends[2 * a]),
    box.last[a] = static_cast<std::int64_t>(ends[2 * a + 1]) + 1;
  return box;
}

/// Fields of one time or frequency as columns of cells.
class CellColumns {
 public:
  /// Collective. frequency: of the Fourier sums; absent: present fields.
  CellColumns(const grid::GridSolver& solver, const FieldChoice& choice, std::optional<std::size_t> frequency)
      : choice_(choice) {
    const auto parts = frequency ? std::vector{Part::real, Part::imaginary} : std::vector{Part::present};
    for (const Part part : parts) {
      const std::size_t f = frequency.value_or(0);
      if (choice.electric || choice.amplitude) electric_.push_back(solver.cell_sampler({Field::electric, part, f}));
      if (choice.magnetic) magnetic_.push_back(solver.cell_sampler({Field::magnetic, part, f}));
    }
  }

  static std::vector<io::Column> list(const FieldChoice& choice, bool present, bool peak, const std::string& suffix) {
    std::vector<io::Column> columns;
    if (choice.amplitude)
      columns.push_back({present ? "E_magnitude_V_per_m" : electric_name("amplitude", peak, suffix), 1});
    if (present) {
      if (choice.electric) columns.push_back({"E_V_per_m", 3});
      if (choice.magnetic) columns.push_back({"H_A_per_m", 3});
      return columns;
    }
    for (const char* part : {"real", "imag"})
      if (choice.electric) columns.push_back({electric_name(part, peak, suffix), 3});
    for (const char* part : {"real", "imag"})
      if (choice.magnetic) columns.push_back({magnetic_name(part, peak, suffix), 3});
    return columns;
  }

  /// offset: of the values in each column, in cells.
  void fill(const Cell& first, const Cell& count, std::size_t offset, std::span<double* const> values) {
    const std::size_t cells = std::size_t(count[0]) * count[1] * count[2];
    std::size_t next = choice_.amplitude ? 1 : 0;
    double* const amplitude = choice_.amplitude ? values[0] + offset : nullptr;
    if (amplitude) std::fill_n(amplitude, cells, 0.0);
    for (const auto& sampler : electric_) {
      scratch_.resize(choice_.electric ? 0 : 3 * cells);
      double* const to = choice_.electric ? values[next++] + 3 * offset : scratch_.data();
      sampler->sample(first, count, to);
      if (amplitude) add_squares(to, cells, amplitude);
    }
    const auto n = static_cast<std::ptrdiff_t>(amplitude ? cells : 0);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) amplitude[i] = std::sqrt(amplitude[i]);
    for (const auto& sampler : magnetic_) sampler->sample(first, count, values[next++] + 3 * offset);
  }

 private:
  static void add_squares(const double* vectors, std::size_t cells, double* sums) {
    const auto n = static_cast<std::ptrdiff_t>(cells);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) sums[i] += vectors[3 * i + c] * vectors[3 * i + c];
  }

  FieldChoice choice_;
  std::vector<std::unique_ptr<grid::CellSampler>> electric_, magnetic_;  // by parts
  std::vector<double> scratch_;
};

// A run of whole rows along x of the box `cells` at `corner`, as boxes of cells: a part of a layer, whole layers, a
// part of a layer.
void fill_rows(CellColumns& fields, const Cell& corner, const Cell& cells, std::size_t first, std::size_t count,
               std::span<double* const> values) {
  const auto row_cells = static_cast<std::size_t>(cells[0]);
  std::size_t row = first / row_cells, offset = 0;
  for (std::size_t rows = count / row_cells; rows > 0;) {
    const int j = static_cast<int>(row % cells[1]), k = static_cast<int>(row / cells[1]);
    Cell size{cells[0], 0, 1};
    if (j == 0 && rows >= static_cast<std::size_t>(cells[1])) {
      size[1] = cells[1];
      size[2] = static_cast<int>(rows / cells[1]);
    } else {
      size[1] = static_cast<int>(std::min<std::size_t>(rows, cells[1] - j));
    }
    fields.fill({corner[0], corner[1] + j, corner[2] + k}, size, offset, values);
    const std::size_t done = static_cast<std::size_t>(size[1]) * size[2];
    row += done, rows -= done, offset += done * row_cells;
  }
}

}  // namespace

GridFieldWriter::GridFieldWriter(const grid::GridSolver& solver, FieldSelection selection, io::CellMaterials materials,
                                 const parallel::Communicator& comm)
    : solver_(solver), selection_(std::move(selection)), materials_(std::move(materials)), comm_(comm) {
  whole_ = box_around(solver, chosen_groups(selection_.groups, materials_.names), materials_, comm);
  const grid::Block& block = solver.block();
  for (int a = 0; a < 3; ++a) {
    mine_.first[a] = std::max(whole_.first[a], block.first[a]);
    mine_.last[a] = std::min(whole_.last[a], block.first[a] + block.cells[a]);
  }
}

bool GridFieldWriter::is_empty() const {
  for (int a = 0; a < 3; ++a)
    if (mine_.first[a] >= mine_.last[a]) return true;
  return false;
}

Cell GridFieldWriter::first_cell() const {
  Cell first;
  for (int a = 0; a < 3; ++a) first[a] = static_cast<int>(mine_.first[a] - solver_.block().first[a]);
  return first;
}

Cell GridFieldWriter::cells() const {
  Cell cells;
  for (int a = 0; a < 3; ++a) cells[a] = is_empty() ? 0 : static_cast<int>(mine_.last[a] - mine_.first[a]);
  return cells;
}

// Whole layers where they are small, else rows along x.
std::size_t GridFieldWriter::rows_together() const {
  constexpr std::size_t small = std::size_t{1} << 19;  // cells; beside a part of a layer the whole next one is read
  const Cell n = cells();
  const std::size_t row = static_cast<std::size_t>(std::max(1, n[0])),
                    layer = row * static_cast<std::size_t>(std::max(1, n[1]));
  return layer <= small ? layer : row;
}

PlacesOfRows GridFieldWriter::places_of_rows() const {
  return [n = cells(), first = first_cell(), block = solver_.block().cells](std::size_t row,
                                                                            std::span<std::size_t> places) {
    const auto nx = static_cast<std::size_t>(n[0]), ny = static_cast<std::size_t>(n[1]);
    std::size_t i = row % nx, j = row / nx % ny, k = row / nx / ny;
    for (std::size_t& place : places) {
      place = ((first[2] + k) * block[1] + first[1] + j) * block[0] + first[0] + i;
      if (++i < nx) continue;
      i = 0;
      if (++j == ny) j = 0, ++k;
    }
  };
}

io::GridFile GridFieldWriter::file_of(io::Columns columns) const {
  return {&solver_.grid(), whole_, is_empty() ? nullptr : &mine_, selection_.precision, std::move(columns), materials_};
}

std::int64_t GridFieldWriter::write_present(const io::PiecedFile& to, const std::vector<io::CellQuantity>& cell) const {
  CellColumns fields(solver_, selection_.present, {});
  std::vector<io::Columns> columns{{CellColumns::list(selection_.present, true, true, ""),
                                    [&](std::size_t first, std::size_t count, std::span<double* const> values) {
                                      fill_rows(fields, first_cell(), cells(), first, count, values);
                                    },
                                    rows_together()}};
  if (!cell.empty()) columns.push_back(quantity_columns(cell, places_of_rows()));
  return io::write_vtr(to, file_of(io::joined(std::move(columns))), comm_);
}

std::int64_t GridFieldWriter::write_phasors(const io::PiecedFile& to, const std::vector<double>& frequencies, bool peak,
                                            const std::vector<io::CellQuantity>& cell) const {
  const auto suffixes = frequency_suffixes(frequencies);
  std::vector<io::Columns> columns;
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    auto list = CellColumns::list(selection_.phasors, false, peak, suffixes[f]);
    if (list.empty()) continue;
    const auto fields = std::make_shared<CellColumns>(solver_, selection_.phasors, f);
    columns.push_back({std::move(list),
                       [this, fields](std::size_t first, std::size_t count, std::span<double* const> values) {
                         fill_rows(*fields, first_cell(), cells(), first, count, values);
                       },
                       rows_together()});
  }
  columns.push_back(quantity_columns(cell, places_of_rows()));
  io::GridFile file = file_of(io::joined(std::move(columns)));
  file.conventions = conventions_of(selection_, cell);
  return io::write_vtr(to, file, comm_);
}

std::int64_t GridFieldWriter::bytes_present(std::size_t quantities) const {
  io::Columns columns{CellColumns::list(selection_.present, true, true, ""), {}, 1};
  columns.list.resize(columns.list.size() + quantities, {"SAR_W_per_kg", 1});
  return io::vtr_bytes(file_of(std::move(columns)));
}

std::int64_t GridFieldWriter::bytes_phasors(const std::vector<double>& frequencies, std::size_t quantities) const {
  io::Columns columns;
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    for (auto& column : CellColumns::list(selection_.phasors, false, true, "")) columns.list.push_back(column);
  for (std::size_t q = 0; q < quantities; ++q) columns.list.push_back({"SAR_W_per_kg", 1});
  io::GridFile file = file_of(std::move(columns));
  file.conventions = selection_.conventions;
  return io::vtr_bytes(file);
}

}  // namespace dgtd::observers
