#pragma once
// Programs run as a user runs them, in folders of their own.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string output;  // standard output and error
};

// Programs run apart from this test's own MPI session: its variables are taken out.
inline Outcome shell(const std::string& command) {
  std::FILE* pipe = popen(("env -i PATH=\"$PATH\" HOME=\"$HOME\" OMP_NUM_THREADS=1 " + command + " 2>&1").c_str(), "r");
  Outcome outcome{-1, ""};
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

inline Outcome dgtd(const std::string& arguments) { return shell(std::string(DGTD_PROGRAM) + " " + arguments); }
inline Outcome dgtd_on(int ranks, const std::string& arguments) {
  return shell(std::string(DGTD_MPIEXEC) + " --allow-run-as-root --oversubscribe --bind-to none -np " +
               std::to_string(ranks) + " " + DGTD_PROGRAM + " " + arguments);
}

inline fs::path work(const std::string& name) {
  const fs::path directory = fs::path(DGTD_WORK) / ("cli_" + name);
  fs::remove_all(directory);
  fs::create_directories(directory);
  return directory;
}

inline nlohmann::json summary(const fs::path& directory) {
  std::ifstream file(directory / "summary.json");
  return nlohmann::json::parse(file);
}

inline std::string case_file(const std::string& name) { return std::string(DGTD_SOURCE) + "/cases/" + name; }
