// L_d = h/2 [L(q0,w) + L(q1,w)], w = (q1 − q0)/h. For L = ½vᵀMv − V(q) this is Störmer–Verlet, explicit.

#include "discretization.hpp"

namespace ricochet {

Discretization trapezoidal() {
  return {{.name = "trapezoidal",
           .doc = "L_d = h/2 [L(q0,w) + L(q1,w)]; Störmer–Verlet where the mass is constant",
           .order = "2",
           .preserves = "symplectic form; momentum maps of generators affine in q",
           .not_preserved = "energy exactly (bounded oscillation of size h^2)",
           .parameters = {}},
          [](const Parameters&) {
            return linear_path("trapezoidal", {0.5, 0.5}, {0.0, 1.0});
          }};
}

}  // namespace ricochet
