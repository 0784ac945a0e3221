#include "run.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <thread>

#include "dgtd/base/error.hpp"
#include "dgtd/base/sanitized.hpp"
#include "mutate.hpp"
#include "read_bytes.hpp"

namespace dgtd::fuzz {
namespace {

namespace fs = std::filesystem;

/// Counters that a child reports to its parent.
struct Progress {
  std::atomic<std::uint64_t> number, accepted, refused, failed_in_library;
  std::atomic<std::uint64_t> slowest;  // number of the file that took longest of those that were read or refused
  std::atomic<double> slowest_seconds;
  char exception[400];

  void took(double seconds) {
    if (seconds <= slowest_seconds) return;
    slowest_seconds = seconds;
    slowest = number.load();
  }
};

constexpr int finished = 0, threw = 97;  // exit codes of children

/// Reads the files from number on; the process ends with an exit code.
[[noreturn]] void read_files(const Target& target, const std::vector<std::string>& corpus, const fs::path& file,
                             const Limits& limits, Progress& progress) {
  omp_set_num_threads(1);  // the threads of the process that was copied are not here
  if (!sanitized) {        // its shadow memory is larger than any limit
    const rlimit memory{static_cast<rlim_t>(limits.bytes), static_cast<rlim_t>(limits.bytes)};
    setrlimit(RLIMIT_AS, &memory);
  }
  if (!sanitized)  // without the MPI library's stack traces
    for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(s, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (!std::freopen("/dev/null", "w", stdout)) _exit(threw);
  for (; progress.number < limits.first + limits.count; ++progress.number) {
    const auto begin = std::chrono::steady_clock::now();
    try {
      const Reading reading = read_bytes(target, damaged_file(corpus, progress.number), file);
      if (limits.messages && !reading.accepted)
        std::fprintf(stderr, "%llu %s\n", static_cast<unsigned long long>(progress.number), reading.refusal.c_str());
      ++(reading.accepted ? progress.accepted : progress.refused);
      progress.failed_in_library += reading.failed_in_library;
    } catch (const std::exception& finding) {
      std::strncpy(progress.exception, finding.what(), sizeof progress.exception - 1);
      _exit(threw);
    }
    progress.took(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  _exit(finished);
}

/// The folder of the undamaged files that the target writes, in a process of its own.
fs::path write_whole(const Target& target, const fs::path& scratch) {
  const fs::path folder = scratch / "whole";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const pid_t child = fork();
  if (child == 0) {
    omp_set_num_threads(1);
    if (!std::freopen("/dev/null", "w", stdout)) _exit(threw);
    try {
      target.write_whole(folder);
    } catch (const std::exception&) { _exit(threw); }
    _exit(finished);
  }
  waitpid(child, nullptr, 0);
  return folder;
}

/// Waits for the child; false: it read one file for too long and was killed.
bool wait_for(pid_t child, const Progress& progress, double seconds_per_file, int& status) {
  using Clock = std::chrono::steady_clock;
  auto since = Clock::now();
  std::uint64_t number = progress.number;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (progress.number != number) number = progress.number, since = Clock::now();
    if (std::chrono::duration<double>(Clock::now() - since).count() < seconds_per_file) continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> read_corpus(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) files.push_back(entry.path());
  if (files.empty()) throw Error(fmt::format("{}: no files of a corpus", folder.string()));
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::string damaged_file(const std::vector<std::string>& corpus, std::uint64_t number) {
  if (number < corpus.size()) return corpus[number];
  std::mt19937_64 random(number * 0x9E3779B97F4A7C15ull + 1);
  return mutate(corpus[random() % corpus.size()], corpus, random);
}

Outcome run(const Target& target, const fs::path& files, const fs::path& scratch, const Limits& limits) {
  const fs::path folder = target.write_whole ? write_whole(target, scratch) : files;
  const auto corpus = read_corpus(folder);
  const fs::path file = scratch / ("file" + std::string(target.extension));
  auto* const progress = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (progress == MAP_FAILED) throw Error(ExitCode::out_of_memory, "no shared memory");
  new (progress) Progress{};
  progress->number = limits.first;
  Outcome outcome;
  const std::uint64_t end = limits.first + limits.count;
  while (progress->number < end) {
    const pid_t child = fork();
    if (child == 0) read_files(target, corpus, file, limits, *progress);
    int status = 0;
    const bool hung = !wait_for(child, *progress, target.patience * limits.seconds_per_file, status);
    if (!hung && WIFEXITED(status) && WEXITSTATUS(status) == finished) break;
    std::string how;
    if (hung) how = "hang";
    else if (WIFSIGNALED(status)) how = fmt::format("signal {}", WTERMSIG(status));
    else if (WEXITSTATUS(status) == threw) how = fmt::format("exception: {}", progress->exception);
    else how = fmt::format("exit code {}", WEXITSTATUS(status));
    outcome.findings.push_back({progress->number, how});
    write_file(scratch / fmt::format("finding_{}{}", progress->number.load(), target.extension),
               damaged_file(corpus, progress->number));
    ++progress->number;
  }
  for (const auto& entry : fs::directory_iterator(folder))
    outcome.whole += !entry.path().filename().string().starts_with("unsupported");
  outcome.executed = limits.count;
  outcome.accepted = progress->accepted;
  outcome.refused = progress->refused;
  outcome.failed_in_library = progress->failed_in_library;
  outcome.slowest = progress->slowest;
  outcome.slowest_seconds = progress->slowest_seconds;
  munmap(progress, sizeof(Progress));
  return outcome;
}

}  // namespace dgtd::fuzz
