#include "expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "codec.hpp"
#include "dgtd/base/constants.hpp"

namespace dgtd::config {
namespace {

constexpr int deepest = 100;  // brackets and signs in each other, so that a damaged file cannot exhaust the stack
constexpr std::string_view separators = " \t";

// Argument of a function: a number, an angle, or quantities of one dimension, which is that of the result.
enum class Takes { numbers, angles, any };
struct Function {
  std::string_view name;
  Takes takes;
  double (*value)(double);
};
constexpr Function functions[] = {
    {"sin", Takes::angles, [](double x) { return std::sin(x); }},
    {"cos", Takes::angles, [](double x) { return std::cos(x); }},
    {"tan", Takes::angles, [](double x) { return std::tan(x); }},
    {"asin", Takes::numbers, [](double x) { return std::asin(x); }},
    {"acos", Takes::numbers, [](double x) { return std::acos(x); }},
    {"atan", Takes::numbers, [](double x) { return std::atan(x); }},
    {"exp", Takes::numbers, [](double x) { return std::exp(x); }},
    {"ln", Takes::numbers, [](double x) { return std::log(x); }},
    {"log10", Takes::numbers, [](double x) { return std::log10(x); }},
    {"round", Takes::numbers, [](double x) { return std::round(x); }},
    {"floor", Takes::numbers, [](double x) { return std::floor(x); }},
    {"ceil", Takes::numbers, [](double x) { return std::ceil(x); }},
    {"abs", Takes::any, [](double x) { return std::abs(x); }},
    {"sqrt", Takes::any, [](double x) { return std::sqrt(x); }},
};
constexpr std::string_view function_names =
    "sin, cos, tan, asin, acos, atan, exp, ln, log10, round, floor, ceil, abs, "
    "sqrt, min, max";

const Function* find_function(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

Quantity result(double value, const Dimension& dimension) { return {value, dimension, {}, {}, {}}; }

bool constant(std::string_view name, Quantity& q) {
  if (name == "pi") q = result(std::numbers::pi, {});
  else if (name == "c0") q = result(speed_of_light, unit_of("m/s")->dimension);
  else return false;
  return true;
}

// Dimension of a power; the square root of a length has none.
bool scaled(Dimension& dimension, double exponent) {
  for (int& half : dimension.halves) {
    const double product = half * exponent;
    if (product != std::round(product) || std::abs(product) > 100) return false;
    half = static_cast<int>(product);
  }
  return true;
}

}  // namespace

std::string_view reserved_as(std::string_view name) {
  Quantity q;
  if (unit_of(name)) return "a unit";
  if (find_function(name) || name == "min" || name == "max") return "a function";
  if (constant(name, q)) return "a constant";
  if (name == "x" || name == "y" || name == "z") return "a coordinate";
  return {};
}

ExpressionReader::ExpressionReader(std::string_view text, Lookup lookup, std::string_view own_unit)
    : rest_(text), lookup_(std::move(lookup)), own_unit_(own_unit) {}

bool ExpressionReader::at_end() {
  skip_blanks();
  return rest_.empty();
}

Quantity ExpressionReader::next() {
  skip_blanks();
  const std::string_view begin = rest_;
  Quantity q = sum(0);
  last_ = since(begin);
  if (!rest_.empty() && separators.find(rest_.front()) == std::string_view::npos) refuse_rest();
  if (!std::isfinite(q.value)) throw Refusal{fmt::format("'{}' is {}", last_, q.value)};
  return q;
}

Quantity ExpressionReader::sum(int depth) {
  const std::string_view begin = rest_;
  Quantity q = product(depth);
  for (char sign = 0; take_operator("+-", sign, depth);) {
    const Quantity right = product(depth);
    if (right.dimension != q.dimension)
      throw Refusal{
          fmt::format("'{}' has {} and {} in a sum", since(begin), noun_of(q.dimension), noun_of(right.dimension))};
    q = result(sign == '+' ? q.value + right.value : q.value - right.value, q.dimension);
  }
  return q;
}

Quantity ExpressionReader::product(int depth) {
  Quantity q = signed_factor(depth);
  for (char sign = 0; take_operator("*/", sign, depth);) {
    const Quantity right = signed_factor(depth);
    q = sign == '*' ? result(q.value * right.value, q.dimension + right.dimension)
                    : result(q.value / right.value, q.dimension - right.dimension);
  }
  return q;
}

Quantity ExpressionReader::signed_factor(int depth) {
  if (depth > deepest) throw Refusal{"has too many brackets or signs in each other"};
  if (depth > 0) skip_blanks();
  const char sign = rest_.empty() ? ' ' : rest_.front();
  if (sign != '-' && sign != '+') return power(depth);
  rest_.remove_prefix(1);
  Quantity q = signed_factor(depth + 1);
  if (sign == '+') return q;
  q.value = -q.value;
  for (std::string* const text : {&q.text, &q.number}) {
    if (text->starts_with('-')) text->erase(0, 1);
    else if (!text->empty()) text->insert(0, 1, '-');
  }
  return q;
}

Quantity ExpressionReader::power(int depth) {
  const std::string_view begin = rest_;
  Quantity q = primary(depth);
  char sign = 0;
  if (!take_operator("^", sign, depth)) return q;
  const Quantity exponent = signed_factor(depth + 1);
  Dimension dimension = q.dimension;
  if (!exponent.dimension.is_number() || !scaled(dimension, exponent.value))
    throw Refusal{fmt::format(
        "'{}' has no unit: {} to the power of {}", since(begin), noun_of(q.dimension),
        exponent.dimension.is_number() ? fmt::format("{}", exponent.value) : std::string(noun_of(exponent.dimension)))};
  return result(std::pow(q.value, exponent.value), dimension);
}

Quantity ExpressionReader::primary(int depth) {
  Quantity q;
  if (take('(')) {
    q = sum(depth + 1);
    skip_blanks();
    if (!take(')')) refuse_rest();
    q = result(q.value, q.dimension);
  } else if (std::string_view after = rest_; !take_name(after).empty()) {
    const std::string_view name = take_name(rest_);
    if (!rest_.empty() && rest_.front() == '(') {
      q = call(name, depth);
    } else if (!constant(name, q)) {
      q = lookup_(name);
      q = result(q.value, q.dimension);
    }
    has_names_ = true;
  } else {
    q = number();
  }
  take_unit_of(q);
  return q;
}

Quantity ExpressionReader::number() {
  Quantity q;
  const char* const begin = rest_.data();
  const auto [end, error] = std::from_chars(begin, begin + rest_.size(), q.value);
  const bool begins_as_number = !rest_.empty() && (rest_[0] == '.' || (rest_[0] >= '0' && rest_[0] <= '9'));
  if (error != std::errc() || !begins_as_number) refuse_rest();
  q.text = q.number = std::string(begin, end);
  rest_.remove_prefix(q.text.size());
  return q;
}

Quantity ExpressionReader::call(std::string_view name, int depth) {
  const Function* const function = find_function(name);
  const bool smallest = name == "min";
  if (!function && !smallest && name != "max")
    throw Refusal{fmt::format("'{}' is no function; the functions are {}", name, function_names)};
  (void)take('(');
  std::vector<Quantity> arguments;
  do {
    arguments.push_back(sum(depth + 1));
    skip_blanks();
  } while (!function && take(','));
  if (!take(')')) refuse_rest();
  Quantity q = arguments.front();
  const bool is_angle = q.dimension == unit_of("rad")->dimension;
  if (function && function->takes != Takes::any && !q.dimension.is_number() &&
      !(function->takes == Takes::angles && is_angle))
    throw Refusal{fmt::format("{} is of {}, not of {}", name,
                              function->takes == Takes::angles ? "an angle" : noun_of(Dimension{}),
                              noun_of(q.dimension))};
  Dimension dimension = q.dimension;
  if (function && function->takes != Takes::any) dimension = {};
  if (name == "sqrt" && !scaled(dimension, 0.5))
    throw Refusal{fmt::format("sqrt of {} has no unit", noun_of(q.dimension))};
  if (function) return result(function->value(q.value), dimension);
  for (const Quantity& other : arguments) {
    if (other.dimension != q.dimension)
      throw Refusal{fmt::format("{} of {} and {}", name, noun_of(q.dimension), noun_of(other.dimension))};
    if (smallest ? other.value < q.value : other.value > q.value) q = other;
  }
  return result(q.value, dimension);
}

// A unit behind a number, with or without blanks between them.
void ExpressionReader::take_unit_of(Quantity& q) {
  std::string_view after = rest_.substr(std::min(rest_.find_first_not_of(separators), rest_.size()));
  const std::string_view begin = after;
  UnitSize unit;
  if (!own_unit_.empty() && after.starts_with(own_unit_) &&
      (after.size() == own_unit_.size() || separators.find(after[own_unit_.size()]) != std::string_view::npos)) {
    after.remove_prefix(own_unit_.size());
  } else if (const auto found = take_unit(after)) {
    unit = *found;
  } else {
    if (!q.number.empty() && begin.data() == rest_.data() && !take_name(after).empty())  // "3nn"
      throw Refusal{fmt::format("'{}' is no unit", begin.substr(0, begin.size() - after.size())), true};
    return;
  }
  const std::string_view name = begin.substr(0, begin.size() - after.size());
  if (!q.dimension.is_number()) throw Refusal{fmt::format("'{}' follows {}", name, noun_of(q.dimension))};
  rest_ = after;
  has_names_ = true;
  q.dimension = unit.dimension;
  // The exponent of a number's text is moved, and not the number multiplied, so that 480 nm is 480e-9 to the bit.
  const std::string text = shifted(q.number.empty() ? fmt::format("{}", q.value) : q.number, unit.exponent);
  double value = 0;
  if (!parse_number(text, value)) throw Refusal{fmt::format("'{} {}' is out of range", q.number, name)};
  q.value = value * unit.factor;
  if (q.number.empty()) return;
  q.unit = unit;
  q.text = unit.factor == 1 ? text : fmt::format("{}", q.value);
}

bool ExpressionReader::take_operator(std::string_view which, char& found, int depth) {
  const auto at = std::min(rest_.find_first_not_of(separators), rest_.size());
  std::string_view after = rest_.substr(at);
  if (after.empty() || which.find(after.front()) == std::string_view::npos) return false;
  found = after.front();
  after.remove_prefix(1);
  const bool blank_follows = after.empty() || separators.find(after.front()) != std::string_view::npos;
  const bool may_be_sign = found == '+' || found == '-';
  if (depth == 0 && at > 0 && may_be_sign && !blank_follows) return false;  // "1 -2" is two numbers
  rest_ = after;
  skip_blanks();
  return true;
}

bool ExpressionReader::take(char wanted) {
  if (rest_.empty() || rest_.front() != wanted) return false;
  rest_.remove_prefix(1);
  return true;
}

void ExpressionReader::skip_blanks() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(separators), rest_.size()));
}

std::string_view ExpressionReader::since(std::string_view begin) const {
  return begin.substr(0, begin.size() - rest_.size());
}

void ExpressionReader::refuse_rest() const {
  if (!has_names_) throw Refusal{};
  throw Refusal{rest_.empty() ? "ends too early" : fmt::format("cannot be understood from '{}' on", rest_)};
}

}  // namespace dgtd::config
