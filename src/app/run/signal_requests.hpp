#pragma once
// Signals as requests that a run polls for between two steps. SIGTERM, SIGINT and SIGUSR2 end it with its results;
// SIGUSR1 requests a checkpoint. A second SIGTERM or SIGINT ends the program at once.

namespace dgtd::app {

/// From now on these signals are remembered. The first statement of a program, so that one during its set-up is not its
/// end; again after MPI has started, which may have handlers of its own. What has come remains remembered.
void remember_signals();

/// From now on the first SIGTERM, SIGINT or SIGUSR2 is answered by a line on standard error.
void answer_signals();

/// From now on signals do what they did before they were remembered, which is to end the process unless it was started
/// to ignore them; so does one that has come already. For programs that have nothing to save.
void end_by_signals();

/// The number of the last signal that requests the end; 0: none has come.
int requested_end();

/// Whether a checkpoint was requested since the last call.
bool requested_checkpoint();

/// "SIGTERM"
const char* signal_name(int number);

}  // namespace dgtd::app
