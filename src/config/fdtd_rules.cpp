#include "fdtd_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::config {
namespace {

constexpr std::int64_t most_wavelengths = 100000;

bool parse_positive(std::string_view text, double& value) { return parse_number(text, value) && value > 0; }

bool parse_run(std::string_view word, CellRun& run) {
  const auto star = word.find('*');
  run.count = 1;
  if (star == std::string_view::npos) return parse_positive(word, run.spacing);
  return parse_integer(word.substr(0, star), run.count) && run.count >= 1 &&
         parse_positive(word.substr(star + 1), run.spacing);
}

bool parse_pole(std::string_view text, Pole& pole) {
  const auto words = split_words(text);
  if (words.empty() || !choice(pole.type, pole_names).set(words[0])) return false;
  std::vector<double*> parameters;
  switch (pole.type) {
    case Pole::Type::drude: parameters = {&pole.strength, &pole.damping}; break;
    case Pole::Type::lorentz: parameters = {&pole.strength, &pole.resonance, &pole.damping}; break;
    case Pole::Type::debye: parameters = {&pole.strength, &pole.relaxation_time}; break;
  }
  if (words.size() != 1 + parameters.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!parse_positive(words[i + 1], *parameters[i])) return false;
  return true;
}

}  // namespace

std::vector<CellRun> runs_of(const std::vector<double>& spacings) {
  std::vector<CellRun> runs;
  for (const double spacing : spacings) {
    if (runs.empty() || runs.back().spacing != spacing) runs.push_back({0, spacing});
    ++runs.back().count;
  }
  return runs;
}

Rule spacing_list(std::vector<double>& target) {
  return {fmt::format("numbers > 0 or COUNT*NUMBER, at most {} cells", most_cells), [&target](std::string_view text) {
            target.clear();
            for (const auto word : split_words(text)) {
              CellRun run;
              if (!parse_run(word, run)) return false;
              if (run.count > most_cells - static_cast<std::int64_t>(target.size())) return false;
              target.insert(target.end(), static_cast<std::size_t>(run.count), run.spacing);
            }
            return true;
          }};
}

Rule above_one(double& target) {
  return {"a number > 1", [&target](std::string_view text) { return parse_number(text, target) && target > 1; }};
}

Rule pole_list(std::vector<Pole>& target) {
  return {"gold, or a list with commas of drude WP GAMMA, lorentz WP W0 GAMMA, debye DELTA_EPS TAU, all numbers > 0",
          [&target](std::string_view text) {
            target.clear();
            if (text == "gold") {
              target = physics::gold_poles();
              return true;
            }
            for (std::size_t begin = 0; begin <= text.size();) {
              const std::size_t end = std::min(text.find(',', begin), text.size());
              if (!parse_pole(text.substr(begin, end - begin), target.emplace_back())) return false;
              begin = end + 1;
            }
            return true;
          }};
}

Rule label_list(std::vector<Shape::Label>& target) {
  return {
      "a list with commas of NUMBER MATERIAL, each number from 0 to 255 once", [&target](std::string_view text) {
        target.clear();
        for (std::size_t begin = 0; begin <= text.size();) {
          const std::size_t end = std::min(text.find(',', begin), text.size());
          const auto words = split_words(text.substr(begin, end - begin));
          std::int64_t number = 0;
          if (words.size() < 2 || !parse_integer(words[0], number) || number < 0 || number > 255) return false;
          if (std::any_of(target.begin(), target.end(), [&](const auto& l) { return l.number == number; }))
            return false;
          // A name may have blanks inside: from its first word to its last.
          const char* const name = words[1].data();
          target.push_back({static_cast<int>(number), std::string(name, words.back().data() + words.back().size())});
          begin = end + 1;
        }
        return true;
      }};
}

Rule point_list(std::vector<std::array<double, 2>>& target) {
  return {"at least 3 pairs of numbers with commas, X Y, X Y, X Y", [&target](std::string_view text) {
            target.clear();
            for (std::size_t begin = 0; begin <= text.size();) {
              const std::size_t end = std::min(text.find(',', begin), text.size());
              const auto words = split_words(text.substr(begin, end - begin));
              auto& point = target.emplace_back();
              if (words.size() != 2 || !parse_number(words[0], point[0]) || !parse_number(words[1], point[1]))
                return false;
              begin = end + 1;
            }
            return target.size() >= 3;
          }};
}

Rule wavelengths(std::vector<double>& frequencies) {
  return {fmt::format("FIRST LAST COUNT: two numbers > 0, m, and an integer from 1 to {}, 1 only where they are equal",
                      most_wavelengths),
          [&frequencies](std::string_view text) {
            const auto words = split_words(text);
            double first = 0, last = 0;
            std::int64_t count = 0;
            if (words.size() != 3 || !parse_positive(words[0], first) || !parse_positive(words[1], last) ||
                !integer(count, 1, most_wavelengths).set(words[2]) || (count == 1) != (first == last))
              return false;
            frequencies.clear();
            for (std::int64_t i = 0; i < count; ++i) {
              const double share = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
              frequencies.push_back(speed_of_light / std::lerp(first, last, share));
            }
            return true;
          }};
}

}  // namespace dgtd::config
