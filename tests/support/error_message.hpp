#pragma once
// What a user reads where input is bad.
#include <gtest/gtest.h>

#include <string>

#include "dgtd/base/error.hpp"

namespace dgtd {

/// The message of the Error that the function throws, which must be of bad input.
template <class Function>
std::string message(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

}  // namespace dgtd
