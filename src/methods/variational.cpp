// The variational integrator in momentum form [FMOW03 section 3, Marsden and West 2001]:
//
//   p0 + D1L_d(q0,q1,h) = 0  gives q1,      p1 = D2L_d(q0,q1,h),
//
// for any discrete Lagrangian (discrete/sub_step.hpp). It is symplectic because L_d is a generating function, and keeps
// the momentum maps of the symmetries of L_d: those of L whose generator is affine in q.

#include "registry.hpp"
#include "ricochet/discrete/constrained_step.hpp"

namespace ricochet {

namespace {

const Descriptor about_variational{
    .name = "variational",
    .doc = "smooth variational integrator, no contact",
    .order = "that of the discretization",
    .preserves = "symplectic form; momentum maps of symmetries whose generator is affine in q",
    .not_preserved = "energy exactly (it oscillates without drift); momentum maps of other generators",
    .parameters = {tolerance_parameter()},
    .holonomic = true,
    .forces = true,
    .derivative = true,
    .backward = true,
    .discretizations = all_discretizations(),
};

struct VariationalWorkspace : Workspace {
  VariationalWorkspace(const System& system, const Tableau& tableau, const NewtonSettings& newton)
      : step(system, tableau, newton) {}
  SubStep step;
};

class Variational : public Method {
 public:
  Variational(std::shared_ptr<const System> system, Tableau tableau, const NewtonSettings& newton)
      : system_(std::move(system)), tableau_(std::move(tableau)), newton_(newton) {}

  const Descriptor& descriptor() const override { return about_variational; }

  std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<VariationalWorkspace>(*system_, tableau_, newton_);
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& work = static_cast<VariationalWorkspace&>(workspace);
    if (work.path != nullptr) {
      constexpr int points = 16;
      std::vector<double> p(state.p.size());
      for (int k = 1; k < points; ++k) {
        Workspace::PathPoint& point = work.path->emplace_back(Workspace::PathPoint{state.t + h * k / points, state.q});
        work.step.solve(state.t, state.q.data(), state.p.data(), h * k / points, point.q.data(), p.data());
      }
    }
    work.step.solve(state.t, state.q.data(), state.p.data(), h, state.q.data(), state.p.data());
    state.t += h;
    if (!work.scalars.empty()) work.step.add_work(work.scalars.data());
    if (!system_->constraints().empty())
      work.note_violation(work.step.constrained().holonomic_max(), work.step.constrained().nonholonomic_max());
    if (jacobian == nullptr) return;
    work.step.step_derivative(jacobian->matrix, jacobian->inputs);
    jacobian->reason.clear();
    jacobian->impacts.clear();
  }

 private:
  std::shared_ptr<const System> system_;
  Tableau tableau_;
  NewtonSettings newton_;
};

}  // namespace

MethodEntry variational() {
  return {&about_variational,
          [](std::shared_ptr<const System> system, const Tableau& tableau,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<Variational>(
                std::move(system), tableau,
                NewtonSettings{.tolerance = std::get<double>(options.parameters.at("tolerance"))});
          }};
}

}  // namespace ricochet
