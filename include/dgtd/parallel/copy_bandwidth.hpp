#pragma once

namespace dgtd::parallel {

/// Bytes per second that a copy loop on all threads of this process moves, read plus written: the memory bandwidth that
/// the roofline fraction of a CPU refers to. The processes of a host, which measure at the same time, copy 128 MiB
/// together, and 8 MiB each at least. 0 where memory for that is short.
double copy_bandwidth(int processes_on_host = 1);

}  // namespace dgtd::parallel
