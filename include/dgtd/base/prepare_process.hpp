#pragma once
// First actions of a program, so that failing writes are errors with a line.

namespace dgtd {

/// Closed standard descriptors become ones that cannot be written; as many files may be open as the system allows;
/// writing to a closed pipe (SIGPIPE) and beyond the limit of a file's size (SIGXFSZ) fails in place of ending the
/// process.
void prepare_process();

}  // namespace dgtd
