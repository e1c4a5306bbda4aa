// Newmark's rule with the contact force fully implicit (Kane, Repetto, Ortiz, Marsden 1999) [KP12 (B.10), (B.11)]:
//
//   q1 = q0 + h v0 + h²/2 [(1 − 2β) a0 + 2β a1] + h²/2 M⁻¹N(q1)λ,   v1 = v0 + h [(1 − γ) a0 + γ a1] + h M⁻¹N(q1)λ,
//   0 <= λ ⊥ g(q1) >= 0,   a = −M⁻¹∇V.

#include "contact_step.hpp"
#include "registry.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace {

const Descriptor about_newmark_imex{
    .name = "newmark-imex",
    .doc = "baseline: Newmark's rule, contact force implicit",
    .order = "2 without contact for gamma = 1/2, else 1; 0 through an impact",
    .preserves = "admissibility at the ends of steps; linear momenta",
    .not_preserved = "energy in any impact: its restitution is accidental; angular momentum; the symplectic form",
    .parameters = newmark_parameters(0, ""),
    .contacts = true,
    .forces = true,
};

class NewmarkImex : public ContactStepMethod {
 public:
  NewmarkImex(const Descriptor& about_it, std::shared_ptr<const System> of, const IntegratorOptions& options)
      : ContactStepMethod(about_it, std::move(of), options) {
    if (system().velocity_forces())
      throw ModelError(
          "integrator.method",
          "the method newmark-imex has no velocity at the end of its implicit part, so it takes forces of "
          "position and time alone; newmark, direct-midpoint, moreau-jean and the variational methods take "
          "forces that depend on velocities");
  }

 private:
  Motion move(ContactStep& step, double t0, double h, const Motion& before) const override {
    const double beta = number("beta"), gamma = number("gamma");
    const Eigen::VectorXd a0 = step.solve_mass(step.force(before.q, before.v, t0));
    step.solve(t0, before.q, h, before.q + h * before.v + h * h / 2 * (1 - 2 * beta) * a0,
               {.a = beta, .theta = 1, .b = 0.5, .sigma = 1, .velocity_level = false});
    const Eigen::VectorXd reaction = step.lambda() / h;
    const Eigen::VectorXd a1 = step.solve_mass(step.force(step.position(), before.v, t0 + h));
    const Eigen::VectorXd contact = step.solve_mass(step.normals() * reaction);
    return {step.position(), before.v + h * ((1 - gamma) * a0 + gamma * a1 + contact), reaction};
  }
};

}  // namespace

MethodEntry newmark_imex() {
  return {&about_newmark_imex,
          [](std::shared_ptr<const System> system, const Tableau&,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<NewmarkImex>(about_newmark_imex, std::move(system), options);
          }};
}

}  // namespace ricochet
