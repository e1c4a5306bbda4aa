#include "ricochet/methods/contact_forces.hpp"

#include <gtest/gtest.h>

#include "support/rough.hpp"

namespace ricochet::contact_forces_test {
namespace {

TEST(ContactForces, TangentialOnesWhereThereIsFriction) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z))) / 2;
  Contact smooth{.name = "smooth", .gap = x};
  smooth.law = "newton";
  smooth.restitution = m.graph->constant(0.5);
  m.contacts = {
      smooth, rough(m, "space", z, {x, y, z}, 0.3), rough(m, "plane", y, {x, y}, 0.3), {.name = "last", .gap = 2 - x}};
  const ContactForces forces{System(m)};
  EXPECT_EQ(forces.names,
            (std::vector<std::string>{"smooth", "space", "space.t1", "space.t2", "plane", "plane.t1", "last"}));
  EXPECT_EQ(forces.first, (std::vector<int>{0, 1, 4, 6}));
}

}  // namespace
}  // namespace ricochet::contact_forces_test
