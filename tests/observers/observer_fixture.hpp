#pragma once
// Runs one observer with a solver that has no fields, whole or saved half way and loaded into a new one.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>

#include "dgtd/io/results.hpp"
#include "dgtd/solver/time_loop.hpp"
#include "solver/fake_solver.hpp"

namespace dgtd::observers {

namespace fs = std::filesystem;
using Steps = std::vector<std::int64_t>;

struct FakeSolver {
  solver::FakeStepper stepper;
  solver::FakeFigures figures{stepper};
  solver::FakePoints points{stepper};
};

inline std::string text(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class ObserverTest : public testing::Test {
 protected:
  fs::path directory(const std::string& name) const {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path at =
        fs::temp_directory_path() / ("dgtd_observers_" + std::to_string(getpid())) / test->name() / name;
    fs::remove_all(at);
    fs::create_directories(at);
    return at;
  }
  void TearDown() override {
    fs::remove_all(fs::temp_directory_path() / ("dgtd_observers_" + std::to_string(getpid())));
  }

  using Make = std::function<std::unique_ptr<solver::Observer>(FakeSolver&, io::ResultFiles&)>;
  io::Results run(const Make& make, const fs::path& directory, std::int64_t steps) {
    FakeSolver fake;
    io::ResultFiles& files = files_.emplace_back(directory);
    std::vector<std::unique_ptr<solver::Observer>> list;
    list.push_back(make(fake, files));
    Timers timers;
    solver::time_loop(fake.stepper, steps, list, timers);
    return finish(*list[0], files);
  }
  /// The second half by a new observer.
  io::Results run_in_two_parts(const Make& make, const fs::path& directory, std::int64_t half, std::int64_t steps) {
    FakeSolver fake;
    io::ResultFiles& files = files_.emplace_back(directory);
    Timers timers;
    solver::State state;
    {
      std::vector<std::unique_ptr<solver::Observer>> list;
      list.push_back(make(fake, files));
      solver::time_loop(fake.stepper, half, list, timers);
      state = list[0]->save();
    }
    std::vector<std::unique_ptr<solver::Observer>> list;
    list.push_back(make(fake, files));
    list[0]->load(state, fake.stepper.steps_done());
    solver::time_loop(fake.stepper, steps, list, timers, solver::Start::continued);
    return finish(*list[0], files);
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};

 private:
  std::deque<io::ResultFiles> files_;

  io::Results finish(solver::Observer& observer, io::ResultFiles& files) const {
    io::Results results{files, comm_};
    observer.finish(results);
    observer.finish_fields(results);
    return results;
  }
};

}  // namespace dgtd::observers
