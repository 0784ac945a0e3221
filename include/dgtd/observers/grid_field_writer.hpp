#pragma once
// Fields on the cells of a Cartesian grid: STEM.pvtr with one piece STEM_RANK.vtr per rank.
#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/observers/field_writer.hpp"

namespace dgtd::observers {

class GridFieldWriter final : public FieldWriter {
 public:
  /// Solver and communicator outlive the writer.
  GridFieldWriter(const grid::GridSolver& solver, FieldSelection selection, const parallel::Communicator& comm)
      : solver_(solver), selection_(std::move(selection)), comm_(comm) {}

  std::string index_name(const std::string& stem) const override { return stem + ".pvtr"; }
  void write_present(const std::string& stem, std::vector<io::Array> cell) const override;
  void write_phasors(const std::string& stem, const std::vector<double>& frequencies, bool peak,
                     std::vector<io::Array> cell) const override;
  std::string final_stem() const override { return "fields"; }

 private:
  void write(const std::string& stem, std::vector<io::Array> fields, std::vector<io::Array> cell) const;

  const grid::GridSolver& solver_;
  FieldSelection selection_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
