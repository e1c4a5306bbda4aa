#pragma once
// A method advances a state by one step and reports its impacts. It is immutable and shared; what it needs to compute
// lives in a Workspace, one for each thread. State is everything that the future depends on.

#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/contact/impact.hpp"
#include "ricochet/mechanics/system.hpp"
#include "ricochet/methods/options.hpp"

namespace ricochet {

struct State {
  double t = 0;
  std::vector<double> q, p;
  // Of each piece of a gap (discrete/rub.hpp); empty: not known yet, or a method without. Baselines: their reactions.
  std::vector<double> modes;
};

// The derivative of a step, through its impacts.
struct StepJacobian {
  Eigen::MatrixXd matrix;  // ∂(q1,p1)/∂(q0,p0): 2n × 2n
  Eigen::MatrixXd inputs;  // ∂(q1,p1)/∂(h, t0, θ): 2n × (2 + parameters), at fixed (q0,p0)
  std::string reason;      // why there is none; then the matrices are empty
  // Of each impact of the step: the point, its time, the momenta before and after, by (q0, p0, h, t0, θ).
  struct AtImpact {
    Eigen::MatrixXd q, p_minus, p_plus;
    Eigen::RowVectorXd t;
  };
  std::vector<AtImpact> impacts{};

  void set(const Eigen::MatrixXd& by_all, int n) {  // rows q1, p1 (and more), columns (q0, p0, h, t0, θ)
    matrix = by_all.topLeftCorner(2 * n, 2 * n);
    inputs = by_all.block(0, 2 * n, 2 * n, by_all.cols() - 2 * n);
  }
  void clear() { matrix.resize(0, 0), inputs.resize(0, 0), impacts.clear(); }
};

// What a step leaves behind beside the state.
class Workspace {
 public:
  virtual ~Workspace() = default;
  ImpactList impacts;                  // of the last step
  ImpactList changes;                  // of lasting contact, likewise: lines without an impulse
  std::vector<std::int64_t> counters;  // since the start, beside Method::counter_names()
  // Of lasting contact in the last step, beside ContactForces (contact_forces.hpp); empty: nobody asks.
  std::vector<double> contact_impulses;
  bool pressed = false;  // some of them are not 0
  // Since the start, beside RunningScalars::names; empty: nobody asks. A method adds the work of the forces and the
  // friction of lasting contact; what impacts add is in their lines.
  std::vector<double> scalars;
  // If set: points of the path that the step took, from the second on, for those who want to see inside (audit).
  struct PathPoint {
    double t;
    std::vector<double> q;
  };
  std::vector<PathPoint>* path = nullptr;
  // If set, a step that may take long asks it now and then, and throws Interrupted.
  const std::atomic<bool>* stop = nullptr;
  double gap_min = 0;                              // since the start
  double holonomic_max = 0, nonholonomic_max = 0;  // likewise
  void forget_last_step() {
    impacts.clear();
    changes.clear();
    if (pressed) std::fill(contact_impulses.begin(), contact_impulses.end(), 0.0);
    pressed = false;
  }
  void note_violation(double holonomic, double nonholonomic) {
    holonomic_max = std::fmax(holonomic_max, holonomic);
    nonholonomic_max = std::fmax(nonholonomic_max, nonholonomic);
  }
};

class Method {
 public:
  virtual ~Method() = default;
  virtual const Descriptor& descriptor() const = 0;
  virtual std::unique_ptr<Workspace> workspace() const = 0;
  // One step from state.t of length h. Throws SolverError or Interrupted and then leaves state and scalars as they
  // were.
  virtual void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian = nullptr) const = 0;
  const std::vector<std::string>& counter_names() const { return descriptor().counters; }
};

// By name, for a system; throws ModelError if the method cannot do what the system asks.
std::unique_ptr<Method> make_method(std::shared_ptr<const System> system, const IntegratorOptions& options);

}  // namespace ricochet
