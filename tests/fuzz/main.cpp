// dgtd-fuzz TARGET|all [--count N] [--first N] [--corpus FOLDER] [--scratch FOLDER] [--messages]: reads damaged files;
// exit code 1 where one was not read or refused as it should.
#include <fmt/format.h>
#include <mpi.h>

#include <boost/program_options.hpp>
#include <chrono>
#include <iostream>

#include "dgtd/base/error.hpp"
#include "run.hpp"

namespace {

namespace options = boost::program_options;
namespace fs = std::filesystem;
using namespace dgtd::fuzz;

bool run_target(const Target& target, const fs::path& corpus, const fs::path& scratch, const Limits& limits) {
  const fs::path own = scratch / std::string(target.name);
  fs::create_directories(own);
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = run(target, corpus / std::string(target.name), own, limits);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{:10} {} files in {:.1f} s: {} read, {} refused, in {} of them a library failed; slowest {}, {:.2f} s; {} "
             "findings\n",
             target.name, outcome.executed, seconds, outcome.accepted, outcome.refused, outcome.failed_in_library,
             outcome.slowest, outcome.slowest_seconds, outcome.findings.size());
  for (const auto& finding : outcome.findings)
    fmt::print("  {}/finding_{}: {}\n", own.string(), finding.number, finding.how);
  std::cout.flush();
  return outcome.findings.empty();
}

int run_all(int argc, char** argv) {
  std::string name, corpus = DGTD_CORPUS, scratch = (fs::temp_directory_path() / "dgtd-fuzz").string();
  Limits limits;
  options::options_description known("Options");
  known.add_options()("target", options::value(&name)->required())(
      "count", options::value(&limits.count), "damaged files per target (1000)")("first", options::value(&limits.first),
                                                                                 "number of the first one (0)")(
      "corpus", options::value(&corpus), "folder of the whole files")("scratch", options::value(&scratch),
                                                                      "folder for the damaged file and for findings")(
      "messages", options::bool_switch(&limits.messages), "print why files are refused");
  options::positional_options_description positional;
  positional.add("target", 1);
  options::variables_map values;
  options::store(options::command_line_parser(argc, argv).options(known).positional(positional).run(), values);
  options::notify(values);
  bool clean = true, found = false;
  for (const Target& target : targets())
    if (name == "all" || name == target.name) {
      found = true;
      clean = run_target(target, corpus, scratch, limits) && clean;
    }
  if (!found) {
    std::cerr << "dgtd-fuzz: no such target: " << name << "; allowed are all";
    for (const Target& target : targets()) std::cerr << ", " << target.name;
    std::cerr << "\n";
    return 2;
  }
  return clean ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_all(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "dgtd-fuzz: error: " << error.what() << "\n";
    return 2;
  }
}
