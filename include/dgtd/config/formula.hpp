#pragma once
// Expressions of x, y and z (m) in case files, such as "exp(-((x-1)^2 + y^2) / 0.1^2) * cos(2*pi*x)".
#include <memory>
#include <string>

#include "dgtd/base/vec3.hpp"

namespace dgtd::config {

/// Formula in the syntax of muParser, with the constant pi. Copies share their state: not thread-safe.
class Formula {
 public:
  /// Throws Error (bad_input) that says what is wrong at which position, the first character's being 1.
  explicit Formula(const std::string& text);
  /// Throws Error (bad_input) where the value is not finite.
  double operator()(const Vec3& x) const;

 private:
  struct Parser;
  std::shared_ptr<Parser> parser_;
};

}  // namespace dgtd::config
