#include "ricochet/audit/reversed_model.hpp"

#include <gtest/gtest.h>

#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "support/models.hpp"

namespace ricochet::reversed_model_test {
namespace {

TEST(ReversedModel, HasVelocitiesAndTimeTurnedRound) {
  // L'(q, v, t) = L(q, −v, s − t): the same operations on the same numbers, up to the sign rules of the graph.
  Model m = models::driven_charge();
  m.contacts = {{.name = "wall", .gap = m.q()[0] - sin(3 * m.time()) + abs(m.q()[1])}};
  const double sum = 1.7;
  const System forward(m), backward(reversed_model(m, sum));
  Lagrangian L(forward), R(backward);
  const double q[] = {0.3, -0.8}, v[] = {1.1, 0.4}, minus_v[] = {-1.1, -0.4};
  for (const double t : {0.0, 0.5, 1.2}) {
    L.evaluate(1, q, minus_v, sum - t);
    R.evaluate(1, q, v, t);
    EXPECT_NEAR(R.value(), L.value(), 1e-15);
    EXPECT_NEAR(R.Lv()[1], -L.Lv()[1], 1e-15);
    EXPECT_NEAR(R.Lt(), -L.Lt(), 1e-15);
    Gaps g(forward), r(backward);
    g.evaluate(q, sum - t);
    r.evaluate(q, t);
    EXPECT_NEAR(r.value(0), g.value(0), 1e-15);
  }
}

TEST(ReversedModel, TwiceIsTheModel) {
  Model m = models::driven_charge();
  const System once(m), twice(reversed_model(reversed_model(m, 1.25), 1.25));
  Lagrangian a(once), b(twice);
  const double q[] = {0.3, -0.8}, v[] = {1.1, 0.4};
  a.evaluate(1, q, v, 0.5);
  b.evaluate(1, q, v, 0.5);
  EXPECT_NEAR(a.value(), b.value(), 1e-15);
}

}  // namespace
}  // namespace ricochet::reversed_model_test
