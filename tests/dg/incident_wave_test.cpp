// A plane wave whose position is inside the mesh enters from its beginning.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "comparison.hpp"
#include "dgtd/base/constants.hpp"

namespace dgtd::dg::test {
namespace {

class IncidentWaveStart : public testing::Test {
 protected:
  Discretisation<double> discretisation() const {
    constexpr auto open = physics::BoundaryKind::silver_muller;
    return {mesh_,          {{2.25, 1, 0}, {2.25, 1, 0}, {2.25, 1, 0}}, {open, open, open, open, open, open}, 2, true,
            cpu_field_lanes};
  }
  physics::Source wave(const Vec3& position) const {
    physics::Source source;
    source.type = physics::Source::Type::plane_wave;
    source.position = position;
    source.direction = {0.6, 0, 0.8};
    source.polarisation = {0, 1, 0};
    source.waveform = {physics::Waveform::Type::ramped_sine, 0.9e9, 2, 0};
    return source;
  }
  double earliest(const IncidentWave& wave) const { return *std::min_element(wave.delay.begin(), wave.delay.end()); }
  const mesh::Subdomain mesh_ = tiny_mesh({2, 2, 2}, 3, 7);
  const parallel::Communicator self_{MPI_COMM_SELF};
};

TEST_F(IncidentWaveStart, WaveIsZeroOnTheBoundaryAtTheStart) {
  const auto d = discretisation();
  const auto given = wave({0.5, 0.5, 0.5});
  EXPECT_LT(earliest(make_incident_wave(d, given)), 0);  // it would start in the middle of its rise
  const auto moved = start_outside(d, given, self_);
  const auto incident = make_incident_wave(d, moved);
  EXPECT_GE(earliest(incident), -1e-20);
  EXPECT_LT(earliest(incident), 1 / given.waveform.frequency);  // and no later than it must
  for (const double delay : incident.delay) EXPECT_EQ(physics::value(incident.shape, -delay), 0);
}

// Once risen, the wave is what it would have been: whole periods.
TEST_F(IncidentWaveStart, PhaseAtThePositionIsZeroStill) {
  const auto d = discretisation();
  const auto given = wave({0.4, 0.5, 0.6});
  const auto moved = start_outside(d, given, self_);
  const double periods =
      dot(given.direction, given.position - moved.position) / (speed_of_light / 1.5) * given.waveform.frequency;
  EXPECT_GT(periods, 0.5);
  EXPECT_NEAR(periods, std::round(periods), 1e-9);
}

TEST_F(IncidentWaveStart, WaveThatIsOutsideStaysWhereItIs) {
  const auto d = discretisation();
  const auto given = wave({-3, -3, -3});
  EXPECT_EQ(norm(start_outside(d, given, self_).position - given.position), 0);
}

}  // namespace
}  // namespace dgtd::dg::test
