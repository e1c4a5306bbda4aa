#include "ricochet/mechanics/model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/mechanics/lagrangian.hpp"
#include "support/models.hpp"

namespace ricochet::model_test {
namespace {

TEST(Model, CoordinatesInOrder) {
  Model m;
  m.coordinate("b");
  m.coordinate("a[1]");
  EXPECT_EQ(m.coordinates, (std::vector<std::string>{"b", "a[1]"}));
  ASSERT_EQ(m.q().size(), 2u);
  ASSERT_EQ(m.v().size(), 2u);
}

// L̃(q, v, t) = L(q, −v, 2t₀ − t): with the momentum of opposite sign.
TEST(Model, ReversedInTime) {
  const double t0 = 0.7, t = 1.1;
  const Model model = models::driven_charge();
  const System forward(model), backward(reversed(model, t0));
  Lagrangian L(forward), R(backward);
  const std::vector<double> q{0.3, -0.8}, v{1.2, 0.5}, w{-1.2, -0.5};
  L.evaluate(1, q.data(), v.data(), 2 * t0 - t);
  R.evaluate(1, q.data(), w.data(), t);
  EXPECT_NEAR(R.value(), L.value(), 1e-15);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(R.Lv()[i], -L.Lv()[i], 1e-15);
    EXPECT_NEAR(R.Lq()[i], L.Lq()[i], 1e-15);
  }
  EXPECT_NEAR(R.Lt(), -L.Lt(), 1e-15);
}

TEST(Model, ReversedContactsConstraintsAndForces) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) + square(dot(y));
  m.contacts = {{.name = "lift", .gap = y - m.time()}};
  m.nonholonomic = {{"blade", dot(x) * sin(y) - dot(y) - x}};
  m.forces = {{"drag", {-3 * dot(x) + m.time(), -dot(y) * x}}};
  const Model r = reversed(m, 0.5);
  std::vector<Expr> inputs = m.q();
  for (const Expr& velocity : m.v()) inputs.push_back(velocity);
  inputs.push_back(m.time());
  const auto at = [&](Expr f, std::vector<double> z) {
    const formula::Program program({f}, inputs);
    formula::Evaluator<double> evaluate(program);
    std::copy(z.begin(), z.end(), evaluate.inputs());
    evaluate.run();
    return evaluate.output(0);
  };
  const std::vector<double> z{0.2, 0.4, 1.5, -0.3, 0.9}, back{0.2, 0.4, -1.5, 0.3, 0.1};  // t -> 2·0.5 − t
  EXPECT_NEAR(at(r.contacts[0].gap, z), at(m.contacts[0].gap, back), 1e-15);
  EXPECT_NEAR(at(r.nonholonomic[0].equation, z), at(m.nonholonomic[0].equation, back), 1e-15);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(at(r.forces[0].components[i], z), at(m.forces[0].components[i], back), 1e-15);
}

}  // namespace
}  // namespace ricochet::model_test
