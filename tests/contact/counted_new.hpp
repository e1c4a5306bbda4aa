#pragma once
// How often this test program has allocated memory.

#include <cstddef>

namespace ricochet::test {
std::size_t allocations();
}
