#pragma once
// Arrays of an engine that nobody but its kernels looks at.
#include "dgtd/parallel/device_copy.hpp"

namespace dgtd::fdtd {

using parallel::DeviceCopy;

}  // namespace dgtd::fdtd
