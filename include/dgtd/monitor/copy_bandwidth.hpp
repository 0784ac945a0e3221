#pragma once
namespace dgtd::monitor {

/// Bytes a second that a copy loop moves in this process (read plus written), all its threads at work.
/// The measure of memory that the roofline fraction refers to.
double copy_bandwidth();

/// Largest resident memory of this process so far, bytes.
double peak_memory_bytes();

}  // namespace dgtd::monitor
