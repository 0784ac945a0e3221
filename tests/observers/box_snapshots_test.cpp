// Snapshots of boxes: at their steps, with the cells' values, from any number of ranks; phasors of two of them.
#include "dgtd/observers/box_snapshots.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/solver/time_loop.hpp"
#include "fdtd/grid_problem.hpp"
#include "support/error_message.hpp"

namespace dgtd::observers {
namespace {

namespace fs = std::filesystem;
using Quantity = solver::Quantity;
using Complex = std::complex<double>;

constexpr double h = 0.01;
constexpr int steps_per_period = 21;

class BoxSnapshotsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (comm_.is_root()) fs::create_directories(directory_);
    comm_.barrier();
  }
  void TearDown() override {
    comm_.barrier();
    if (comm_.is_root()) fs::remove_all(directory_);
  }

  // A dipole in a box with losses, which a continuous wave fills soon.
  std::unique_ptr<fdtd::FdtdSolver<double>> problem(double& frequency) const {
    fdtd::GridProblem p;
    p.setup.grid = fdtd::uniform_grid(30, 12, 14, h);
    p.setup.grid.spacing[1][5] = 0.8 * h;
    p.setup.materials = {physics::Medium{2, 1, 0.05, 0, {}}};
    frequency = 1 / (steps_per_period * p.time_step());
    physics::Source dipole;
    dipole.name = "dipole";
    dipole.position = {0.07, 0.05, 0.06};
    dipole.direction = {0, 0.6, 0.8};
    dipole.waveform = {physics::Waveform::Type::ramped_sine, frequency, 3};
    p.sources = {dipole};
    return p.make<double>(comm_);
  }

  static physics::Snapshot snapshot(std::vector<double> times, bool phasor) {
    physics::Snapshot s;
    s.name = "s";
    s.times = std::move(times);
    s.centre = {0.17, 0.06, 0.07};
    s.size = Vec3{0.1, 0.04, 0.06};
    s.fields = {"E", "H"};
    s.files = {"vtk", "npy"};
    s.phasor = phasor;
    s.origin = "case.cfg:3";
    return s;
  }

  static MakeBoxCells cells_of(const grid::GridSolver& solver) {
    return [&solver](const physics::Snapshot& s) { return std::make_unique<GridBoxCells>(s, solver); };
  }
  void run(solver::Solver& solver, const physics::Snapshot& s, double frequency, std::int64_t steps) {
    std::vector<std::unique_ptr<solver::Observer>> list;
    list.push_back(std::make_unique<BoxSnapshots>(std::vector{s}, frequency, solver.time_step(),
                                                  cells_of(dynamic_cast<grid::GridSolver&>(solver)), files_,
                                                  io::FilePrecision::single_precision, comm_));
    Timers timers;
    solver::time_loop(solver, steps, list, timers);
    comm_.barrier();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  // Largest difference of a file's values to those of this rank's cells, over the largest value.
  double difference(const std::string& file, const grid::GridSolver& solver,
                    const std::function<Complex(std::size_t)>& expected) const {
    const auto array = read_numpy<Complex>(directory_ / file);
    EXPECT_EQ(array.shape, (std::vector<std::size_t>{3, 10, 4, 6}));
    const grid::Block& block = solver.block();
    double largest = 0, worst = 0;
    for (int k = 0; k < block.cells[2]; ++k)
      for (int j = 0; j < block.cells[1]; ++j)
        for (int i = 0; i < block.cells[0]; ++i) {
          const std::int64_t at[3] = {block.first[0] + i - 12, block.first[1] + j - 4, block.first[2] + k - 4};
          if (at[0] < 0 || at[0] >= 10 || at[1] < 0 || at[1] >= 4 || at[2] < 0 || at[2] >= 6) continue;
          for (int c = 0; c < 3; ++c) {
            const std::size_t cell = (std::size_t(k) * block.cells[1] + j) * block.cells[0] + i;
            const Complex value = array.values[static_cast<std::size_t>(((c * 10 + at[0]) * 4 + at[1]) * 6 + at[2])];
            worst = std::max(worst, std::abs(value - expected(3 * cell + c)));
            largest = std::max(largest, std::abs(value));
          }
        }
    return comm_.max(worst) / comm_.max(largest);
  }

  const parallel::Communicator comm_{MPI_COMM_WORLD};
  fs::path directory_ =
      fs::temp_directory_path() /
      ("dgtd_box_snapshots_" + std::to_string(comm_.broadcast_value(static_cast<std::uint64_t>(::getpid()))));
  io::ResultFiles files_{directory_, comm_.is_root()};
};

TEST_F(BoxSnapshotsTest, AreThoseOfTheirSteps) {
  double frequency = 0;
  auto solver = problem(frequency);
  const double dt = solver->time_step();
  run(*solver, snapshot({30.4 * dt, 70 * dt}, false), 0, 70);
  std::vector<std::string> kept;
  for (const auto& name : files())
    if (!name.ends_with(".vtr")) kept.push_back(name);
  EXPECT_EQ(kept, (std::vector<std::string>{"snapshot_s_00000030.pvtr", "snapshot_s_00000030_E.npy",
                                            "snapshot_s_00000030_H.npy", "snapshot_s_00000070.pvtr",
                                            "snapshot_s_00000070_E.npy", "snapshot_s_00000070_H.npy"}));
  for (const auto& [field, name] : {std::pair{Quantity::Field::electric, "E"}, {Quantity::Field::magnetic, "H"}}) {
    const auto values = solver->sample_cells({field, Quantity::Part::present, 0});
    const auto value = [&](std::size_t i) { return Complex(values[i]); };
    EXPECT_EQ(difference("snapshot_s_00000070_" + std::string(name) + ".npy", *solver, value), 0);
    EXPECT_GT(difference("snapshot_s_00000030_" + std::string(name) + ".npy", *solver, value), 0.1);
  }
}

// The transform over a whole period has no error of its own, so both differ by rounding and what is left of the rise.
TEST_F(BoxSnapshotsTest, PhasorIsThatOfTheFourierTransform) {
  double frequency = 0;
  auto solver = problem(frequency);
  const double dt = solver->time_step(), period = steps_per_period * dt;
  const std::int64_t begin = 40 * steps_per_period;
  run(*solver, snapshot({static_cast<double>(begin) * dt}, true), frequency, begin + 10);
  solver->start_dft({2 * pi * frequency});
  for (int s = 0; s < steps_per_period; ++s) {
    solver->advance(1);
    solver->accumulate_dft(2 * dt / period);
  }
  for (const auto& [field, name] : {std::pair{Quantity::Field::electric, "E"}, {Quantity::Field::magnetic, "H"}}) {
    const auto real = solver->sample_cells({field, Quantity::Part::real, 0}),
               imaginary = solver->sample_cells({field, Quantity::Part::imaginary, 0});
    const auto value = [&](std::size_t i) { return Complex(real[i], imaginary[i]); };
    const double worst = difference("snapshot_s_00000840_" + std::string(name) + ".npy", *solver, value);
    if (comm_.is_root()) std::printf("phasor of %s from two snapshots: %.1e of the transform's\n", name, worst);
    EXPECT_LT(worst, 1e-5);
  }
}

TEST_F(BoxSnapshotsTest, BoxesMustHaveCells) {
  double frequency = 0;
  auto solver = problem(frequency);
  physics::Snapshot s = snapshot({1e-9}, false);
  s.size = Vec3{1e-4, 1e-4, 1e-4};
  EXPECT_EQ(dgtd::message([&] {
              BoxSnapshots({s}, 0, solver->time_step(), cells_of(*solver), files_, io::FilePrecision::single_precision,
                           comm_);
            }),
            "case.cfg:3: snapshot.s: no cell of the grid is in its box");
}

}  // namespace
}  // namespace dgtd::observers
