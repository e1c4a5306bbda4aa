#pragma once
// A number of coordinates known to the compiler where it is small; 0: any other. Inlined, so that what f refers to
// stays in registers.

#include <type_traits>

namespace ricochet {

template <class F>
[[gnu::always_inline]] inline void with_size(int n, const F& f) {
  switch (n) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    default: return f(std::integral_constant<int, 0>());
  }
}

}  // namespace ricochet
