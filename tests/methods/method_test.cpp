// What every method promises: a motion that has been once allocates no memory the second time, impacts or not.

#include "ricochet/methods/method.hpp"

#include <gtest/gtest.h>

#include "ricochet/methods/contact_forces.hpp"
#include "support/allocations.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::method_test {
namespace {

Model with_law(Model m, const char* law, double e = 0.7, double friction = 0) {
  const bool rubs = std::string(law) == "coulomb" || std::string(law) == "plastic";
  for (Contact& contact : m.contacts) {
    contact.law = law;
    if (std::string(law) == "newton" || std::string(law) == "coulomb") contact.restitution = m.graph->constant(e);
    if (rubs) {
      contact.friction = m.graph->constant(friction);
      contact.point = {m.q()[0], m.q()[1]};
    }
  }
  return m;
}

TEST(Method, AllocationsAreCounted) {
  if (!test::counts_allocations) GTEST_SKIP() << "the address sanitizer has its own malloc";
  const std::size_t before = test::allocations();
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(10);
  EXPECT_GT(test::allocations(), before);
  EXPECT_EQ(x.sum(), 0);
}

// The same motion twice, with one workspace.
void expect_none(const std::string& what, const Model& model, const IntegratorOptions& options, std::vector<double> q,
                 std::vector<double> v, int steps = 1000) {
  Flight run(model, options, std::move(q), std::move(v));
  run.work->contact_impulses.assign(ContactForces(*run.system).names.size(), 0.0);
  const State start = run.state;
  int impacts = 0, of_smooth = 0, of_impact = 0;
  for (const bool second : {false, true}) {
    run.state = start;
    run.k = 0;
    for (int k = 0; k < steps; ++k) {
      const std::size_t before = test::allocations();
      run.step();
      const bool impact = run.work->impacts.size() > 0;
      if (second && impact) ++impacts;
      // the first step of a run makes the modes of its state
      if (second && k > 0 && test::allocations() != before) ++(impact ? of_impact : of_smooth);
    }
  }
  EXPECT_GT(impacts, 0) << what;
  EXPECT_EQ(of_smooth, 0) << what;
  EXPECT_EQ(of_impact, 0) << what << ", of " << impacts;
}

TEST(Method, StepsOfTheCollisionIntegratorAllocateNothing) {
  for (const char* rule : {"trapezoidal", "midpoint", "rectangle", "galerkin"})
    for (const char* energy : {"discrete", "continuous"}) {
      expect_none(rule, models::particle(9.81), collision(0.01, rule, energy), {0, 1}, {-2, 0});
      expect_none(rule, models::star(9.8, 0.3), collision(0.005, rule, energy), {0, 1.5, 0}, {-2, 0, 5});
      expect_none(rule, models::double_pendulum_between_walls(), collision(0.005, rule, energy), {0.3, 0.1}, {1, 2});
    }
  for (const char* law : {"newton", "coulomb", "plastic"}) {  // to rest and beyond
    expect_none(law, with_law(models::particle(9.81), law), collision(0.01), {0, 1}, {-2, 0}, 200);
    expect_none(law, with_law(models::particle(9.81), law, 1, 0.3), collision(0.01), {0, 1}, {-2, 0}, 200);
  }
}

TEST(Method, StepsWithConstraintsAndManyContactsAllocateNothing) {
  for (const char* rule : {"moreau", "generalized", "sequential"}) {
    IntegratorOptions options = collision(0.01, "midpoint", "continuous");
    options.parameters["simultaneous"] = std::string(rule);
    expect_none("cradle", models::cradle(5), options, models::cradle_start(5, 2), std::vector<double>(10, 0.0), 400);
  }
  IntegratorOptions generalized{
      .method = "generalized-variational", .discretization = "midpoint", .step = 0.01, .parameters = {}};
  expect_none("generalized cradle", models::cradle(5), generalized, models::cradle_start(5, 2),
              std::vector<double>(10, 0.0), 400);
}

TEST(Method, StepsOfNonholonomicMethodsAllocateNothing) {
  Model m;  // a knife edge in a round dish, with a spring
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + 0.3 * square(dot(a))) / 2 - (square(x) + square(y)) / 2;
  m.nonholonomic = {{"edge", dot(x) * sin(a) - dot(y) * cos(a)}};
  m.contacts = {{.name = "rim", .gap = 1 - sqrt(square(x) + square(y))}};
  for (const char* name : {"nonholonomic-collision", "nonholonomic-symmetric"}) {
    const IntegratorOptions options{.method = name, .discretization = "midpoint", .step = 0.01, .parameters = {}};
    expect_none(name, m, options, {0, 0, 0.3}, {2 * std::cos(0.3), 2 * std::sin(0.3), 1});
  }
}

TEST(Method, StepsInLastingContactAllocateNothing) {
  // two balls on a spring, pressed against a sphere; one of them bounces on it
  const double s = 5 / std::sqrt(2.0), r = 1 / std::sqrt(17.0);
  for (const char* name : {"variational-collision", "generalized-variational"}) {
    const IntegratorOptions options{.method = name, .discretization = "midpoint", .step = 0.1, .parameters = {}};
    expect_none(name, models::spring_and_sphere(), options, {s - 0.3, s - 0.3, s, -s}, {r, 4 * r, 1, 1}, 400);
  }
}

}  // namespace
}  // namespace ricochet::method_test
