#pragma once
// Messages that a user reads where something is wrong.
#include <gtest/gtest.h>

#include <string>

#include "dgtd/base/error.hpp"

namespace dgtd {

/// The message of the Error that the function throws, which has this exit code and one line; "no error" without one.
template <class Function>
std::string message(Function function, ExitCode expected = ExitCode::bad_input) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), expected) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "no error";
}

}  // namespace dgtd
