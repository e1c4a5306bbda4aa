// The implicit midpoint rule with the contact force put in directly, at the middle of the step [KP12 (B.3), (B.4)]:
//
//   q1 = q0 + h/2 M⁻¹(p0 + p1),   p1 = p0 + h(F − ∇V)(q_½, (q1 − q0)/h) + N(q_½)λ,   0 <= λ ⊥ g(q_½) >= 0.
//
// The reaction is fixed by feasibility alone, so what a bounce gives back depends on where in the step it happens: each
// one has a restitution of its own, above or below 1 [KP12 theorem B.1].

#include "contact_step.hpp"
#include "registry.hpp"

namespace ricochet {

namespace {

const Descriptor about_direct_midpoint{
    .name = "direct-midpoint",
    .doc = "baseline: implicit midpoint with the contact force at the middle of the step",
    .order = "2 without contact, 0 through an impact (its restitution does not converge)",
    .preserves = "momentum maps of symmetries whose generator is affine in q, while no contact breaks them",
    .not_preserved =
        "energy in any impact: its restitution is accidental, from 0 to above 2; the symplectic form; admissibility at "
        "the ends of steps",
    .parameters = {tolerance_parameter()},
    .contacts = true,
    .forces = true,
};

class DirectMidpoint : public ContactStepMethod {
 public:
  using ContactStepMethod::ContactStepMethod;

 private:
  Motion move(ContactStep& step, double t0, double h, const Motion& before) const override {
    step.solve(t0, before.q, h, before.q + h * before.v,
               {.a = 0.5, .theta = 0.5, .b = 0.5, .sigma = 0.5, .velocity_level = false});
    return {step.position(), 2 * (step.position() - before.q) / h - before.v, step.lambda() / h};
  }
};

}  // namespace

MethodEntry direct_midpoint() {
  return {&about_direct_midpoint,
          [](std::shared_ptr<const System> system, const Tableau&,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<DirectMidpoint>(about_direct_midpoint, std::move(system), options);
          }};
}

}  // namespace ricochet
