#include "ricochet/audit/audit.hpp"

#include <gtest/gtest.h>

#include "support/subjects.hpp"

namespace ricochet::audit_test {
namespace {

TEST(Audit, MeasuresEverything) {
  std::vector<std::string> stages;
  const Audit a = audit(subjects::particle(collision(0.01), 20), "particle",
                        [&](const std::string& what) { stages.push_back(what); },
                        {.run = 2000, .derivatives = 300, .penetration = 200});
  EXPECT_EQ(stages.front(), "horizon");
  EXPECT_EQ(stages.size(), 9u);
  EXPECT_TRUE(a.failures.empty());
  EXPECT_TRUE(a.order.order);
  EXPECT_TRUE(a.energy && a.energy->drift_per_time);
  EXPECT_EQ(a.momenta.size(), 1u);
  EXPECT_TRUE(a.symplecticity.smooth && a.symplecticity.impact);
  EXPECT_TRUE(a.penetration.grid);
  EXPECT_TRUE(a.reversibility.defect);
  EXPECT_TRUE(a.impact_times.max_error);
  EXPECT_GT(a.cost->nanoseconds_per_step, 0);
}

TEST(Audit, AFailureStopsOneMeasurementAndIsSaid) {
  // A particle falls into the singularity of V = log x.
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2 - log(x);
  const Audit a = audit(subjects::make(m, subjects::smooth(0.01, "midpoint"), {1}, {-1}, 20), "singular", {},
                        {.run = 2000, .derivatives = 2000, .penetration = 10});
  ASSERT_FALSE(a.failures.empty());
  EXPECT_TRUE(a.failures.front().starts_with("horizon: ")) << a.failures.front();
}

TEST(Audit, SpecOfOptions) {
  IntegratorOptions options = collision(0.01, "galerkin");
  options.parameters["degree"] = 3.0;
  EXPECT_EQ(spec_of(options), "variational-collision:galerkin,degree=3,impact_energy=discrete");
  EXPECT_EQ(spec_of(subjects::reference(0.1)), "reference");
}

}  // namespace
}  // namespace ricochet::audit_test
