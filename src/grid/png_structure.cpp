#include "png_structure.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {
namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

// CRC-32 of ISO 3309 (PNG, annex D).
std::uint32_t check_sum(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t;
    for (std::uint32_t n = 0; n < 256; ++n) {
      t[n] = n;
      for (int bit = 0; bit < 8; ++bit) t[n] = t[n] >> 1 ^ (t[n] & 1 ? 0xEDB88320u : 0);
    }
    return t;
  }();
  std::uint32_t sum = 0xFFFFFFFFu;
  for (const char c : bytes) sum = sum >> 8 ^ table[(sum ^ static_cast<std::uint8_t>(c)) & 255];
  return ~sum;
}

// Width, height, bit depth, colour type, compression, filter, interlace.
bool is_header(std::string_view data) {
  if (data.size() != 13) return false;
  const std::uint32_t width = big_endian(data), height = big_endian(data.substr(4));
  constexpr std::uint32_t most = 0x7FFFFFFF;
  const int depth = data[8], colour = data[9];
  const bool deep = depth == 8 || depth == 16, shallow = depth == 1 || depth == 2 || depth == 4;
  const bool fits = colour == 0   ? deep || shallow
                    : colour == 3 ? depth == 8 || shallow
                                  : (colour == 2 || colour == 4 || colour == 6) && deep;
  return width > 0 && width <= most && height > 0 && height <= most && fits && data[10] == 0 && data[11] == 0 &&
         (data[12] == 0 || data[12] == 1);
}

}  // namespace

void require_whole_png(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(fmt::format("{}: cannot be opened", file.string()));
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const std::string_view bytes(text);
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("{}: is not a whole PNG picture: {}", file.string(), what));
  };
  if (bytes.substr(0, signature.size()) != signature)
    throw Error(fmt::format("{}: cannot be read as a PNG picture", file.string()));
  bool header = false, data = false;
  for (std::size_t at = signature.size();;) {
    constexpr std::size_t frame = 12;  // length, name, check sum
    if (bytes.size() - at < frame) fail("it ends before its last chunk, IEND");
    const std::size_t length = big_endian(bytes.substr(at));
    if (length > bytes.size() - at - frame) fail(fmt::format("the chunk at byte {} is longer than the file", at));
    const auto named = bytes.substr(at + 4, 4 + length);  // name and data, which the check sum is of
    if (check_sum(named) != big_endian(bytes.substr(at + 8 + length)))
      fail(fmt::format("the chunk at byte {} has a wrong check sum", at));
    const auto name = named.substr(0, 4);
    if (!header && !(name == "IHDR" && is_header(named.substr(4)))) fail("its first chunk is not an allowed header");
    header = true;
    data = data || name == "IDAT";
    if (name == "IEND") break;
    at += frame + length;
  }
  if (!data) fail("it has no chunk of data, IDAT");
}

}  // namespace dgtd::grid
