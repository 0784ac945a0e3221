#pragma once
// Numbers with units, and expressions of them, in case files: "450 nm", "2*w + 30 nm", "(a - b)/2". muParser, which
// evaluates formulas of x, y and z, has no units: here a sum of a length and a time is an error.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "unit_suffix.hpp"

namespace dgtd::config {

/// A number with its dimension.
struct Quantity {
  double value = 0;  // in SI units
  Dimension dimension;
  /// Decimal text in SI units of a single number ("480e-9" of "480 nm"), which has the same bits as a number that the
  /// user writes in SI units; else empty.
  std::string text;
  std::string number;            // text of a single number without its unit
  std::optional<UnitSize> unit;  // of a single number that has one
};

/// Reason why a text is no quantity. Empty: it does not look like one with a unit or a parameter, so that what is
/// generally allowed says more.
struct Refusal {
  std::string why;
  bool is_unknown_name = false;  // of a unit or a parameter
};

/// A quantity by its name; throws Refusal where there is none.
using Lookup = std::function<const Quantity&(std::string_view name)>;

/// Names that a parameter cannot have: units, functions, constants and the coordinates x, y, z of formulas. What the
/// name is, such as "a unit"; empty: it is free.
std::string_view reserved_as(std::string_view name);

/// Reads the quantities of a text one after the other.
class ExpressionReader {
 public:
  /// own_unit: a word that is accepted behind a number and has no size, such as "periods".
  ExpressionReader(std::string_view text, Lookup lookup, std::string_view own_unit = {});

  bool at_end();
  /// Blanks separate quantities, but within brackets, around an operator with blanks on both sides, and before a unit.
  /// Throws Refusal.
  Quantity next();
  /// Text of the quantity that next() has read last.
  std::string_view last() const { return last_; }
  /// Whether units, parameters or functions were read so far.
  bool has_names() const { return has_names_; }
  /// Text that was not read yet.
  std::string_view rest() const { return rest_; }

 private:
  Quantity sum(int depth);
  Quantity product(int depth);
  Quantity signed_factor(int depth);
  Quantity power(int depth);
  Quantity primary(int depth);
  Quantity number();
  Quantity call(std::string_view name, int depth);
  void take_unit_of(Quantity& q);
  bool take_operator(std::string_view which, char& found, int depth);
  bool take(char wanted);
  void skip_blanks();
  std::string_view since(std::string_view begin) const;
  [[noreturn]] void refuse_rest() const;

  std::string_view rest_, last_;
  Lookup lookup_;
  std::string_view own_unit_;
  bool has_names_ = false;
};

}  // namespace dgtd::config
