#include "half_arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dgtd::fdtd {

double length_of_half_arithmetic(const Discretisation<float>& d) {
  double largest = 0;  // 1/m
  for (const AxisArrays<float>& axis : d.electric.axis)
    for (const float inverse : axis.inverse_distance) largest = std::max(largest, double(inverse));
  return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

std::string why_no_half_arithmetic(const Discretisation<float>& d) {
  // Halves below 1 are multiples of 2^-11, so that what a factor takes away is off by up to 2^-12.
  constexpr double least_loss = 0x1p-12 / 0.02;
  for (const auto* half : {&d.electric, &d.magnetic})
    for (const MediumClass<float>& m : half->classes)
      if (m.keep != 1 && std::abs(1 - double(m.keep)) < least_loss)
        return fmt::format("half precision with a medium that takes less than {:.1g} of the field per step",
                           least_loss);
  return "";
}

}  // namespace dgtd::fdtd
