#pragma once
// A value of a JSON document, with keys in the order in which they were set. nlohmann-json prints it (value.cpp); its
// own type in this header would cost each source that sets a key 2.3 s of compilation in place of 0.6.
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::io {

class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<std::pair<std::string, Value>>;

  Value() = default;  // null
  Value(bool value) : data(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T value) : data(static_cast<std::int64_t>(value)) {}
  Value(double value) : data(value) {}
  Value(const char* text) : data(std::string(text)) {}
  Value(std::string_view text) : data(std::string(text)) {}
  Value(std::string text) : data(std::move(text)) {}
  Value(List list) : data(std::move(list)) {}
  Value(Object object) : data(std::move(object)) {}
  Value(const Vec3& v) : data(List{v.x, v.y, v.z}) {}
  template <class T>
  Value(const std::optional<T>& value) {  // absent: null
    if (value) *this = Value(*value);
  }
  template <class T>
  static Value list_of(const T& values) {
    List list;
    for (const auto& value : values) list.emplace_back(value);
    return list;
  }

  bool is_null() const { return data.index() == 0; }
  /// The value of a key, which is added to an object, or to what was null; not for other values.
  Value& operator[](std::string_view key);
  /// The value of a key that an object has; throws std::out_of_range.
  const Value& at(std::string_view key) const;
  const Value& at(std::size_t number) const { return std::get<List>(data).at(number); }
  /// The value as this type: bool, std::int64_t, double, std::string, List or Object; throws std::bad_variant_access.
  template <class T>
  const T& get() const {
    return std::get<T>(data);
  }
  /// Sets keys as the other one has them, in objects within objects too. Not an object: replaced.
  void merge(const Value& other);

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object> data;
};

/// Indented, numbers in the fewest digits that give the same number back, null for NaN and infinity; ends with a
/// newline. Bytes that are not UTF-8 (in a file's name, say) are replaced.
std::string json_text(const Value& value);
/// The same as one line, without a newline.
std::string json_line(const Value& value);
/// Whether a text is a whole JSON object.
bool is_json_object(std::string_view text);

}  // namespace dgtd::io
