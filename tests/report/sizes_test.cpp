#include "ricochet/report/sizes.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"

namespace ricochet::sizes_test {
namespace {

Sizes of(const std::string& text) {
  const TemporaryDirectory directory;
  const Scenario scenario = read_scenario_text(text, "s.toml");
  std::vector<std::string> warnings;
  run(*make_stepper(scenario, warnings), scenario.run, describe(scenario), directory.path);
  return measure_sizes(scenario, ArchiveReader(directory.path / "trajectory.h5"));
}

// A free particle that flies through the origin: its angular momentum is 0, its terms x p_y and y p_x are not.
TEST(Sizes, of_a_momentum_are_those_of_its_terms) {
  const Sizes sizes = of(
      "[system]\ncoordinates=['x','y']\nlagrangian=\"x'^2+y'^2\"\n[[system.symmetry]]\nname='L'\ngenerator=['-y','x']\n"
      "[initial]\nposition=[-3,-3]\nvelocity=[2,2]\n[integrator]\nmethod='variational'\nstep=0.5\n[run]\nduration=2\n");
  ASSERT_EQ(sizes.momenta.size(), 1u);
  EXPECT_DOUBLE_EQ(sizes.momenta[0], 3 * 4 + 3 * 4);  // at the start, p = 2 v
  EXPECT_FALSE(sizes.holonomic);
  EXPECT_FALSE(sizes.nonholonomic);
}

// A rod of length r: f = x² + y² − r² changes by 2x² + 2y² = 2r². A blade along x = y: f = x' − y' by |x'| + |y'|.
TEST(Sizes, of_constraints_are_their_changes_with_the_motion) {
  for (const char* r : {"1e-6", "1", "1e6"}) {
    const double length = std::stod(r);
    const Sizes sizes = of(
        std::string("[system]\ncoordinates=['x','y']\nlagrangian=\"(x'^2+y'^2)/2\"\nparameters={r=") + r +
        "}\n[[system.holonomic]]\nname='rod'\nequation='x^2+y^2-r^2'\n[initial]\nposition=['r',0]\nvelocity=[0,'r']\n"
        "[integrator]\nmethod='variational'\nstep=0.1\n[run]\nduration=1\n");
    ASSERT_TRUE(sizes.holonomic);
    EXPECT_NEAR(*sizes.holonomic, 2 * length * length, 1e-12 * length * length);
  }
  const Sizes blade =
      of("[system]\ncoordinates=['x','y']\nlagrangian=\"(x'^2+y'^2)/"
         "2\"\n[[system.nonholonomic]]\nname='blade'\nequation=\"x'-y'\"\n"
         "[initial]\nposition=[0,0]\nvelocity=[3,3]\n[integrator]\nmethod='nonholonomic-symmetric'\nstep=0.1\n[run]"
         "\nduration=1\n");
  ASSERT_TRUE(blade.nonholonomic);
  EXPECT_NEAR(*blade.nonholonomic, 6, 1e-12);
}

// A ball of radius r at rest on the floor: its gap is 0 all the time, and changes with the height r.
TEST(Sizes, of_gaps_that_stay_closed) {
  const Sizes sizes = of(
      "[system]\ncoordinates=['y']\nlagrangian=\"y'^2/2-y\"\n[[system.contact]]\nname='floor'\ngap='y-0.5'\n[initial]\n"
      "position=[0.5]\nvelocity=[0]\n[integrator]\nmethod='variational-collision'\nstep=0.1\n[run]\nduration=1\n");
  ASSERT_TRUE(sizes.gaps);
  EXPECT_NEAR(*sizes.gaps, 0.5, 1e-14);
}

// Two squares of mass 1 that fly at each other with ±v: their momentum is 0, its terms are 2v, whatever the unit of
// mass.
TEST(Sizes, of_momenta_of_bodies) {
  for (const char* rho : {"1e-9", "1", "1e12"}) {
    const auto square = [&](const char* name, const char* x, const char* v) {
      return std::string("[[continuum.body]]\nname='") + name + "'\nmesh={kind='box',from=[" + x +
             ",0],size=[1,1],cells=[2,2]}\nmaterial={kind='linear',rho=" + rho + ",lambda=0,mu=" + rho +
             "}\nvelocity=['" + v + "','0']\n";
    };
    const Sizes sizes = of("[continuum]\n" + square("a", "-2", "0.1") + square("b", "1", "-0.1") +
                           "[[continuum.contact]]\nbetween=['a','b']\n[run]\nduration=1\n");
    ASSERT_EQ(sizes.momenta.size(), 3u);
    EXPECT_NEAR(sizes.momenta[0], 0.2 * std::stod(rho), 1e-13 * std::stod(rho));
  }
}

}  // namespace
}  // namespace ricochet::sizes_test
