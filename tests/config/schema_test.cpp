// The JSON Schema of case files (dgtd --schema) against the table of keys.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "app/problems/methods.hpp"
#include "config/key.hpp"
#include "dgtd/config/documents.hpp"

namespace dgtd::config {
namespace {

using Json = nlohmann::json;

const Json& schema() {
  static const Json json = Json::parse(json_schema(app::methods()));
  return json;
}
const Json& schema_of(const Section& section) { return schema()["$defs"][std::string(section.kind)]; }

bool has_type(const Json& value, const std::string& type) {
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  if (type == "string") return value.is_string();
  return type == "array" && value.is_array();
}

// The keywords of JSON Schema that the table uses.
bool is_valid(const Json& value, const Json& s) {
  if (s.contains("anyOf") &&
      std::none_of(s["anyOf"].begin(), s["anyOf"].end(), [&](const Json& one) { return is_valid(value, one); }))
    return false;
  if (s.contains("const") && value != s["const"]) return false;
  if (s.contains("enum") && std::find(s["enum"].begin(), s["enum"].end(), value) == s["enum"].end()) return false;
  if (s.contains("type")) {
    const Json types = s["type"].is_array() ? s["type"] : Json::array({s["type"]});
    if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type); })) return false;
  }
  if (value.is_number()) {
    if (s.contains("minimum") && value < s["minimum"]) return false;
    if (s.contains("exclusiveMinimum") && value <= s["exclusiveMinimum"]) return false;
    if (s.contains("maximum") && value > s["maximum"]) return false;
  }
  if (value.is_string() && s.contains("pattern") &&
      !std::regex_search(value.get<std::string>(), std::regex(s["pattern"].get<std::string>())))
    return false;
  if (!value.is_array()) return true;
  if (s.contains("minItems") && value.size() < s["minItems"]) return false;
  if (s.contains("maxItems") && value.size() > s["maxItems"]) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool in_prefix = s.contains("prefixItems") && i < s["prefixItems"].size();
    if (in_prefix ? !is_valid(value[i], s["prefixItems"][i]) : s.contains("items") && !is_valid(value[i], s["items"]))
      return false;
  }
  return true;
}

Json scalar(std::string_view text) {
  std::int64_t integer = 0;
  double number = 0;
  if (parse_integer(text, integer)) return integer;
  if (parse_number(text, number)) return number;
  return std::string(text);
}

Json list(std::string_view text) {
  Json words = Json::array();
  for (const auto word : split_words(text)) words.push_back(scalar(word));
  return words;
}

// Possible readings of a text of a case file as JSON: a number or text, a list, a list of lists.
std::vector<Json> readings(const std::string& text) {
  Json lists = Json::array();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    lists.push_back(list(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return {scalar(text), Json(text), list(text), lists};
}

bool is_valid_text(const std::string& text, const Json& s) {
  const auto values = readings(text);
  return std::any_of(values.begin(), values.end(), [&](const Json& value) { return is_valid(value, s); });
}

TEST(Schema, HasAllSectionsAndKeysWithTheirDocumentation) {
  EXPECT_EQ(schema()["$schema"], "https://json-schema.org/draft/2020-12/schema");
  for (const Section& section : key_table()) {
    const std::string kind(section.kind);
    EXPECT_EQ(schema()["properties"].contains(kind), !section.named) << kind;
    EXPECT_EQ(schema()["patternProperties"].contains("^" + kind + "[.].+$"), section.named) << kind;
    EXPECT_EQ(schema_of(section)["additionalProperties"], false) << kind;
    for (const Key& key : section.keys) {
      const Json& s = schema_of(section)["properties"][std::string(key.name)];
      EXPECT_EQ(s["description"], std::string(key.text)) << kind << "." << key.name;
      EXPECT_EQ(s.value("unit", ""), std::string(key.unit)) << kind << "." << key.name;
    }
  }
}

// Each example of a key that the program accepts; some belong to values of other keys of the same type.
TEST(Schema, AcceptsWhatTheProgramAccepts) {
  const Context context{".", app::method("fdtd3d"), app::methods()};
  for (const Section& section : key_table()) {
    Case c;
    if (section.named) section.add(c, "a", "");
    for (const Key& key : section.keys)
      for (const std::string& text : key.examples)
        EXPECT_EQ(is_valid_text(text, schema_of(section)["properties"][std::string(key.name)]),
                  key.set(section.item(c, 0), text, context))
            << section.kind << "." << key.name << " = " << text;
  }
}

TEST(Schema, HasRangesUnitsDefaultsAndMethods) {
  const Json order = schema()["$defs"]["solver"]["properties"]["order"];
  EXPECT_EQ(order["minimum"], 1);
  EXPECT_EQ(order["maximum"], 6);
  EXPECT_EQ(order["default"], 2);
  EXPECT_EQ(order["methods"], Json::array({"dgtd"}));
  EXPECT_FALSE(is_valid(7, order));
  EXPECT_FALSE(is_valid("two", order));
  const Json radius = schema()["$defs"]["shape"]["properties"]["radius"];
  EXPECT_EQ(radius["unit"], "m");
  EXPECT_EQ(radius["belongs_to"]["type"], Json::array({"sphere", "cylinder", "cone", "torus", "wire"}));
  EXPECT_FALSE(is_valid(0, radius));
  const Json type = schema()["$defs"]["boundary"]["properties"]["type"];
  EXPECT_EQ(type["methods_of_values"]["silver-muller"], Json::array({"dgtd"}));
  EXPECT_FALSE(type["methods_of_values"].contains("pec"));
  EXPECT_EQ(schema()["$defs"]["probe"]["required"], Json::array({"position"}));
  const Json position = schema()["$defs"]["probe"]["properties"]["position"];
  EXPECT_FALSE(is_valid(Json::array({1, 2, 3, 4}), position));
  EXPECT_TRUE(is_valid(Json::array({1}), position)) << "of a line";
}

TEST(Schema, HasFormerSpellingsWithTheirReplacement) {
  const Json courant = schema()["$defs"]["solver"]["properties"]["courant"];
  EXPECT_EQ(courant["deprecated"], true);
  EXPECT_EQ(courant["replaced_by"], "cfl_fraction");
  EXPECT_EQ(schema()["patternProperties"]["^far[.].+$"]["replaced_by"], "far_field");
}

}  // namespace
}  // namespace dgtd::config
