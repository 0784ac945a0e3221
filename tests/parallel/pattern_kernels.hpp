#pragma once
// Known values for messages between devices, queued in a stream.
#include <cuda_runtime.h>

#include <cstdint>

#include "dgtd/parallel/send_view.hpp"

namespace dgtd::parallel::test {

/// Value i of a message with this seed is written to place first + i.
template <class Real>
void queue_pattern(SendView<Real> to, std::int64_t first, std::int64_t count, std::uint32_t seed, cudaStream_t stream);

/// Adds the number of values that differ from the pattern to *errors, on the device.
template <class Real>
void queue_check(const Real* values, std::int64_t count, std::uint32_t seed, unsigned* errors, cudaStream_t stream);

/// The stream is busy for this time.
void queue_delay(int microseconds, cudaStream_t stream);

}  // namespace dgtd::parallel::test
