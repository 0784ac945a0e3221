#pragma once
// Whether and how fields in half precision are also computed in it (base/half_number.hpp), as passes of several steps
// do. Coefficients are products in single precision and then rounded to halves.
#include <array>
#include <string>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::fdtd {

/// Units of fields and lengths with which coefficients rounded to halves are close to the exact ones.
struct HalfUnits {
  double magnetic_scale;  // the unit of H times the impedance of vacuum over that of E, near 1
  float length;           // m: the most frequent distance
};

/// Cb of E, Db of H, and distances along so many axes for E and for H.
struct HalfCoefficients {
  double Cb[2];                                  // m
  std::vector<std::array<double, 2>> distances;  // [axis] m
};

/// The coefficient Cb / distance as products of halves give it: lengths are multiples of one.
float half_coefficient(float Cb, float inverse_distance, float length);

/// Units for the most frequent medium and distances of a problem, or for those that are given. Coefficients of E are
/// multiplied by the scale and those of H divided; it is chosen so that their products, which waves' velocities depend
/// on, are closest to the exact ones.
/// Collective: the frequencies are those of all ranks, one above the other along z, and the units do not depend on how
/// many there are.
HalfUnits units_of_half_arithmetic(const Discretisation<float>& d, const parallel::Communicator& comm);
HalfUnits units_of_half_arithmetic(const HalfCoefficients& exact);

/// The largest relative error of the product of E's and H's coefficient along an axis.
double error_of_half_arithmetic(const HalfCoefficients& exact, const HalfUnits& units);

/// Classes with their Cb times a factor.
std::vector<MediumClass<float>> in_scale(std::vector<MediumClass<float>> classes, double factor);

/// Empty, or why fields of this problem are computed in single precision: a factor so near 1 that it would be rounded
/// to 1 loses what it takes from the fields. Collective: a medium of any rank.
std::string why_no_half_arithmetic(const Discretisation<float>& d, const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
