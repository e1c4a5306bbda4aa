#pragma once
// What a method is compared with, and until when a comparison says something about the method and not about chaos.
//
// The truth is the method `reference` with tolerance 1e-13, where it can do the system (for the reference itself with
// half the step too), until the horizon; else the audited method with a 64 times smaller step.
//
// The horizon: a twin that starts 1e-7 away in momentum shows how perturbations grow, in units of the motion. The
// horizon lies between two impacts (at the golden section: in the middle the steps of a periodic motion would keep time
// with its impacts), after the fourth one if the growth up to there is at most 1000, else after fewer; at the least
// four steps after the first. Without impacts it is the last time before the growth passes that bound, and says why no
// impact is judged. It is at most 400 steps long without contacts; with contacts 4000, or up to 20 000 until the first
// impact.

#include <string>

#include "ricochet/audit/motion_units.hpp"
#include "ricochet/audit/subject.hpp"

namespace ricochet {

inline constexpr double clear_of_impacts =
    4;  // steps between an instant of comparison and the nearest impact, at least

struct Truth {
  Subject subject;
  std::int64_t substeps = 1;  // steps of the truth in one step of the audited method
  std::string source;         // in words
  bool itself = false;        // the audited method with smaller steps, not the reference
  std::string note;           // why
};

struct Horizon {
  double time = 0;  // from the start
  int impacts = 0;  // before it
  double growth = 1;
  MotionUnits units{};     // of the truth until then
  std::string unjudged{};  // why no impact lies before it, where there are contacts
};

Truth truth_for(const Subject& subject);                                // the reference, if it accepts the system
Truth truth_of_itself(const Subject& subject, const std::string& why);  // with a smaller step
Horizon choose_horizon(const Subject& subject, const Truth& truth);     // throws SolverError

struct Outlook {
  Truth truth;
  Horizon horizon;
};
Outlook outlook_for(const Subject& subject);  // the reference, if it gets to a horizon

}  // namespace ricochet
