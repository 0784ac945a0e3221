#include "codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "value_schemas.hpp"

namespace dgtd::config {
namespace {

template <class T>
bool parse_whole(std::string_view text, T& value) {
  // from_chars accepts no plus sign.
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

constexpr const char* path_schema = R"({"type":"string","format":"path","minLength":1})";
constexpr const char* names_schema = R"({"type":["string","array"],"items":{"type":"string"},"minItems":1})";
constexpr const char* duration_schema = R"({"type":["number","string"],"exclusiveMinimum":0,)"
                                        R"("pattern":"^([0-9]+-)?[0-9]+:[0-9]+:[0-9]+$"})";

bool has_sign(double value, Sign sign) {
  return sign == Sign::any || value > 0 || (sign == Sign::not_negative && value == 0);
}

std::string with_sign(std::string_view noun, Sign sign) {
  return fmt::format("{}{}", noun, sign == Sign::any ? "" : sign == Sign::positive ? " > 0" : " >= 0");
}
std::string with_limits(std::string_view noun, std::int64_t low, std::int64_t high) {
  return high == no_limit ? fmt::format("{} >= {}", noun, low) : fmt::format("{} from {} to {}", noun, low, high);
}

bool parse_vector(std::string_view text, Vec3& value, Sign sign) {
  const auto words = split_words(text);
  if (words.size() != 3) return false;
  for (int i = 0; i < 3; ++i)
    if (!parse_signed(words[static_cast<std::size_t>(i)], value[i], sign)) return false;
  return true;
}

std::string text_of_vector(const Vec3& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); }

}  // namespace

bool parse_number(std::string_view text, double& value) { return parse_whole(text, value) && std::isfinite(value); }
bool parse_integer(std::string_view text, std::int64_t& value) { return parse_whole(text, value); }
bool parse_signed(std::string_view text, double& value, Sign sign) {
  return parse_number(text, value) && has_sign(value, sign);
}
bool parse_positive(std::string_view text, double& value) { return parse_signed(text, value, Sign::positive); }
bool parse_frequency(std::string_view text, double& value) {
  return parse_number(text, value) && value >= lowest_frequency && value <= highest_frequency;
}
bool parse_between(std::string_view text, std::int64_t& value, std::int64_t low, std::int64_t high) {
  return parse_integer(text, value) && value >= low && value <= high;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(" \t", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::string listed(const std::vector<std::string_view>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

Codec<solver::Method> method() {
  return {
      "", [](auto, solver::Method&) { return true; }, [](const solver::Method& m) { return std::string(m.name); }, {}};
}

Codec<double> number(Sign sign) {
  return {with_sign("a number", sign),
          [sign](auto text, double& value) { return parse_signed(text, value, sign); },
          [](double value) { return fmt::format("{}", value); },
          {"0.37", "1.7e9"},
          {},
          {},
          number_schema(sign)};
}

// Seconds from days, hours, minutes and seconds.
Codec<double> duration() {
  const auto parse = [](std::string_view text, double& value) {
    if (text.find(':') == std::string_view::npos) return parse_positive(text, value);
    std::int64_t days = 0, part[3] = {};
    if (const auto dash = text.find('-'); dash != std::string_view::npos) {
      if (!parse_between(text.substr(0, dash), days, 0, 10000)) return false;
      text.remove_prefix(dash + 1);
    }
    for (int i = 0; i < 3; ++i) {
      const auto colon = text.find(':');
      if ((colon == std::string_view::npos) != (i == 2)) return false;
      if (!parse_between(text.substr(0, colon), part[i], 0, i == 0 ? 100000 : 59)) return false;
      text.remove_prefix(i == 2 ? text.size() : colon + 1);
    }
    value = 3600.0 * double(24 * days + part[0]) + 60.0 * double(part[1]) + double(part[2]);
    return value > 0;
  };
  const auto format = [](double value) {
    const auto seconds = value < 1e9 ? static_cast<std::int64_t>(value) : 0;
    if (double(seconds) != value || seconds < 60) return fmt::format("{}", value);
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  };
  return {"a number > 0, or [D-]H:MM:SS", parse, format, {"24:00:00", "1-12:30:00", "90.5"}, {}, {}, duration_schema};
}

Codec<double> fraction() {
  return {"a number from 1e-6 to 1",
          [](auto text, double& value) { return parse_number(text, value) && value >= 1e-6 && value <= 1; },
          [](double value) { return fmt::format("{}", value); },
          {"0.37"},
          {},
          {},
          R"({"type":"number","minimum":1e-6,"maximum":1})"};
}

Codec<double> part() {
  return {"a number from 0 to 1",
          [](auto text, double& value) { return parse_number(text, value) && value >= 0 && value <= 1; },
          [](double value) { return fmt::format("{}", value); },
          {"0.05"},
          {},
          {},
          R"({"type":"number","minimum":0,"maximum":1})"};
}

Codec<double> above_one() {
  return {"a number > 1",
          [](auto text, double& value) { return parse_number(text, value) && value > 1; },
          [](double value) { return fmt::format("{}", value); },
          {"1.7"},
          {},
          {},
          R"({"type":"number","exclusiveMinimum":1})"};
}

Codec<double> below_zero() {
  return {"a number < 0",
          [](auto text, double& value) { return parse_number(text, value) && value < 0; },
          [](double value) { return fmt::format("{}", value); },
          {"-60"},
          {},
          {},
          R"({"type":"number","exclusiveMaximum":0})"};
}

Codec<RunEnd> run_end() {
  const auto word = choice(run_end_names);
  const auto parse = [word](std::string_view text, RunEnd& end) {
    return word.parse(text, end.type) || parse_positive(text, end.seconds);
  };
  const auto format = [word](const RunEnd& end) {
    return end.type == RunEnd::Type::seconds ? fmt::format("{}", end.seconds) : word.format(end.type);
  };
  std::vector<std::string_view> words;
  for (const Choice& c : word.choices) words.push_back(c.text);
  return {
      fmt::format("a number > 0, or {}", listed(words)),
      parse,
      format,
      {"2.5e-9"},
      {},
      {},
      fmt::format(R"({{"anyOf":[{},{{"enum":["{}"]}}]}})", number_schema(Sign::positive), fmt::join(words, R"(",")"))};
}

Codec<std::int64_t> integer(std::int64_t low, std::int64_t high) {
  return {with_limits("an integer", low, high),
          [low, high](auto text, std::int64_t& value) { return parse_between(text, value, low, high); },
          [](std::int64_t value) { return fmt::format("{}", value); },
          {fmt::format("{}", low + 2), fmt::format("{}", low + 1)},
          {},
          {},
          integer_schema(low, high)};
}

Codec<std::int64_t> integer_or_auto(std::int64_t low, std::int64_t high) {
  constexpr std::string_view word = "auto";
  return {with_limits("an integer", low, high) + ", or auto",
          [low, high, word](auto text, std::int64_t& value) {
            if (text != word) return parse_between(text, value, low, high);
            value = 0;
            return true;
          },
          [word](std::int64_t value) { return value == 0 ? std::string(word) : fmt::format("{}", value); },
          {fmt::format("{}", low + 2), std::string(word)},
          {},
          {},
          fmt::format(R"({{"type":["integer","string"],"minimum":{},"maximum":{},"pattern":"^{}$"}})", low, high, word)};
}

Codec<std::vector<double>> numbers(Sign sign) {
  return {with_sign("numbers", sign),
          [sign](auto text, std::vector<double>& values) {
            values.clear();
            for (const auto word : split_words(text))
              if (!parse_signed(word, values.emplace_back(), sign)) return false;
            return !values.empty();
          },
          [](const std::vector<double>& values) { return fmt::format("{}", fmt::join(values, " ")); },
          {"1.5e9 2.5e9"},
          {},
          {},
          number_or_list_schema(sign)};
}

Codec<double> frequency() {
  return {"a number from " + std::string(frequency_limits),
          parse_frequency,
          [](double value) { return fmt::format("{}", value); },
          {"0.37", "1.7e9"},
          {},
          {},
          R"({"type":"number","minimum":1e-6,"maximum":1e24})"};
}

Codec<std::vector<double>> frequencies() {
  Codec<std::vector<double>> codec = numbers(Sign::positive);
  codec.allowed = "numbers from " + std::string(frequency_limits);
  codec.parse = [](auto text, std::vector<double>& values) {
    values.clear();
    for (const auto word : split_words(text))
      if (!parse_frequency(word, values.emplace_back())) return false;
    return !values.empty();
  };
  return codec;
}

Codec<Band> band() {
  return {"2 rising numbers from " + std::string(frequency_limits),
          [](auto text, Band& value) {
            const auto words = split_words(text);
            return words.size() == 2 && parse_frequency(words[0], value.lowest) &&
                   parse_frequency(words[1], value.highest) && value.lowest < value.highest;
          },
          [](const Band& value) { return fmt::format("{} {}", value.lowest, value.highest); },
          {"1e8 3e9"},
          {},
          {},
          list_schema(number_schema(Sign::positive), 2, 2)};
}

Codec<std::string> any_text(std::vector<std::string> examples, std::string allowed) {
  return {std::move(allowed),
          [](auto text, std::string& value) {
            value = text;
            return !text.empty();
          },
          [](const std::string& value) { return value; }, std::move(examples)};
}

Codec<std::string> expression() {
  Codec<std::string> codec = any_text({"x + 1"}, "an expression");
  codec.reading = Reading::expression;
  return codec;
}

Codec<std::filesystem::path> path() {
  return {"a path",
          [](auto text, std::filesystem::path& value) {
            value = text;
            return !text.empty();
          },
          [](const std::filesystem::path& value) { return value.string(); },
          {"../a b.txt"},
          {},
          {},
          path_schema};
}

Codec<std::vector<std::string>> words(std::vector<std::string_view> words, std::vector<std::string_view> alone) {
  std::vector<std::string> examples{std::string(words.back())};
  return {fmt::format("any of {}{}{}", fmt::join(words, " "), alone.empty() ? "" : ", or ", listed(alone)),
          [words, alone](auto text, std::vector<std::string>& values) {
            const auto given = split_words(text);
            values.assign(given.begin(), given.end());
            if (std::count(alone.begin(), alone.end(), text) == 1) return true;
            return !given.empty() && std::all_of(given.begin(), given.end(), [&](std::string_view word) {
              return std::count(words.begin(), words.end(), word) == 1 &&
                     std::count(given.begin(), given.end(), word) == 1;
            });
          },
          [](const std::vector<std::string>& values) { return fmt::format("{}", fmt::join(values, " ")); },
          std::move(examples),
          {},
          {},
          words_schema(words, alone)};
}

Codec<std::vector<std::string>> names(std::vector<std::string> examples) {
  return {"names",
          [](auto text, std::vector<std::string>& values) {
            const auto given = split_words(text);
            values.assign(given.begin(), given.end());
            return !values.empty();
          },
          [](const std::vector<std::string>& values) { return fmt::format("{}", fmt::join(values, " ")); },
          std::move(examples),
          {},
          {},
          names_schema};
}

Codec<std::vector<std::string>> listed_names(std::vector<std::string> examples) {
  return {"names, separated by commas",
          [](std::string_view text, std::vector<std::string>& values) {
            values.clear();
            for (std::size_t begin = 0; begin <= text.size();) {
              const std::size_t comma = std::min(text.find(',', begin), text.size());
              std::string_view name = text.substr(begin, comma - begin);
              name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
              name.remove_suffix(name.size() - (name.find_last_not_of(" \t") + 1));
              if (name.empty()) return false;
              values.emplace_back(name);
              begin = comma + 1;
            }
            return true;
          },
          [](const std::vector<std::string>& values) { return fmt::format("{}", fmt::join(values, ", ")); },
          std::move(examples)};
}

Codec<Vec3> three_numbers(Sign sign) {
  return {with_sign("3 numbers", sign),
          [sign](auto text, Vec3& value) { return parse_vector(text, value, sign); },
          text_of_vector,
          {"0.1 0.2 0.3"},
          {},
          {},
          list_schema(number_schema(sign), 3, 3)};
}

Codec<Vec3> place(Sign sign) {
  Codec<Vec3> codec = three_numbers(sign);
  codec.missing_axis = "0";
  codec.examples = {"0.1 0.2 0.3", "0.001 0.002 0.003"};
  return codec;
}

Codec<Vec3> length(Sign sign) {
  Codec<Vec3> codec = three_numbers(sign);
  codec.missing_axis = "1e9";
  codec.examples = {"0.011 0.012 0.013", "0.011 0 0.013"};
  return codec;
}

Codec<Vec3> direction() {
  Codec<Vec3> codec = place();
  codec.examples = {"0 0 1", "0 1 0", "1 0 0"};
  codec.format = [](const Vec3& v) { return v == Vec3{0, 0, 0} ? "" : text_of_vector(v); };
  return codec;
}

Codec<Vec3> spacing() {
  return {"1 or 3 numbers > 0",
          [](auto text, Vec3& value) {
            double all = 0;
            if (!parse_positive(text, all)) return parse_vector(text, value, Sign::positive);
            value = {all, all, all};
            return true;
          },
          text_of_vector,
          {"0.0006"},
          {},
          "1",
          number_or_list_schema(Sign::positive, 3)};
}

Codec<std::array<std::int64_t, 3>> three_integers(std::int64_t low, std::int64_t high, std::string missing_axis) {
  return {with_limits("3 integers", low, high),
          [low, high](auto text, std::array<std::int64_t, 3>& value) {
            const auto words = split_words(text);
            if (words.size() != 3) return false;
            for (std::size_t i = 0; i < 3; ++i)
              if (!parse_between(words[i], value[i], low, high)) return false;
            return true;
          },
          [](const std::array<std::int64_t, 3>& value) { return fmt::format("{}", fmt::join(value, " ")); },
          {fmt::format("{} {} {}", low + 2, low + 3, low + 4)},
          {},
          std::move(missing_axis),
          list_schema(integer_schema(low, high), 3, 3)};
}

}  // namespace dgtd::config
