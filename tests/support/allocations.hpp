#pragma once
// How often this test program has allocated memory, by new or malloc.

#include <cstddef>

namespace ricochet::test {

// The sanitizers have a malloc of their own: nothing is counted there.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool counts_allocations = false;
#else
inline constexpr bool counts_allocations = true;
#endif

std::size_t allocations();

}  // namespace ricochet::test
