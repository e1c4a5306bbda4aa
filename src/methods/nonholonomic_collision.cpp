// The nonholonomic collision integrator [RAC Theorem 3.1, (+) scheme], with the equations as corrected in its errata:
//
//   p0 + D1L_d(q0,q1,h) + W(q0)ᵀμ = 0,   W(q0)(q1 − q0)/h + b(q0) = 0,   p1 = D2L_d(q0,q1,h),
//   impact: the same to reach g(q̃) = 0, then  p̃⁻ + λn + W(q̃)ᵀμ̃ + D1L_d(q̃,q1,(1−α)h) = 0,  W(q̃)(q1 − q̃) = 0,  E_d equal
//   on both sides.
//
// It is the collision integrator of variational_collision.cpp with constrained sub-steps
// (discrete/constrained_step.hpp); the momentum at a node is defined up to W(q)ᵀ, and the one with W M⁻¹p = 0 is kept.
//
// Backwards in time ([run] direction = "backward") the exact adjoint takes the constraint at the end of each sub-step,
// W(q0)(q1 − q0) = 0 with q0 unknown, so that forward then backward returns to the start. The (−) scheme as printed has
// W at the point where the backward step starts: adjoint = "printed"; it is an inverse to O(h) only.

#include "collision.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace {

std::vector<ParameterDoc> nonholonomic_parameters() {
  std::vector<ParameterDoc> list = collision_parameters();
  list.push_back(
      {.name = "adjoint",
       .default_value = std::string("exact"),
       .doc = "backward runs: the exact adjoint of the forward scheme, or the (-) scheme as printed in the paper",
       .choices = {"exact", "printed"}});
  return list;
}

const Descriptor about_nonholonomic_collision{
    .name = "nonholonomic-collision",
    .doc = "variational collisions under constraints linear in the velocities, (+) scheme",
    .order = "1",
    .preserves =
        "the discrete constraint and the constraint of the recorded velocities; the discrete energy through impacts; "
        "admissibility",
    .not_preserved =
        "energy (a secular drift of O(h)); the symplectic form (nonholonomic flows have none); momentum maps that the "
        "constraint forces break",
    .parameters = nonholonomic_parameters(),
    .contacts = true,
    .holonomic = true,
    .nonholonomic = true,
    .forces = true,
    .degenerate = true,
    .derivative = true,
    .backward = true,
    .lasting = true,
    .counters = event_counters(),
    .discretizations = {"midpoint", "rectangle", "trapezoidal"},
    .laws = {},
};

}  // namespace

MethodEntry nonholonomic_collision() {
  return {&about_nonholonomic_collision,
          [](std::shared_ptr<const System> system, const Tableau& tableau,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            CollisionSettings settings = collision_settings(tableau, options);
            if (std::get<std::string>(options.parameters.at("adjoint")) == "printed") settings.constrain_at_end = false;
            return make_collision(about_nonholonomic_collision, std::move(system), settings);
          }};
}

}  // namespace ricochet
