#pragma once
// What a method does between events: the motion from a state as a function of its length s, with some contacts held
// closed. For every s in [0, reach] a position q(s), a momentum p(s), and the energies that the method ascribes to the
// piece before and after an impact. At s = 0 the velocity of the path is that of the momentum: where the momentum
// leaves a contact, the path does.

#include <span>
#include <vector>

#include "ricochet/discrete/rub.hpp"
#include "ricochet/discrete/sub_step.hpp"

namespace ricochet {

class Flow {
 public:
  virtual ~Flow() = default;

  // From (t, q, p), `rest` before the end of the step. `held`: pieces of gaps that are closed. Those that the motion
  // leaves are taken out of it, but for those `kept`; of all pieces `rubs`, where it is decided what sticks and slides.
  // The choice stands until the next start.
  virtual void start(double t, const double* q, const double* p, double rest, std::vector<int>& held,
                     std::span<const int> kept, std::span<Rub> rubs) = 0;
  virtual void restart(const double* p) = 0;  // with another momentum, the same contacts
  virtual double reach() const = 0;           // less than `rest` if the flow goes there in several parts

  virtual void solve(double s) = 0;
  // Of the last solve:
  virtual const double* q() const = 0;
  virtual const double* p() = 0;
  virtual const double* mean_velocity() const = 0;  // (q(s) − q(0))/s; at s = 0 the velocity
  virtual void energies(double& before, double& after) = 0;
  virtual void add_work(double* work) = 0;      // work[k] += that of force k
  virtual double obstacle_work() = 0;           // of the contacts held, if they move
  virtual double friction_loss() { return 0; }  // of the contacts held
  // Of the k-th of those held impulses[3k …] += normal and tangential impulse (methods/contact_forces.hpp).
  virtual void add_impulses(double* /*impulses*/) {}
  // Of what slides, the k-th of those held: its slip along its direction at the start and at the end.
  virtual double slip_at_start(int /*k*/) { return 0; }
  virtual double slip_at_end(int /*k*/) { return 0; }
  virtual double slip_round_off(int /*k*/) { return 0; }
  // In space a slip whose part along its old direction vanishes may have turned instead: false, and its direction is
  // set.
  virtual bool stands_still(int /*k*/, Rub& /*rub*/) { return true; }
  virtual void turn(int /*k*/, Rub& /*rub*/) {}                // its direction as it is at the end
  virtual bool leaves(int /*k*/) { return false; }             // the k-th of those held opens at the end
  virtual const char* derivative(SubStepDerivative& out) = 0;  // nullptr, or why there is none
  // Of slip_at_end(k) by (q, p, length, t, θ), after derivative().
  virtual Eigen::RowVectorXd slip_derivative(int /*k*/) { return {}; }

  virtual bool is_parabola() const = 0;  // q(s) = q(0) + s w + s² a exactly
};

}  // namespace ricochet
