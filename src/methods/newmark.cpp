// Newmark's rule with the contact force put in directly, old and new [KP12 (B.8), (B.9)]: with A = M⁻¹(−∇V + N λ),
//
//   q1 = q0 + h v0 + h²/2 [(1 − 2β) A0 + 2β A1],   v1 = v0 + h [(1 − γ) A0 + γ A1],   0 <= λ1 ⊥ g(q1) >= 0.
//
// Forces F(q,v,t) stand beside −∇V; at the end their velocity is v1 = v0 + h(1 − γ)A0 + (γ/β)(q1 − q̂)/h, q̂ being q1
// without A1. A0 holds the reaction of the step before, which is part of the state.

#include "contact_step.hpp"
#include "registry.hpp"

namespace ricochet {

namespace {

const Descriptor about_newmark{
    .name = "newmark",
    .doc = "baseline: Newmark's rule with the contact force as one of its forces",
    .order = "2 without contact for gamma = 1/2, else 1; 0 through an impact",
    .preserves = "admissibility at the ends of steps; linear momenta",
    .not_preserved =
        "energy in any impact (the old reaction acts on after the contact has opened); angular momentum; the "
        "symplectic form",
    .parameters = newmark_parameters(1e-3, "; above 0, or no reaction could act"),
    .contacts = true,
    .forces = true,
};

class Newmark : public ContactStepMethod {
 public:
  using ContactStepMethod::ContactStepMethod;

 private:
  Motion move(ContactStep& step, double t0, double h, const Motion& before) const override {
    const double beta = number("beta"), gamma = number("gamma");
    Eigen::VectorXd f0 = step.force(before.q, before.v, t0);
    double g_t = 0;
    for (int k = 0; k < before.reaction.size(); ++k)
      if (before.reaction[k] > 0) f0 += before.reaction[k] * step.normal(k, before.q, t0, g_t);
    const Eigen::VectorXd a0 = step.solve_mass(f0);
    const Eigen::VectorXd start = before.v + h / 2 * (1 - 2 * beta) * a0;  // (q̂ − q0)/h
    step.solve(t0, before.q, h, before.q + h * before.v + h * h / 2 * (1 - 2 * beta) * a0,
               {.a = beta,
                .theta = 1,
                .b = beta,
                .sigma = 1,
                .velocity_level = false,
                .kappa = gamma / beta,
                .u = before.v + h * (1 - gamma) * a0 - gamma / beta * start});
    const Eigen::VectorXd reaction = step.lambda() / h;
    const Eigen::VectorXd a1 =
        step.solve_mass(step.force(step.position(), step.force_velocity(), t0 + h) + step.normals() * reaction);
    return {step.position(), before.v + h * ((1 - gamma) * a0 + gamma * a1), reaction};
  }
};

}  // namespace

MethodEntry newmark() {
  return {&about_newmark,
          [](std::shared_ptr<const System> system, const Tableau&,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<Newmark>(about_newmark, std::move(system), options);
          }};
}

}  // namespace ricochet
