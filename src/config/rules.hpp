#pragma once
// A rule turns the text of one key into a member of the case, and can say what it allows.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "names.hpp"

namespace dgtd::config {

struct Rule {
  std::string allowed;                             // completes "must be …"
  std::function<bool(std::string_view text)> set;  // false: the text is not allowed
};

/// The whole text is one finite number.
bool parse_number(std::string_view text, double& value);
bool parse_integer(std::string_view text, std::int64_t& value);
std::vector<std::string_view> split_words(std::string_view text);

enum class Sign { any, positive, not_negative };
bool has_sign(double value, Sign sign);
std::string allowed_numbers(std::string_view noun, Sign sign);  // "3 numbers > 0"
std::string allowed_integers(std::string_view noun, std::int64_t low, std::int64_t high);
std::string listed(const std::vector<std::string_view>& words);  // "a, b or c"

Rule share(double& target);  // (0, 1]
Rule three_numbers(Vec3& target, Sign sign);
Rule three_numbers(std::optional<Vec3>& target, Sign sign);
Rule one_or_three_numbers(Vec3& target, Sign sign);  // one stands for all three
/// A rule for three words that takes the first `given` of them too, and `fill` for the others.
Rule completed(Rule rule, int given, std::string_view fill);
Rule numbers(std::vector<double>& target, Sign sign);
Rule band(std::optional<Band>& target);  // two rising frequencies
Rule any_text(std::string& target);
Rule path_from(const std::filesystem::path& base, std::filesystem::path& target);
/// Any of the words once each.
Rule words(std::vector<std::string>& target, std::vector<std::string_view> words);
/// Or the word none alone.
Rule words_or_none(std::vector<std::string>& target, std::vector<std::string_view> words);

/// target: double or an optional of it.
template <class T>
Rule number(T& target, Sign sign) {
  return {allowed_numbers("a number", sign), [&target, sign](std::string_view text) {
            double value = 0;
            if (!parse_number(text, value) || !has_sign(value, sign)) return false;
            target = value;
            return true;
          }};
}

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// target: int, std::int64_t or an optional of it. An int needs a limit.
template <class T>
Rule integer(T& target, std::int64_t low, std::int64_t high = no_limit) {
  return {allowed_integers("an integer", low, high), [&target, low, high](std::string_view text) {
            std::int64_t value = 0;
            if (!parse_integer(text, value) || value < low || value > high) return false;
            target = static_cast<T>(value);
            return true;
          }};
}

template <class T>
Rule three_integers(std::array<T, 3>& target, std::int64_t low, std::int64_t high = no_limit) {
  return {allowed_integers("3 integers", low, high), [&target, low, high](std::string_view text) {
            const auto words = split_words(text);
            if (words.size() != 3) return false;
            for (std::size_t i = 0; i < 3; ++i) {
              std::int64_t value = 0;
              if (!parse_integer(words[i], value) || value < low || value > high) return false;
              target[i] = static_cast<T>(value);
            }
            return true;
          }};
}

/// names: one of the tables of names.hpp, which the rule keeps a reference to.
template <class E, std::size_t n>
Rule choice(E& target, const Name<E> (&names)[n]) {
  std::vector<std::string_view> words;
  for (const auto& name : names) words.push_back(name.text);
  return {listed(words), [&target, &names](std::string_view text) {
            for (const auto& name : names) {
              if (name.text != text) continue;
              target = name.value;
              return true;
            }
            return false;
          }};
}

}  // namespace dgtd::config
