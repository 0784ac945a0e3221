#pragma once
// Writes GDSII streams for tests, record by record.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace gdsii_testing {

using Places = std::vector<std::pair<std::int32_t, std::int32_t>>;

class GdsiiWriter {
 public:
  /// unit: m, of the database. Without a unit the library's head is left out.
  explicit GdsiiWriter(double unit = 1e-9) {
    integers(0x00, {600});
    integers(0x01, std::vector<int>(12, 1));
    name(0x02, "LIB");
    reals(0x03, {1e-3, unit});
  }

  GdsiiWriter& cell(const std::string& text) {
    integers(0x05, std::vector<int>(12, 1));
    return name(0x06, text);
  }
  GdsiiWriter& end_cell() { return record(0x07, 0, ""); }

  GdsiiWriter& polygon(int layer, int type, Places corners) {
    corners.push_back(corners.front());
    record(0x08, 0, "").integers(0x0D, {layer}).integers(0x0E, {type});
    return places(corners).end_element();
  }
  GdsiiWriter& rectangle(int layer, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t height) {
    return polygon(layer, 0, {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}});
  }
  GdsiiWriter& box(int layer, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t height) {
    record(0x2D, 0, "").integers(0x0D, {layer}).integers(0x2E, {0});
    return places({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}, {x, y}}).end_element();
  }
  /// before, beyond: of type 4.
  GdsiiWriter& path(int layer, int type, std::int32_t width, const Places& points, std::int32_t before = 0,
                    std::int32_t beyond = 0) {
    record(0x09, 0, "").integers(0x0D, {layer}).integers(0x0E, {0}).integers(0x21, {type}).longs(0x0F, {width});
    if (type == 4) longs(0x30, {before}).longs(0x31, {beyond});
    return places(points).end_element();
  }
  GdsiiWriter& reference(const std::string& cell, std::pair<std::int32_t, std::int32_t> at, bool mirrored = false,
                         double magnification = 1, double degrees = 0) {
    record(0x0A, 0, "").name(0x12, cell);
    if (mirrored || magnification != 1 || degrees != 0)
      integers(0x1A, {mirrored ? 0x8000 : 0}).reals(0x1B, {magnification}).reals(0x1C, {degrees});
    return places({at}).end_element();
  }
  GdsiiWriter& array(const std::string& cell, int columns, int rows, const Places& corners) {
    record(0x0B, 0, "").name(0x12, cell).integers(0x13, {columns, rows});
    return places(corners).end_element();
  }
  GdsiiWriter& text(int layer) {
    record(0x0C, 0, "").integers(0x0D, {layer}).integers(0x16, {0});
    return places({{0, 0}}).name(0x19, "words").end_element();
  }

  GdsiiWriter& record(int kind, int data_type, const std::string& data) {
    const std::size_t length = data.size() + 4;
    bytes_ += {static_cast<char>(length >> 8), static_cast<char>(length), static_cast<char>(kind),
               static_cast<char>(data_type)};
    bytes_ += data;
    return *this;
  }
  GdsiiWriter& integers(int kind, const std::vector<int>& values) {
    std::string data;
    for (const int v : values) data += {static_cast<char>(v >> 8), static_cast<char>(v)};
    return record(kind, 2, data);
  }
  GdsiiWriter& longs(int kind, const std::vector<std::int32_t>& values) {
    std::string data;
    for (const std::int32_t v : values) data += big_endian(static_cast<std::uint32_t>(v), 4);
    return record(kind, 3, data);
  }
  GdsiiWriter& reals(int kind, const std::vector<double>& values) {
    std::string data;
    for (const double v : values) data += big_endian(real_bits(v), 8);
    return record(kind, 5, data);
  }
  GdsiiWriter& name(int kind, std::string text) {
    if (text.size() % 2 != 0) text += '\0';
    return record(kind, 6, text);
  }
  GdsiiWriter& places(const Places& list) {
    std::vector<std::int32_t> values;
    for (const auto& [x, y] : list) values.push_back(x), values.push_back(y);
    return longs(0x10, values);
  }
  GdsiiWriter& end_element() { return record(0x11, 0, ""); }

  /// With the end of the library.
  std::string bytes() const { return GdsiiWriter(*this).record(0x04, 0, "").bytes_; }
  std::string without_end() const { return bytes_; }
  void write(const std::filesystem::path& file) const { std::ofstream(file, std::ios::binary) << bytes(); }

  /// Sign, exponent of 16 plus 64, fraction of 56 bits.
  static std::uint64_t real_bits(double value) {
    if (value == 0) return 0;
    int exponent = 64;
    double fraction = std::abs(value);
    for (; fraction >= 1; ++exponent) fraction /= 16;
    for (; fraction < 1.0 / 16; --exponent) fraction *= 16;
    const auto bits = static_cast<std::uint64_t>(std::ldexp(fraction, 56));
    return std::uint64_t{value < 0} << 63 | static_cast<std::uint64_t>(exponent) << 56 | bits;
  }

 private:
  static std::string big_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int b = bytes - 1; b >= 0; --b) text += static_cast<char>(value >> (8 * b));
    return text;
  }

  std::string bytes_;
};

}  // namespace gdsii_testing
