#include "../src/scenario/system_reader.hpp"

#include <gtest/gtest.h>

#include "ricochet/formula/differentiate.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "scenario/bad_scenarios.hpp"

namespace ricochet::system_reader_test {
namespace {

const std::string rest_of_file =
    "[initial]\nposition={}\nvelocity={}\n[integrator]\nmethod='variational'\nstep=0.1\n[run]\nduration=1\n";

Model model_of(const std::string& system) { return read_scenario_text(system + rest_of_file, "s.toml").model; }

std::vector<std::string> names(const auto& list) {
  std::vector<std::string> result;
  for (const auto& element : list) result.push_back(element.name);
  return result;
}

TEST(SystemReader, ParametersInOrderListsAndFormulas) {
  const Model m = model_of(
      "[system]\ncoordinates=['x']\nlagrangian=\"b*w[2]*x'^2\"\n[system.parameters]\nz=3\nb='z^2'\nw=[1,'z+1']\n");
  EXPECT_EQ(to_string(m.lagrangian), "36*(x'*x')");
}

TEST(SystemReader, ArraysAreSizedByParameters) {
  const Model m = model_of(
      "[system]\ncoordinates=['a','x[0..n]']\nkinetic=\"a'^2+sum(i in 0..n,x[i]'^2)\"\n[system.parameters]\nn=2\n");
  EXPECT_EQ(m.coordinates, (std::vector<std::string>{"a", "x[0]", "x[1]", "x[2]"}));
}

TEST(SystemReader, KineticMinusPotential) {
  const Model m = model_of("[system]\ncoordinates=['x']\nkinetic=\"x'^2/2\"\npotential='x^2'\n");
  EXPECT_EQ(to_string(m.lagrangian), "x'*x'/2-x*x");
}

TEST(SystemReader, DefinesBuildOnEachOther) {
  const Model m = model_of("[system]\ncoordinates=['x']\nlagrangian=\"x'^2 - b\"\n[system.define]\nz='2*x'\nb='z^2'\n");
  EXPECT_EQ(to_string(m.lagrangian), "x'*x'-2*x*(2*x)");
}

TEST(SystemReader, ForMakesNamedInstances) {
  const Model m = model_of(
      "[system]\ncoordinates=['x[1..3]']\nlagrangian=\"sum(i in 1..3,x[i]'^2)\"\n"
      "[[system.contact]]\nname='pair'\nfor='i in 1..2'\ngap='x[i+1]-x[i]'\n"
      "[[system.contact]]\ngap='x[1]'\nlaw='newton'\nrestitution='exp(-speed)'\n"
      "[[system.force]]\nname='spring'\nfor='i in 1..2'\ncomponents={'x[i]'='x[i+1]','x[i+1]'=1}\n"
      "[[system.symmetry]]\nname='shift'\ngenerator={x=1}\n"
      "[[system.nonholonomic]]\nequation=\"x[1]*x[2]' - "
      "x[3]'\"\n[[system.holonomic]]\nname='h'\nequation='x[1]*x[2]'\n");
  EXPECT_EQ(names(m.contacts), (std::vector<std::string>{"pair[1]", "pair[2]", "contact 2"}));
  EXPECT_EQ(to_string(m.contacts[1].gap), "x[3]-x[2]");
  EXPECT_EQ(to_string(m.contacts[2].restitution), "exp(-speed)");
  EXPECT_EQ(m.contacts[2].law, "newton");
  EXPECT_EQ(names(m.forces), (std::vector<std::string>{"spring[1]", "spring[2]"}));
  EXPECT_EQ(to_string(m.forces[1].components[0]), "0");
  EXPECT_EQ(to_string(m.forces[1].components[1]), "x[3]");
  EXPECT_EQ(to_string(m.forces[1].components[2]), "1");
  EXPECT_EQ(m.symmetries[0].generator.size(), 3u);
  EXPECT_EQ(names(m.nonholonomic), (std::vector<std::string>{"nonholonomic 1"}));
  EXPECT_EQ(names(m.holonomic), (std::vector<std::string>{"h"}));
}

TEST(SystemReader, CoulombTakesPointOrTangent) {
  const std::string system =
      "[system]\ncoordinates=['x','y']\nlagrangian=\"x'^2+y'^2\"\n[[system.contact]]\ngap='y'\nlaw='coulomb'"
      "\nrestitution=0.5\nfriction=0.3\n";
  EXPECT_EQ(model_of(system + "point=['x','y']\n").contacts[0].point.size(), 2u);
  EXPECT_EQ(model_of(system + "tangent=[['1','0'],{y='1'}]\n").contacts[0].tangent.size(), 2u);
  EXPECT_THROW(model_of(system), InputError);
  EXPECT_THROW(model_of(system + "point=['x','y']\ntangent=[['1','0']]\n"), InputError);
}

TEST(SystemReader, SpeedBelongsToTheRestitution) {
  const std::string contact = "[[system.contact]]\ngap='y-speed'\nlaw='newton'\nrestitution=1\n";
  EXPECT_THROW(read_scenario_text(test::scenario_with(0, contact), "s.toml"), InputError);
}

}  // namespace
}  // namespace ricochet::system_reader_test
