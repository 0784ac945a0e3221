#pragma once
// Targets as functions of bytes, with the one decision on what is a finding.
#include <filesystem>
#include <string>
#include <string_view>

#include "targets.hpp"

namespace dgtd::fuzz {

/// A file that was read or refused as it should.
struct Reading {
  bool accepted = false;
  bool failed_in_library = false;  // of a refused one: see child_reader.hpp
  std::string refusal;             // the message; empty where the file was read
};

void write_file(const std::filesystem::path& file, std::string_view bytes);

/// Writes the bytes into the file and reads it. Throws std::exception, not Error, where that is a finding: with the
/// message of an exception other than Error, of an Error that memory ran out, or that a message has several lines.
Reading read_bytes(const Target& target, std::string_view bytes, const std::filesystem::path& file);

}  // namespace dgtd::fuzz
