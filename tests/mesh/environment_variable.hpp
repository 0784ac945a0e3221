#pragma once
#include <cstdlib>
#include <string>

namespace dgtd::mesh::testing {

/// A variable of the environment with another value as long as it exists.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() {
    if (before_.empty()) unsetenv(name_);
    else setenv(name_, before_.c_str(), 1);
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

}  // namespace dgtd::mesh::testing
