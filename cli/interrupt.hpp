#pragma once
// Ctrl-C and SIGTERM as a flag that a run asks for. Whatever does not see it in time is ended with exit code 130, and a
// second signal ends the program at once: what is on the disk is what a kill leaves, and can be resumed.

#include <atomic>

namespace ricochet::cli {

// Installs the handlers. The flag is the one piece of state a signal handler can reach.
std::atomic<bool>* stop_on_signals();

// After a signal: the run has seen it and ends in order, however long the disk takes.
void stopping_in_order();
// What comes now may be left undone.
void stop_soon();

}  // namespace ricochet::cli
