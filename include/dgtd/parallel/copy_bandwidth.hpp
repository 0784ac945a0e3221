#pragma once
namespace dgtd::parallel {

/// Bytes a second that a copy loop moves in this process (read plus written), all its threads at work.
/// The CPU's measure of memory that the roofline fraction refers to.
double copy_bandwidth();

}  // namespace dgtd::parallel
