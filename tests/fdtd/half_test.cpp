// Fields in half precision: their unit, their error, and what must not show in them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

/// E and then H of the owned components, V/m.
template <class Stored>
std::vector<double> fields_of(const FdtdSolver<Stored>& solver) {
  const auto& l = solver.discretisation().layout;
  std::vector<double> values;
  for (auto* const field : {&solver.engine().electric(), &solver.engine().magnetic()}) {
    const Stored* const at = field->host();
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < l.cells[2]; ++k)
        for (int j = 0; j < l.cells[1]; ++j)
          for (int i = 0; i < l.cells[0]; ++i)
            values.push_back(solver.engine().unit() * double(at[c * l.reals + l.index(i, j, k)]));
  }
  return values;
}

double norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

GridProblem closed_box() {
  GridProblem problem;
  problem.setup.grid = uniform_grid(37, 21, 19, 0.01);
  problem.setup.materials = {physics::Medium{}, physics::Medium{4, 2, 0, 0, {}}};
  problem.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.15, 0.1, 0.1}, .radius = 0.06, .material = 1}};
  return problem;
}

// A stored number u is rounded to a multiple of 2^e 2^-10 with 2^e <= |u| < 2^(e+1): the error is up to 2^-11 |u|, and
// as a number of no pattern it has a standard deviation of at most 2^-10 |u| / sqrt(12) and at least half of that. The
// scheme keeps the energy of an error; errors of N steps are independent, so their norms add up like sqrt(N).
TEST(HalfPrecision, ErrorIsARandomWalk) {
  const parallel::Communicator comm;
  const GridProblem problem = closed_box();
  auto half = problem.make<Half>(comm);
  auto single = problem.make<float>(comm);
  half->randomise_fields();
  single->randomise_fields();
  int done = 0;
  for (const int steps : {50, 200, 800}) {
    half->advance(steps - done);
    single->advance(steps - done);
    done = steps;
    std::vector<double> difference = fields_of(*half), exact = fields_of(*single);
    for (std::size_t n = 0; n < exact.size(); ++n) difference[n] -= exact[n];
    const double error = norm(difference) / norm(exact), largest = std::exp2(-10) / std::sqrt(12) * std::sqrt(steps);
    EXPECT_LT(error, 1.1 * largest) << steps;
    EXPECT_GT(error, 0.4 * largest) << steps;
  }
}

// A pulse whose size a factor of 2^60 away from another's leaves the same digits.
TEST(HalfPrecision, UnitFollowsTheSources) {
  const parallel::Communicator comm;
  std::vector<double> fields[3];
  const double factors[3] = {1, std::exp2(30), std::exp2(-60)};
  for (int i = 0; i < 3; ++i) {
    GridProblem problem = poles_removed(scattering_problem());
    for (physics::Source& source : problem.sources) source.amplitude *= factors[i], source.moment *= factors[i];
    auto solver = problem.make<Half>(comm);
    solver->advance(300);
    fields[i] = fields_of(*solver);
    const double largest = solver->engine().largest();
    EXPECT_GE(largest, 0.25) << "factor " << factors[i];
    EXPECT_LE(largest, 512) << "factor " << factors[i];
  }
  EXPECT_GT(norm(fields[0]), 0);
  for (int i = 1; i < 3; ++i)
    for (std::size_t n = 0; n < fields[0].size(); ++n)
      ASSERT_EQ(fields[i][n], factors[i] * fields[0][n]) << "factor " << factors[i];
}

// Fields that fade keep their digits. In a medium with sigma / eps = sigma_m / mu all fall by e in eps / sigma, also
// the static ones that rounding leaves; here in 116 steps.
TEST(HalfPrecision, UnitFollowsFadingFields) {
  const parallel::Communicator comm;
  GridProblem problem = closed_box();
  problem.bodies.clear();
  problem.setup.materials = {physics::Medium{1, 1, 0.004, 0.004 * vacuum_impedance * vacuum_impedance, {}}};
  auto half = problem.make<Half>(comm);
  auto single = problem.make<float>(comm);
  half->randomise_fields();
  single->randomise_fields();
  const double unit = half->engine().unit(), before = norm(fields_of(*single));
  half->advance(2000);
  single->advance(2000);
  std::vector<double> difference = fields_of(*half), exact = fields_of(*single);
  for (std::size_t n = 0; n < exact.size(); ++n) difference[n] -= exact[n];
  EXPECT_LT(norm(exact), 1e-6 * before);
  EXPECT_LT(half->engine().unit(), 1e-5 * unit);
  EXPECT_LT(norm(difference) / norm(exact), 1.1 * std::exp2(-10) / std::sqrt(12) * std::sqrt(2000));
}

// Another unit changes no digit of fields and of layers' sums but the smallest. From those on both runs are random
// walks.
TEST(HalfPrecision, UnitsDoNotShow) {
  const parallel::Communicator comm;
  const GridProblem problem = poles_removed(scattering_problem());
  auto one = problem.make<Half>(comm), other = problem.make<Half>(comm);
  one->advance(430);  // the peak of the pulse
  other->advance(430);
  other->engine().set_unit(0.25 * other->engine().unit());
  one->advance(60);
  other->advance(60);
  std::vector<double> difference = fields_of(*one), fields = fields_of(*other);
  for (std::size_t n = 0; n < fields.size(); ++n) difference[n] -= fields[n];
  EXPECT_GT(norm(fields), 0);
  EXPECT_LT(norm(difference) / norm(fields), std::sqrt(2) * std::exp2(-10) / std::sqrt(12) * std::sqrt(60));
}

// Steps one by one, or several in a pass over memory, with the energy measured in between or not.
TEST(HalfPrecision, SchedulesAreEqual) {
  const parallel::Communicator comm;
  GridProblem problem = poles_removed(scattering_problem());
  problem.fluxes.clear();
  auto alone = problem.make<Half>(comm);
  for (int s = 0; s < 261; ++s) {
    alone->advance(1);
    if (s % 50 == 7) { EXPECT_TRUE(std::isfinite(alone->energy())); }
  }
  problem.caches = CacheSizes{5e5, 0};
  auto together = problem.make<Half>(comm);
  for (const int steps : {130, 1, 19, 111}) together->advance(steps);
  EXPECT_EQ(together->fields_hash(), alone->fields_hash());
  EXPECT_EQ(together->engine().unit(), alone->engine().unit());
}

// Energy, work, probes, cells and spectra are in physical units; against single precision.
TEST(HalfPrecision, ResultsAreInPhysicalUnits) {
  const parallel::Communicator comm;
  GridProblem problem = poles_removed(scattering_problem());
  problem.sources[1].moment = 1e-12;
  auto half = problem.make<Half>(comm);
  auto single = problem.make<float>(comm);
  const auto run = [&](auto& solver) {
    solver.start_dft({2 * pi * 6e14});
    solver.add_probe("p", {0.01e-6, 0.011e-6, 0.012e-6}, "test");
    for (int s = 0; s < 20; ++s) {
      problem.advance(solver, 10);
      solver.accumulate_dft(1e-17);
    }
    solver.refresh_probes();
  };
  run(*half);
  run(*single);
  EXPECT_NE(half->engine().unit(), 1);
  EXPECT_NEAR(half->energy() / single->energy(), 1, 0.01);
  EXPECT_NEAR(half->source_work() / single->source_work(), 1, 0.01);
  EXPECT_NEAR(solver::flux(*half, 0, comm)[0] / solver::flux(*single, 0, comm)[0], 1, 0.02);
  const Vec3 h = half->probe("p").electric, s = single->probe("p").electric;
  EXPECT_NEAR(norm({h.x - s.x, h.y - s.y, h.z - s.z}) / norm({s.x, s.y, s.z}), 0, 0.02);
  using Quantity = solver::Quantity;
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic})
    for (const auto part : {Quantity::Part::present, Quantity::Part::real, Quantity::Part::imaginary}) {
      const auto a = half->sample_cells({field, part, 0}), b = single->sample_cells({field, part, 0});
      double difference = 0, size = 0;
      for (std::size_t n = 0; n < a.size(); ++n)
        difference += (a[n] - b[n]) * double(a[n] - b[n]), size += b[n] * double(b[n]);
      EXPECT_LT(std::sqrt(difference / size), 0.02);
      EXPECT_GT(size, 0);
    }
}

// The state in a checkpoint, loaded by another solver of the same problem.
TEST(HalfPrecision, ContinuesExactly) {
  const parallel::Communicator comm;
  for (GridProblem problem : {poles_removed(scattering_problem()), mur_problem(), bloch_problem()}) {
    auto whole = problem.make<Half>(comm), rest = problem.make<Half>(comm);
    whole->advance(150);
    const solver::State state = whole->save();
    rest->load(state);
    auto from = whole->persistent_arrays(), to = rest->persistent_arrays();
    ASSERT_EQ(from.size(), to.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto* const source = static_cast<const char*>(from[i].read());
      auto* const target = static_cast<char*>(to[i].write());
      for (const auto& run : from[i].items->runs)
        for (const std::uint64_t offset : from[i].offsets)
          std::memcpy(target + (run.place + offset) * from[i].value_bytes,
                      source + (run.place + offset) * from[i].value_bytes,
                      static_cast<std::size_t>(run.count) * from[i].value_bytes);
      from[i].release();
      to[i].release();
    }
    rest->finish_loading();
    EXPECT_EQ(rest->fields_hash(), whole->fields_hash());
    whole->advance(150);
    rest->advance(150);
    EXPECT_EQ(rest->fields_hash(), whole->fields_hash());
    EXPECT_EQ(rest->source_work(), whole->source_work());
  }
}

TEST(HalfPrecision, FieldsBeyondItsRangeAreNamed) {
  const parallel::Communicator comm;
  GridProblem problem = closed_box();
  problem.cfl_fraction = 1.3;
  for (const bool by_energy : {false, true}) {
    auto solver = problem.make<Half>(comm);
    solver->randomise_fields();
    const std::string named = message(
        [&] {
          solver->advance(100);
          if (by_energy) (void)solver->energy();
          else (void)solver->fields_hash();
        },
        ExitCode::unstable);
    EXPECT_EQ(named,
              "solver.precision = half: between steps 0 and 100 fields became larger than half precision holds, 65504 "
              "times 0.0625 V/m; they are unstable, or grow too fast: lower solver.cfl_fraction, or use precision = "
              "single");
  }
  auto solver = problem.make<Half>(comm);
  solver->randomise_fields();
  EXPECT_THROW(solver->advance(200), Error);
}

TEST(FieldUnit, IsAPowerOfTwoThatFieldsAndSourcesFit) {
  EXPECT_EQ(FieldUnit::of(0), 1);
  EXPECT_EQ(FieldUnit::of(8), 1);
  EXPECT_EQ(FieldUnit::of(8.1), 2);
  EXPECT_EQ(FieldUnit::of(3e-5), std::exp2(-18));
  physics::WaveformShape pulse = physics::shape_of({physics::Waveform::Type::modulated_gaussian, 1e9, 2, 1e9});
  const FieldUnit unit({{pulse, 100, 1e-9}});
  EXPECT_EQ(unit.next(1, 0, 0), 64);          // 100 is at most twice the unit
  EXPECT_EQ(unit.next(64, 1, 0), 64);         // in range
  EXPECT_EQ(unit.next(64, 256, 0), 64);       // in range
  EXPECT_EQ(unit.next(64, 257, 0), 64 * 64);  // 8 or less
  EXPECT_EQ(unit.next(64, 0.1, 0), 64);       // the pulse is yet to come
  const double late = 1e-9 + 40 * pulse.spread;
  EXPECT_EQ(unit.next(64, 0.1, late), 1);          // 6.4 V/m
  EXPECT_EQ(FieldUnit({}).next(64, 0, late), 64);  // nothing is known
}

}  // namespace
}  // namespace dgtd::fdtd
