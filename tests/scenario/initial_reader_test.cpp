#include "../src/scenario/initial_reader.hpp"

#include <gtest/gtest.h>

namespace ricochet {
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

}  // namespace
}  // namespace ricochet
