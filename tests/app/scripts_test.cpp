// Scripts without the Python packages that they need: a line that names what is missing, and exit code 2.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>

#include "app/program.hpp"

namespace {

// Without the package of scripts/python, which depends on NumPy.
std::vector<fs::path> python_scripts() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(project_file("scripts")))
    if (entry.path().extension() == ".py" && entry.path().string().find("/spack/") == std::string::npos &&
        entry.path().string().find("/scripts/python/") == std::string::npos)
      files.push_back(entry.path());
  return files;
}

/// A folder in which every package outside of Python cannot be imported.
fs::path folder_without_packages() {
  const fs::path folder = work("python_packages");
  for (const std::string name : {"numpy", "matplotlib", "scipy", "mpmath", "paraview"})
    std::ofstream(folder / (name + ".py")) << "raise ImportError('not here', name='" << name << "')\n";
  return folder;
}

Outcome run_without_packages(const fs::path& script, const std::string& arguments) {
  return shell("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + folder_without_packages().string() + " /usr/bin/python3 " +
               script.string() + " " + arguments);
}

class Scripts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (shell("/usr/bin/python3 --version").code != 0) GTEST_SKIP() << "there is no /usr/bin/python3";
  }
};

TEST_F(Scripts, NameThePackageThatIsMissing) {
  const std::map<std::string, std::string> needed{
      {"fit_local_limits.py", "NumPy"},   {"mass_average.py", "NumPy"},    {"pass_cases.py", "NumPy"},
      {"grid_picture.py", "NumPy"},       {"mode_profile.py", "NumPy"},    {"spectrum.py", "Matplotlib"},
      {"half_precision.py", "NumPy"},     {"layered_sphere.py", "mpmath"}, {"phone_positions.py", "NumPy"},
      {"waveguide_crossing.py", "NumPy"}, {"sar.py", "ParaView"},          {"grid.py", "ParaView"}};
  std::size_t tried = 0;
  for (const fs::path& script : python_scripts()) {
    const auto package = needed.find(script.filename().string());
    if (package == needed.end()) continue;
    ++tried;
    const auto run = run_without_packages(script, script.filename() == "spectrum.py" ? "none.csv" : "");
    EXPECT_EQ(run.code, 2) << run.output;
    EXPECT_TRUE(run.output.starts_with(package->first + ": " + package->second + " is missing (")) << run.output;
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
  }
  EXPECT_EQ(tried, needed.size());
}

// Tables are written without the picture.
TEST_F(Scripts, LeaveOutAPictureThatIsNotTheirOnlyResult) {
  const fs::path folder = work("scaling_model");
  const auto run = run_without_packages(project_file("scripts/bench/scaling_model.py"), "--output " + folder.string());
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("scaling_model.py: Matplotlib is missing (Debian: apt-get install python3-matplotlib): no "
                            "scaling_model.png"),
            std::string::npos)
      << run.output;
  EXPECT_TRUE(fs::exists(folder / "scaling_model.md"));
}

// All of them import packages by python_packages.py, which has this line.
TEST_F(Scripts, ImportPackagesByTheSharedFunction) {
  const std::regex direct("(^|\n) *(import|from) (numpy|matplotlib|scipy|mpmath|paraview)");
  for (const fs::path& script : python_scripts()) EXPECT_FALSE(std::regex_search(content(script), direct)) << script;
}

}  // namespace
