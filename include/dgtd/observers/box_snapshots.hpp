#pragma once
// E and H of the cells of boxes at chosen times, or phasors of steady fields: snapshot_NAME_STEP.pvtr and .npy.
#include <map>
#include <memory>
#include <vector>

#include "dgtd/io/columns.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/observers/box_cells.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// The complex amplitudes A of a steady field Re A exp(-i w t), from values at two times whose phases w t differ by no
/// multiple of pi (the paper takes a quarter of a period):
///   Re A = (f_1 sin w t_2 - f_2 sin w t_1) / sin w (t_2 - t_1),
///   Im A = (f_2 cos w t_1 - f_1 cos w t_2) / sin w (t_2 - t_1).
/// first and second become the real and the imaginary parts. Phases: w t_1, w t_2, rad.
void phasors_of_two_times(double first_phase, double second_phase, std::vector<float>& first,
                          std::vector<float>& second);

class BoxSnapshots final : public solver::Observer {
 public:
  /// frequency: of phasors, Hz; 0: none. time_step: s. Files and communicator outlive the observer. Collective. Throws
  /// what `make` throws.
  BoxSnapshots(std::vector<physics::Snapshot> snapshots, double frequency, double time_step, const MakeBoxCells& make,
               io::ResultFiles& files, io::FilePrecision precision, const parallel::Communicator& comm);

  /// Warns of times that are after a run of so many steps, and, when it has ended, of those after an early end. Throws
  /// Error (bad_input) where all times of a snapshot are after so many steps.
  void check_times(std::int64_t steps);

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;
  std::string state_name() const override { return "box_snapshots"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  /// One file (of each kind): at `step`, or of a phasor from `step` and `second`.
  struct Due {
    std::size_t snapshot;
    std::int64_t step, second;                                         // second: 0 without a phasor
    std::map<solver::Quantity::Field, std::vector<float>> first = {};  // [cells][3] of a phasor
  };
  void write(const Due& due, const solver::Clock& clock);
  /// Texts of a snapshot's times that are complete after `after` and at most `last` steps.
  std::vector<std::string> times_within(std::size_t snapshot, std::int64_t after, std::int64_t last) const;
  /// Text on times that are after the end of a run of so many steps.
  std::string late_text(std::size_t snapshot, const std::vector<std::string>& times, std::int64_t steps) const;
  io::GridFile grid_file(std::size_t snapshot, io::Columns columns) const;

  /// A box as files have it.
  struct Box {
    std::unique_ptr<BoxCells> cells;
    io::NodeExtent whole, mine;
  };
  std::vector<physics::Snapshot> snapshots_;
  std::vector<Box> boxes_;  // [snapshots]
  double frequency_, time_step_;
  io::ResultFiles& files_;
  io::FilePrecision precision_;
  const parallel::Communicator& comm_;
  std::vector<Due> due_;
  std::int64_t bytes_ = 0;    // of this rank
  std::int64_t planned_ = 0;  // steps of the run; 0: not checked
};

}  // namespace dgtd::observers
