// The derivative of a step on every branch that contact can take: random systems, laws and discretizations, each step
// with an impact or a closed contact against differences. A derivative is right or absent with a reason.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "support/colliding_systems.hpp"
#include "support/step_derivative.hpp"

namespace ricochet {
TEST(StepDerivatives, RightOrAbsentOnEveryBranch) {
  const std::vector<std::string> what{"elastic",
                                      "newton",
                                      "coulomb",
                                      "plastic",
                                      "rest",
                                      "simultaneous",
                                      "multi",
                                      "grazing",
                                      "stays",
                                      "opens",
                                      "events_without_impulse"};
  const unsigned samples = std::getenv("RICOCHET_LONG") != nullptr ? 4000 : 400;
  std::map<std::string, int> right;  // by what happened in the step
  std::set<std::string> reasons;
  int checks = 0, kinks = 0;
  for (unsigned seed = 1; seed <= samples; ++seed) {
    const CollidingSystem s = CollidingSystems(seed).make();
    Flight run(s.model, s.options, s.q, s.v);
    int checked = 0;
    for (int k = 0; k < 60 && checked < 6; ++k) {
      const State before = run.state;
      try {
        run.step();
      } catch (const SolverError& error) {
        ADD_FAILURE() << "seed " << seed << " (" << s.words << "), step " << k << ": " << error.what();
        break;
      }
      bool closed = false;
      for (const double mode : before.modes) closed |= mode != 0;
      if (run.work->impacts.empty() && !closed && before.modes == run.state.modes) continue;
      ++checked;
      const DerivativeCheck check = check_derivative(run, before);
      ++checks;
      kinks += check.verdict == DerivativeCheck::Verdict::kink;
      if (check.verdict == DerivativeCheck::Verdict::absent) reasons.insert(check.reason);
      for (const std::string& word : what)
        if (check.verdict == DerivativeCheck::Verdict::right)
          right[word] += check.branch.find(word) != std::string::npos;
      EXPECT_NE(check.verdict, DerivativeCheck::Verdict::wrong)
          << "seed " << seed << " (" << s.words << "), step " << k << ": " << check.branch << ", error " << check.error;
    }
  }
  for (const std::string& word : what) EXPECT_GE(right[word], 2) << word;
  // Neighbours on another branch are no test. There must not be many.
  EXPECT_LE(kinks, 0.2 * checks);
  for (const std::string& reason : reasons)
    EXPECT_TRUE(reason.find("neighbouring motions") != std::string::npos ||
                reason.find("a contact with friction") != std::string::npos)
        << reason;
}

}  // namespace ricochet
