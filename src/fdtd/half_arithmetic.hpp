#pragma once
// Whether and how fields in half precision are also computed in it (base/half_number.hpp), as passes of several steps
// do. Coefficients are products in single precision and then rounded to halves.
#include <string>

#include "dgtd/fdtd/discretisation.hpp"

namespace dgtd::fdtd {

/// A power of two near the cells' edges, m. Lengths in numbers with little range are multiples of it.
double length_of_half_arithmetic(const Discretisation<float>& d);

/// Empty, or why fields of this problem are computed in single precision: a factor so near 1 that it would be rounded
/// to 1 loses what it takes from the fields.
std::string why_no_half_arithmetic(const Discretisation<float>& d);

}  // namespace dgtd::fdtd
