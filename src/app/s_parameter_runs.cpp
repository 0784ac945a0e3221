#include "s_parameter_runs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/process_time.hpp"
#include "dgtd/io/directory_lock.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/observers/s_parameters.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/together.hpp"

namespace dgtd::app {

namespace {

namespace fs = std::filesystem;
using observers::SParameters;

// Empty where there is none.
std::string text_of_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Whether the results of that very case are there, complete: files.json is the last file of a run.
bool is_complete(const config::Case& run) {
  const fs::path& directory = run.output.directory;
  std::error_code failure;
  return text_of_file(directory / "resolved.cfg") == config::resolved_text(run) &&
         text_of_file(directory / "summary.json").find("\"interrupted\": null") != std::string::npos &&
         fs::exists(directory / io::ResultFiles::index_name, failure);
}

// The waves of a table port_NAME.csv, [frequencies] (a, b).
std::vector<std::array<std::complex<double>, 2>> read_waves(const fs::path& file, std::size_t frequencies) {
  constexpr std::size_t columns = 11, first_wave = 7;  // of table_of_port in observers/ports.cpp
  const std::string text = text_of_file(file);
  std::vector<std::array<std::complex<double>, 2>> waves;
  for (std::size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 1)) {
    double row[columns];
    const char *next = text.data() + at + 1, *const end = text.data() + text.size();
    std::size_t read = 0;
    for (; read < columns; ++read) {
      const auto [stop, error] = std::from_chars(next, end, row[read]);
      if (error != std::errc()) break;
      next = stop < end && *stop == ',' ? stop + 1 : stop;
    }
    if (read < columns) break;
    const double* w = row + first_wave;
    waves.push_back({std::complex<double>(w[0], w[1]), std::complex<double>(w[2], w[3])});
  }
  if (waves.size() != frequencies)
    throw Error(ExitCode::other, fmt::format("{}: has {} whole rows of {}", file.string(), waves.size(), frequencies));
  return waves;
}

SParameters read_matrix(const config::Case& c) {
  std::vector<SParameters::Port> ports;
  std::vector<std::size_t> excited;
  for (const config::Port& p : c.ports) {
    if (p.is_excited()) excited.push_back(ports.size());
    ports.push_back({p.name, p.impedance});
  }
  const auto& frequencies = c.s_parameters.frequencies;
  std::vector<std::vector<observers::PortWaves>> waves(frequencies.size(),
                                                       std::vector<observers::PortWaves>(excited.size()));
  for (std::size_t j = 0; j < excited.size(); ++j)
    for (const config::Port& p : c.ports) {
      const fs::path folder = config::case_of_excitation(c, ports[excited[j]].name).output.directory;
      const auto of_port = read_waves(folder / ("port_" + p.name + ".csv"), frequencies.size());
      for (std::size_t f = 0; f < frequencies.size(); ++f) {
        waves[f][j].incoming.push_back(of_port[f][0]);
        waves[f][j].outgoing.push_back(of_port[f][1]);
      }
    }
  return observers::s_parameters(std::move(ports), std::move(excited), frequencies, waves);
}

io::Value value_of(const SParameters& s, const observers::SParameterChecks& checks) {
  io::Value v;
  for (const SParameters::Port& p : s.ports) v["impedance_ohm"][p.name] = p.impedance;
  io::Value::List excited;
  for (std::size_t j = 0; j < s.excited.size(); ++j) {
    excited.emplace_back(s.ports[s.excited[j]].name);
    v["power_sum"][s.ports[s.excited[j]].name] =
        io::Value::Object{{"least", checks.columns[j].least}, {"most", checks.columns[j].most}};
  }
  v["excited"] = std::move(excited);
  v["frequencies"] = s.frequencies.size();
  v["reciprocity_defect"] = checks.reciprocity.value;
  v["reciprocity_frequency_Hz"] = checks.reciprocity.frequency;
  v["largest_singular_value"] = checks.singular_value.value;
  v["singular_value_frequency_Hz"] = checks.singular_value.frequency;
  return v;
}

// On root.
void write_matrix(const config::Case& c, io::ResultFiles& files, const parallel::Communicator& comm) {
  const SParameters s = read_matrix(c);
  const auto checks = observers::checks_of(s);
  for (const std::string& warning : checks.warnings) log::warn("{}", warning);
  io::Section section = observers::section_of(s, checks);
  files.write_table("sparameters.csv", {"frequency_Hz"}, observers::table_of(s));
  const std::string head = fmt::format("dgtd {}: {}", DGTD_VERSION, c.name);
  io::write_text(files.add({observers::touchstone_name(s, c.name)}), observers::touchstone_text(s, head));

  io::Value summary;
  summary["version"] = DGTD_VERSION;
  summary["case"] = c.name;
  summary["method"] = c.solver.method.name;
  summary["ranks"] = comm.size();
  summary["interrupted"] = io::Value();
  summary["wall_s"] = seconds_since_process_start();
  summary["sparameters"] = value_of(s, checks);
  io::Entries runs;
  for (const std::string& name : c.s_parameters.excite) {
    const std::string folder = config::case_of_excitation(c, name).output.directory.filename().string();
    summary["runs"][name] = folder;
    runs.list.push_back({name, folder + "/report.html"});
  }
  summary["warnings"] = io::Value::list_of(log::warnings());
  io::write_text(files.add({"summary.json"}), io::json_text(summary));

  io::Page page{c.name, fmt::format("dgtd {}", DGTD_VERSION), {section}, log::warnings(), config::resolved_text(c)};
  page.sections.push_back({io::Chapter::method, "Pages of the runs, by the port that is excited", {std::move(runs)}});
  io::write_text(files.add({"report.html"}), io::page_html(page));
  files.write_index();
  log::forget_warnings();
  log::info("{}", section.console);
  log::info("results in {}:\n{}", files.directory().string(), files.overview());
}

std::string folders_of(const config::Case& c) {
  std::string text;
  for (const std::string& name : c.s_parameters.excite) text += (text.empty() ? "excite_" : ", excite_") + name;
  return text;
}

}  // namespace

bool simulate_all(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options, Timers timers) {
  if (!c.s_parameters.given()) return simulate(c, comm, options, std::move(timers));
  if (options.restart && !options.restart->empty())
    throw Error(
        "--restart: a case with [sparameters] has several runs, each with checkpoints of its own; allowed is "
        "--restart without a file");
  log::info("S-parameters: one run per excited port, in {}", folders_of(c));
  if (options.dry_run || options.preview) return simulate(c, comm, options, std::move(timers));

  parallel::together(comm, [&] { io::make_directory(c.output.directory); });
  std::optional<io::DirectoryLock> lock;
  io::ResultFiles files(c.output.directory, comm.is_root());
  parallel::root_or_throw(comm, [&] {
    lock.emplace(c.output.directory);
    files.start();
    io::write_text(files.add({"resolved.cfg"}), config::resolved_text(c));
  });
  for (const std::string& name : c.s_parameters.excite) {
    const config::Case run = config::case_of_excitation(c, name);
    const bool is_there = options.restart && options.steps == 0 && comm.is_root() && is_complete(run);
    if (comm.broadcast_value(is_there)) {
      log::info("\nport {}: complete in {}", name, run.output.directory.string());
      continue;
    }
    log::info("\nport {} is excited:", name);
    if (!simulate(run, comm, options, timers)) return false;
  }
  log::info("");
  parallel::root_or_throw(comm, [&] { write_matrix(c, files, comm); });
  return true;
}

}  // namespace dgtd::app
