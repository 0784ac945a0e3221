#pragma once
// Reads an MSH file in order: words (ASCII) or values (binary). Messages say what is expected and in which section.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "dgtd/base/error.hpp"

namespace dgtd::mesh {

/// The start of what a file has, for a message of one line.
inline std::string shown(std::string_view text) {
  std::string start(text.substr(0, 20));
  for (char& c : start)
    if (c < ' ' || c > '~') c = '?';
  return start;
}

/// All functions throw Error (bad_input) where the file has something else. text must outlive the cursor.
class MshCursor {
 public:
  MshCursor(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool binary = false;
  bool swapped = false;  // the order of bytes in numbers is not this machine's
  std::string section;   // its first line

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: the mesh file is damaged: {}{}", file_, section.empty() ? "" : section + ": ", what));
  }

  bool at_end() const { return at_ >= text_.size(); }
  /// Whether memory has numbers as the file has them.
  bool is_native() const { return binary && !swapped; }

  /// The rest of the line.
  std::string_view line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view found = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    while (!found.empty() && (found.back() == '\r' || found.back() == ' ')) found.remove_suffix(1);
    return found;
  }
  std::string_view word() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
    const std::size_t first = at_;
    while (!at_end() && !is_blank(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
  }
  /// A number that is written as text in both encodings.
  template <class T>
  T text_number(const char* what) {
    std::string_view text = word();
    if (text.size() > 1 && text.front() == '+') text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("{} expected, but it has \"{}\" at byte {}", what, shown(text), at_ - text.size()));
    return value;
  }
  std::int64_t integer(const char* what) { return number<std::int32_t, std::int64_t>(what); }
  std::int64_t size(const char* what) { return number<std::uint64_t, std::int64_t>(what); }
  double real(const char* what) { return number<double, double>(what); }
  const char* bytes(std::int64_t count, const char* what) {
    if (static_cast<std::int64_t>(left()) < count) fail(fmt::format("it ends where {} is expected", what));
    at_ += static_cast<std::size_t>(count);
    return text_.data() + at_ - count;
  }
  /// A count of things with so many numbers each, which are values of so many bytes, or words.
  std::int64_t fitting(std::int64_t count, std::int64_t numbers, std::int64_t bytes_of_value, const char* what) {
    const std::int64_t least = numbers * (binary ? bytes_of_value : 2);
    if (count < 0 || count > static_cast<std::int64_t>(left()) / least)
      fail(fmt::format("{} {} do not fit into the file", count, what));
    return count;
  }

  /// Moves behind the line "$EndNAME".
  void skip_to_end() {
    const std::string end = "$End" + section.substr(1);
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail("it has no end");
    at_ = found + end.size();
    line();
  }
  void require_end() {
    const std::string end = "$End" + section.substr(1);
    const auto found = word();
    if (found != end) fail(fmt::format("{} expected, but it has \"{}\"", end, shown(found)));
    line();
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  std::size_t left() const { return text_.size() - at_; }

  /// A number of the file's encoding; Stored is its binary type.
  template <class Stored, class T>
  T number(const char* what) {
    if (!binary) return text_number<T>(what);
    char value_bytes[sizeof(Stored)];
    std::memcpy(value_bytes, bytes(sizeof value_bytes, what), sizeof value_bytes);
    if (swapped) std::reverse(std::begin(value_bytes), std::end(value_bytes));
    Stored value;
    std::memcpy(&value, value_bytes, sizeof value);
    return static_cast<T>(value);
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
};

}  // namespace dgtd::mesh
