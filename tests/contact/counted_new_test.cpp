// operator new of this program, counted; not inlined, so that no caller pairs malloc and delete.
#include "contact/counted_new.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {
std::atomic<std::size_t> count{0};
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++count;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace ricochet::test {

std::size_t allocations() { return count; }

TEST(CountedNew, CountsAnAllocation) {
  const std::size_t before = allocations();
  const auto p = std::make_unique<std::size_t>(before);
  EXPECT_GT(allocations(), *p);
}

}  // namespace ricochet::test
