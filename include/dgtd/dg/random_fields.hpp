#pragma once
// Fields without any structure: where a power iteration starts, and what speed is measured on.
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/field.hpp"

namespace dgtd::dg {

/// Coefficients in [-1, 1) that depend on global element ids only.
template <class Real>
void fill_random(const Discretisation<Real>& d, Field<Real>& electric, Field<Real>& magnetic);

}  // namespace dgtd::dg
