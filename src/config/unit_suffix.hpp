#pragma once
// Units behind numbers in case files: "480 nm", "1.8 GHz", "7.9 g/cm3".
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace dgtd::config {

/// Exponents of m, kg, s, A and rad, in halves, so that square roots have one.
struct Dimension {
  std::array<int, 5> halves{};

  bool operator==(const Dimension&) const = default;
  bool is_number() const { return *this == Dimension{}; }
};
Dimension operator+(Dimension a, const Dimension& b);  // of a product
Dimension operator-(Dimension a, const Dimension& b);  // of a quotient

/// Size of a unit in SI units: factor * 10^exponent. The factor is 1 but for deg, mil and inch.
struct UnitSize {
  Dimension dimension;
  int exponent = 0;
  double factor = 1;
};

/// Reads a unit, such as "nm", "rad/s", "kg/m3" or "A m", from the beginning of a text, and removes it from the text.
/// A "µ" is a "u". Absent where no unit is there.
std::optional<UnitSize> take_unit(std::string_view& text);

/// The unit that is the whole text.
std::optional<UnitSize> unit_of(std::string_view text);

/// A name of letters, digits and _ at the beginning of a text, removed from it; empty: there is none.
std::string_view take_name(std::string_view& text);

/// "a length", "an electric field", "a number without unit", "a quantity of another kind".
std::string_view noun_of(const Dimension& dimension);

/// The units that messages and documents name for a dimension: "m, cm, mm, um, nm, pm". Empty: there are none.
std::string_view units_of(const Dimension& dimension);

/// The decimal text of a number times 10^exponent, with the same digits: "480" and -9 give "480e-9". The text is a
/// number.
std::string shifted(std::string_view number, int exponent);

}  // namespace dgtd::config
