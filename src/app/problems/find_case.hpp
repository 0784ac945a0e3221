#pragma once
// Search for a case that the command line names.
#include <filesystem>
#include <string>

namespace dgtd::app {

struct CaseLocation {
  std::filesystem::path file;
  std::filesystem::path results;  // where its results, and paths on the command line, start; empty: the case's folder
};

/// The folder of the shipped cases, found from the program's own place: the source tree's for a program of a build
/// tree, share/dgtd/cases of an installation or bundle. Empty where there is none.
std::filesystem::path shipped_cases();

/// The case file of that name, with or without the extension .cfg: a path as given, else a case of shipped_cases(),
/// whose results belong in the working directory.
/// Throws Error (bad_input) naming what was searched and the nearest name.
CaseLocation find_case(const std::string& name);

}  // namespace dgtd::app
