// Hard sources: E at one place is the source's and nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

// The scheme holds E at the source's value after each step, exactly; and a field that meets the source does not change
// it.
TEST(HardSource, IsWhatItSays) {
  const parallel::Communicator comm;
  for (const bool line : {false, true}) {
    GridProblem p = line ? line_problem() : flat_walls_problem();
    for (auto& s : p.sources)
      if (s.type == physics::Source::Type::hard) s.amplitude = -3, s.waveform = {physics::Waveform::Type::sine, 1.5e9};
    auto solver = p.make<double>(comm);
    const auto& d = solver->discretisation();
    const auto at = static_cast<std::size_t>((line ? 1 : 2) * d.layout.reals +
                                             (line ? d.layout.index(64, 0, 0) : d.layout.index(32, 8, 0)));
    const auto beside = at + 1;
    double largest = 0;
    for (int n = 1; n <= 200; ++n) {
      if (n % 7 == 0) (void)solver->energy();
      solver->advance(1);
      EXPECT_EQ(solver->engine().electric().part(at, 1)[0],
                -3 * std::sin(2 * pi * 1.5e9 * (double(n - 1) * d.time_step + 0.5 * d.time_step + 0.5 * d.time_step)))
          << n;
      largest = std::max(largest, std::abs(solver->engine().electric().part(beside, 1)[0]));
    }
    EXPECT_GT(largest, 0.5);
    EXPECT_TRUE(std::isinf(solver->work().incident_bound));
  }
}

// On a line it launches its own waveform both ways, one cell a time step where the step is the largest stable one.
TEST(HardSource, LaunchesItsWaveformOnALine) {
  const parallel::Communicator comm;
  GridProblem p = line_problem();
  p.bodies.clear();
  p.cfl_fraction = 1;
  for (int side = 0; side < 2; ++side) p.setup.sides[side] = physics::BoundaryKind::pec;  // the wave is not there yet
  p.sources[0].waveform = {physics::Waveform::Type::ramped_sine, 1.5e9, 3};
  auto solver = p.make<double>(comm);
  const auto& d = solver->discretisation();
  for (int n = 0; n < 60; ++n) solver->advance(1);
  for (const int away : {1, 10, 25, 40})
    for (const int side : {-1, 1}) {
      const auto at = static_cast<std::size_t>(d.layout.reals + d.layout.index(64 + side * away, 0, 0));
      EXPECT_NEAR(solver->engine().electric().part(at, 1)[0],
                  physics::waveform(p.sources[0].waveform, (60 - away) * d.time_step), 1e-12)
          << side * away;
    }
}

// Passes over a plane grid (kernels/plane_temporal_blocking.hpp) do the same.
TEST(HardSource, IsTheSameInPassesOfSeveralSteps) {
  const parallel::Communicator comm;
  for (const auto fields : {PlaneFields::ez, PlaneFields::hz}) {
    GridProblem p = flat_walls_problem();
    p.setup.sides = {physics::BoundaryKind::cpml, physics::BoundaryKind::pec,      physics::BoundaryKind::pmc,
                     physics::BoundaryKind::pec,  physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
    p.sources[0].direction = p.sources[1].direction = fields == PlaneFields::ez ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    // A soft one at the same component does not count.
    p.sources[0].position = p.sources[1].position =
        GridProblem(p).make<double>(comm)->discretisation().position(true, fields == PlaneFields::ez ? 2 : 0, 32, 8, 0);
    auto steps = p.make<double>(comm), passes = p.make<double>(comm);
    ASSERT_TRUE(passes->start_plane_passes(p.setup, fields));
    for (int n = 0; n < 150; ++n) steps->advance(1);
    passes->advance(150);
    EXPECT_EQ(passes->fields_hash(), steps->fields_hash());
    p.sources.erase(p.sources.begin());
    auto alone = p.make<double>(comm);
    for (int n = 0; n < 150; ++n) alone->advance(1);
    EXPECT_EQ(alone->fields_hash(), steps->fields_hash());
  }
}

// At a place between nodes along its own axis, at nodes across it; and not on metal.
TEST(HardSource, StandsAtTheNearestComponent) {
  const parallel::Communicator comm;
  GridProblem p;
  p.setup.grid = uniform_grid(10, 10, 10, 0.1);
  physics::Source hard;
  hard.type = physics::Source::Type::hard;
  hard.name = "hard";
  hard.origin = "head.cfg:7";
  hard.position = {0.36, 0.36, 0.36};
  hard.direction = {0, 1, 0};
  hard.waveform = {physics::Waveform::Type::sine, 1e9};
  p.sources = {hard};
  auto solver = p.make<double>(comm);
  solver->advance(1);
  const auto& d = solver->discretisation();
  EXPECT_NE(solver->engine().electric().part(static_cast<std::size_t>(d.layout.reals + d.layout.index(4, 3, 4)), 1)[0],
            0);
  const auto of = [&](const Vec3& x) {
    p.sources[0].position = x;
    return message([&] { (void)p.make<double>(comm); });
  };
  EXPECT_EQ(of({0.96, 0.5, 0.5}),
            "head.cfg:7: source.hard: position = 0.96 0.5 0.5 is nearest to a metal wall, where E is zero");
  EXPECT_EQ(of({0.5, 0.5, 0.01}),
            "head.cfg:7: source.hard: position = 0.5 0.5 0.01 is nearest to a metal wall, where E is zero");
  EXPECT_EQ(of({0.5, 1.5, 0.5}),
            "head.cfg:7: source.hard: position = 0.5 1.5 0.5 lies outside the grid, whose y goes from 0 to "
            "0.9999999999999999 m");
}

}  // namespace
}  // namespace dgtd::fdtd
