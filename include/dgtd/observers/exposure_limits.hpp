#pragma once
// Comparison of a run's SAR with exposure limits.
#include "dgtd/dosimetry/limits.hpp"
#include "dgtd/dosimetry/voxel_grid.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// Comes after Powers and MassAveraging, whose exposure and averages it compares.
class ExposureLimits final : public solver::Observer {
 public:
  /// frequency: of the SAR, Hz. is_whole_body: the tissues are those of a whole body. part: where its local SAR is.
  ExposureLimits(double frequency, bool is_whole_body, dosimetry::BodyPart part)
      : frequency_(frequency), is_whole_body_(is_whole_body), part_(part) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// Key and section of the limits whose quantity was computed; on root.
  void finish(io::Results& results) override;

 private:
  double frequency_;
  bool is_whole_body_;
  dosimetry::BodyPart part_;
};

/// Key and section of the absorbed power density above 6 GHz, at the power of the exposure, whose voxels these are.
void add_power_density(io::Summary& summary, const dosimetry::VoxelGrid& voxels, double frequency,
                       const dosimetry::Exposure& exposure);

/// Key and section of limits. Of exposure scaling and tissues count.
void add_limits(io::Summary& summary, const std::vector<dosimetry::LimitCheck>& limits, dosimetry::BodyPart part,
                const dosimetry::Exposure& exposure);

}  // namespace dgtd::observers
