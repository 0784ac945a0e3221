#pragma once
// E and H over time: snapshot_STEP files, listed in snapshots.pvd.
#include <optional>

#include "dgtd/io/time_series.hpp"
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

class Snapshots final : public solver::Observer {
 public:
  /// interval: steps. The references outlive the observer.
  Snapshots(std::int64_t interval, const FieldWriter& writer, io::ResultFiles& files,
            const parallel::Communicator& comm);

  std::int64_t next(std::int64_t step) const override { return solver::next_multiple(step, interval_, 1); }
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override { results.field_bytes += bytes_; }
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;
  std::string state_name() const override { return "snapshots"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  void list(std::int64_t step, double time);

  std::int64_t interval_;
  const FieldWriter& writer_;
  io::ResultFiles& files_;
  const parallel::Communicator& comm_;
  std::int64_t bytes_ = 0;                // of this rank's pieces
  std::optional<io::TimeSeries> series_;  // on root
  std::vector<double> steps_, times_;     // of the snapshots so far; times in s
};

}  // namespace dgtd::observers
