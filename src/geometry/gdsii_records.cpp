#include "gdsii_records.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/base/error.hpp"

namespace dgtd::geometry {
namespace {

std::uint64_t big_endian(std::string_view data, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t b = 0; b < bytes; ++b) number = number << 8 | static_cast<unsigned char>(data[at + b]);
  return number;
}

std::int32_t signed_at(std::string_view data, std::size_t at) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(big_endian(data, at, 4)));
}

void require_size(const Record& record, std::size_t bytes) {
  if (record.data.size() != bytes)
    reject_record(record.place, fmt::format("a record of kind {:#04x} has {} bytes of data, {} are needed",
                                            static_cast<int>(record.kind), record.data.size(), bytes));
}

}  // namespace

void reject_record(std::size_t place, const std::string& reason) {
  throw Error(fmt::format("byte {}: {}", place, reason));
}

double excess_64_real(std::uint64_t bits) {
  const auto fraction = static_cast<double>(bits & 0x00FF'FFFF'FFFF'FFFFu);
  const int exponent = static_cast<int>(bits >> 56 & 0x7F) - 64;
  return (bits >> 63 != 0 ? -1 : 1) * std::ldexp(fraction, 4 * exponent - 56);
}

std::vector<int> Record::integers(std::size_t count) const {
  require_size(*this, 2 * count);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<int>(big_endian(data, 2 * i, 2)));
  return numbers;
}

std::vector<std::int32_t> Record::long_integers(std::size_t count) const {
  require_size(*this, 4 * count);
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(signed_at(data, 4 * i));
  return numbers;
}

std::vector<double> Record::reals(std::size_t count) const {
  require_size(*this, 8 * count);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(excess_64_real(big_endian(data, 8 * i, 8)));
  return numbers;
}

std::vector<GridPoint> Record::points() const {
  if (data.empty() || data.size() % 8 != 0)
    reject_record(place, fmt::format("coordinates have {} bytes, and 8 are a point", data.size()));
  std::vector<GridPoint> list;
  for (std::size_t at = 0; at < data.size(); at += 8) list.push_back({signed_at(data, at), signed_at(data, at + 4)});
  return list;
}

std::string Record::name() const {
  std::string text(data);
  if (!text.empty() && text.back() == '\0') text.pop_back();  // makes the length even
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E)
      reject_record(place, "a name has other characters than printable ASCII");
  return text;
}

Record RecordReader::next() {
  constexpr std::size_t head = 4;
  if (bytes_.size() - at_ < head) reject_record(at_, "the file ends before its end of library");
  const auto length = static_cast<std::size_t>(big_endian(bytes_, at_, 2));
  if (length < head || length % 2 != 0)
    reject_record(at_, fmt::format("a record of {} bytes: an even number, 4 or more, is needed", length));
  if (length > bytes_.size() - at_)
    reject_record(at_, fmt::format("a record of {} bytes, of which the file has {}", length, bytes_.size() - at_));
  Record record{static_cast<RecordKind>(static_cast<unsigned char>(bytes_[at_ + 2])), at_,
                bytes_.substr(at_ + head, length - head)};
  at_ += length;
  return record;
}

}  // namespace dgtd::geometry
