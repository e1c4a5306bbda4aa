// The implicit midpoint rule with the contact force put in directly, at the end of the step [KP12 (B.3), (B.5)]:
//
//   q1 = q0 + h/2 M⁻¹(p0 + p1),   p1 = p0 + h(F − ∇V)(q_½, (q1 − q0)/h) + N(q1)λ,   0 <= λ ⊥ g(q1) >= 0.
//
// The end point is never inside a wall, but each bounce loses energy, how much depends on where in the step it happens
// [KP12 theorem B.1], and sliding along a curved wall loses angular momentum.

#include "contact_step.hpp"
#include "registry.hpp"

namespace ricochet {

namespace {

const Descriptor about_direct_endpoint{
    .name = "direct-endpoint",
    .doc = "baseline: implicit midpoint with the contact force at the end of the step",
    .order = "2 without contact, 0 through an impact (its restitution does not converge)",
    .preserves = "admissibility at the ends of steps; linear momenta",
    .not_preserved =
        "energy in any impact: its restitution is accidental, from 0 to 1; angular momentum in contact, because the "
        "normal is that of the end point; the symplectic form",
    .parameters = {tolerance_parameter()},
    .contacts = true,
    .forces = true,
};

class DirectEndpoint : public ContactStepMethod {
 public:
  using ContactStepMethod::ContactStepMethod;

 private:
  Motion move(ContactStep& step, double t0, double h, const Motion& before) const override {
    step.solve(t0, before.q, h, before.q + h * before.v,
               {.a = 0.5, .theta = 0.5, .b = 0.5, .sigma = 1, .velocity_level = false});
    return {step.position(), 2 * (step.position() - before.q) / h - before.v, step.lambda() / h};
  }
};

}  // namespace

MethodEntry direct_endpoint() {
  return {&about_direct_endpoint,
          [](std::shared_ptr<const System> system, const Tableau&,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<DirectEndpoint>(about_direct_endpoint, std::move(system), options);
          }};
}

}  // namespace ricochet
