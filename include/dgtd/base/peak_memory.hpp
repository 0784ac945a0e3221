#pragma once
namespace dgtd {

/// Largest resident memory of this process so far, bytes.
double peak_memory_bytes();

}  // namespace dgtd
