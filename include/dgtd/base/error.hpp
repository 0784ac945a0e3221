#pragma once
// The one error type for everything that comes from outside: files, values, devices, memory.
// Programmer's mistakes are assertions.
#include <stdexcept>
#include <string>
#include <utility>

namespace dgtd {

/// Exit codes of every program (a contract with scripts).
enum class ExitCode : int {
  success = 0,
  other = 1,
  bad_input = 2,  // case file, command line or mesh
  out_of_memory = 3,
  unstable = 4,     // NaN, or energy from nowhere
  device = 5,       // accelerator or communication
  interrupted = 6,  // ended before its last step, on request or for walltime; results are written, and a checkpoint
};

/// Message of one line: what, where (file:line, key, group, element), what is allowed.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, std::string message) : std::runtime_error(std::move(message)), code_(code) {}
  explicit Error(std::string message) : Error(ExitCode::bad_input, std::move(message)) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace dgtd
