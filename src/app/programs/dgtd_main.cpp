// dgtd CASE [--set section.key=value]... [--dry-run] [--preview] [--steps N] [--restart [FILE]] [--adapt OUTPUT] [--print [KEY...]]
// dgtd --help [KEY], dgtd --schema
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <iostream>
#include <optional>
#include <sstream>

#include "app/problems/find_case.hpp"
#include "app/problems/methods.hpp"
#include "app/problems/read_case.hpp"
#include "app/programs/program.hpp"
#include "app/run/excitation_runs.hpp"
#include "app/run/signal_requests.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/documents.hpp"

namespace {

namespace options = boost::program_options;

struct CommandLine {
  std::string case_file;
  std::vector<std::string> overrides;
  dgtd::app::RunOptions run;
  std::string text;                                 // --help, --version or --schema: print this and stop
  std::optional<std::vector<std::string>> printed;  // --print: values of these keys, and stop
};

bool is_after_restart(int argc, char** argv, const std::string& word) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view(argv[i]) == "--restart" && argv[i + 1] == word) return true;
  return false;
}

// The checkpoint of --restart: the word after it, or the second one of the words, of which the case is left.
std::string take_checkpoint(int argc, char** argv, std::string checkpoint, std::vector<std::string>& words) {
  const bool first = words.size() == 2 && is_after_restart(argc, argv, words[0]);
  if (words.size() == 2) checkpoint = words[first ? 0 : 1];
  if (first) std::swap(words[0], words[1]);
  words.resize(std::min<std::size_t>(words.size(), 1));
  return checkpoint;
}

std::string usage(const options::options_description& visible) {
  std::ostringstream text;
  text
      << "Usage: [mpirun -np N] dgtd CASE [options]\nSolves Maxwell's equations in time as the case file says. CASE is "
         "a file, or the name of a shipped case\n(with results in ./out/NAME); .cfg may be left out.\n\n"
      << visible;
  if (const auto cases = dgtd::app::shipped_cases(); !cases.empty())
    text << "\nShipped cases are in " << cases.string() << "\n";
  return text.str();
}

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  std::string key;                 // of --help
  std::string checkpoint;          // of --restart
  std::string adapt;               // of --adapt
  std::vector<std::string> keys;   // of --print
  std::vector<std::string> words;  // the case, and the checkpoint
  options::options_description visible("Options"), all;
  visible.add_options()("set", options::value(&line.overrides)->value_name("section.key=value"),
                        "replace or add a value of the case file; may be repeated")(
      "dry-run", options::bool_switch(&line.run.dry_run), "print the resolved case, mesh and time step, and stop")(
      "preview", options::bool_switch(&line.run.preview),
      "write preview.html, a page with geometry, media, resolution and costs, and stop")(
      "steps", options::value(&line.run.steps)->value_name("N"), "run N time steps instead of what [time] says")(
      "restart", options::value(&checkpoint)->implicit_value("")->value_name("[FILE]"),
      "continue from a checkpoint, or from the newest one in the output directory")(
      "adapt", options::value(&adapt)->value_name("OUTPUT"),
      "choose the order of each element from the estimated errors of a run in this output directory, which had "
      "output.error = on and the same mesh")(
      "print", options::value(&keys)->multitoken()->zero_tokens()->value_name("[KEY...]"),
      "print values of keys of the completed case, or all of it, and stop; the keys end the command line")(
      "schema", "print a JSON Schema of case files")(
      "help", options::value(&key)->implicit_value("")->value_name("[KEY]"),
      "print this, or what a key of the case file means, such as solver.order, or all keys of a section, such as "
      "source")("version", "print the version");
  all.add(visible).add_options()("case", options::value(&words));
  options::positional_options_description positional;
  positional.add("case", 2);
  options::variables_map values;
  try {
    options::store(options::command_line_parser(argc, argv).options(all).positional(positional).run(), values);
    options::notify(values);
    // The word after --help is the key, although it was taken for a case file.
    for (int i = 1; i + 1 < argc; ++i)
      if (std::string_view(argv[i]) == "--help" && argv[i + 1][0] != '-') key = argv[i + 1];
    if (values.count("restart")) line.run.restart = take_checkpoint(argc, argv, checkpoint, words);
    if (words.size() > 1 && !values.count("help"))
      throw options::error("too many positional options have been specified on the command line");
    if (!words.empty()) line.case_file = words.front();
  } catch (const options::error& error) {
    throw dgtd::Error(fmt::format("command line: {}; see dgtd --help", error.what()));
  }
  if (values.count("help") && !key.empty()) {
    line.text = dgtd::config::key_help(key, dgtd::app::methods());
  } else if (values.count("help")) {
    line.text = usage(visible);
  } else if (values.count("schema")) {
    line.text = dgtd::config::json_schema(dgtd::app::methods());
  } else if (values.count("version")) {
    line.text = "dgtd " DGTD_VERSION "\n";
  } else if (line.case_file.empty()) {
    throw dgtd::Error(
        "command line: no case file; usage: dgtd CASE [--set section.key=value]... [--dry-run] [--steps N]");
  }
  if (line.run.preview && (line.run.dry_run || line.run.restart))
    throw dgtd::Error("command line: --preview is a command of its own, without --dry-run and --restart");
  if (values.count("adapt")) line.run.adapt = adapt;
  if (values.count("print")) line.printed = keys;
  if (values.count("steps") && line.run.steps < 1)
    throw dgtd::Error(fmt::format("command line: --steps {}: must be at least 1", line.run.steps));
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  dgtd::app::remember_signals();
  bool interrupted = false;
  const int code =
      dgtd::app::run_program("dgtd", argc, argv, [&](const dgtd::parallel::Communicator& comm, dgtd::Timers timers) {
        dgtd::app::remember_signals();  // also where MPI has handlers of its own
        const CommandLine line = parse(argc, argv);
        if (line.run.dry_run || line.run.preview || !line.text.empty()) dgtd::app::end_by_signals();
        else if (comm.is_root()) dgtd::app::answer_signals();
        if (!line.text.empty()) {
          if (comm.is_root()) std::cout << line.text;
          return;
        }
        const auto c = [&] {
          const auto stage = timers.measure("read");
          return dgtd::app::read_case(line.case_file, line.overrides, comm);
        }();
        if (line.printed) {
          const std::string text = dgtd::config::values_text(c, *line.printed);
          if (comm.is_root()) std::cout << text;
          return;
        }
        interrupted = !dgtd::app::simulate_all(c, comm, line.run, std::move(timers));
      });
  return code == 0 && interrupted ? static_cast<int>(dgtd::ExitCode::interrupted) : code;
}
