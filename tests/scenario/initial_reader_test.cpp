#include "../src/scenario/initial_reader.hpp"

#include <gtest/gtest.h>

namespace ricochet::initial_reader_test {
namespace {

Scenario with(const std::string& initial) {
  return read_scenario_text(
      "[system]\ncoordinates=['u[1..3]','z']\nlagrangian=\"z'^2+sum(i in 1..3,u[i]'^2)\"\n[system.parameters]\nr=2\n"
      "[integrator]\nmethod='variational'\nstep=0.1\n[run]\nduration=1\n[initial]\n" +
          initial,
      "s.toml");
}

TEST(InitialReader, ListInCoordinateOrder) {
  const Scenario s = with("position=[1,'2*r',3,'-pi']\nvelocity=[0,0,0,1]\n");
  EXPECT_EQ(s.position, (std::vector<double>{1, 4, 3, -3.141592653589793}));
  EXPECT_EQ(s.velocity_or_momentum, (std::vector<double>{0, 0, 0, 1}));
  EXPECT_FALSE(s.momentum_given);
}

TEST(InitialReader, TableByNameAndMomentum) {
  const Scenario s = with("position={u='2*r*i'}\nmomentum={z=5}\n");
  EXPECT_EQ(s.position, (std::vector<double>{4, 8, 12, 0}));
  EXPECT_EQ(s.velocity_or_momentum, (std::vector<double>{0, 0, 0, 5}));
  EXPECT_TRUE(s.momentum_given);
}

TEST(InitialReader, ProjectMovesTheStartOntoTheConstraints) {
  const auto rod = [](const std::string& project) {
    return read_scenario_text(
        "[system]\ncoordinates=['x','y']\nlagrangian=\"(x'^2+y'^2)/2-y\"\n"
        "[[system.holonomic]]\nname='rod'\nequation='x^2+y^2-1'\n"
        "[integrator]\nmethod='variational'\nstep=0.1\n[run]\nduration=1\n"
        "[initial]\nposition=[3,4]\nvelocity=[1,0]\n" +
            project,
        "rod.toml");
  };
  std::vector<std::string> warnings;
  for (const char* off : {"", "project=false\n"}) {
    EXPECT_FALSE(rod(off).project);
    try {
      make_stepper(rod(off), warnings);
      ADD_FAILURE() << "a start off the rod was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("'rod': residual 24"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("initial.project = true"), std::string::npos) << error.what();
    }
  }
  const auto stepper = make_stepper(rod("project=true\n"), warnings);
  Observables start;
  stepper->observe(start);  // the rod's direction is kept by the shift, and removed from the velocity: round-off
  EXPECT_NEAR(start.q[0], 0.6, 1e-14);
  EXPECT_NEAR(start.q[1], 0.8, 1e-14);
  EXPECT_NEAR(start.v[0], 0.64, 1e-14);
  EXPECT_NEAR(start.v[1], -0.48, 1e-14);
  EXPECT_THROW(rod("project=1\n"), InputError);
}

}  // namespace
}  // namespace ricochet::initial_reader_test
