#pragma once
// Programs run as a user runs them, in folders of their own, and what they leave there.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string output;  // standard output and error
};

/// A line of the shell, apart from this test's own MPI session: its variables are taken out.
Outcome shell(const std::string& command);

/// The path of dgtd, for lines of shell().
std::string dgtd_program();

Outcome dgtd(const std::string& arguments);
Outcome dgtd_on(int ranks, const std::string& arguments);
/// mpirun with these options, and as many threads as dgtd chooses.
Outcome dgtd_by_mpirun(const std::string& options, const std::string& arguments);
Outcome dgtd_bench(const std::string& arguments);
Outcome dgtd_mesh(const std::string& arguments);

/// An empty folder for a test. The name is one of its own among all tests, because programs run side by side.
fs::path work(const std::string& name);

/// A mesh of head_m0.cfg's head that all tests share; CTest makes it before they run, else the first one does.
fs::path head_mesh();

/// A file of the project, of its cases, by its path there.
std::string project_file(const std::string& name);
std::string case_file(const std::string& name);
/// A file of the data outside of the repository: in the folder of the environment variable DGTD_DATA, else in
/// shared/data beside the project. It may be absent.
std::string data_file(const std::string& name);

/// The arguments of the dgtd-mesh command in the head of a shipped case, such as "gold_sphere_dg", which makes its
/// mesh, up to " -o FILE"; empty if there is none.
std::string mesh_command_of_case(const std::string& name);

nlohmann::json summary(const fs::path& directory);

/// A text file as a whole; empty if there is none.
std::string content(const fs::path& file);

/// A text table: its head, and its rows of numbers, which are none if something is not a number.
struct Table {
  std::string head;
  std::vector<std::vector<double>> rows;
};
Table table(const fs::path& file);

/// Expects exit code 2 (bad command line, case or mesh), and `message` in the output.
void expect_bad_input(const Outcome& run, const std::string& message);
