#pragma once
// The lines of lasting contact in the ledger, none of them with an impulse: `rest` where a contact begins to last,
// `stick` or `slide` when one with friction begins to do so, `release` where it is left. One line for each instant and
// law. A contact that is brought to rest by an impulse begins with the line of that impact, if its law is `rest`.
//
// A contact lasts while one of its pieces is closed, and slides while one of these slides. From `rest` to `release` is
// an episode. What is known at the start of a step comes from the state alone, so that a resumed run has the same
// lines.

#include <span>
#include <vector>

#include "ricochet/discrete/rub.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/methods/method.hpp"

namespace ricochet {

class ModeLedger {
 public:
  ModeLedger(const System& system, Gaps& gaps);

  struct Moment {
    double t, alpha;
    const double *q, *p;
  };
  void start(const State& state);  // of a step; before the first nothing lasts
  // From this moment on these pieces are closed.
  void note(std::span<const int> closed, std::span<const Rub> rubs, const Moment& moment, Workspace& report);
  void captured(int contact);  // by an impact whose line has the law rest
  // The contact of this piece was left with the last note, and too early.
  void take_back_release(int piece, Workspace& report);
  int begun() const { return begun_; }  // episodes, in this step

 private:
  enum Kind : char { open, closed, sticks, slides };
  static unsigned bit(ImpactLaw law) { return 1U << static_cast<unsigned>(law); }
  unsigned lines_of(int contact) const;  // of one that changes: a bit for each law
  void measure(const Moment& moment, const Workspace& report);
  double gap(int contact, const Moment& moment);  // |g|
  void write(ImpactLaw law, const Moment& moment, Workspace& report);

  const System& system_;
  Lagrangian lagrangian_;  // its own: that of a step is in use
  Gaps& gaps_;
  std::vector<Kind> before_, now_, left_;  // of each contact; left_: what it was before its release
  std::vector<int> changed_;               // contacts, with the present note
  std::vector<double> v_;
  double energy_ = 0;                           // and v: of the moment, once they are
  const std::vector<double>* v_now_ = nullptr;  // nullptr: not measured
  std::vector<double> gaps_now_;                // |g| of each contact, −1: not known
  bool any_ = false;                            // lasts
  int begun_ = 0;
};

}  // namespace ricochet
