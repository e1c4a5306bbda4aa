#include "ricochet/numerics/team.hpp"

#include <algorithm>

namespace ricochet {

namespace {

constexpr int patience = 4000;  // looks before a thread goes to sleep: loops follow each other within microseconds

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
  for (unsigned left = busy_, looks = 0; left > 0; left = busy_)
    if (++looks > patience) busy_.wait(left);
}

void Team::work(std::size_t index) {
  unsigned seen = 0;
  while (true) {
    for (int looks = 0; round_ == seen; ++looks)
      if (looks > patience) round_.wait(seen);
    ++seen;
    if (stop_) return;
    if (index < loop_.parts) loop_.part(index);
    if (--busy_ == 0) busy_.notify_one();
  }
}

}  // namespace ricochet
