#include "dgtd/config/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "dgtd/base/error.hpp"

namespace dgtd::config {

struct Formula::Parser {
  mu::Parser parser;
  Vec3 place;
};

Formula::Formula(const std::string& text) : parser_(std::make_shared<Parser>()) {
  mu::Parser& p = parser_->parser;
  try {
    p.DefineVar("x", &parser_->place.x);
    p.DefineVar("y", &parser_->place.y);
    p.DefineVar("z", &parser_->place.z);
    p.DefineConst("pi", std::numbers::pi);
    p.SetExpr(text);
    (void)p.Eval();
    if (p.GetNumResults() != 1) throw Error("has commas outside a function: one value is wanted");
  } catch (const mu::ParserError& error) {
    const std::string token = error.GetToken();
    const auto position = std::min<std::ptrdiff_t>(
        error.GetPos(), static_cast<std::ptrdiff_t>(text.size()));  // a missing bracket is said to be beyond
    throw Error(
        fmt::format("cannot be understood{}{}: it may have x, y, z (m), pi, numbers, + - * / ^ ( ) and functions such "
                    "as sin, exp, sqrt, abs",
                    position >= 0 ? fmt::format(" at position {}", position + 1) : "",
                    token.empty() ? "" : fmt::format(", '{}'", token)));
  }
}

double Formula::operator()(const Vec3& x) const {
  parser_->place = x;
  const double value = parser_->parser.Eval();
  if (!std::isfinite(value)) throw Error(fmt::format("is {} at x y z = {} {} {} m", value, x.x, x.y, x.z));
  return value;
}

}  // namespace dgtd::config
