#pragma once
// A fixed number of threads that share loops. A loop is cut into as many equal parts as there are threads, each at
// least `grain` long; a body that writes only what belongs to its own indices then gives the same bits for any number
// of them. The threads start with the first loop that is long enough.

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ricochet {

class Team {
 public:
  explicit Team(unsigned threads = 0);  // 0: one for each core
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  unsigned size() const { return size_; }

  // f(first, last), which must not throw.
  template <class F>
  void for_each(std::size_t n, std::size_t grain, const F& f) {
    const std::size_t parts = n / grain < size_ ? n / grain : size_;
    if (parts <= 1) return f(0, n);
    run({[](const void* body, std::size_t first, std::size_t last) { (*static_cast<const F*>(body))(first, last); }, &f,
         n, parts});
  }

 private:
  struct Loop {
    void (*call)(const void*, std::size_t, std::size_t) = nullptr;
    const void* body = nullptr;
    std::size_t n = 0, parts = 0;
    void part(std::size_t k) const { call(body, n * k / parts, n * (k + 1) / parts); }
  };
  void run(const Loop& loop);
  void work(std::size_t index);

  unsigned size_;
  std::vector<std::thread> threads_;
  Loop loop_;
  std::atomic<unsigned> round_{0}, busy_{0};
  bool stop_ = false;
};

}  // namespace ricochet
