#include "codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "dgtd/base/constants.hpp"

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

bool has_sign(double value, Sign sign) {
  return sign == Sign::any || value > 0 || (sign == Sign::not_negative && value == 0);
}
bool parse_signed(std::string_view text, double& value, Sign sign) {
  return parse_number(text, value) && has_sign(value, sign);
}
bool parse_positive(std::string_view text, double& value) { return parse_signed(text, value, Sign::positive); }
// lowest_frequency and highest_frequency.
constexpr std::string_view frequency_limits = "1e-6 to 1e24, Hz";
bool parse_frequency(std::string_view text, double& value) {
  return parse_number(text, value) && value >= lowest_frequency && value <= highest_frequency;
}
bool parse_between(std::string_view text, std::int64_t& value, std::int64_t low, std::int64_t high) {
  return parse_integer(text, value) && value >= low && value <= high;
}

std::string with_sign(std::string_view noun, Sign sign) {
  return fmt::format("{}{}", noun, sign == Sign::any ? "" : sign == Sign::positive ? " > 0" : " >= 0");
}
std::string with_limits(std::string_view noun, std::int64_t low, std::int64_t high) {
  return high == no_limit ? fmt::format("{} >= {}", noun, low) : fmt::format("{} from {} to {}", noun, low, high);
}

// JSON Schemas of numbers and of lists.
std::string limits_schema(Sign sign) {
  return sign == Sign::any ? "" : sign == Sign::positive ? R"(,"exclusiveMinimum":0)" : R"(,"minimum":0)";
}
std::string number_schema(Sign sign) { return fmt::format(R"({{"type":"number"{}}})", limits_schema(sign)); }
std::string integer_schema(std::int64_t low, std::int64_t high) {
  return fmt::format(R"({{"type":"integer","minimum":{}{}}})", low,
                     high == no_limit ? "" : fmt::format(R"(,"maximum":{})", high));
}
std::string items_schema(const std::string& item, int fewest, int most) {
  return fmt::format(R"("items":{},"minItems":{}{})", item, fewest,
                     most == 0 ? "" : fmt::format(R"(,"maxItems":{})", most));
}
std::string list_schema(const std::string& item, int fewest, int most = 0) {
  return fmt::format(R"({{"type":"array",{}}})", items_schema(item, fewest, most));
}
// One number may be written without a list.
std::string number_or_list_schema(Sign sign, int most = 0) {
  return fmt::format(R"({{"type":["number","array"]{},{}}})", limits_schema(sign),
                     items_schema(number_schema(sign), 1, most));
}
std::string words_schema(const std::vector<std::string_view>& words, const std::vector<std::string_view>& alone) {
  const auto quoted = [](const auto& list) { return fmt::format(R"("{}")", fmt::join(list, R"(",")")); };
  return fmt::format(R"({{"anyOf":[{{"enum":[{}{}{}]}},{}]}})", quoted(words), alone.empty() ? "" : ",",
                     alone.empty() ? "" : quoted(alone),
                     list_schema(fmt::format(R"({{"enum":[{}]}})", quoted(words)), 1));
}
constexpr const char *path_schema = R"({"type":"string","format":"path","minLength":1})",
                     *names_schema = R"({"type":["string","array"],"items":{"type":"string"},"minItems":1})",
                     *duration_schema = R"({"type":["number","string"],"exclusiveMinimum":0,)"
                                        R"("pattern":"^([0-9]+-)?[0-9]+:[0-9]+:[0-9]+$"})",
                     *run_schema = R"({"type":["number","string"],"exclusiveMinimum":0,"pattern":"^[0-9]+[*].+$"})",
                     *pole_schema =
                         R"({"type":"array","prefixItems":[{"enum":["drude","lorentz","debye","critical-point"]}],)"
                         R"("items":{"type":"number"},"minItems":3,"maxItems":5,)"
                         R"("if":{"prefixItems":[{"const":"critical-point"}]},"then":{"minItems":5},)"
                         R"("else":{"items":{"exclusiveMinimum":0},"maxItems":4}})",
                     *label_schema = R"({"type":"array","prefixItems":[{"type":"integer","minimum":0,"maximum":255},)"
                                     R"({"type":"string"}],"minItems":2,"maxItems":2})",
                     *range_schema = R"({"type":"array","prefixItems":[{"type":"number","exclusiveMinimum":0},)"
                                     R"({"type":"number","exclusiveMinimum":0},)"
                                     R"({"type":"integer","minimum":1}],"minItems":3,"maxItems":3})";

bool parse_vector(std::string_view text, Vec3& value, Sign sign) {
  const auto words = split_words(text);
  if (words.size() != 3) return false;
  for (int i = 0; i < 3; ++i)
    if (!parse_signed(words[static_cast<std::size_t>(i)], value[i], sign)) return false;
  return true;
}

std::string text_of_vector(const Vec3& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); }

bool parse_run(std::string_view word, CellRun& run) {
  const auto star = word.find('*');
  run.count = 1;
  if (star == std::string_view::npos) return parse_positive(word, run.spacing);
  return parse_integer(word.substr(0, star), run.count) && run.count >= 1 &&
         parse_positive(word.substr(star + 1), run.spacing);
}

// The numbers that follow the type of a pole.
template <class P>
auto parameters_of(P& pole) {
  std::vector<decltype(&pole.strength)> parameters{&pole.strength};
  if (pole.type == Pole::Type::lorentz || pole.type == Pole::Type::critical_point)
    parameters.push_back(&pole.resonance);
  if (pole.type == Pole::Type::critical_point) parameters.push_back(&pole.phase);
  parameters.push_back(pole.type == Pole::Type::debye ? &pole.relaxation_time : &pole.damping);
  return parameters;
}

bool parse_pole(std::string_view text, Pole& pole) {
  const auto words = split_words(text);
  if (words.empty() || !choice(pole_names).parse(words[0], pole.type)) return false;
  const auto parameters = parameters_of(pole);
  if (words.size() != 1 + parameters.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool any = pole.type == Pole::Type::critical_point && (i == 0 || parameters[i] == &pole.phase);  // A, phi
    if (!parse_signed(words[i + 1], *parameters[i], any ? Sign::any : Sign::positive)) return false;
  }
  return true;
}

std::string text_of_pole(const Pole& pole) {
  std::string text(text_of(pole_names, pole.type));
  for (const double* p : parameters_of(pole)) text += fmt::format(" {}", *p);
  return text;
}

bool parse_label(std::string_view text, Shape::Label& label) {
  const auto words = split_words(text);
  std::int64_t number = 0;
  if (words.size() < 2 || !parse_between(words[0], number, 0, 255)) return false;
  // A name may have blanks inside: from its first word to its last.
  label = {static_cast<int>(number), std::string(words[1].data(), words.back().data() + words.back().size())};
  return true;
}

bool parse_point(std::string_view text, std::array<double, 2>& point) {
  const auto words = split_words(text);
  return words.size() == 2 && parse_number(words[0], point[0]) && parse_number(words[1], point[1]);
}

// A list with commas.
template <class T, class ParseItem>
bool parse_list(std::string_view text, std::vector<T>& items, const ParseItem& parse) {
  items.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (!parse(text.substr(begin, end - begin), items.emplace_back())) return false;
    begin = end + 1;
  }
  return true;
}

// "FIRST LAST COUNT": frequencies of evenly spaced values, within limits that `parse` checks.
template <class Parse, class FrequencyOf>
Codec<std::vector<double>> evenly_spaced(std::string_view limits, std::vector<std::string> examples, const Parse& parse,
                                         const FrequencyOf& frequency_of) {
  constexpr std::int64_t most = 100000;
  return {fmt::format("FIRST LAST COUNT: two numbers from {} and an integer from 1 to {}, 1 only where they are equal",
                      limits, most),
          [parse, frequency_of](auto text, std::vector<double>& frequencies) {
            const auto words = split_words(text);
            double first = 0, last = 0;
            std::int64_t count = 0;
            if (words.size() != 3 || !parse(words[0], first) || !parse(words[1], last) ||
                !parse_between(words[2], count, 1, most) || (count == 1) != (first == last))
              return false;
            frequencies.clear();
            for (std::int64_t i = 0; i < count; ++i) {
              const double share = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
              frequencies.push_back(frequency_of(std::lerp(first, last, share)));
            }
            return true;
          },
          [](const std::vector<double>& frequencies) { return fmt::format("{}", fmt::join(frequencies, " ")); },
          std::move(examples),
          {},
          {},
          range_schema,
          Reading::range};
}

template <class T, class TextOfItem>
std::string joined(const std::vector<T>& items, const TextOfItem& text_of_item) {
  std::string text;
  for (const T& item : items) text += (text.empty() ? "" : ", ") + text_of_item(item);
  return text;
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

std::vector<CellRun> runs_of(const std::vector<double>& spacings) {
  std::vector<CellRun> runs;
  for (const double spacing : spacings) {
    if (runs.empty() || runs.back().spacing != spacing) runs.push_back({0, spacing});
    ++runs.back().count;
  }
  return runs;
}

Codec<std::vector<double>> spacing_list() {
  return {fmt::format("numbers > 0 or COUNT*NUMBER, at most {} cells", most_cells),
          [](auto text, std::vector<double>& cells) {
            cells.clear();
            for (const auto word : split_words(text)) {
              CellRun run;
              if (!parse_run(word, run)) return false;
              if (run.count > most_cells - static_cast<std::int64_t>(cells.size())) return false;
              cells.insert(cells.end(), static_cast<std::size_t>(run.count), run.spacing);
            }
            return !cells.empty();
          },
          [](const std::vector<double>& cells) {
            std::vector<std::string> words;
            for (const CellRun& run : runs_of(cells))
              words.push_back(run.count == 1 ? fmt::format("{}", run.spacing)
                                             : fmt::format("{}*{}", run.count, run.spacing));
            return fmt::format("{}", fmt::join(words, " "));
          },
          {"30*0.002 0.001"},
          {},
          {},
          list_schema(run_schema, 1),
          Reading::cell_runs};
}

Codec<std::vector<Pole>> pole_list() {
  return {
      "gold, or a list with commas of drude WP GAMMA, lorentz WP W0 GAMMA, debye DELTA_EPS TAU, "
      "critical-point A OMEGA PHI GAMMA, all numbers but A and PHI > 0",
      [](auto text, std::vector<Pole>& poles) {
        if (text != "gold") return parse_list(text, poles, parse_pole);
        poles = physics::gold_poles();
        return true;
      },
      [](const std::vector<Pole>& poles) { return joined(poles, text_of_pole); },
      {"drude 1.3e9 1e8, lorentz 1e9 2e9 3e7, debye 7 8e-12, critical-point 0.5 2e9 -0.8 3e8"},
      {},
      {},
      fmt::format(R"({{"anyOf":[{{"const":"gold"}},{}]}})", list_schema(pole_schema, 1))};
}

Codec<std::vector<Shape::Label>> label_list() {
  return {"a list with commas of NUMBER MATERIAL, each number from 0 to 255 once",
          [](auto text, std::vector<Shape::Label>& labels) {
            if (!parse_list(text, labels, parse_label)) return false;
            return std::all_of(labels.begin(), labels.end(), [&](const Shape::Label& label) {
              return std::count_if(labels.begin(), labels.end(), [&](auto& l) { return l.number == label.number; }) ==
                     1;
            });
          },
          [](const std::vector<Shape::Label>& labels) {
            return joined(labels, [](const auto& label) { return fmt::format("{} {}", label.number, label.material); });
          },
          {"3 glass, 7 glass"},
          {},
          {},
          list_schema(label_schema, 1)};
}

Codec<std::vector<std::array<double, 2>>> point_list() {
  return {"at least 3 pairs of numbers with commas, X Y, X Y, X Y",
          [](auto text, std::vector<std::array<double, 2>>& points) {
            return parse_list(text, points, parse_point) && points.size() >= 3;
          },
          [](const std::vector<std::array<double, 2>>& points) {
            return joined(points, [](const auto& p) { return fmt::format("{} {}", p[0], p[1]); });
          },
          {"0 0, 0.013 0, 0 0.017"},
          {},
          {},
          list_schema(list_schema(number_schema(Sign::any), 2, 2), 3)};
}

Codec<std::vector<double>> wavelengths() {
  constexpr double shortest = 3e-16, longest = 2.9e14;  // m, of allowed frequencies
  return evenly_spaced(
      "3e-16 to 2.9e14, m,", {"0.1 0.3 5"},
      [](std::string_view word, double& length) {
        return parse_number(word, length) && length >= shortest && length <= longest;
      },
      [](double length) { return speed_of_light / length; });
}

Codec<std::vector<double>> frequency_range() {
  return evenly_spaced(fmt::format("{},", frequency_limits), {"1e9 3e9 5"}, parse_frequency,
                       [](double frequency) { return frequency; });
}

}  // namespace dgtd::config
