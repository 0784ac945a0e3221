#include "stl_structure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {
namespace {

/// Whether a text has a triangle; throws Error for vertices that are not finite.
bool has_vertices(const std::string& text, const std::string& file) {
  std::istringstream lines(text);
  int vertices = 0, number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    char word[16];
    double x[3];
    if (line.size() > 256 || std::sscanf(line.c_str(), "%15s %lf %lf %lf", word, &x[0], &x[1], &x[2]) != 4 ||
        std::strcmp(word, "vertex") != 0)
      continue;
    if (!(std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2])))
      throw Error(fmt::format("{}:{}: a vertex is not three finite numbers", file, number));
    ++vertices;
  }
  return vertices >= 3;
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
  const bool text = bytes.starts_with("solid") || bytes.starts_with("SOLID");
  if (!text || !has_vertices(bytes, file.string())) require_triangles(bytes, file.string());
}

}  // namespace dgtd::grid
