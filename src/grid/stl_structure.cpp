#include "stl_structure.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {
namespace {

/// Whether the first triangle's first vertex is on the fourth line. Gmsh counts lines; without a vertex there it may
/// take the text for a binary file.
bool is_text(const std::string& bytes) {
  constexpr std::size_t longest = 250;  // of a line, for Gmsh
  std::size_t begin = 0;
  for (int line = 1; line <= 4; ++line) {
    const std::size_t end = bytes.find('\n', begin);
    if (end == std::string::npos || end - begin > longest || bytes.find('\0', begin) < end) return false;
    char word[longest + 1];
    double x, y, z;
    if (line == 4)
      return std::sscanf(bytes.substr(begin, end - begin).c_str(), "%250s %lf %lf %lf", word, &x, &y, &z) == 4;
    begin = end + 1;
  }
  return false;
}

std::uint32_t swapped(std::uint32_t n) { return n << 24 | (n & 0xFF00) << 8 | (n >> 8 & 0xFF00) | n >> 24; }

void require_triangles(const std::string& bytes, const std::string& file) {
  constexpr std::size_t head = 80, triangle = 50;
  constexpr std::uint32_t most = 100'000'000;  // above it Gmsh takes the count for one of the other order of bytes
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint32_t count = 0;
    if (bytes.size() - at < head + sizeof count) {
      if (at > 0) return;  // what follows the triangles is not read
      throw Error(fmt::format("{}: cannot be read as an STL file: it has {} bytes", file, bytes.size()));
    }
    std::memcpy(&count, bytes.data() + at + head, sizeof count);
    at += head + sizeof count;
    if (count > most) count = swapped(count);
    if (count == 0 || count > (bytes.size() - at) / triangle)
      throw Error(fmt::format("{}: cannot be read as an STL file: its head announces {} triangles, and {} bytes follow",
                              file, count, bytes.size() - at));
    at += std::size_t{count} * triangle;
  }
  if (bytes.empty()) throw Error(fmt::format("{}: is empty", file));
}

}  // namespace

void require_sound_stl(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!bytes.starts_with("solid") && !bytes.starts_with("SOLID")) return require_triangles(bytes, file.string());
  if (!is_text(bytes)) require_triangles(bytes, file.string());
}

}  // namespace dgtd::grid
