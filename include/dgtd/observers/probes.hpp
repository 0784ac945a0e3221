#pragma once
// E and H at points over time: probe_NAME.csv.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/origin.hpp"
#include "dgtd/io/charts.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

struct Probe {
  std::string name;
  Vec3 position;           // m
  std::int64_t every = 1;  // steps between samples
  Origin origin;
};

class Probes final : public solver::Observer {
 public:
  /// digits: significant ones of field values. The solver and the list of files outlive the observer. Throws Error for
  /// a position outside the domain. Collective.
  Probes(const std::vector<Probe>& probes, solver::PointFields& solver, io::ResultFiles& files, int digits);

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override;
  std::string state_name() const override { return "probes"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  struct Local {  // a probe that this rank holds
    std::string name;
    std::filesystem::path path;
    std::int64_t every;
    std::int64_t bytes;  // of its file so far, in a continued run
    std::optional<io::ProbeFile> file;
  };
  void open(Local& probe);
  /// Ex, Ey, Ez over time, on root; components that are 0 throughout are left out. Collective.
  std::vector<io::Curve> electric_field_of(const std::string& name, const parallel::Communicator& comm) const;
  void close_one_of_many(Local& probe) const;

  std::vector<std::int64_t> intervals_;  // of the probes of all ranks
  std::vector<std::string> names_;       // of these
  solver::PointFields& solver_;
  int digits_;
  mutable std::vector<Local> local_;  // save() writes files to the device
};

}  // namespace dgtd::observers
