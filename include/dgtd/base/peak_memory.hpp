#pragma once

namespace dgtd {

/// The highest resident memory of this process so far, bytes.
double peak_memory_bytes();

/// Resident memory now, and its peak since reset_peak_memory(), or since the start where the system does not reset it.
/// Bytes; 0 where the system does not say.
struct ResidentMemory {
  double now = 0, peak = 0;
};
ResidentMemory resident_memory();
void reset_peak_memory();
/// Returns freed memory of the heap to the system: it is no longer resident.
void return_freed_memory();

/// Bytes that the processes of this job may have on this host together: its memory, or the limit of the control group.
double host_memory_limit();
/// Bytes that this process may have: its limit of address space; infinite without one.
double process_memory_limit();

}  // namespace dgtd
