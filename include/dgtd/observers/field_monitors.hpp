#pragma once
// Spectra of E and H in regions: monitor_NAME.pvtr, or one file per frequency listed in monitor_NAME.pvd.
#include <memory>
#include <vector>

#include "dgtd/io/columns.hpp"
#include "dgtd/observers/monitor_pictures.hpp"
#include "dgtd/observers/region_observer.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::observers {

class FieldMonitors final : public RegionObserver {
 public:
  /// Registers the regions with the spectra; spectra and communicator outlive the observer. Throws Error (bad_input)
  /// for regions that do not fit the domain.
  FieldMonitors(std::vector<physics::Monitor> monitors, solver::RegionSpectra& spectra, io::FilePrecision precision,
                const parallel::Communicator& comm);

  /// Adds pictures of all monitors to the report.
  void show(MonitorPictures pictures) { pictures_ = std::make_unique<MonitorPictures>(std::move(pictures)); }
  void finish(io::Results& results) override;
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;

 private:
  struct Region {
    physics::Monitor monitor;
    std::size_t number;  // in the spectra
  };
  bool has_fields(const io::Results& results) const;
  void write(const Region& region, io::Results& results) const;

  std::vector<Region> regions_;
  io::FilePrecision precision_;
  std::unique_ptr<MonitorPictures> pictures_;  // null: none
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
