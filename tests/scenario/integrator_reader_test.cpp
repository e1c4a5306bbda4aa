#include "../src/scenario/integrator_reader.hpp"

#include <gtest/gtest.h>

namespace ricochet::integrator_reader_test {
namespace {

IntegratorOptions read(const std::string& text) {
  const Document d("d.toml", text);
  return read_integrator(TableReader(d, d.root(), "integrator"));
}

TEST(IntegratorReader, DefaultDiscretizationIsFilledIn) {
  const IntegratorOptions o = read("method='variational'\nstep=0.5\n");
  EXPECT_EQ(o.method, "variational");
  EXPECT_EQ(o.discretization, "trapezoidal");
  EXPECT_EQ(o.step, 0.5);
  EXPECT_TRUE(o.parameters.empty());
}

TEST(IntegratorReader, ParametersOfMethodAndDiscretization) {
  const IntegratorOptions o =
      read("method='variational'\ndiscretization='rectangle'\nstep=1\ngamma=0.25\ntolerance=1e-9\n");
  EXPECT_EQ(std::get<double>(o.parameters.at("gamma")), 0.25);
  EXPECT_EQ(std::get<double>(o.parameters.at("tolerance")), 1e-9);
}

TEST(IntegratorReader, ParametersAreCheckedByTheirDescription) {
  const Document d("d.toml", "flag=true\nword='b'\nfree='any'\nwhole=3\nnumber=2.5\n");
  TableReader table(d, d.root(), "t");
  const ParameterDoc flag{"flag", false, "", {}}, word{"word", std::string("a"), "", {"a", "b"}},
      free_text{"free", std::string(), "", {}}, whole{"whole", 1.0, "", {}, 0, 5, true},
      number{"number", 1.0, "", {}, 0, 2};
  EXPECT_EQ(std::get<bool>(read_parameter(table, flag)), true);
  EXPECT_EQ(std::get<std::string>(read_parameter(table, word)), "b");
  EXPECT_EQ(std::get<std::string>(read_parameter(table, free_text)), "any");
  EXPECT_EQ(std::get<double>(read_parameter(table, whole)), 3.0);
  EXPECT_THROW(read_parameter(table, number), InputError);  // above its maximum
}

}  // namespace
}  // namespace ricochet::integrator_reader_test
