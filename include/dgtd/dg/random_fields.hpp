#pragma once
// Random fields: the start of a power iteration, and fields to measure speed with.
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dg {

/// Coefficients in [-1, 1) that depend on global element ids only.
template <class Real>
void fill_random(const Discretisation<Real>& d, Field<Real>& electric, Field<Real>& magnetic);

}  // namespace dgtd::dg
