#pragma once
// The name of Array in modules that have not moved to it.
#include "dgtd/parallel/array.hpp"

namespace dgtd::parallel {

template <class Real>
using Field = Array<Real>;

}  // namespace dgtd::parallel
