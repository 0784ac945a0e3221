#include "unit_suffix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numbers>

namespace dgtd::config {
namespace {

constexpr Dimension powers(int m, int kg, int s, int a, int rad = 0) {
  return {{2 * m, 2 * kg, 2 * s, 2 * a, 2 * rad}};
}

struct NamedUnit {
  std::string_view name;
  Dimension dimension;
  int exponent = 0;
  std::string_view prefixes = {};  // of "afpnumckMGTP" those that it has
  double factor = 1;
};

constexpr NamedUnit named_units[] = {
    {"m", powers(1, 0, 0, 0), 0, "pnumck"},    {"s", powers(0, 0, 1, 0), 0, "afpnum"},
    {"Hz", powers(0, 0, -1, 0), 0, "mkMGTP"},  {"g", powers(0, 1, 0, 0), -3, "umk"},
    {"A", powers(0, 0, 0, 1), 0, "numk"},      {"V", powers(2, 1, -3, -1), 0, "numkM"},
    {"W", powers(2, 1, -3, 0), 0, "pnumkM"},   {"J", powers(2, 1, -2, 0), 0, "afpnumk"},
    {"ohm", powers(2, 1, -3, -2), 0, "mkM"},   {"S", powers(-2, -1, 3, 2), 0, "numk"},
    {"F", powers(-2, -1, 4, 2), 0, "afpnum"},  {"H", powers(2, 1, -2, -2), 0, "fpnum"},
    {"rad", powers(0, 0, 0, 0, 1), 0, "m"},    {"deg", powers(0, 0, 0, 0, 1), 0, "", std::numbers::pi / 180},
    {"mil", powers(1, 0, 0, 0), -6, "", 25.4}, {"inch", powers(1, 0, 0, 0), -3, "", 25.4},
};

struct Prefix {
  char letter;
  int exponent;
};
constexpr Prefix prefixes[] = {{'a', -18}, {'f', -15}, {'p', -12}, {'n', -9}, {'u', -6}, {'m', -3},
                               {'c', -2},  {'k', 3},   {'M', 6},   {'G', 9},  {'T', 12}, {'P', 15}};

struct Kind {
  Dimension dimension;
  std::string_view name, units;
};
constexpr Kind kinds[] = {
    {powers(0, 0, 0, 0), "a number without unit", ""},
    {powers(1, 0, 0, 0), "a length", "m, km, cm, mm, um, nm, pm, mil, inch"},
    {powers(2, 0, 0, 0), "an area", "m2, cm2, mm2, um2"},
    {powers(0, 0, 1, 0), "a time", "s, ms, us, ns, ps, fs, as"},
    {powers(0, 0, -1, 0), "a frequency", "Hz, kHz, MHz, GHz, THz, PHz"},
    {powers(0, 0, 0, 0, 1), "an angle", "rad, mrad, deg"},
    {powers(0, 0, -1, 0, 1), "an angular frequency", "rad/s, rad/ns, rad/ps, rad/fs"},
    {powers(-1, 0, 0, 0, 1), "a phase per length", "rad/m, rad/mm, rad/um, deg/mm"},
    {powers(1, 0, -1, 0), "a speed", "m/s, km/s"},
    {powers(0, 1, 0, 0), "a mass", "kg, g, mg"},
    {powers(-3, 1, 0, 0), "a density", "kg/m3, g/cm3"},
    {powers(2, 1, -3, 0), "a power", "W, kW, mW, uW"},
    {powers(0, 1, -3, 0), "a power density", "W/m2, mW/cm2, W/cm2"},
    {powers(2, 1, -2, 0), "an energy", "J, mJ, uJ, nJ, pJ"},
    {powers(2, 1, -3, -1), "a voltage", "V, kV, mV, uV"},
    {powers(1, 1, -3, -1), "an electric field", "V/m, kV/m, MV/m, mV/m, V/cm, V/mm, V/um"},
    {powers(0, 0, 0, 1), "a current", "A, kA, mA, uA"},
    {powers(-1, 0, 0, 1), "a magnetic field", "A/m, kA/m, mA/m, A/cm, A/mm"},
    {powers(1, 0, 0, 1), "a current moment", "A m, mA m, A mm, mA mm"},
    {powers(2, 1, -3, -2), "a resistance", "ohm, mohm, kohm, Mohm"},
    {powers(1, 1, -3, -2), "a resistance per length", "ohm/m, ohm/mm, kohm/m"},
    {powers(-3, -1, 3, 2), "a conductivity", "S/m, mS/m, S/cm, S/mm"},
    {powers(-2, -1, 3, 2), "a conductance", "S, mS, uS, nS"},
    {powers(-2, -1, 4, 2), "a capacitance", "F, mF, uF, nF, pF, fF"},
    {powers(2, 1, -2, -2), "an inductance", "H, mH, uH, nH, pH"},
};

// The name without its prefix, which the unit must have.
std::optional<UnitSize> named_unit(std::string_view name) {
  for (const NamedUnit& unit : named_units) {
    if (name == unit.name) return UnitSize{unit.dimension, unit.exponent, unit.factor};
    if (name.size() != unit.name.size() + 1 || name.substr(1) != unit.name) continue;
    for (const Prefix& prefix : prefixes)
      if (prefix.letter == name[0] && unit.prefixes.find(prefix.letter) != std::string_view::npos)
        return UnitSize{unit.dimension, unit.exponent + prefix.exponent, unit.factor};
  }
  return {};
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// One name with its exponent: "cm3".
std::optional<UnitSize> take_power(std::string_view& text) {
  std::string name;
  std::string_view rest = text;
  for (const std::string_view micro : {"\xC2\xB5", "\xCE\xBC"})
    if (rest.starts_with(micro)) name.push_back('u'), rest.remove_prefix(2);
  while (!rest.empty() && is_letter(rest.front())) name += rest.front(), rest.remove_prefix(1);
  auto unit = named_unit(name);
  if (!unit) return {};
  if (!rest.empty() && is_digit(rest.front())) {
    const int power = rest.front() - '0';
    rest.remove_prefix(1);
    if (power < 1 || (!rest.empty() && (is_digit(rest.front()) || is_letter(rest.front())))) return {};
    for (int& half : unit->dimension.halves) half *= power;
    unit->exponent *= power;
    const double once = unit->factor;
    for (int i = 1; i < power; ++i) unit->factor *= once;
  }
  text = rest;
  return unit;
}

}  // namespace

Dimension operator+(Dimension a, const Dimension& b) {
  for (std::size_t i = 0; i < a.halves.size(); ++i) a.halves[i] += b.halves[i];
  return a;
}

Dimension operator-(Dimension a, const Dimension& b) {
  for (std::size_t i = 0; i < a.halves.size(); ++i) a.halves[i] -= b.halves[i];
  return a;
}

// A sign that no unit follows belongs to an expression: "30 nm*2".
std::optional<UnitSize> take_unit(std::string_view& text) {
  auto unit = take_power(text);
  while (unit && !text.empty()) {
    std::string_view rest = text;
    const char sign = rest.front();
    if (sign != '/' && sign != '*' && sign != ' ') break;
    rest.remove_prefix(sign == ' ' ? std::min(rest.find_first_not_of(' '), rest.size()) : 1);
    const auto next = take_power(rest);
    if (!next) break;
    text = rest;
    unit->dimension = sign == '/' ? unit->dimension - next->dimension : unit->dimension + next->dimension;
    unit->exponent += sign == '/' ? -next->exponent : next->exponent;
    unit->factor = sign == '/' ? unit->factor / next->factor : unit->factor * next->factor;
  }
  return unit;
}

std::optional<UnitSize> unit_of(std::string_view text) {
  const auto unit = take_unit(text);
  return text.empty() ? unit : std::nullopt;
}

std::string_view take_name(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || (end > 0 && is_digit(text[end])))) ++end;
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

std::string_view noun_of(const Dimension& dimension) {
  for (const Kind& kind : kinds)
    if (kind.dimension == dimension) return kind.name;
  return "a quantity of another kind";
}

std::string_view units_of(const Dimension& dimension) {
  for (const Kind& kind : kinds)
    if (kind.dimension == dimension) return kind.units;
  return {};
}

std::string shifted(std::string_view number, int exponent) {
  const auto e = number.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view digits = number.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    int own = 0;
    // An exponent beyond an int is that of 0 or of an overflow, whatever is added to it.
    if (std::from_chars(digits.data(), digits.data() + digits.size(), own).ec != std::errc() || own > 100000 ||
        own < -100000)
      return std::string(number);
    exponent += own;
  }
  return exponent == 0 ? std::string(number.substr(0, e)) : fmt::format("{}e{}", number.substr(0, e), exponent);
}

}  // namespace dgtd::config
