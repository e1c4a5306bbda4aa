// The scheme of Moreau and Jean with parameter θ, as nonsmooth codes use it: Newton's law at the velocity level for the
// contacts whose gap is predicted to close, g(q0 + h/2 v0) <= 0:
//
//   v1 = v0 − h M⁻¹[(1 − θ)∇V(q0) + θ∇V(q1)] + M⁻¹N r,   q1 = q0 + h[(1 − θ)v0 + θ v1],
//   0 <= r_k ⊥ n_k·v1 + g_t + e_k(n_k·v0 + g_t) >= 0,   n = ∇g at q0,
//
// e_k = 1 for an elastic contact, for a newton contact its restitution at the speed −(n_k·v0 + g_t). Forces F(q,v,t)
// stand beside −∇V at both ends.

#include <cmath>

#include "contact_step.hpp"
#include "registry.hpp"

namespace ricochet {

namespace {

const Descriptor about_moreau_jean{
    .name = "moreau-jean",
    .doc = "baseline: the theta scheme of Moreau and Jean, impacts at the velocity level",
    .order = "2 without contact for theta = 1/2, else 1; 1 through an impact",
    .preserves = "the requested restitution of a single contact",
    .not_preserved =
        "admissibility (walls are crossed by O(h)); energy without contact unless theta = 1/2; energy in an impact of "
        "several contacts; the symplectic form",
    .parameters = {tolerance_parameter(),
                   {.name = "theta",
                    .default_value = 0.5,
                    .doc = "weight of the end of the step; 1: implicit Euler",
                    .min = 0.1,
                    .max = 1}},
    .contacts = true,
    .forces = true,
    .laws = {"elastic", "newton"},
};

class MoreauJean : public ContactStepMethod {
 public:
  using ContactStepMethod::ContactStepMethod;

 private:
  Motion move(ContactStep& step, double t0, double h, const Motion& before) const override {
    const double theta = number("theta");
    const Eigen::VectorXd a0 = step.solve_mass(step.force(before.q, before.v, t0)), half = before.q + h / 2 * before.v;
    std::vector<int> closing;
    Eigen::VectorXd c0 = Eigen::VectorXd::Zero(before.reaction.size()), requested = c0;
    step.gaps().evaluate(half.data(), t0 + h / 2);
    for (int k = 0; k < step.gaps().pieces(); ++k)
      if (step.gaps().piece(k) <= 0) closing.push_back(k);
    for (const int k : closing) {  // v1 = ((q1 − q0)/h − (1 − θ)v0)/θ
      double g_t = 0;
      const double c = step.normal(k, before.q, t0, g_t).dot(before.v);
      const double e = requested[k] = step.restitution(k, std::fmax(0.0, -(c + g_t)));
      c0[k] = (e - (1 - theta) / theta) * c + (1 + e) * g_t;
    }
    step.set_speeds(closing, 1 / theta, c0);
    step.solve(t0, before.q, h, before.q + h * before.v + h * h * theta * (1 - theta) * a0,
               {.a = theta * theta,
                .theta = 1,
                .b = theta,
                .sigma = 0,
                .velocity_level = true,
                .kappa = 1 / theta,
                .u = -(1 - theta) / theta * before.v});
    return {step.position(), ((step.position() - before.q) / h - (1 - theta) * before.v) / theta, step.lambda() / h,
            requested};
  }
};

}  // namespace

MethodEntry moreau_jean() {
  return {&about_moreau_jean,
          [](std::shared_ptr<const System> system, const Tableau&,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<MoreauJean>(about_moreau_jean, std::move(system), options);
          }};
}

}  // namespace ricochet
