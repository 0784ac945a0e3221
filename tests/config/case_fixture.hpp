#pragma once
// Case files written to a directory of their own, which is the current one during a test, so that
// messages begin with "head.cfg".
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/problems/methods.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/case.hpp"

namespace dgtd::config {

class CaseFile : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    directory_ =
        std::filesystem::temp_directory_path() / ("dgtd_config_" + std::to_string(getpid()) + "_" +
                                                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(directory_);
    std::filesystem::current_path(directory_);
    directory_ = std::filesystem::current_path();
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(directory_);
  }

  static void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

  static Case read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    write("head.cfg", text);
    return read_case("head.cfg", overrides, app::methods());
  }

  /// Message that read_case throws for the text, or "no error".
  static std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
    write("head.cfg", text);
    return message_of("head.cfg", overrides);
  }
  static std::string message_of(const std::string& file, const std::vector<std::string>& overrides = {}) {
    try {
      read_case(file, overrides, app::methods());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "no error";
  }

  const std::filesystem::path& directory() const { return directory_; }

 private:
  std::filesystem::path before_, directory_;
};

// The shortest case: two lines of [mesh] and two of [time], so that what is appended begins on line 5.
inline const std::string minimal = "[mesh]\nfile = head.msh\n[time]\nend = 1e-9\n";
// The same with a frequency; what is appended begins on line 6.
inline const std::string harmonic = "[mesh]\nfile = head.msh\n[time]\nperiods = 10\nfrequency = 1.8e9\n";
// The shortest case of method fdtd3d; what is appended begins on line 8.
inline const std::string structured =
    "[solver]\nmethod = fdtd3d\n[time]\nend = 1e-14\n[grid]\ncells = 4 5 8\nspacing = 2e-9\n";

}  // namespace dgtd::config
