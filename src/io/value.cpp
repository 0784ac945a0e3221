#include "dgtd/io/value.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dgtd::io {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Value& value);

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Value::List& list) const {
    Json json = Json::array();
    for (const Value& item : list) json.push_back(json_of(item));
    return json;
  }
  Json operator()(const Value::Object& object) const {
    Json json = Json::object();
    for (const auto& [key, item] : object) json[key] = json_of(item);
    return json;
  }
  template <class T>
  Json operator()(const T& scalar) const {
    return scalar;
  }
};

Json json_of(const Value& value) { return std::visit(ToJson{}, value.data); }

}  // namespace

Value& Value::operator[](std::string_view key) {
  if (is_null()) data = Object{};
  auto& object = std::get<Object>(data);
  const auto found = std::find_if(object.begin(), object.end(), [&](const auto& item) { return item.first == key; });
  return found != object.end() ? found->second : object.emplace_back(key, Value()).second;
}

const Value& Value::at(std::string_view key) const {
  for (const auto& [name, value] : std::get<Object>(data))
    if (name == key) return value;
  throw std::out_of_range("no key " + std::string(key));
}

void Value::merge(const Value& other) {
  const auto* const from = std::get_if<Object>(&other.data);
  if (from == nullptr || !(is_null() || std::holds_alternative<Object>(data))) {
    *this = other;
    return;
  }
  if (is_null()) data = Object{};
  for (const auto& [key, value] : *from) (*this)[key].merge(value);
}

std::string json_text(const Value& value) {
  return json_of(value).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_line(const Value& value) {
  return json_of(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_json_object(std::string_view text) { return text.starts_with('{') && Json::accept(text); }

}  // namespace dgtd::io
