// L_d = h L((1−γ)q0 + γq1, w), w = (q1 − q0)/h [FMOW03 (57), our γ is one minus theirs]. γ = ½ is the midpoint rule.

#include "discretization.hpp"

namespace ricochet {

Discretization rectangle() {
  return {{.name = "rectangle",
           .doc = "L_d = h L((1-gamma) q0 + gamma q1, w)",
           .order = "1 (2 for gamma = 1/2)",
           .preserves = "symplectic form; momentum maps of generators affine in q",
           .not_preserved = "energy exactly (bounded oscillation of size h)",
           .parameters = {{.name = "gamma",
                           .default_value = 0.0,
                           .doc = "where in the step the Lagrangian is taken",
                           .choices = {},
                           .min = 0,
                           .max = 1}}},
          [](const Parameters& p) { return linear_path("rectangle", {1.0}, {std::get<double>(p.at("gamma"))}); }};
}

}  // namespace ricochet
