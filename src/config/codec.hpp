#pragma once
// Codecs: how the text of a key becomes a value and back, and what texts are allowed.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "names.hpp"

namespace dgtd::config {

/// One of the words that a key may have.
struct Choice {
  std::string_view text;
  Test available;  // null: all methods have it
};

/// Kinds of text that keys have.
enum class Reading {
  text,        // words, names, paths: nothing is replaced
  numbers,     // numbers with blanks, or commas, between them
  cell_runs,   // COUNT*NUMBER
  range,       // FIRST LAST COUNT, the last without a unit
  turn,        // X Y Z ANGLE, the first three without a unit
  pole_list,   // words and numbers of several dimensions
  expression,  // a formula of x, y, z
};

/// Kind of the texts of a type, unless their codec has another one.
template <class T>
constexpr Reading reading_of() {
  if constexpr (std::is_same_v<T, std::vector<Pole>>) return Reading::pole_list;
  else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, Vec3> ||
                     std::is_same_v<T, std::array<std::int64_t, 3>> || std::is_same_v<T, std::vector<double>> ||
                     std::is_same_v<T, Band> || std::is_same_v<T, RunEnd> || std::is_same_v<T, std::array<double, 2>> ||
                     std::is_same_v<T, std::vector<std::array<double, 2>>> || std::is_same_v<T, std::vector<Vec3>>)
    return Reading::numbers;
  else return Reading::text;
}

template <class T>
struct Codec {
  std::string allowed;                                         // completes "must be ..."
  std::function<bool(std::string_view text, T& value)> parse;  // false: the text is not allowed
  std::function<std::string(const T&)> format;                 // reads back as the same value
  std::vector<std::string> examples;                           // allowed texts, for tests
  std::vector<Choice> choices = {};                            // of keys that have one of a few words
  /// Numbers along x, y and z: a method with fewer axes needs only the first ones, and this stands for each of the
  /// others. Empty: not such numbers.
  std::string missing_axis = {};
  /// JSON Schema of the value as JSON: a number, a text, a list of them (with blanks between them in the case file),
  /// or a list of lists (with commas). Empty: that of its choices, or any text.
  std::string schema = {};
  Reading reading = reading_of<T>();
};

/// The whole text is one finite number.
bool parse_number(std::string_view text, double& value);
bool parse_integer(std::string_view text, std::int64_t& value);
std::vector<std::string_view> split_words(std::string_view text);

enum class Sign { any, positive, not_negative };
/// The same with limits.
bool parse_signed(std::string_view text, double& value, Sign sign);
bool parse_positive(std::string_view text, double& value);
bool parse_between(std::string_view text, std::int64_t& value, std::int64_t low, std::int64_t high);
bool parse_frequency(std::string_view text, double& value);  // Hz, lowest_frequency to highest_frequency

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

Codec<solver::Method> method();  // of the methods that read_case is given, by name
Codec<double> number(Sign sign);
Codec<double> duration();   // s, or [D-]H:MM:SS, above zero
Codec<double> fraction();   // in [1e-6, 1]
Codec<double> part();       // in [0, 1]
Codec<double> above_one();  // > 1
Codec<double> below_zero();
Codec<RunEnd> run_end();  // s above zero, or one of run_end_names
Codec<std::int64_t> integer(std::int64_t low, std::int64_t high = no_limit);
Codec<std::int64_t> integer_or_auto(std::int64_t low, std::int64_t high);  // low above 0; auto is 0
Codec<std::vector<double>> numbers(Sign sign);

/// Hz. Whatever is computed of frequencies in this range, such as their squares and ratios, is a normal number.
constexpr double lowest_frequency = 1e-6, highest_frequency = 1e24;
constexpr std::string_view frequency_limits = "1e-6 to 1e24, Hz";
Codec<double> frequency();
Codec<std::vector<double>> frequencies();
Codec<Band> band();  // two rising frequencies, Hz
Codec<std::string> any_text(std::vector<std::string> examples, std::string allowed = "a name");
Codec<std::string> expression();  // of x, y and z; Formula checks it
Codec<std::filesystem::path> path();
/// Any of the words once each, or one of the words that are `alone`.
Codec<std::vector<std::string>> words(std::vector<std::string_view> words, std::vector<std::string_view> alone = {});
/// Names without blanks, any number from one on.
Codec<std::vector<std::string>> names(std::vector<std::string> examples);

/// Names separated by commas, which may have blanks inside.
Codec<std::vector<std::string>> listed_names(std::vector<std::string> examples);

/// Three numbers along x, y and z. Of a method with fewer axes the others are 0.
Codec<Vec3> place(Sign sign = Sign::any);
/// The same for lengths: along axes that a method does not have they reach beyond the grid.
Codec<Vec3> length(Sign sign);
/// A vector that is zero where the key is absent.
Codec<Vec3> direction();
/// Three numbers on methods of all dimensions.
Codec<Vec3> three_numbers(Sign sign);
/// One number for all axes, or one per axis.
Codec<Vec3> spacing();
Codec<std::array<std::int64_t, 3>> three_integers(std::int64_t low, std::int64_t high, std::string missing_axis);

constexpr std::int64_t most_cells = 1 << 20;  // along an axis

/// Neighbouring cells of one spacing: "20*2e-9".
struct CellRun {
  std::int64_t count;
  double spacing;  // m
};
std::vector<CellRun> runs_of(const std::vector<double>& spacings);

/// Spacings (m) and COUNT*SPACING words.
Codec<std::vector<double>> spacing_list();
/// "drude WP GAMMA, lorentz WP W0 GAMMA, debye DELTA_EPS TAU", or the word gold.
Codec<std::vector<Pole>> pole_list();
/// "X Y, X Y, X Y, ..." (m), at least three.
Codec<std::vector<std::array<double, 2>>> point_list();
Codec<std::vector<Vec3>> place_list();  // two at least
/// Two rising numbers.
Codec<std::array<double, 2>> interval();
/// rad, above 0 and below pi.
Codec<double> wall_angle();
/// "X Y Z ANGLE": an axis of any length, and rad. The check makes it a unit vector.
Codec<geometry::Turn> turn();
/// "NUMBER/TYPE" or "NUMBER", whose type is 0.
Codec<geometry::Layer> layer();
/// Integers from 1, different ones: "1 2".
Codec<std::vector<int>> mode_numbers();
/// "te 1 0"
Codec<physics::GuideMode> guide_mode();
/// "NUMBER MATERIAL, NUMBER MATERIAL, ...", each number once.
Codec<std::vector<Shape::Label>> label_list();
/// "FIRST LAST COUNT" (m), evenly spaced in wavelength, of allowed frequencies. The value is frequencies (Hz) in the
/// same order.
Codec<std::vector<double>> wavelengths();
/// "FIRST LAST COUNT" (Hz), evenly spaced in frequency.
Codec<std::vector<double>> frequency_range();

/// "a, b or c"
std::string listed(const std::vector<std::string_view>& words, std::string_view last = "or");

/// One of a table of names.hpp.
template <class E, std::size_t n>
Codec<E> choice(const Name<E> (&names)[n]) {
  Codec<E> codec;
  for (const auto& name : names) {
    codec.choices.push_back({name.text, name.available});
    codec.examples.emplace_back(name.text);
  }
  codec.parse = [&names](std::string_view text, E& value) {
    for (const auto& name : names) {
      if (name.text != text) continue;
      value = name.value;
      return true;
    }
    return false;
  };
  codec.format = [&names](const E& value) { return std::string(text_of(names, value)); };
  return codec;
}

}  // namespace dgtd::config
