#pragma once
// Failures of the operating system in words.
#include <exception>
#include <string>

#include "dgtd/base/error.hpp"

namespace dgtd {

/// Reason why a call failed, from errno or the value of a std::error_code: the system's text, or a clearer one where
/// that does not say what to do (the limit of a file's size, links in a loop).
std::string os_reason(int number);

/// An exception of the standard library as an error of the program: a std::filesystem::filesystem_error as
/// "PATH: REASON", with the code of bad input where the path itself leads nowhere (a loop of links, too long a name).
Error error_of(const std::exception& error);

}  // namespace dgtd
