#include "app/run/excitation_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "app/problems/mesh_bodies.hpp"
#include "app/run/s_parameter_runs.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/process_time.hpp"
#include "dgtd/io/directory_lock.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/together.hpp"

namespace dgtd::app {

namespace {

namespace fs = std::filesystem;

std::string text_of_result(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Whether the results of that very case are there, complete: files.json is the last file of a run.
bool is_complete(const config::Case& run) {
  const fs::path& directory = run.output.directory;
  std::error_code failure;
  return text_of_result(directory / "resolved.cfg") == config::resolved_text(run) &&
         text_of_result(directory / "summary.json").find("\"interrupted\": null") != std::string::npos &&
         fs::exists(directory / io::ResultFiles::index_name, failure);
}

std::string folder_of(const config::Case& c, const std::string& run) {
  return config::case_of_excitation(c, run).output.directory.filename().string();
}

std::string folders_of(const config::Case& c) {
  std::string text;
  for (const std::string& run : config::runs_of(c)) text += (text.empty() ? "" : ", ") + folder_of(c, run);
  return text;
}

// By source the factor of what it sends.
io::Value value_of(const config::Excitation& e) {
  io::Value factors = io::Value::Object{};
  for (std::size_t i = 0; i < e.sources.size(); ++i) factors[e.sources[i]] = e.amplitudes[i];
  return factors;
}

std::string text_of(const config::Excitation& e) {
  std::string text;
  for (std::size_t i = 0; i < e.sources.size(); ++i)
    text += fmt::format("{}{}{}", i > 0 ? ", " : "", e.amplitudes[i] == 1 ? "" : fmt::format("{} x ", e.amplitudes[i]),
                        e.sources[i]);
  return text;
}

io::Section section_of_excitations(const config::Case& c) {
  io::Table table{{{"Excitation"}, {"Sends", true}, {"Page", true}}, {}};
  for (const config::Excitation& e : c.excitations)
    table.rows.push_back({{e.name, text_of(e), folder_of(c, e.name) + "/report.html"}});
  return {io::Chapter::measurements, "Excitations", {table}, io::text_of(table)};
}

// On root.
void write_overview(const config::Case& c, io::ResultFiles& files, const parallel::Communicator& comm) {
  io::Value summary;
  summary["version"] = DGTD_VERSION;
  summary["case"] = c.name;
  summary["method"] = c.solver.method.name;
  summary["ranks"] = comm.size();
  summary["interrupted"] = io::Value();
  io::Page page{c.name, fmt::format("dgtd {}", DGTD_VERSION), {}, {}, config::resolved_text(c)};
  if (c.s_parameters.given()) {
    MatrixResults matrix = write_matrix(c, files);
    summary["sparameters"] = std::move(matrix.value);
    page.sections.push_back(std::move(matrix.section));
  } else {
    for (const config::Excitation& e : c.excitations) summary["excitations"][e.name] = value_of(e);
    page.sections.push_back(section_of_excitations(c));
  }
  io::Entries runs;
  for (const std::string& run : config::runs_of(c)) {
    summary["runs"][run] = folder_of(c, run);
    runs.list.push_back({run, folder_of(c, run) + "/report.html"});
  }
  const std::string console = page.sections.front().console;
  if (c.s_parameters.given())
    page.sections.push_back(
        {io::Chapter::method, "Pages of the runs, by the port that is excited", {std::move(runs)}});
  summary["wall_s"] = seconds_since_process_start();
  summary["warnings"] = io::Value::list_of(log::warnings());
  page.warnings = log::warnings();
  io::write_text(files.add({"summary.json"}), io::json_text(summary));
  io::write_text(files.add({"report.html"}), io::page_html(page));
  files.write_index();
  log::forget_warnings();
  log::info("{}", console);
  log::info("results in {}:\n{}", files.directory().string(), files.overview());
}

// The case of a run. Meshes of shapes have elements for the highest frequency, and finer ones around dipoles: also for
// and around those that do not send in this run, so that all runs have the same elements. Collective.
config::Case case_of_run(const config::Case& c, const std::string& name, const parallel::Communicator& comm) {
  config::Case run = config::case_of_excitation(c, name);
  if (c.mesh.generator != config::Mesh::Generator::shapes) return run;
  const double frequency = config::frequency_of_interest(c);
  if (!c.mesh.highest_frequency && frequency > config::frequency_of_interest(run))
    run.mesh.highest_frequency = frequency;
  for (config::Refinement& around : refinements_around_dipoles(c, comm)) run.refinements.push_back(std::move(around));
  return run;
}

// Whether the run is complete.
bool simulate_one(const config::Case& c, const std::string& name, const parallel::Communicator& comm,
                  const RunOptions& options, const Timers& timers) {
  const char* const kind = c.s_parameters.given() ? "port" : "excitation";
  const config::Case run = case_of_run(c, name, comm);
  const bool is_there = options.restart && options.steps == 0 && comm.is_root() && is_complete(run);
  if (comm.broadcast_value(is_there)) {
    log::info("\n{} {}: complete in {}", kind, name, run.output.directory.string());
    return true;
  }
  log::info("\n{} {}{}", kind, name, c.s_parameters.given() ? " is excited:" : ":");
  return simulate(run, comm, options, timers);
}

// Warnings of the runs of other parts of the ranks are theirs; only the first part's log is printed.
class WarningsOfParts {
 public:
  explicit WarningsOfParts(const parallel::Communicator& part) { log::set_warns(part.is_root()); }
  ~WarningsOfParts() { log::set_warns(false); }
};

// One after the other, or several at once on parts of the ranks. Whether all are complete.
bool simulate_each(const config::Case& c, const std::vector<std::string>& all, const parallel::Communicator& comm,
                   const RunOptions& options, const Timers& timers) {
  const int parts = std::min({c.solver.runs_at_once, static_cast<int>(all.size()), comm.size()});
  if (parts == 1) {
    if (comm.size() > 1)
      log::info(
          "each run has all {} ranks: solver.runs_at_once = {} computes as many runs at once, each on a part of them",
          comm.size(), std::min(comm.size(), static_cast<int>(all.size())));
    return std::all_of(all.begin(), all.end(),
                       [&](const std::string& name) { return simulate_one(c, name, comm, options, timers); });
  }
  log::info("{} runs at once, on {} of {} ranks each; this log is that of every {}. run", parts, comm.size() / parts,
            comm.size(), parts);
  if (c.mesh.generator == config::Mesh::Generator::shapes) {  // once, not by each part
    Timers of_mesh;
    mesh_of_shapes(case_of_run(c, all.front(), comm), comm, of_mesh);
  }
  auto part = std::make_unique<parallel::CommunicatorPart>(comm, parts);
  const WarningsOfParts warnings(part->comm());
  bool complete = true;
  try {
    for (std::size_t i = 0; i < all.size() && complete; ++i)
      if (static_cast<int>(i) % parts == part->number())
        complete = simulate_one(c, all[i], part->comm(), options, timers);
  } catch (...) {
    (void)part.release();  // freed by all of its ranks together, of which one may have failed alone
    throw;
  }
  return comm.min(std::int64_t{complete}) == 1;
}

}  // namespace

bool simulate_all(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options, Timers timers) {
  const std::vector<std::string> all = config::runs_of(c);
  if (all.empty()) return simulate(c, comm, options, std::move(timers));
  const bool of_ports = c.s_parameters.given();
  if (options.restart && !options.restart->empty())
    throw Error(
        fmt::format("--restart: a case with {} has several runs, each with checkpoints of its own; allowed is "
                    "--restart without a file",
                    of_ports ? "[sparameters]" : "[excitation.NAME]"));
  log::info("{}, in {}", of_ports ? "S-parameters: one run per excited port" : "one run per excitation", folders_of(c));
  if (options.adapt) throw Error("--adapt: this case has several runs, and an estimate is that of one");
  if (options.dry_run || options.preview) return simulate(c, comm, options, std::move(timers));

  parallel::together(comm, [&] { io::make_directory(c.output.directory); });
  std::optional<io::DirectoryLock> lock;
  io::ResultFiles files(c.output.directory, comm.is_root());
  parallel::root_or_throw(comm, [&] {
    lock.emplace(c.output.directory);
    files.start();
    io::write_text(files.add({"resolved.cfg"}), config::resolved_text(c));
  });
  if (!simulate_each(c, all, comm, options, timers)) return false;
  log::info("");
  parallel::root_or_throw(comm, [&] { write_overview(c, files, comm); });
  return true;
}

}  // namespace dgtd::app
