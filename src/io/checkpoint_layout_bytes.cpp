#include <cstring>
#include <utility>

#include "checkpoint_layout.hpp"

namespace dgtd::io {

namespace {

class Packing {
 public:
  void put(const void* bytes, std::size_t count) { text_.append(static_cast<const char*>(bytes), count); }
  void put_size(std::uint64_t size) { put(&size, sizeof size); }
  void put_text(const std::string& value) {
    put_size(value.size());
    text_ += value;
  }
  void put_array(const StoredArray& a) {
    put_text(a.name);
    for (const std::uint64_t value : {std::uint64_t(a.items), std::uint64_t(a.values), std::uint64_t(a.value_bytes),
                                      std::uint64_t(a.is_integer), a.offset})
      put_size(value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Unpacking {
 public:
  explicit Unpacking(const std::string& text) : at_(text.data()) {}
  void take(void* to, std::size_t count) {
    if (count > 0) std::memcpy(to, at_, count);
    at_ += count;
  }
  std::uint64_t take_size() {
    std::uint64_t size = 0;
    take(&size, sizeof size);
    return size;
  }
  std::string take_text() {
    std::string value(static_cast<std::size_t>(take_size()), ' ');
    take(value.data(), value.size());
    return value;
  }
  StoredArray take_array() {
    StoredArray a;
    a.name = take_text();
    a.items = static_cast<std::int64_t>(take_size()), a.values = static_cast<std::int64_t>(take_size());
    a.value_bytes = static_cast<std::size_t>(take_size()), a.is_integer = take_size() != 0;
    a.offset = take_size();
    return a;
  }

 private:
  const char* at_;
};

}  // namespace

std::string pack(const CheckpointLayout& layout) {
  Packing bytes;
  bytes.put_size(layout.values.texts.size());
  for (const auto& [name, value] : layout.values.texts) bytes.put_text(name), bytes.put_text(value);
  bytes.put_size(layout.values.numbers.size());
  for (const auto& [name, values] : layout.values.numbers) {
    bytes.put_text(name), bytes.put_size(values.size());
    bytes.put(values.data(), values.size() * sizeof(double));
  }
  bytes.put_size(layout.arrays.size());
  for (const auto& array : layout.arrays) bytes.put_array(array);
  bytes.put_array(layout.checksums);
  return bytes.take();
}

CheckpointLayout unpack(const std::string& packed) {
  Unpacking bytes(packed);
  CheckpointLayout layout;
  for (auto n = bytes.take_size(); n > 0; --n) {
    std::string name = bytes.take_text();
    layout.values.texts[std::move(name)] = bytes.take_text();
  }
  for (auto n = bytes.take_size(); n > 0; --n) {
    auto& values = layout.values.numbers[bytes.take_text()];
    values.resize(static_cast<std::size_t>(bytes.take_size()));
    bytes.take(values.data(), values.size() * sizeof(double));
  }
  for (auto n = bytes.take_size(); n > 0; --n) layout.arrays.push_back(bytes.take_array());
  layout.checksums = bytes.take_array();
  return layout;
}

}  // namespace dgtd::io
