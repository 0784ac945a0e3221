// dgtd CASE [--set section.key=value]… [--dry-run] [--steps N]
#include <fmt/format.h>
#include <mpi.h>

#include <boost/program_options.hpp>
#include <chrono>
#include <iostream>
#include <new>
#include <thread>

#include "dgtd/app/run.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
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
  visible.add_options()
      ("set", options::value(&line.overrides)->value_name("section.key=value"), "replace or add a value of the case file; may be repeated")
      ("dry-run", options::bool_switch(&line.run.dry_run), "print the resolved case, mesh and time step, and stop")
      ("steps", options::value(&line.run.steps)->value_name("N"), "run N time steps instead of what [time] says")
      ("help", "print this")("version", "print the version");
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
    text << "Usage: [mpirun -np N] dgtd CASE [options]\nSolves Maxwell's equations in time as the case file says.\n\n" << visible;
    line.text = text.str();
  } else if (values.count("version")) {
    line.text = "dgtd " DGTD_VERSION "\n";
  } else if (line.case_file.empty()) {
    throw dgtd::Error("command line: no case file; usage: dgtd CASE [--set section.key=value]... [--dry-run] [--steps N]");
  }
  if (values.count("steps") && line.run.steps < 1) throw dgtd::Error(fmt::format("command line: --steps {}: must be at least 1", line.run.steps));
  return line;
}

// Every rank reads the same case: root reads, the others take its text, so that an error comes once.
dgtd::config::Case read(const CommandLine& line, const dgtd::parallel::Communicator& comm) {
  dgtd::parallel::on_root(comm, [&] { dgtd::config::read_case(line.case_file, line.overrides); });
  return dgtd::config::read_case(line.case_file, line.overrides);
}

// An error that all ranks share is printed by root. A rank that fails alone waits for root to speak
// first, then prints and ends all ranks.
int fail(const dgtd::Error& error, const dgtd::parallel::Communicator& comm) {
  if (!comm.is_root()) std::this_thread::sleep_for(std::chrono::milliseconds(500 + 20 * std::min(comm.rank(), 100)));
  std::fflush(stdout);
  if (comm.is_root()) std::cerr << "dgtd: error: " << error.what() << std::endl;
  else std::cerr << "dgtd: error (rank " << comm.rank() << "): " << error.what() << std::endl;
  if (comm.size() > 1) MPI_Abort(comm.handle(), static_cast<int>(error.code()));
  MPI_Finalize();
  return static_cast<int>(error.code());
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const dgtd::parallel::Communicator comm;
  dgtd::log::set_enabled(comm.is_root());
  try {
    const CommandLine line = parse(argc, argv);
    if (!line.text.empty()) {
      if (comm.is_root()) std::cout << line.text;
    } else {
      dgtd::app::run(read(line, comm), comm, line.run);
    }
  } catch (const dgtd::Error& error) {
    return fail(error, comm);
  } catch (const std::bad_alloc&) {
    return fail({dgtd::ExitCode::out_of_memory, "out of memory; use more ranks on more hosts"}, comm);
  } catch (const std::exception& error) {
    return fail({dgtd::ExitCode::other, error.what()}, comm);
  }
  MPI_Finalize();
  return 0;
}
