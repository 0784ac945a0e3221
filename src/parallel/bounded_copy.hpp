#pragma once
// The loop behind copy_bandwidth.

namespace dgtd::parallel {

/// As copy_bandwidth. After about `seconds` it ends with the best of the repetitions so far, on a machine that is busy
/// or slow with less memory, at least an eighth; a third of a second is enough for an idle one.
double copy_bandwidth_within(int ranks_on_host, double seconds);

}  // namespace dgtd::parallel
