// Codecs of keys whose values are lists of several numbers or words each: runs of cells, poles, labels, points, and
// ranges of frequencies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codec.hpp"
#include "dgtd/base/constants.hpp"
#include "value_schemas.hpp"

namespace dgtd::config {
namespace {

constexpr const char* run_schema = R"({"type":["number","string"],"exclusiveMinimum":0,"pattern":"^[0-9]+[*].+$"})";
constexpr const char* pole_schema =
    R"({"type":"array","prefixItems":[{"enum":["drude","lorentz","debye","critical-point"]}],)"
    R"("items":{"type":"number"},"minItems":3,"maxItems":5,)"
    R"("if":{"prefixItems":[{"const":"critical-point"}]},"then":{"minItems":5},)"
    R"("else":{"items":{"exclusiveMinimum":0},"maxItems":4}})";
constexpr const char* guide_mode_schema =
    R"({"type":"array","prefixItems":[{"enum":["te","tm"]},{"type":"integer","minimum":0,"maximum":100},)"
    R"({"type":"integer","minimum":0,"maximum":100}],"minItems":3,"maxItems":3})";
constexpr const char* label_schema = R"({"type":"array","prefixItems":[{"type":"integer","minimum":0,"maximum":255},)"
                                     R"({"type":"string"}],"minItems":2,"maxItems":2})";
constexpr const char* range_schema = R"({"type":"array","prefixItems":[{"type":"number","exclusiveMinimum":0},)"
                                     R"({"type":"number","exclusiveMinimum":0},)"
                                     R"({"type":"integer","minimum":1}],"minItems":3,"maxItems":3})";

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

constexpr std::int64_t most_half_waves = 100, most_mode_number = 100;

bool parse_guide_mode(std::string_view text, physics::GuideMode& mode) {
  const auto words = split_words(text);
  std::int64_t first = 0, second = 0;
  if (words.size() != 3 || !choice(guide_mode_names).parse(words[0], mode.kind) ||
      !parse_between(words[1], first, 0, most_half_waves) || !parse_between(words[2], second, 0, most_half_waves))
    return false;
  mode.first = static_cast<int>(first), mode.second = static_cast<int>(second);
  return true;
}

}  // namespace

Codec<physics::GuideMode> guide_mode() {
  return {fmt::format("te or tm and two integers from 0 to {}", most_half_waves),
          parse_guide_mode,
          [](const physics::GuideMode& mode) {
            return fmt::format("{} {} {}", text_of(guide_mode_names, mode.kind), mode.first, mode.second);
          },
          {"te 1 1", "tm 2 1"},
          {},
          {},
          guide_mode_schema};
}

Codec<std::vector<int>> mode_numbers() {
  return {fmt::format("different integers from 1 to {}, by blanks", most_mode_number),
          [](auto text, std::vector<int>& numbers) {
            numbers.clear();
            for (const auto word : split_words(text)) {
              std::int64_t number = 0;
              if (!parse_between(word, number, 1, most_mode_number)) return false;
              if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) return false;
              numbers.push_back(static_cast<int>(number));
            }
            return !numbers.empty();
          },
          [](const std::vector<int>& numbers) { return fmt::format("{}", fmt::join(numbers, " ")); },
          {"2", "1 2"},
          {},
          {},
          list_schema(fmt::format(R"({{"type":"integer","minimum":1,"maximum":{}}})", most_mode_number), 1)};
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

Codec<std::vector<Vec3>> place_list() {
  return {"at least 2 places with commas, X Y Z, X Y Z",
          [](auto text, std::vector<Vec3>& places) {
            const auto parse_place = [](std::string_view item, Vec3& x) {
              const auto words = split_words(item);
              return words.size() == 3 && parse_number(words[0], x.x) && parse_number(words[1], x.y) &&
                     parse_number(words[2], x.z);
            };
            return parse_list(text, places, parse_place) && places.size() >= 2;
          },
          [](const std::vector<Vec3>& places) {
            return joined(places, [](const Vec3& x) { return fmt::format("{} {} {}", x.x, x.y, x.z); });
          },
          {"0 0 0, 0.013 0 0, 0.013 0.017 0"},
          {},
          {},
          list_schema(list_schema(number_schema(Sign::any), 3, 3), 2)};
}

Codec<std::array<double, 2>> interval() {
  return {"2 rising numbers",
          [](auto text, std::array<double, 2>& ends) {
            const auto words = split_words(text);
            return words.size() == 2 && parse_number(words[0], ends[0]) && parse_number(words[1], ends[1]) &&
                   ends[0] < ends[1];
          },
          [](const std::array<double, 2>& ends) { return fmt::format("{} {}", ends[0], ends[1]); },
          {"-0.001 0.002"},
          {},
          {},
          list_schema(number_schema(Sign::any), 2, 2)};
}

Codec<double> wall_angle() {
  return {"an angle above 0 and below pi rad, such as 80 deg",
          [](auto text, double& angle) { return parse_positive(text, angle) && angle < pi; },
          [](const double& angle) { return fmt::format("{}", angle); },
          {"1.4"},
          {},
          {},
          R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":3.141592653589793})"};
}

// A full turn at most: degrees without their unit are mostly more.
Codec<geometry::Turn> turn() {
  return {"an axis X Y Z other than 0 0 0 and an angle of at most a full turn, 2 pi rad, such as 0 0 1 30 deg",
          [](auto text, geometry::Turn& turn) {
            const auto words = split_words(text);
            return words.size() == 4 && parse_number(words[0], turn.axis.x) && parse_number(words[1], turn.axis.y) &&
                   parse_number(words[2], turn.axis.z) && parse_number(words[3], turn.angle) &&
                   !(turn.axis == Vec3{}) && std::abs(turn.angle) <= 2 * pi * (1 + 1e-12);
          },
          [](const geometry::Turn& t) { return fmt::format("{} {} {} {}", t.axis.x, t.axis.y, t.axis.z, t.angle); },
          {"0 0 1 0.7"},
          {},
          {},
          list_schema(number_schema(Sign::any), 4, 4),
          Reading::turn};
}

Codec<geometry::Layer> layer() {
  constexpr int most = 65535;
  return {fmt::format("NUMBER/TYPE, two integers from 0 to {}, or NUMBER, whose type is 0", most),
          [](auto text, geometry::Layer& layer) {
            const auto slash = text.find('/');
            std::int64_t number = 0, type = 0;
            if (!parse_between(text.substr(0, slash), number, 0, most)) return false;
            if (slash != std::string_view::npos && !parse_between(text.substr(slash + 1), type, 0, most)) return false;
            layer = {static_cast<int>(number), static_cast<int>(type)};
            return true;
          },
          [](const geometry::Layer& layer) { return geometry::text_of(layer); },
          {"12/3"},
          {},
          {},
          R"({"type":["integer","string"],"minimum":0,"maximum":65535,"pattern":"^[0-9]+(/[0-9]+)?$"})"};
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
