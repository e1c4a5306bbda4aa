#include "ricochet/numerics/team.hpp"

#include <algorithm>

namespace ricochet {

namespace {

// Loops follow each other within microseconds, and to wake a thread takes tens of them, a lot of a loop. So a thread
// that waits looks first, then looks between offers of its core to others, and sleeps in the end.
constexpr int looks_alone = 1000, looks_in_all = looks_alone + 300;

void wait_while(const std::atomic<unsigned>& value, unsigned is) {
  for (int looks = 0; value == is; ++looks)
    if (looks >= looks_in_all)
      value.wait(is);
    else if (looks >= looks_alone)
      std::this_thread::yield();
}

}  // namespace

Team::Team(unsigned threads) : size_(threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {}

Team::~Team() {
  if (threads_.empty()) return;
  stop_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(const Loop& loop) {
  if (threads_.empty())
    for (unsigned k = 1; k < size_; ++k) threads_.emplace_back([this, k] { work(k); });
  loop_ = loop;
  busy_ = size_ - 1;
  ++round_;
  round_.notify_all();
  loop.part(0);
  for (unsigned left = busy_; left > 0; left = busy_) wait_while(busy_, left);
}

void Team::work(std::size_t index) {
  unsigned seen = 0;
  while (true) {
    wait_while(round_, seen);
    ++seen;
    if (stop_) return;
    if (index < loop_.parts) loop_.part(index);
    if (--busy_ == 0) busy_.notify_one();
  }
}

}  // namespace ricochet
