#pragma once
// What is audited: a method with its parameters, on a system, from a start. And a walk of its steps, by hand.

#include <memory>
#include <string>
#include <vector>

#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet {

struct Subject {
  Model model;
  InitialState initial;
  IntegratorOptions options;
  RunSettings run;
  std::shared_ptr<const System> system;
  State start;
  std::vector<std::string> warnings;  // declared symmetries that are none
};

// Checked as for a run; throws ModelError.
Subject make_subject(const Model& model, const IntegratorOptions& options, const InitialState& initial,
                     const RunSettings& run);
// Another method on the same system from the same start. Throws ModelError.
Subject with_options(const Subject& subject, const IntegratorOptions& options);

// Steps of equal length from the start: t_k = t_0 + k h.
class Walk {
 public:
  Walk(const Subject& subject, double h);
  void step(StepJacobian* jacobian = nullptr);

  const State& state() const { return state_; }
  State& state() { return state_; }
  double h() const { return h_; }
  std::int64_t steps() const { return k_; }
  const ImpactList& impacts() const { return work_->impacts; }  // of the last step
  double gap_min() const { return work_->gap_min; }             // so far
  std::int64_t counter(const std::string& name) const;          // 0 if the method has none of this name
  double energy();
  const Method& method() const { return *method_; }

 private:
  std::shared_ptr<const System> system_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<Workspace> work_;
  std::vector<std::string> counter_names_;
  Lagrangian lagrangian_;
  State state_;
  std::vector<double> v_;
  double h_, t0_;
  std::int64_t k_ = 0;
};

struct Solution {
  State end;
  std::vector<Impact> impacts;
};
// `steps` equal steps over `duration`.
Solution solve(const Subject& subject, double duration, std::int64_t steps);

// Steps of the subject's run, at most `limit`; a run that ends by its impacts counts as long.
std::int64_t steps_of_run(const Subject& subject, std::int64_t limit);

}  // namespace ricochet
