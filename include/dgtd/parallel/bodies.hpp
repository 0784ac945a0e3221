#pragma once
// The name of array_operations.hpp in modules that have not moved to it.
#include "dgtd/parallel/array_operations.hpp"
