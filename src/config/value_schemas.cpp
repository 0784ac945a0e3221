#include "value_schemas.hpp"

#include <fmt/format.h>

namespace dgtd::config {
namespace {

std::string limits_schema(Sign sign) {
  return sign == Sign::any ? "" : sign == Sign::positive ? R"(,"exclusiveMinimum":0)" : R"(,"minimum":0)";
}

std::string items_schema(const std::string& item, int fewest, int most) {
  return fmt::format(R"("items":{},"minItems":{}{})", item, fewest,
                     most == 0 ? "" : fmt::format(R"(,"maxItems":{})", most));
}

}  // namespace

std::string number_schema(Sign sign) { return fmt::format(R"({{"type":"number"{}}})", limits_schema(sign)); }

std::string integer_schema(std::int64_t low, std::int64_t high) {
  return fmt::format(R"({{"type":"integer","minimum":{}{}}})", low,
                     high == no_limit ? "" : fmt::format(R"(,"maximum":{})", high));
}

std::string list_schema(const std::string& item, int fewest, int most) {
  return fmt::format(R"({{"type":"array",{}}})", items_schema(item, fewest, most));
}

std::string number_or_list_schema(Sign sign, int most) {
  return fmt::format(R"({{"type":["number","array"]{},{}}})", limits_schema(sign),
                     items_schema(number_schema(sign), 1, most));
}

std::string words_schema(const std::vector<std::string_view>& words, const std::vector<std::string_view>& alone) {
  const auto quoted = [](const auto& list) { return fmt::format(R"("{}")", fmt::join(list, R"(",")")); };
  return fmt::format(R"({{"anyOf":[{{"enum":[{}{}{}]}},{}]}})", quoted(words), alone.empty() ? "" : ",",
                     alone.empty() ? "" : quoted(alone),
                     list_schema(fmt::format(R"({{"enum":[{}]}})", quoted(words)), 1));
}

}  // namespace dgtd::config
