#pragma once
// The view in three dimensions of the report: bodies with |E| and SAR at the end of the run.
#include "dgtd/base/timers.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/scene_maker.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

struct SceneViewSettings {
  SceneSettings scene;
  std::vector<Region> regions;  // of the view
  /// Sources and the like; box: of the bodies or the domain, m.
  std::function<std::vector<io::Scene::Lines>(const std::array<Vec3, 2>& box)> lines;
  FourierPlan fourier;
  std::string field;  // what |E| is; empty: there is no Fourier sum
  std::string field_unit = "V/m, peak";
};

class SceneView final : public solver::Observer {
 public:
  /// View, communicator and timers, which get the seconds of finish() as output/view, outlive the observer.
  SceneView(SceneViewSettings settings, const DomainView& view, const parallel::Communicator& comm, Timers& timers)
      : settings_(std::move(settings)), view_(view), comm_(comm), timers_(timers) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// A section after the observers of powers, whose exposure it shows.
  void finish(io::Results& results) override;
  double output_bytes() const override { return scene_bytes(settings_.scene); }

 private:
  SceneViewSettings settings_;
  const DomainView& view_;
  const parallel::Communicator& comm_;
  Timers& timers_;
};

}  // namespace dgtd::observers
