#pragma once
// A method stepped by hand, for tests.

#include <memory>
#include <vector>

#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/methods/method.hpp"

namespace ricochet {

struct Flight {
  std::shared_ptr<const System> system;
  std::unique_ptr<Method> method;
  std::unique_ptr<Workspace> work;
  State state;
  double h;
  std::int64_t k = 0;

  Flight(const Model& model, const IntegratorOptions& options, std::vector<double> q, std::vector<double> v)
      : system(std::make_shared<const System>(model)), h(options.step) {
    method = make_method(system, options);
    work = method->workspace();
    work->counters.assign(method->counter_names().size(), 0);
    work->gap_min = 1e300;
    state.q = std::move(q);
    state.p.resize(state.q.size());
    Lagrangian(*system).momentum(state.q.data(), v.data(), 0, state.p.data());
  }
  void step(StepJacobian* jacobian = nullptr) {
    state.t = k * h;
    work->forget_last_step();
    method->step(state, h, *work, jacobian);
    ++k;
    state.t = k * h;
  }
  double energy() const {
    Lagrangian L(*system);
    std::vector<double> v(state.q.size());
    L.velocity(state.q.data(), state.p.data(), state.t, v.data());
    return L.energy(state.q.data(), v.data(), state.t);
  }
};

inline IntegratorOptions collision(double h, const char* rule = "trapezoidal", const char* energy = "discrete") {
  return {.method = "variational-collision",
          .discretization = rule,
          .step = h,
          .parameters = {{"impact_energy", std::string(energy)}}};
}

}  // namespace ricochet
