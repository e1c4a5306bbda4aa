// Constraints that say the same twice are solved; those that contradict each other are refused by name. From scenario
// text to the end of the run.

#include <gtest/gtest.h>

#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::constraint_scenarios_test {
namespace {

// A ball on a rod, and what else is said of it.
std::string rod(const std::string& method, const std::string& more, const std::string& initial) {
  return "[system]\ncoordinates=['x','y']\nlagrangian=\"(x'^2+y'^2)/2-9.8*y\"\n"
         "[[system.holonomic]]\nname='rod'\nequation='sqrt(x^2+y^2)-1'\n" +
         more + "[integrator]\nmethod='" + method + "'\nstep=0.01\n[run]\nduration=2\n[initial]\n" + initial;
}
const char* const start = "position=[1,0]\nvelocity=[0,0.5]\n";

Observables end_of(const std::string& text, int steps) {
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(read_scenario_text(text, "rod.toml"), warnings);
  for (int k = 0; k < steps; ++k) stepper->advance(0.01 * k, 0.01);
  Observables o;
  stepper->observe(o);
  EXPECT_LE(stepper->extremes().holonomic_max, 1e-13);
  return o;
}

TEST(ConstraintScenarios, RedundantConstraintsChangeNothing) {
  const std::string twice = "[[system.holonomic]]\nname='again'\nequation='x^2+y^2-1'\n";
  for (const char* method : {"variational", "variational-collision", "generalized-variational"}) {
    const Observables once = end_of(rod(method, "", start), 200), both = end_of(rod(method, twice, start), 200);
    for (int i = 0; i < 2; ++i) {  // the same equations by another factorisation: round-off of 200 steps
      EXPECT_NEAR(once.q[i], both.q[i], 1e-11) << method;
      EXPECT_NEAR(once.v[i], both.v[i], 1e-10) << method;
    }
  }
}

void refused(const std::string& text, const std::string& fragment) {
  std::vector<std::string> warnings;
  try {
    make_stepper(read_scenario_text(text, "rod.toml"), warnings);
    ADD_FAILURE() << "accepted; expected: " << fragment;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("rod.toml:"), std::string::npos) << error.what();
  }
}

TEST(ConstraintScenarios, InconsistentConstraintsAreRefusedByName) {
  const std::string other = "[[system.holonomic]]\nname='longer rod'\nequation='sqrt(x^2+y^2)-2'\n";
  refused(rod("variational", other, start), "'longer rod': residual -1");
  refused(rod("variational", other, std::string(start) + "project=true\n"), "contradict");
}

TEST(ConstraintScenarios, AStartOffTheConstraintsNamesThem) {
  refused(rod("variational", "", "position=[1.5,0]\nvelocity=[0,1]\n"), "'rod': residual 0.5");
  refused(rod("variational", "", "position=[1,0]\nvelocity=[0.25,1]\n"), "'rod': rate 0.25");
}

}  // namespace
}  // namespace ricochet::constraint_scenarios_test
