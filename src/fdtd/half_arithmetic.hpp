#pragma once
// Whether and how fields in half precision are also computed in it (base/half_number.hpp), as passes of several steps
// do. Coefficients are products in single precision and then rounded to halves.
#include <array>
#include <string>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"

namespace dgtd::fdtd {

/// A power of two near the cells' edges, m. Lengths in numbers with little range are multiples of it.
double length_of_half_arithmetic(const Discretisation<float>& d);

/// The unit of H times the impedance of vacuum over that of E, near 1. Coefficients of E are multiplied by it and those
/// of H divided, so that rounded to halves their products, which are what waves' velocities depend on, are closest to
/// the exact ones: of the most frequent medium and the most frequent edges of cells.
double scale_of_half_arithmetic(const Discretisation<float>& d);

/// The same of coefficients along so many axes, of E and of H.
double scale_of_half_arithmetic(const std::vector<std::array<double, 2>>& coefficients);

/// The largest relative error of the products of rounded coefficients with that scale.
double error_of_half_arithmetic(const std::vector<std::array<double, 2>>& coefficients, double scale);

/// Classes with their rates times a factor.
std::vector<MediumClass<float>> in_scale(std::vector<MediumClass<float>> classes, double factor);

/// Empty, or why fields of this problem are computed in single precision: a factor so near 1 that it would be rounded
/// to 1 loses what it takes from the fields.
std::string why_no_half_arithmetic(const Discretisation<float>& d);

}  // namespace dgtd::fdtd
