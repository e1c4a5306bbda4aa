// Second order and time-symmetric: a half step of the (+) scheme, then a half step of its adjoint.
//
//   p0 + D1L_d(q0,q_m,h/2) + W(q0)ᵀμ = 0,                          W(q0)(q_m − q0) = 0,
//   D2L_d(q0,q_m,h/2) + D1L_d*(q_m,q1,h/2) + W(q_m)ᵀμ' = 0,         W(q1)(q1 − q_m) = 0,        L_d*(a,b,s) =
//   −L_d(b,a,−s).
//
// Impacts inside a half step reflect the momentum (impact_energy = continuous): with the discrete energy of a rectangle
// half step the order through an impact would fall to 1.

#include "collision.hpp"

namespace ricochet {

namespace {

std::vector<ParameterDoc> symmetric_parameters() {
  std::vector<ParameterDoc> list = collision_parameters();
  std::erase_if(list, [](const ParameterDoc& p) { return p.name == "impact_energy"; });
  return list;
}

const Descriptor about_nonholonomic_symmetric{
    .name = "nonholonomic-symmetric",
    .doc = "composition of a half step of nonholonomic-collision with its adjoint",
    .order = "2, through impacts too",
    .preserves =
        "time symmetry; the discrete constraints; the constraint of the recorded velocities; the energy H in each "
        "impact; admissibility",
    .not_preserved = "energy exactly; the symplectic form (nonholonomic flows have none)",
    .parameters = symmetric_parameters(),
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

struct SymmetricWorkspace : Workspace {
  std::unique_ptr<Workspace> half[2];
  StepJacobian jacobian[2];
  State next;
};

// Of two halves, each of length h/2, the second from t0 + h/2.
void compose(const StepJacobian& first, const StepJacobian& second, StepJacobian& whole) {
  const auto halved = [](Eigen::MatrixXd inputs, int of_h) {  // by h instead of the length of the first half
    inputs.col(of_h) /= 2;
    return inputs;
  };
  const Eigen::MatrixXd from = halved(first.inputs, 0);
  const int states = static_cast<int>(first.matrix.rows()), inputs = static_cast<int>(from.cols());
  // by the start of the whole step, of what the second half gives by its own start (x, h, t0, θ)
  const auto through = [&](const Eigen::MatrixXd& by_second) {
    Eigen::MatrixXd by(by_second.rows(), states + inputs);
    by << by_second.leftCols(states) * first.matrix, by_second.leftCols(states) * from + by_second.rightCols(inputs);
    by.col(states) += (by_second.col(states + 1) - by_second.col(states)) / 2;
    return by;
  };
  Eigen::MatrixXd all(states, states + inputs);
  all << second.matrix, second.inputs;
  whole.set(through(all), states / 2);
  whole.impacts.clear();
  for (const StepJacobian::AtImpact& at : first.impacts)
    whole.impacts.push_back(
        {halved(at.q, states), halved(at.p_minus, states), halved(at.p_plus, states), halved(at.t, states)});
  for (const StepJacobian::AtImpact& at : second.impacts)
    whole.impacts.push_back({through(at.q), through(at.p_minus), through(at.p_plus), through(at.t)});
}

class NonholonomicSymmetric : public Method {
 public:
  NonholonomicSymmetric(std::shared_ptr<const System> system, CollisionSettings settings, bool backward) {
    // Reversed in time the order of the halves stays: the adjoint of (adjoint after plain) is (plain's adjoint's …)
    // itself.
    if (backward) settings.tableau = settings.tableau.adjoint();
    settings.events.discrete_energy = false;
    settings.events.parts = 2;
    settings.constrain_at_end = false;
    half_[0] = make_collision(about_nonholonomic_symmetric, system, settings);
    settings.tableau = settings.tableau.adjoint();
    settings.constrain_at_end = true;
    half_[1] = make_collision(about_nonholonomic_symmetric, std::move(system), settings);
  }

  const Descriptor& descriptor() const override { return about_nonholonomic_symmetric; }

  std::unique_ptr<Workspace> workspace() const override {
    auto work = std::make_unique<SymmetricWorkspace>();
    for (int k = 0; k < 2; ++k) {
      work->half[k] = half_[k]->workspace();
      work->half[k]->counters.assign(counter_names().size(), 0);
    }
    return work;
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& w = static_cast<SymmetricWorkspace&>(workspace);
    State& next = w.next;  // the state stays as it was if the second half fails
    next = state;
    for (int k = 0; k < 2; ++k) {
      Workspace& part = *w.half[k];
      part.contact_impulses.resize(w.contact_impulses.size());
      part.forget_last_step();
      part.scalars.assign(w.scalars.size(), 0.0);
      part.gap_min = w.gap_min;
      part.path = w.path;
      std::fill(part.counters.begin(), part.counters.end(), 0);
      next.t = state.t + k * h / 2;
      half_[k]->step(next, h / 2, part, jacobian != nullptr ? &w.jacobian[k] : nullptr);
      w.gap_min = part.gap_min;
      w.note_violation(part.holonomic_max, part.nonholonomic_max);
      for (std::size_t c = 0; c < w.counters.size(); ++c) w.counters[c] += part.counters[c];
      const std::size_t impacts_before = w.impacts.size();
      for (const auto& [from, to] : {std::pair{&part.impacts, &w.impacts}, {&part.changes, &w.changes}})
        for (const Impact& line : *from) {
          Impact& copy = to->add();
          copy = line;
          copy.alpha = (line.alpha + k) / 2;
          copy.after = line.after + impacts_before;
        }
      w.pressed |= part.pressed;
    }
    for (const auto& part : w.half) {
      for (std::size_t s = 0; s < w.scalars.size(); ++s) w.scalars[s] += part->scalars[s];
      for (std::size_t f = 0; f < w.contact_impulses.size(); ++f) w.contact_impulses[f] += part->contact_impulses[f];
    }
    next.t = state.t + h;
    state = next;
    if (jacobian == nullptr) return;
    jacobian->reason = w.jacobian[0].reason.empty() ? w.jacobian[1].reason : w.jacobian[0].reason;
    if (jacobian->reason.empty())
      compose(w.jacobian[0], w.jacobian[1], *jacobian);
    else
      jacobian->clear();
  }

 private:
  std::unique_ptr<Method> half_[2];
};

}  // namespace

MethodEntry nonholonomic_symmetric() {
  return {&about_nonholonomic_symmetric,
          [](std::shared_ptr<const System> system, const Tableau& tableau,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            IntegratorOptions complete = options;
            complete.parameters["impact_energy"] = std::string("continuous");
            return std::make_unique<NonholonomicSymmetric>(std::move(system), collision_settings(tableau, complete),
                                                           options.backward);
          }};
}

}  // namespace ricochet
