#pragma once
// JSON Schemas of the values of keys: numbers and lists.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec.hpp"

namespace dgtd::config {

std::string number_schema(Sign sign);
std::string integer_schema(std::int64_t low, std::int64_t high);
/// fewest, most: items; most = 0: any number.
std::string list_schema(const std::string& item, int fewest, int most = 0);
/// One number may be written without a list.
std::string number_or_list_schema(Sign sign, int most = 0);
/// A list of some of the words, or one of those that are alone.
std::string words_schema(const std::vector<std::string_view>& words, const std::vector<std::string_view>& alone);

}  // namespace dgtd::config
