// Several steps in one pass over memory on a CPU: the order of the updates, and the same bits as step after step.
#include <gtest/gtest.h>
#include <omp.h>

#include <random>

#include "fdtd/problems.hpp"
#include "fdtd/steps/sweeps/skewed_sweep.hpp"
#include "fdtd/steps/sweeps/sweep_size.hpp"

namespace dgtd::fdtd {
namespace {

/// How many times each row of H and E was updated. Each update checks that what it reads is of the right time.
class Times {
 public:
  explicit Times(const SkewedSweep& sweep) : sweep_(sweep), electric_(places(), 0), magnetic_(places(), 0), wrong_(0) {}
  void update(const PlaneRows& at) {
    for (int j = at.rows.first; j < at.rows.end; ++j)
      if (at.half == HalfStep::magnetic) {
        for (const auto& [dj, dk] : {std::pair{0, 0}, {1, 0}, {0, 1}})
          expect(electric_, at.plane + dk, j + dj, at.stage);
        expect(magnetic_, at.plane, j, at.stage);
        ++magnetic_[place(at.plane, j)];
      } else {
        for (const auto& [dj, dk] : {std::pair{0, 0}, {-1, 0}, {0, -1}})
          expect(magnetic_, at.plane + dk, j + dj, at.stage + 1);
        expect(electric_, at.plane, j, at.stage);
        ++electric_[place(at.plane, j)];
      }
  }
  /// Without planes beyond the block.
  void expect_all(int steps) const {
    EXPECT_EQ(wrong_, 0);
    for (int k = 0; k < sweep_.planes; ++k)
      for (int j = 0; j < sweep_.rows; ++j) {
        EXPECT_EQ(magnetic_[place(k, j)], steps) << "H of plane " << k << ", row " << j;
        EXPECT_EQ(electric_[place(k, j)], steps) << "E of plane " << k << ", row " << j;
      }
  }

 private:
  std::size_t places() const { return static_cast<std::size_t>(sweep_.planes) * sweep_.rows; }
  std::size_t place(int k, int j) const { return static_cast<std::size_t>(k) * sweep_.rows + j; }
  // Beyond the block there is a wall, or another rank, whose values edges read.
  void expect(const std::vector<int>& times, int k, int j, int stage) {
    if (j < 0 || j >= sweep_.rows || k < 0 || k >= sweep_.planes) return;
    if (times[place(k, j)] != stage) ++wrong_;
  }
  const SkewedSweep& sweep_;
  std::vector<int> electric_, magnetic_;
  int wrong_;
};

void check(const SkewedSweep& sweep, bool downwards) {
  SCOPED_TRACE(testing::Message() << sweep.planes << " planes, " << sweep.rows << " rows, " << sweep.steps << " steps, "
                                  << sweep.chunks << " chunks, " << sweep.rows_together << " rows together, open "
                                  << sweep.open_below << sweep.open_above);
  Times times(sweep);
  const auto update = [&](const PlaneRows& at) { times.update(at); };
  // Chunks are independent of each other, seams are.
  for (int n = 0; n < sweep.chunks; ++n) sweep.chunk(downwards ? sweep.chunks - 1 - n : n, update);
  for (int n = 0; n < sweep.chunks - 1; ++n) sweep.seam(downwards ? sweep.chunks - 2 - n : n, update);
  for (int stage = 0; stage < sweep.steps; ++stage)
    for (const HalfStep half : {HalfStep::magnetic, HalfStep::electric})
      for (const Range planes : {sweep.edge_below(half, stage), sweep.edge_above(stage)})
        for (int k = planes.first; k < planes.end; ++k) times.update({half, stage, k, {0, sweep.rows}});
  times.expect_all(sweep.steps);
}

TEST(SkewedSweep, ReadsFieldsOfTheRightTimes) {
  for (const int steps : {1, 2, 3, 5})
    for (const int chunks : {1, 2, 3})
      for (const int more : {0, 1, 7})
        for (const int together : {1, 4, 100})
          for (const int open : {0, 1, 2, 3})
            check({2 * steps * chunks + more, 9, steps, chunks, together, (open & 1) != 0, (open & 2) != 0}, open == 1);
}

/// A random grid between walls and absorbing layers, with bodies of several materials and sources of all kinds.
GridProblem random_problem(unsigned seed) {
  std::mt19937 random(seed);
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  GridProblem p;
  const double h = 4e-9;
  const int n[3] = {whole(9, 70), whole(9, 40), whole(24, 44)};
  p.setup.grid = uniform_grid(n[0], n[1], n[2], h);
  for (int axis = 0; axis < 3; ++axis) p.setup.grid.spacing[axis][n[axis] / 2] = real(0.7, 1) * h;
  for (auto& side : p.setup.sides) {
    constexpr physics::BoundaryKind kinds[] = {physics::BoundaryKind::cpml, physics::BoundaryKind::pec,
                                               physics::BoundaryKind::pmc};
    side = kinds[whole(0, 2)];
  }
  p.setup.layer_cells = whole(2, 3);
  p.setup.materials = {physics::Medium{}, physics::Medium{1, 1, 0, 0, physics::gold_poles()},
                       physics::Medium{4, 2, 1e3, 2e7, {}},
                       physics::Medium{2, 1, 10, 0, {{physics::Pole::Type::debye, 3, 0, 0, 1e-15}}},
                       physics::Medium{1, 1, 0, 0, {}, true}};
  const auto place = [&](double margin) {
    return Vec3{real(margin, n[0] - margin) * h, real(margin, n[1] - margin) * h, real(margin, n[2] - margin) * h};
  };
  for (int i = whole(0, 4); i > 0; --i)
    p.bodies.push_back(
        {.type = grid::Shape::Type::sphere, .centre = place(0), .radius = real(2, 9) * h, .material = whole(1, 4)});
  for (int i = whole(1, 2); i > 0; --i) {
    physics::Source dipole;
    dipole.name = "dipole";
    dipole.position = place(4);
    dipole.direction = {0, 0.6, 0.8};
    dipole.moment = 1e-9;
    dipole.waveform = pulse(6e14);
    p.sources.push_back(dipole);
  }
  if (whole(0, 1) == 1) {
    physics::Source wave = wave_along_z(pulse(6e14));
    wave.box_min = Vec3{3 * h, 3 * h, 4 * h};
    wave.box_max = Vec3{(n[0] - 4) * h, (n[1] - 4) * h, (n[2] - 5) * h};
    p.sources.push_back(wave);
  }
  if (whole(0, 1) == 1) {
    physics::Source hard;
    hard.type = physics::Source::Type::hard;
    hard.name = "hard";
    hard.position = place(4);
    hard.direction = {0, 0, 1};
    hard.waveform = pulse(6e14);
    for (const int material : {4}) std::erase_if(p.bodies, [&](const auto& b) { return b.material == material; });
    p.sources.push_back(hard);
  }
  p.caches = CacheSizes{real(3e5, 1.5e6), 0};
  return p;
}

template <class Real>
void compare_with_single_steps(const GridProblem& problem) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  omp_set_num_threads(1);
  auto single = problem.make<Real>(comm);
  for (int s = 0; s < 37; ++s) single->advance(1);
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    auto sweeps = problem.make<Real>(comm);
    EXPECT_TRUE(sweeps->description_of_steps().starts_with("up to ")) << sweeps->description_of_steps();
    for (const std::int64_t steps : {20, 1, 9, 7}) sweeps->advance(steps);
    EXPECT_EQ(sweeps->fields_hash(), single->fields_hash()) << threads << " threads";
    EXPECT_EQ(sweeps->energy(), single->energy());
    EXPECT_EQ(sweeps->source_work(), single->source_work());
  }
  EXPECT_GT(single->energy(), 0);
  omp_set_num_threads(1);
}

TEST(SkewedSweep, IsStepAfterStep) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    compare_with_single_steps<double>(random_problem(seed));
    compare_with_single_steps<float>(random_problem(seed + 100));
  }
}

TEST(SkewedSweep, SaysWhyStepsAreSingle) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  const auto description = [&](const GridProblem& problem) {
    return problem.make<float>(comm)->description_of_steps();
  };
  EXPECT_EQ(description(walls_problem()), "one time step per pass over memory: the side ymin is of type periodic");
  EXPECT_EQ(description(mur_problem()), "one time step per pass over memory: the side xmin is of type mur");
  GridProblem flat = scattering_problem();
  flat.setup.grid.spacing[2].resize(12);
  flat.setup.layer_cells = 3;
  flat.bodies.clear(), flat.sources.clear(), flat.fluxes.clear();
  omp_set_num_threads(4);
  EXPECT_EQ(description(flat), "one time step per pass over memory: 12 planes are too few for 4 threads");
  omp_set_num_threads(1);
}

}  // namespace
}  // namespace dgtd::fdtd
