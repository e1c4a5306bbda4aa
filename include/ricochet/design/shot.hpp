#pragma once
// A motion as a function of what may vary in it: θ, the parameters of the model's graph. Initial values are formulas of
// θ, and the duration may be one of them.
//
// N steps are fixed, so that the map θ -> motion has no kinks of its own: with an unknown duration T the steps have the
// lengths h_k = T (h_k/T) of the given plan, h = T/N if T is a multiple of the step.

#include <Eigen/Dense>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet {

struct Shot {
  Model model;
  IntegratorOptions integrator;
  RunSettings run;  // start, step, duration or number of impacts
  std::vector<Expr> position, velocity;
  bool momentum_given = false;  // `velocity` is the momentum
  bool project = false;         // the start is moved onto the constraints: refused, that has no derivative here
  int duration = -1;            // the parameter that is the duration; −1: none

  int parameters() const { return static_cast<int>(model.graph->parameters().size()); }
  std::vector<double> theta() const;
  void set_theta(const Eigen::VectorXd& theta);
};

// Throws ModelError where derivatives cannot be had: a method without, a run backwards, a start that is projected, and
// the discrete energy rule with an elastic contact, under which the map jumps where an impact crosses a grid time.
void check_differentiable(const Shot& shot);

// An impact of the course.
struct Passage {
  double t = 0;
  std::vector<double> q, v_before, v_after;
  std::string contacts;  // names, joined by +
  bool rest = false;     // it closes instead of bouncing
  std::int64_t step = 0;
};

struct Course {
  State start, end;
  std::vector<double> v;      // at the end
  std::vector<double> times;  // of the N + 1 grid points
  std::vector<Passage> impacts;
  std::vector<StepJacobian> steps;  // if asked for
  std::string reason;               // why there is no derivative: time, contact, cause
  std::shared_ptr<const System> system;

  double duration = 0;  // of the plan; a motion that ends with an impact is shorter

  // dh_k and dt_k of step k by the duration.
  double length_share(std::size_t k) const { return (times[k + 1] - times[k]) / duration; }
  double time_share(std::size_t k) const { return (times[k] - times.front()) / duration; }
};

enum class Derivatives { none, steps };

// The course at the present θ. Throws ModelError (an inadmissible start), SolverError with its time, Interrupted.
Course fly(const Shot& shot, Derivatives derivatives, const std::atomic<bool>* stop = nullptr);
// The same with derivatives that are not kept: each is given to `see` when its step is done (the last of course.times
// is its end), and then forgotten.
using StepSeen = std::function<void(const Course& course, const StepJacobian& step)>;
Course fly(const Shot& shot, const StepSeen& see, const std::atomic<bool>* stop = nullptr);

}  // namespace ricochet
