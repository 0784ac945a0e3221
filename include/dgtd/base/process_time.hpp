#pragma once
namespace dgtd {

/// Wall-clock seconds since the operating system started this process, to 10 ms; 0 where it does not say.
double seconds_since_process_start();

}  // namespace dgtd
