#include "meta_image_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "dgtd/base/error.hpp"
#include "dgtd/base/one_line.hpp"

namespace dgtd::grid {
namespace {

struct Field {
  std::string_view name, value;
};

// NAME = VALUE or NAME: VALUE
Field field_of(std::string_view line) {
  constexpr std::string_view blank = " \t\r", marks = " \t\r=:";
  const auto after = [&](std::size_t at, std::string_view which) {
    return std::min(line.find_first_not_of(which, at), line.size());
  };
  const std::size_t first = after(0, blank), end = std::min(line.find_first_of(marks, first), line.size());
  std::string_view value = line.substr(after(end, marks));
  if (const auto last = value.find_last_not_of(blank); last != value.npos) value = value.substr(0, last + 1);
  return {line.substr(first, end - first), value};
}

// A whole number from `least` to `most`; nothing where the text is none.
std::optional<std::uint64_t> number_of(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < least || number > most) return {};
  return number;
}

// Size of the file that has the voxels, bytes.
std::uint64_t data_bytes(const std::filesystem::path& head, std::string_view data_file) {
  std::error_code failure;
  const auto file = data_file == "LOCAL" ? head : head.parent_path() / data_file;
  const auto size = std::filesystem::file_size(file, failure);
  return failure ? 0 : size;
}

}  // namespace

void require_sound_meta_image(const std::filesystem::path& file) {
  constexpr std::uint64_t most = 10;
  constexpr std::size_t longest = 1 << 16;  // bytes of a head; voxels may follow it
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(fmt::format("{}: cannot be opened", file.string()));
  std::string head(longest, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(longest));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("{}: cannot be read as a MetaImage file: {}", file.string(), what));
  };
  std::string_view compressed;
  bool is_compressed = false;
  for (std::size_t begin = 0; begin < head.size();) {
    const std::size_t end = std::min(head.find('\n', begin), head.size());
    const Field field = field_of(std::string_view(head).substr(begin, end - begin));
    begin = end + 1;
    if (field.name == "NDims") {
      if (!number_of(field.value, 1, most))
        fail(fmt::format("NDims is '{}'; 1 to {} are allowed", one_line(field.value), most));
    }
    if (field.name == "CompressedDataSize") compressed = field.value;
    // As VTK reads it: the first letter.
    if (field.name == "CompressedData")
      is_compressed = !field.value.empty() && std::strchr("Tt1", field.value[0]) != nullptr;
    if (field.name == "ElementDataFile") {
      if (field.value.substr(0, 4) == "LIST" || field.value.find('%') != field.value.npos)
        fail("ElementDataFile must be LOCAL or one file");
      if (is_compressed && compressed.empty()) fail("CompressedData is True, and CompressedDataSize is missing");
      const std::uint64_t bytes = data_bytes(file, field.value);
      if (!compressed.empty() && !number_of(compressed, 0, bytes))
        fail(fmt::format("CompressedDataSize is '{}', and its data have {} bytes", one_line(compressed), bytes));
      return;
    }
  }
}

}  // namespace dgtd::grid
