#include "app/run/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/base/timer.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::app {

namespace {

namespace fs = std::filesystem;

// Names of values in the file.
constexpr const char* program = "program";
constexpr const char* resolved_case = "case";
constexpr const char* identity = "identity of the mesh or grid";
constexpr const char* step_name = "step";
constexpr const char* time_name = "t_s";
constexpr const char* time_step_name = "dt_s";
constexpr const char* elements_name = "elements";
constexpr const char* loop_name = "loop_s";
constexpr const char* solver_name = "solver";
constexpr const char* held_names[] = {"alike", "partial", "by owner", "gathered"};  // of State::Held

constexpr std::string_view prefix = "checkpoint-", suffix = ".h5";

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

/// The checkpoints of a directory, the newest first.
struct Found {
  std::int64_t step;
  fs::path file;
};
std::vector<Found> checkpoints_in(const fs::path& directory) {
  std::vector<Found> found;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(directory, failure)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) continue;
    std::int64_t step = 0;
    const char* const end = name.data() + name.size() - suffix.size();
    const auto read = std::from_chars(name.data() + prefix.size(), end, step);
    if (read.ec == std::errc() && read.ptr == end) found.push_back({step, entry.path()});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.step > b.step; });
  return found;
}

// checkpoint-...ENDING
void remove_files(const fs::path& directory, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(directory, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(ending)) files.push_back(entry.path());
  }
  for (const auto& file : files) fs::remove(file, failure);
}

void put_state(io::CheckpointValues& values, const std::string& owner, const solver::State& state) {
  for (const auto& [name, entry] : state.entries())
    values.numbers[fmt::format("{}/{}/{}", owner, held_names[static_cast<int>(entry.held)], name)] = entry.values;
}

/// Empty where the file has none of that owner.
solver::State state_of(const io::CheckpointValues& values, const std::string& owner) {
  solver::State state;
  for (int held = 0; held < 4; ++held) {
    const std::string begin = fmt::format("{}/{}/", owner, held_names[held]);
    for (auto it = values.numbers.lower_bound(begin); it != values.numbers.end() && it->first.starts_with(begin); ++it)
      state.set_numbers(it->first.substr(begin.size()), it->second, static_cast<solver::State::Held>(held));
  }
  return state;
}

double number(const io::CheckpointValues& values, const char* name) {
  const auto found = values.numbers.find(name);
  if (found == values.numbers.end() || found->second.size() != 1)
    throw Error(fmt::format("the checkpoint has no number '{}'", name));
  return found->second.front();
}

std::string text(const io::CheckpointValues& values, const char* name) {
  const auto found = values.texts.find(name);
  if (found == values.texts.end()) throw Error(fmt::format("the checkpoint has no text '{}'", name));
  return found->second;
}

void check_case(const io::CheckpointFile& file, const config::Case& c) {
  const auto changes = config::forbidden_changes(text(file.values(), resolved_case), config::resolved_text(c));
  if (changes.empty()) return;
  const auto quoted = [](const std::string& value) { return value.empty() ? "not given" : "'" + value + "'"; };
  const config::KeyChange& first = changes.front();
  throw Error(fmt::format("{} is {}, and in {} it was {}: a continued run cannot change it{}", first.name,
                          quoted(first.now), file.path().string(), quoted(first.before),
                          changes.size() > 1 ? fmt::format(" (nor {} other keys)", changes.size() - 1) : ""));
}

}  // namespace

io::CheckpointValues Checkpoints::values() const {
  const solver::Clock clock = problem_.solver->clock();
  io::CheckpointValues values;
  values.texts[program] = "dgtd " DGTD_VERSION;
  values.texts[resolved_case] = config::resolved_text(c_);
  values.texts[identity] = hex(problem_.identity);
  values.numbers[step_name] = {double(clock.steps)};
  values.numbers[time_name] = {clock.electric_time()};
  values.numbers[time_step_name] = {clock.time_step};
  values.numbers[elements_name] = {double(problem_.elements)};
  values.numbers[loop_name] = {seconds_before_ + timers_.seconds("loop/step") + timers_.seconds("loop/observers") +
                               timers_.seconds("loop/watch")};
  put_state(values, solver_name, solver::gather(problem_.solver->restart()->save(), comm_));
  for (const auto& observer : observers_)
    if (!observer->state_name().empty())
      put_state(values, observer->state_name(), solver::gather(observer->save(), comm_));
  return values;
}

bool Checkpoints::write() {
  const Timer timer;
  const std::int64_t step = problem_.solver->steps_done();
  const fs::path file = c_.output.directory / fmt::format("{}{}{}", prefix, step, suffix);
  try {
    const double bytes = io::write_checkpoint(file, values(), problem_.solver->restart()->persistent_arrays(), comm_);
    seconds_ = comm_.max(timer.seconds());
    log::info("checkpoint {} of step {}: {} in {:.3g} s, {:.3g} GB/s", file.string(), step, units::size_text(bytes),
              seconds_, bytes / 1e9 / seconds_);
  } catch (const Error& error) {
    log::warn("no checkpoint of step {}: {}; older ones remain", step, error.what());
    return false;
  }
  if (comm_.is_root()) {
    const auto found = checkpoints_in(file.parent_path());
    std::error_code ignored;
    for (std::size_t i = static_cast<std::size_t>(c_.checkpoint.keep); i < found.size(); ++i)
      fs::remove(found[i].file, ignored);
  }
  return true;
}

std::string Checkpoints::last_good(std::int64_t step) const {
  std::string line;
  if (comm_.is_root()) {
    const auto found = checkpoints_in(c_.output.directory);
    const auto good = std::find_if(found.begin(), found.end(), [&](const Found& f) { return f.step <= step; });
    if (good != found.end())
      line = fmt::format("the last good checkpoint is {} of step {}, t = {}", good->file.string(), good->step,
                         units::time_text(double(good->step) * problem_.solver->time_step(), 6));
    else
      line = found.empty() ? "there is no checkpoint"
                           : fmt::format("no checkpoint is good: the oldest is of step {}, the last good energy of {}",
                                         found.back().step, step);
  }
  return comm_.broadcast(line);
}

double Checkpoints::bytes() const {
  double bytes = 0;
  for (const auto& array : problem_.solver->restart()->persistent_arrays()) {
    double items = 0;
    for (const auto& run : array.items->runs) items += double(run.count);
    bytes += items * double(array.offsets.size() * array.value_bytes);
  }
  return comm_.sum(bytes);
}

std::optional<Continuation> Continuation::find(const config::Case& c, const fs::path& file,
                                               const parallel::Communicator& comm) {
  std::vector<fs::path> candidates{file};
  if (file.empty()) {
    std::string names;  // one per line
    if (comm.is_root())
      for (const auto& found : checkpoints_in(c.output.directory)) names += found.file.string() + "\n";
    std::istringstream lines(comm.broadcast(names));
    candidates.clear();
    for (std::string line; std::getline(lines, line);) candidates.emplace_back(line);
    if (candidates.empty()) {
      log::warn("{} has no checkpoint: the run starts at the beginning", c.output.directory.string());
      return std::nullopt;
    }
  }
  for (const auto& candidate : candidates) {
    try {
      Continuation from{io::CheckpointFile(candidate, comm)};
      check_case(from.file_, c);
      log::info("continuing from {}: step {}, t = {}, written by {}", candidate.string(), from.step(),
                units::time_text(number(from.file_.values(), time_name), 6), text(from.file_.values(), program));
      return from;
    } catch (const io::DamagedFile& error) {
      if (candidate == candidates.back())
        throw Error(fmt::format("{}{}", error.what(), file.empty() ? "; there is no whole checkpoint" : ""));
      log::warn("{}; an older checkpoint is taken", error.what());
    }
  }
  return std::nullopt;
}

std::int64_t Continuation::step() const { return static_cast<std::int64_t>(number(file_.values(), step_name)); }
double Continuation::time_step() const { return number(file_.values(), time_step_name); }
double Continuation::seconds() const { return number(file_.values(), loop_name); }

void Continuation::restore(Problem& problem, const solver::Observers& observers,
                           const parallel::Communicator& comm) const {
  const io::CheckpointValues& values = file_.values();
  if (text(values, identity) != hex(problem.identity) || number(values, elements_name) != double(problem.elements))
    throw Error(
        fmt::format("{} is that of another mesh or grid: {:.0f} elements, and here are {}; a continued run "
                    "cannot change it",
                    file_.path().string(), number(values, elements_name), problem.elements));
  if (step() > problem.plan.steps)
    throw Error(fmt::format("{} is of step {}, and the run ends at step {}", file_.path().string(), step(),
                            problem.plan.steps));
  try {
    solver::Restart& solver = *problem.solver->restart();
    solver.load(solver::part_of(state_of(values, solver_name), comm));
    file_.read(solver.persistent_arrays());
    solver.finish_loading();
    for (const auto& observer : observers) {
      if (observer->state_name().empty()) continue;
      const solver::State state = state_of(values, observer->state_name());
      observer->load(state.entries().empty() ? state : solver::part_of(state, comm), step());
    }
  } catch (const std::out_of_range&) {  // a list that is too short; all ranks have the same ones
    throw Error(fmt::format("{}: its values are not those of this run", file_.path().string()));
  }
  problem.summary.keys["continued_at_step"] = double(step());
}

void Continuation::bring_tables(const io::ResultFiles& files, const parallel::Communicator& comm) const {
  parallel::root_or_throw(comm, [&] {
    const fs::path from = file_.path().has_parent_path() ? file_.path().parent_path() : fs::path(".");
    std::error_code failure;
    if (fs::equivalent(from, files.directory(), failure)) return;
    for (const std::string& name : files.growing_tables()) {
      const fs::path table = from / name;
      if (!fs::exists(table, failure)) continue;
      fs::copy_file(table, files.directory() / name, fs::copy_options::overwrite_existing, failure);
      if (failure)
        throw Error(ExitCode::other, fmt::format("{}: cannot be copied to {}: {}", table.string(),
                                                 files.directory().string(), os_reason(failure.value())));
    }
  });
}

void set_aside_checkpoints(const fs::path& directory, std::int64_t beyond, const parallel::Communicator& comm) {
  if (comm.is_root()) {
    remove_files(directory, ".h5.tmp");  // of a run that was killed while it wrote
    auto others = checkpoints_in(directory);
    std::erase_if(others, [&](const Found& found) { return found.step <= beyond; });
    if (!others.empty()) remove_files(directory, ".h5.old");
    for (const auto& found : others) {
      fs::path old = found.file;
      old += ".old";
      std::error_code failure;
      fs::rename(found.file, old, failure);
      if (!failure) log::info("{}, of another run, is now {}", found.file.string(), old.filename().string());
    }
  }
  comm.barrier();
}

}  // namespace dgtd::app
