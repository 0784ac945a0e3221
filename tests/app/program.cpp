#include "app/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

Outcome shell(const std::string& command) {
  std::FILE* pipe = popen(
      fmt::format("env -i PATH=\"$PATH\" HOME=\"$HOME\" XDG_CACHE_HOME=\"$XDG_CACHE_HOME\" OMP_NUM_THREADS=1 {} 2>&1",
                  command)
          .c_str(),
      "r");
  Outcome outcome{-1, ""};
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string dgtd_program() { return DGTD_PROGRAM; }

Outcome dgtd(const std::string& arguments) { return shell(fmt::format("{} {}", DGTD_PROGRAM, arguments)); }

Outcome dgtd_on(int ranks, const std::string& arguments) {
  return shell(fmt::format("{} --allow-run-as-root --oversubscribe --bind-to none -np {} {} {}", DGTD_MPIEXEC, ranks,
                           DGTD_PROGRAM, arguments));
}

Outcome dgtd_by_mpirun(const std::string& options, const std::string& arguments) {
  return shell(fmt::format("env -u OMP_NUM_THREADS {} --allow-run-as-root {} {} {}", DGTD_MPIEXEC, options,
                           DGTD_PROGRAM, arguments));
}

Outcome dgtd_bench(const std::string& arguments) { return shell(fmt::format("{} {}", DGTD_BENCH, arguments)); }

Outcome dgtd_mesh(const std::string& arguments) { return shell(fmt::format("{} {}", DGTD_MESH_PROGRAM, arguments)); }

fs::path work(const std::string& name) {
  const fs::path directory = fs::path(DGTD_WORK) / ("cli_" + name);
  fs::remove_all(directory);
  fs::create_directories(directory);
  return directory;
}

fs::path head_mesh() { return fs::path(DGTD_WORK) / "head_m0.msh"; }

std::string project_file(const std::string& name) { return fmt::format("{}/{}", DGTD_SOURCE, name); }

std::string case_file(const std::string& name) { return project_file("cases/" + name); }

std::string data_file(const std::string& name) {
  const char* const folder = std::getenv("DGTD_DATA");
  return fmt::format("{}/{}", folder != nullptr ? std::string(folder) : project_file("../shared/data"), name);
}

std::string mesh_command_of_case(const std::string& name) {
  const std::string before = "#   dgtd-mesh ", text = content(case_file(name + ".cfg"));
  const auto begin = text.find(before);
  if (begin == std::string::npos) return "";
  const std::string line = text.substr(begin + before.size(), text.find('\n', begin) - begin - before.size());
  return line.substr(0, line.find(" -o "));
}

nlohmann::json summary(const fs::path& directory) {
  std::ifstream file(directory / "summary.json");
  return nlohmann::json::parse(file);
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Table table(const fs::path& file) {
  Table t;
  std::ifstream stream(file);
  std::getline(stream, t.head);
  for (std::string line; std::getline(stream, line);) {
    auto& row = t.rows.emplace_back();
    for (const char* at = line.c_str(); *at != 0;) {
      char* end = nullptr;
      row.push_back(std::strtod(at, &end));
      if (end == at) return {t.head, {}};
      at = *end == ',' ? end + 1 : end;
    }
  }
  return t;
}

void expect_bad_input(const Outcome& run, const std::string& message) {
  EXPECT_EQ(run.code, 2) << run.output;
  EXPECT_NE(run.output.find(message), std::string::npos) << run.output << "instead of " << message;
}
