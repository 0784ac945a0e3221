#pragma once
// Flags in device memory that a stream writes and for which a stream waits, without a kernel: the operations of the
// driver's streams, loaded when the program runs.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <string>

namespace dgtd::parallel {

using Flag = std::uint32_t;

/// Empty where the driver has these operations.
const std::string& why_no_stream_flags();

/// *flag = value once the stream's work so far is done and visible to all devices of the host. The flag may be memory
/// of another process, mapped here. Throws Error (device).
void write_flag(cudaStream_t stream, Flag* flag, Flag value);

/// Later work of the stream begins once *flag is at least value, counted modulo 2^32. No multiprocessor is occupied.
/// Throws Error (device).
void wait_for_flag(cudaStream_t stream, const Flag* flag, Flag value);

}  // namespace dgtd::parallel
