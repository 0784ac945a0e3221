#pragma once

namespace dgtd::parallel {

/// Bytes per second that a copy loop on all threads of this process moves, read plus written: the memory bandwidth that
/// the roofline fraction of a CPU refers to.
double copy_bandwidth();

}  // namespace dgtd::parallel
