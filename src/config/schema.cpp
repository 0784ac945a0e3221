// JSON Schema (draft 2020-12) of a case file, from the table of keys.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dgtd/config/documents.hpp"
#include "key.hpp"

namespace dgtd::config {
namespace {

using Json = nlohmann::ordered_json;

// Names of the methods of which something holds.
template <class Has>
Json method_names(std::span<const solver::Method> methods, const Has& has) {
  Json names = Json::array();
  for (const auto& m : methods)
    if (has(m.has)) names.push_back(std::string(m.name));
  return names;
}

// Values that a key may have, in the keywords of JSON Schema.
Json value_schema(const Key& key, const Json& methods) {
  Json schema = key.schema.empty() ? Json{{"type", "string"}} : Json::parse(key.schema);
  if (!key.choices.empty() || key.allowed_text.empty()) {  // without both: solver.method
    Json words = Json::array();
    for (const Choice& choice : key.choices) words.push_back(std::string(choice.text));
    schema["enum"] = words.empty() ? methods : words;
  }
  if (!key.missing_axis.empty()) schema["minItems"] = 1;  // of methods with fewer axes
  return schema;
}

// The default as a value; null where it is words of a document.
Json default_value(const Key& key, const Json& schema) {
  if (schema.contains("enum")) {
    const auto& words = schema["enum"];
    return std::find(words.begin(), words.end(), Json(key.initially)) != words.end() ? Json(key.initially) : Json();
  }
  Json numbers = Json::array();
  for (const auto word : split_words(key.initially)) {
    double number = 0;
    std::int64_t integer = 0;
    if (parse_integer(word, integer)) numbers.push_back(integer);
    else if (parse_number(word, number)) numbers.push_back(number);
    else return key.initially == key.fresh && !key.fresh.empty() ? Json(key.fresh) : Json();
  }
  if (numbers.empty()) return {};
  return numbers.size() == 1 ? numbers[0] : numbers;
}

Json schema_of(const Section& section, const Key& key, std::span<const solver::Method> methods) {
  const auto has_key = [&](const Capabilities& c) { return fulfils(section.needs, c) && fulfils(key.needs, c); };
  const Json owners = method_names(methods, has_key);
  Json schema = value_schema(key, owners);
  schema["description"] = key.text;
  if (!key.unit.empty()) schema["unit"] = key.unit;
  if (const auto units = allowed_units(key.reading, key.unit); !units.empty()) schema["units"] = units;
  if (Json value = default_value(key, schema); !value.is_null()) schema["default"] = std::move(value);
  else if (!key.initially.empty()) schema["default_text"] = key.initially;
  schema["methods"] = owners;
  for (const Choice& choice : key.choices)
    if (const Json some = method_names(
            methods, [&](const Capabilities& c) { return has_key(c) && (!choice.available || choice.available(c)); });
        some != owners)
      schema["methods_of_values"][std::string(choice.text)] = some;
  for (const auto& b : key.belongs) {
    if (!b.owner.empty()) schema["belongs_to"]["text"] = b.owner;
    for (const Choice& choice : b.values) schema["belongs_to"][std::string(b.key)].push_back(std::string(choice.text));
  }
  return schema;
}

// Keys that every section of the kind must have, or that follow from the values of another key.
void require_keys(Json& schema, const Section& section) {
  for (const Key& key : section.keys) {
    if (!key.required) continue;
    const std::string name(key.name);
    if (key.belongs.empty()) {
      if (key.needs.empty()) schema["required"].push_back(name);
      continue;
    }
    const auto& b = key.belongs.front();
    if (key.belongs.size() > 1 || b.values.empty()) continue;
    Json values = Json::array();
    for (const Choice& choice : b.values) values.push_back(std::string(choice.text));
    const std::string other(b.key);
    schema["allOf"].push_back({{"if", {{"properties", {{other, {{"enum", values}}}}}, {"required", {other}}}},
                               {"then", {{"required", {name}}}}});
  }
}

Json schema_of(const Section& section, std::span<const solver::Method> methods) {
  Json schema{{"description", section.text},
              {"type", "object"},
              {"methods", method_names(methods, [&](const Capabilities& c) { return fulfils(section.needs, c); })},
              {"properties", Json::object()},
              {"additionalProperties", false}};
  for (const Key& key : section.keys) {
    Json& properties = schema["properties"];
    properties[std::string(key.name)] = schema_of(section, key, methods);
    if (key.formerly.empty()) continue;
    Json former = properties[std::string(key.name)];
    former["deprecated"] = true;
    former["replaced_by"] = key.name;
    properties[std::string(key.formerly)] = std::move(former);
  }
  require_keys(schema, section);
  return schema;
}

std::string pattern_of(std::string_view kind) { return fmt::format("^{}[.].+$", kind); }

}  // namespace

std::string json_schema(std::span<const solver::Method> methods) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Case of dgtd " DGTD_VERSION},
              {"description",
               "A case file as JSON: an object per section. Lists are written with blanks between their values, lists "
               "of lists with commas between these. Numbers are in the key's `unit`; a case file may also have texts "
               "in their place, with a unit of `units` behind a number and with expressions of `parameters`."},
              {"type", "object"},
              {"properties", Json::object()},
              {"patternProperties", Json::object()},
              {"additionalProperties", false}};
  schema["properties"]["parameters"] = {{"$ref", "#/$defs/parameters"}};
  schema["$defs"]["parameters"] = {
      {"description", "Named numbers, with a unit or without, or expressions of them, for the values of other keys."},
      {"type", "object"},
      {"methods", method_names(methods, [](const Capabilities&) { return true; })},
      {"properties", Json::object()},
      {"additionalProperties", {{"type", {"number", "string"}}}}};
  for (const Section& section : key_table()) {
    const std::string kind(section.kind);
    const Json reference{{"$ref", "#/$defs/" + kind}};
    if (section.named) schema["patternProperties"][pattern_of(kind)] = reference;
    else schema["properties"][kind] = reference;
    if (!section.formerly.empty())
      schema["patternProperties"][pattern_of(section.formerly)] = {
          {"$ref", "#/$defs/" + kind}, {"deprecated", true}, {"replaced_by", kind}};
    schema["$defs"][kind] = schema_of(section, methods);
  }
  return schema.dump(1) + "\n";
}

}  // namespace dgtd::config
