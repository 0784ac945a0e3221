#include "checkpoint_target.hpp"

#include <mpi.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "app/run/checkpoints.hpp"
#include "app/run/make_observers.hpp"
#include "app/problems/methods.hpp"
#include "dgtd/base/error.hpp"
#include "io/checkpoint_seal.hpp"

namespace dgtd::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* small_case = R"([mesh]
generator = box
cells = 1 1 1
size = 0.1 0.1 0.1
[material.body]
eps_r = 2
sigma = 0.05
density = 1000
[boundary.*]
type = silver-muller
[source.d]
type = dipole
position = 0.06 0.05 0.04
direction = 0 0 1
waveform = ramped-sine
[probe.p]
position = 0.05 0.05 0.05
every = 1
[solver]
backend = cpu
order = 1
[time]
frequency = 1e9
periods = 6
[dft]
frequencies = 1e9
window = all
[output]
fields = none
energy_interval = 5
directory = out
)";

void start_mpi() {
  int started = 0;
  MPI_Initialized(&started);
  if (!started) MPI_Init(nullptr, nullptr);
}

config::Case read_small_case(const fs::path& folder) {
  const fs::path file = folder / "case.cfg";
  std::ofstream(file) << small_case;
  const auto c = config::read_case(file, {"output.directory=" + folder.string()}, app::methods());
  fs::remove(file);
  return c;
}

/// A run at its first step.
struct SmallRun {
  explicit SmallRun(const fs::path& folder)
      : c(read_small_case(folder)),
        comm(MPI_COMM_SELF),
        backend(app::choose_backend(c, comm)),
        files(folder),
        problem(app::make_problem({c, backend, comm, files, 0, timers, 0})),
        observers(app::make_observers(c, problem, files, comm, timers)) {}

  config::Case c;
  parallel::Communicator comm;
  Timers timers;
  app::Backend backend;
  io::ResultFiles files;
  app::Problem problem;
  solver::Observers observers;
};

void restore(SmallRun& run, const fs::path& file) {
  const auto from = app::Continuation::find(run.c, file, run.comm);
  from->restore(run.problem, run.observers, run.comm);
}

// The seal as the file has it: its size, the number of arrays, and where they are (checkpoint_seal.cpp).
void renew_seal(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  constexpr std::size_t place_of_count = 24, place_of_arrays = 40, most = 200;
  std::uint64_t count = 0;
  if (bytes.size() < place_of_arrays) throw Error("too short for a seal");
  std::memcpy(&count, bytes.data() + place_of_count, sizeof count);
  if (count > most || bytes.size() < place_of_arrays + count * sizeof(io::Extent)) throw Error("too many arrays");
  std::vector<io::Extent> arrays(count);
  if (count > 0) std::memcpy(arrays.data(), bytes.data() + place_of_arrays, count * sizeof(io::Extent));
  io::write_seal(file, arrays);
}

}  // namespace

void write_checkpoints(const fs::path& folder) {
  start_mpi();
  fs::create_directories(folder);
  SmallRun run(folder);
  run.problem.set_initial_fields();
  app::Checkpoints checkpoints(run.c, run.problem, run.observers, run.timers, 0, run.comm);
  for (const std::int64_t step : {7, 31}) {
    solver::time_loop(*run.problem.solver, step, run.observers, run.timers);
    checkpoints.write();
  }
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() != ".h5") fs::remove(entry.path());
}

void read_checkpoint(const fs::path& file) {
  start_mpi();
  static std::optional<SmallRun> run;
  if (!run) run.emplace(file.parent_path());
  try {
    restore(*run, file);
  } catch (const Error&) {
    renew_seal(file);
    restore(*run, file);
  }
}

}  // namespace dgtd::fuzz
