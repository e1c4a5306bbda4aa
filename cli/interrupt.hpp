#pragma once
// Ctrl-C and SIGTERM as a flag that a run asks for; a second signal ends the program at once.

#include <atomic>

namespace ricochet::cli {

// Installs the handlers. The flag is the one piece of state a signal handler can reach.
std::atomic<bool>* stop_on_signals();

}  // namespace ricochet::cli
