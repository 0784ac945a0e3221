#pragma once
// Records of GDSII stream files (Calma, GDSII Stream Format Manual, release 6.0, 1987): two bytes with the length, one
// with the kind, one with the type of the data, all numbers with the high byte first.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/geometry/layout.hpp"

namespace dgtd::geometry {

enum class RecordKind : std::uint8_t {
  header = 0x00,
  begin_library = 0x01,
  library_name = 0x02,
  units = 0x03,
  end_library = 0x04,
  begin_cell = 0x05,
  cell_name = 0x06,
  end_cell = 0x07,
  boundary = 0x08,
  path = 0x09,
  reference = 0x0A,
  array_reference = 0x0B,
  text = 0x0C,
  layer = 0x0D,
  data_type = 0x0E,
  width = 0x0F,
  coordinates = 0x10,
  end_element = 0x11,
  referred_name = 0x12,
  columns_and_rows = 0x13,
  node = 0x15,
  transformation = 0x1A,
  magnification = 0x1B,
  angle = 0x1C,
  path_end = 0x21,
  box = 0x2D,
  box_type = 0x2E,
  extension_before = 0x30,
  extension_beyond = 0x31,
};

struct Record {
  RecordKind kind{};  // may be one that is not listed above
  std::size_t place = 0;  // byte of the file where it begins
  std::string_view data;

  /// Throws Error with the place unless the data are exactly so many numbers.
  std::vector<int> integers(std::size_t count) const;  // of 16 bits, 0 to 65535
  std::vector<std::int32_t> long_integers(std::size_t count) const;
  std::vector<double> reals(std::size_t count) const;
  /// Any number of points, at least one.
  std::vector<GridPoint> points() const;
  std::string name() const;
};

/// Goes through the records of a file's bytes.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}
  /// Throws Error with the place where the file ends too early, or a record is of no possible length.
  Record next();

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A sign, an exponent of 16 that is 64 too large, and 56 bits of a fraction.
double excess_64_real(std::uint64_t bits);

[[noreturn]] void reject_record(std::size_t place, const std::string& reason);

}  // namespace dgtd::geometry
