#pragma once
// One scenario by several methods, side by side: what each run's summary says, and how far from the truth it is at a
// horizon up to which a comparison says something about the methods (audit/truth.hpp).

#include <optional>
#include <string>
#include <vector>

#include "ricochet/audit/truth.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet {

struct Compared {
  std::string label;               // the method as it was asked for
  std::string refused;             // why this method cannot do the scenario; the rest is then empty
  Summary summary;                 // status "failed" with its message if the run failed
  std::optional<double> distance;  // |(q,p) − truth| / max(1, |truth|) at the horizon
  double nanoseconds_per_step = 0;
};

struct Comparison {
  std::string title, scenario;
  std::vector<Compared> methods;
  std::string truth;               // what the distance is measured from
  bool itself = false;             // it is each method with smaller steps
  std::optional<Horizon> horizon;  // none: the truth could not be found
  std::string note;                // why
};

// Truth and horizon of the first method that can do the scenario.
void find_truth(const Subject& first, Comparison& comparison);
// The whole run in memory.
Compared compare_run(Stepper& stepper, RunSettings settings, const std::string& label, const RunDescription& about,
                     const RunControl& control = {});
// And the distance at the horizon.
Compared compare_method(const Subject& subject, const std::string& label, const RunDescription& about,
                        const Comparison& comparison, const RunControl& control = {});

std::string comparison_table(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace ricochet
