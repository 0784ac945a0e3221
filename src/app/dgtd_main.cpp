// dgtd CASE [--set section.key=value]… [--dry-run] [--steps N]
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <iostream>
#include <sstream>

#include "dgtd/app/program.hpp"
#include "dgtd/app/simulate.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace {

namespace options = boost::program_options;

struct CommandLine {
  std::string case_file;
  std::vector<std::string> overrides;
  dgtd::app::RunOptions run;
  std::string text;  // --help or --version: print this and stop
};

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  options::options_description visible("Options"), all;
  visible.add_options()("set", options::value(&line.overrides)->value_name("section.key=value"),
                        "replace or add a value of the case file; may be repeated")(
      "dry-run", options::bool_switch(&line.run.dry_run), "print the resolved case, mesh and time step, and stop")(
      "steps", options::value(&line.run.steps)->value_name("N"), "run N time steps instead of what [time] says")(
      "help", "print this")("version", "print the version");
  all.add(visible).add_options()("case", options::value(&line.case_file));
  options::positional_options_description positional;
  positional.add("case", 1);
  options::variables_map values;
  try {
    options::store(options::command_line_parser(argc, argv).options(all).positional(positional).run(), values);
    options::notify(values);
  } catch (const options::error& error) {
    throw dgtd::Error(fmt::format("command line: {}; see dgtd --help", error.what()));
  }
  if (values.count("help")) {
    std::ostringstream text;
    text << "Usage: [mpirun -np N] dgtd CASE [options]\nSolves Maxwell's equations in time as the case file says.\n\n"
         << visible;
    line.text = text.str();
  } else if (values.count("version")) {
    line.text = "dgtd " DGTD_VERSION "\n";
  } else if (line.case_file.empty()) {
    throw dgtd::Error(
        "command line: no case file; usage: dgtd CASE [--set section.key=value]... [--dry-run] [--steps N]");
  }
  if (values.count("steps") && line.run.steps < 1)
    throw dgtd::Error(fmt::format("command line: --steps {}: must be at least 1", line.run.steps));
  return line;
}

// Every rank reads the same case: root reads, the others take its text, so that an error comes once.
dgtd::config::Case read(const CommandLine& line, const dgtd::parallel::Communicator& comm) {
  dgtd::parallel::on_root(comm, [&] { dgtd::config::read_case(line.case_file, line.overrides); });
  return dgtd::config::read_case(line.case_file, line.overrides);
}

}  // namespace

int main(int argc, char** argv) {
  return dgtd::app::run_program("dgtd", argc, argv, [&](const dgtd::parallel::Communicator& comm) {
    const CommandLine line = parse(argc, argv);
    if (!line.text.empty()) {
      if (comm.is_root()) std::cout << line.text;
      return;
    }
    dgtd::Timers timers;
    const auto c = [&] {
      const auto stage = timers.measure("read");
      return read(line, comm);
    }();
    dgtd::app::simulate(c, comm, line.run, std::move(timers));
  });
}
