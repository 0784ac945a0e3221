#pragma once

namespace dgtd::parallel {

/// Bytes per second that a copy loop on all threads of this process moves, read plus written: the memory bandwidth that
/// the roofline fraction of a CPU refers to. The ranks of a host measure at the same time and share the memory that the
/// loop needs, 256 MiB per host. 0 where there is not so much.
double copy_bandwidth(int ranks_on_host);

}  // namespace dgtd::parallel
