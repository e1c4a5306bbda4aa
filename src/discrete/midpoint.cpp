// L_d = h L((q0 + q1)/2, w), w = (q1 − q0)/h: the implicit midpoint rule for L = ½vᵀMv − V(q).

#include "discretization.hpp"

namespace ricochet {

Discretization midpoint() {
  return {{.name = "midpoint",
           .doc = "L_d = h L((q0+q1)/2, w); implicit",
           .order = "2",
           .preserves = "symplectic form; momentum maps of generators affine in q",
           .not_preserved = "energy exactly (bounded oscillation of size h^2)",
           .parameters = {}},
          [](const Parameters&) { return linear_path("midpoint", {1.0}, {0.5}); }};
}

}  // namespace ricochet
