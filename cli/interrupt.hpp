#pragma once
// Ctrl-C and SIGTERM as a flag that a run asks for. Whatever does not see it in time is ended with exit code 130, and a
// second signal ends the program at once: what is on the disk is what a kill leaves, and can be resumed.

#include <atomic>

namespace ricochet::cli {

constexpr long short_patience = 800'000;    // microseconds: all is over within a second of a signal
constexpr long long_patience = 60'000'000;  // where an iteration must end before there is anything to keep

// Installs the handlers. The flag is the one piece of state a signal handler can reach.
std::atomic<bool>* stop_on_signals(long patience = short_patience);

// After a signal: the run has seen it and ends in order, however long the disk takes.
void stopping_in_order();
// What comes now may be left undone.
void stop_soon();

}  // namespace ricochet::cli
