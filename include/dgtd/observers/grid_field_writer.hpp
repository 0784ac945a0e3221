#pragma once
// Fields on the cells of a Cartesian grid: STEM.pvtr with one piece STEM_RANK.vtr per rank.
#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/observers/field_writer.hpp"

namespace dgtd::observers {

class GridFieldWriter final : public FieldWriter {
 public:
  /// Writes the box around all cells whose centre is in one of the selection's groups, the whole grid for all groups.
  /// Solver and communicator outlive the writer. Throws Error (bad_input) for groups that do not exist. Collective.
  GridFieldWriter(const grid::GridSolver& solver, FieldSelection selection, io::CellMaterials materials,
                  const parallel::Communicator& comm);

  std::string index_name(const std::string& stem) const override { return stem + ".pvtr"; }
  std::int64_t write_present(const io::PiecedFile& to, const std::vector<io::CellQuantity>& cell) const override;
  std::int64_t write_phasors(const io::PiecedFile& to, const std::vector<double>& frequencies, bool peak,
                             const std::vector<io::CellQuantity>& cell) const override;
  std::int64_t bytes_present(std::size_t quantities) const override;
  std::int64_t bytes_phasors(const std::vector<double>& frequencies, std::size_t quantities) const override;
  std::string final_stem() const override { return "fields"; }

 private:
  io::GridFile file_of(io::Columns columns) const;
  bool is_empty() const;  // this rank has no cell of the box
  std::array<int, 3> first_cell() const;
  std::array<int, 3> cells() const;
  std::size_t rows_together() const;
  PlacesOfRows places_of_rows() const;  // in the block

  const grid::GridSolver& solver_;
  FieldSelection selection_;
  io::CellMaterials materials_;
  io::NodeExtent whole_, mine_;  // nodes of the grid
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
