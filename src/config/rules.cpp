#include "rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dgtd::config {
namespace {

template <class T>
bool parse_whole(std::string_view text, T& value) {
  // from_chars knows no plus sign.
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

}  // namespace

bool parse_number(std::string_view text, double& value) { return parse_whole(text, value) && std::isfinite(value); }
bool parse_integer(std::string_view text, std::int64_t& value) { return parse_whole(text, value); }

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(" \t", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

bool has_sign(double value, Sign sign) {
  return sign == Sign::any || value > 0 || (sign == Sign::not_negative && value == 0);
}

std::string allowed_numbers(std::string_view noun, Sign sign) {
  return fmt::format("{}{}", noun, sign == Sign::any ? "" : sign == Sign::positive ? " > 0" : " >= 0");
}

std::string allowed_integers(std::string_view noun, std::int64_t low, std::int64_t high) {
  return high == no_limit ? fmt::format("{} >= {}", noun, low) : fmt::format("{} from {} to {}", noun, low, high);
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

Rule share(double& target) {
  return {"a number > 0 and <= 1", [&target](std::string_view text) {
            double value = 0;
            if (!parse_number(text, value) || value <= 0 || value > 1) return false;
            target = value;
            return true;
          }};
}

Rule three_numbers(Vec3& target, Sign sign) {
  return {allowed_numbers("3 numbers", sign), [&target, sign](std::string_view text) {
            std::vector<double> values;
            if (!numbers(values, sign).set(text) || values.size() != 3) return false;
            target = {values[0], values[1], values[2]};
            return true;
          }};
}

Rule three_numbers(std::optional<Vec3>& target, Sign sign) {
  return {allowed_numbers("3 numbers", sign), [&target, sign](std::string_view text) {
            Vec3 value;
            if (!three_numbers(value, sign).set(text)) return false;
            target = value;
            return true;
          }};
}

Rule one_or_three_numbers(Vec3& target, Sign sign) {
  return {allowed_numbers("1 or 3 numbers", sign), [&target, sign](std::string_view text) {
            double value = 0;
            if (!number(value, sign).set(text)) return three_numbers(target, sign).set(text);
            target = {value, value, value};
            return true;
          }};
}

Rule completed(Rule rule, int given, std::string_view fill) {
  if (given == 3) return rule;
  std::string allowed = rule.allowed;
  const auto three = allowed.find('3');
  allowed.replace(three, 1, std::to_string(given));
  if (given == 1) allowed.erase(allowed.find('s', three), 1);  // "1 number", "1 integer"
  return {allowed, [set = rule.set, given, fill = std::string(fill)](std::string_view text) {
            if (split_words(text).size() != static_cast<std::size_t>(given)) return set(text);
            std::string whole(text);
            for (int a = given; a < 3; ++a) whole += " " + fill;
            return set(whole);
          }};
}

Rule numbers(std::vector<double>& target, Sign sign) {
  return {allowed_numbers("numbers", sign), [&target, sign](std::string_view text) {
            target.clear();
            for (const auto word : split_words(text)) {
              double value = 0;
              if (!parse_number(word, value) || !has_sign(value, sign)) return false;
              target.push_back(value);
            }
            return true;
          }};
}

Rule band(std::optional<Band>& target) {
  return {"2 rising numbers > 0, Hz", [&target](std::string_view text) {
            std::vector<double> values;
            if (!numbers(values, Sign::positive).set(text) || values.size() != 2 || !(values[0] < values[1]))
              return false;
            target = Band{values[0], values[1]};
            return true;
          }};
}

Rule any_text(std::string& target) {
  return {"a name", [&target](std::string_view text) {
            target = text;
            return true;
          }};
}

Rule path_from(const std::filesystem::path& base, std::filesystem::path& target) {
  return {"a path", [&target, base](std::string_view text) {
            target = (base / text).lexically_normal();  // an absolute path replaces the base
            return true;
          }};
}

Rule words(std::vector<std::string>& target, std::vector<std::string_view> words) {
  return {fmt::format("any of {}", fmt::join(words, " ")), [&target, words](std::string_view text) {
            const auto given = split_words(text);
            target.assign(given.begin(), given.end());
            return !given.empty() && std::all_of(given.begin(), given.end(), [&](std::string_view word) {
              return std::count(words.begin(), words.end(), word) == 1 &&
                     std::count(given.begin(), given.end(), word) == 1;
            });
          }};
}

Rule words_or_none(std::vector<std::string>& target, std::vector<std::string_view> allowed) {
  const Rule rule = words(target, std::move(allowed));
  return {rule.allowed + ", or none", [&target, rule](std::string_view text) {
            return rule.set(text) || target == std::vector<std::string>{"none"};
          }};
}

}  // namespace dgtd::config
