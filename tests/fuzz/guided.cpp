// dgtd-fuzz-guided --target=NAME --scratch=FOLDER [ARGUMENT OF LIBFUZZER...] [FOLDER OF A CORPUS...]: reads files that
// libFuzzer makes, guided by the edges of the code that each of them reaches. A finding ends the program.
// dgtd-fuzz-guided --list: prints each target's name, the extension of its files and its limit of time in seconds.
// dgtd-fuzz-guided --target=NAME --write-whole=FOLDER: writes the undamaged files of a target that makes them itself.
#include <omp.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "read_bytes.hpp"

namespace {

namespace fs = std::filesystem;
using namespace dgtd::fuzz;

const Target* target = nullptr;
fs::path file;

// Wall-clock time per file: above the 90 s that a library has for 6 s of processor time (child_reader.hpp).
constexpr double least_seconds = 120;

void print_targets() {
  for (const Target& each : targets())
    std::printf("%s %s %.0f\n", std::string(each.name).c_str(), std::string(each.extension).c_str(),
                std::max(least_seconds, 10 * each.patience));
}

// libFuzzer ignores arguments that begin with two dashes.
std::optional<std::string> argument(int argc, char** argv, std::string_view name) {
  const std::string start = "--" + std::string(name) + "=";
  for (char** at = argv + 1; at < argv + argc; ++at)
    if (std::string_view(*at).starts_with(start)) return *at + start.size();
  return {};
}

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "dgtd-fuzz-guided: error: %s\n", what.c_str());
  std::exit(2);
}

// A library that fails in a child process (child_reader.hpp) is no finding: libFuzzer would store the file there.
void forget_libfuzzer() { __sanitizer_set_death_callback(nullptr); }

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc == 2 && std::string_view((*argv)[1]) == "--list") {
    print_targets();
    std::exit(0);
  }
  const auto name = argument(*argc, *argv, "target").value_or("");
  const auto found = std::ranges::find(targets(), std::string_view(name), &Target::name);
  if (found == targets().end()) refuse("no such target: '" + name + "'; allowed are those of scripts/fuzz_guided.sh");
  target = &*found;
  setenv("OMPI_MCA_opal_signal", "", 1);  // signals are libFuzzer's
  omp_set_num_threads(1);
  if (const auto folder = argument(*argc, *argv, "write-whole")) {
    if (target->write_whole == nullptr) refuse("the undamaged files of target " + name + " are in tests/fuzz/corpus");
    target->write_whole(*folder);
    std::exit(0);
  }
  const auto scratch = argument(*argc, *argv, "scratch");
  if (!scratch) refuse("--scratch=FOLDER is missing");
  file = fs::path(*scratch) / ("file" + std::string(target->extension));
  pthread_atfork(nullptr, nullptr, forget_libfuzzer);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_bytes(*target, {reinterpret_cast<const char*>(data), size}, file);
  } catch (const std::exception& finding) {
    std::fprintf(stderr, "finding: exception: %s\n", finding.what());
    std::abort();
  }
  return 0;
}
