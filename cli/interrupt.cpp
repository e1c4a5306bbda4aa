#include "interrupt.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX, not in <csignal>
#include <sys/time.h>
#include <unistd.h>

#include "verb.hpp"

namespace ricochet::cli {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

std::atomic<long> patience{short_patience};
static_assert(std::atomic<long>::is_always_lock_free);

void set_alarm(long microseconds) {
  const itimerval after = {{0, 0}, {0, microseconds}};
  setitimer(ITIMER_REAL, &after, nullptr);
}

extern "C" void request_stop(int) {
  stop.store(true, std::memory_order_relaxed);
  set_alarm(patience.load(std::memory_order_relaxed));
}

extern "C" void give_up(int) { _exit(exit_interrupted); }

}  // namespace

std::atomic<bool>* stop_on_signals(long microseconds) {
  patience.store(microseconds, std::memory_order_relaxed);
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = give_up;
  sigaction(SIGALRM, &action, nullptr);
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &stop;
}

void stopping_in_order() { set_alarm(0); }
void stop_soon() { set_alarm(short_patience); }

}  // namespace ricochet::cli
