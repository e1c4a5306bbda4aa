#pragma once
// Probes. A front is a strain that jumps, moving through a body: found where neighbouring cells differ most, followed
// from step to step, its speed U the slope of its positions. With N = ±1 the direction in which it runs, [[·]] = ahead
// − behind, e = ½ρv² + W, L = ½ρv² − W, F = 1 + ε, the balances of [F03] say that these vanish:
//   momentum        ρU[[v]] + [[P]]N                        (3.81)
//   energy          U[[e]] + [[P v]]N                       (3.87)   the rate at which the front dissipates
//   configurational ρU[[F v]] + [[L]]N + [[F P]]N           (3.90)
//   maxwell         U[[F]] + [[v]]N                         (3.91)
// Three of them are independent. In a nonlinear material they cannot all hold: the energy's residual is the
// dissipation.
//
// An interface is where two bodies meet, bonded or in contact: [[v]], and t·N + p = [[P]], the largest and the last
// seen while they touch. The masses of the ends make [[P]] of the order of a cell times an acceleration.

#include <span>
#include <vector>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/continuum/integrator.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::continuum {

struct FrontState {
  double strain = 0, stress = 0, velocity = 0;
};

struct Front {
  bool found = false;
  double position = 0;
  FrontState left, right;
};

Front find_front(const Bar& bar, const Part& part, const double* u, const double* v);

class Probes {
 public:
  Probes(const Bar& bar, const std::vector<Probe>& probes);  // throws ModelError
  bool empty() const { return probes_.empty(); }
  void look(double t, const Integrator& now);
  std::vector<ProbeReport> report() const;
  static std::vector<std::string> value_names(bool interface);
  void save(std::vector<double>& out) const;
  void load(std::span<const double>& in);

 private:
  static constexpr std::size_t remembered = 512;  // positions that the speed is taken from
  struct State {
    Probe probe;
    int part = -1;               // of a front; of an interface the left body
    int right = -1, touch = -1;  // of an interface; touch −1: bonded
    std::vector<double> t, x;    // of a front, the last ones
    Front last;
    double velocity_jump = 0, traction_jump = 0, last_velocity_jump = 0, last_traction_jump = 0;
  };
  const Bar& bar_;
  std::vector<State> probes_;
  std::vector<double> u_;
};

}  // namespace ricochet::continuum
