#pragma once
// Random fields: the start of a power iteration, and fields to measure speed with.
#include "dgtd/dg/executor.hpp"

namespace dgtd::dg {

/// Coefficients in [-1, 1) that depend on global element ids only, of the elements of d; the fields are of executor.
template <class Real>
void fill_random(const Discretisation<Real>& d, Executor<Real>& executor, Field<Real>& electric, Field<Real>& magnetic);

}  // namespace dgtd::dg
