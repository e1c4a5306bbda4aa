#include "ricochet/continuum/closest_points.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ricochet/continuum/cell_forces.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::closest_points_test {
namespace {

struct Moments {
  double x = 0, y = 0, px = 0, py = 0, turn = 0;
  Moments(const Solid& s, const std::vector<double>& u, const std::vector<double>& v) {
    for (std::size_t i = 0; i < s.nodes(); ++i) {
      const double X = s.X[2 * i] + u[2 * i], Y = s.X[2 * i + 1] + u[2 * i + 1], m = s.mass[i];
      x += m * X, y += m * Y, px += m * v[2 * i], py += m * v[2 * i + 1];
      turn += m * (X * v[2 * i + 1] - Y * v[2 * i]);
    }
  }
};

double energy(const Solid& s, const std::vector<double>& u, const std::vector<double>& v, double back) {
  std::vector<double> behind(u.size());
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    behind[i] = u[i] - back * v[i];
    sum += s.mass[i / 2] * (0.5 * v[i] * v[i] - s.gravity[i % 2] * (u[i] - 0.5 * back * v[i]));
  }
  return sum + elastic_energy(s, u.data(), behind.data());
}

double carried(const Solid& s, const std::vector<double>& v, std::size_t d) {  // momentum of the second body
  double sum = 0;
  for (std::size_t i = s.parts[1].first_node; i < s.nodes(); ++i) sum += s.mass[i] * v[2 * i + d];
  return sum;
}

// Two bodies pushed into each other: nothing is too deep afterwards, the centre of mass and both momenta are where they
// were, and what the energy of all nodes and elements has become is the work that was counted.
TEST(ClosestPoints, KeepCentreMomentaAndCountTheirWork) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> noise(-0.01, 0.01);
  Team team(1);
  int deep = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const PlaneLaw law = trial % 2 ? PlaneLaw(NeoHookean{1, 1}) : PlaneLaw(Hooke{1, 1});
    Model model = test::plane({test::solid("a", test::disc(0, 0, 1, 5), law, 0, 0, 2),
                               test::solid("b", test::box(1, -0.7, 1, 1.4, 4 + trial % 3, 7), law)});
    model.plane->gravity = {0.1, -0.3};
    model.contacts = {{"a", "b", trial % 3 ? Treatment::decomposed : Treatment::multiplier, 0, 0.5, 0.4}};
    const Solid solid(model);
    PlaneContacts contacts(solid, model);
    ClosestPoints closest(solid);
    std::vector<double> u(2 * solid.nodes()), v(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = noise(random), v[i] = 10 * noise(random);
    for (std::size_t i = solid.parts[1].first_node; i < solid.nodes(); ++i) u[2 * i] -= 0.015;
    const double back = 0.02;
    contacts.search(u.data(), v.data(), back, team);
    deep += contacts.deep(by_response);
    const Moments before(solid, u, v);
    Balance balance;
    ContactForce force;
    const double at_first = energy(solid, u, v, back), x = carried(solid, v, 0), y = carried(solid, v, 1);
    for (int k = 0; k < most_corrections && contacts.deep(by_response); ++k) {
      closest.correct(contacts, back, u.data(), v.data(), balance, {&force, 1});
      contacts.search(u.data(), v.data(), back, team);
    }
    EXPECT_FALSE(contacts.deep(by_response)) << trial;
    const Moments after(solid, u, v);  // sums of some hundred terms below 10
    EXPECT_NEAR(after.x, before.x, 1e-13);
    EXPECT_NEAR(after.y, before.y, 1e-13);
    EXPECT_NEAR(after.px, before.px, 1e-14);
    EXPECT_NEAR(after.py, before.py, 1e-14);
    EXPECT_NEAR(after.turn, before.turn, 1e-14);
    EXPECT_NEAR(balance.contact, energy(solid, u, v, back) - at_first, 1e-13);
    EXPECT_NEAR(carried(solid, v, 0) - x, force.x, 1e-15);
    EXPECT_NEAR(carried(solid, v, 1) - y, force.y, 1e-15);
  }
  EXPECT_GT(deep, 30);
}

// One node in a wall: it goes straight out, and the support takes the angular momentum m δ × v.
TEST(ClosestPoints, OfAWall) {
  Model model = test::plane({test::solid("a", test::box(0, 0, 1, 1, 2, 2), NeoHookean{1, 1})});
  model.plane->walls = {{"floor", false, {0, 0}, {0, 1}, 0}};
  model.contacts = {{"a", "floor", Treatment::decomposed, 0, 0, 0.5}};
  const Solid solid(model);
  PlaneContacts contacts(solid, model);
  Team team(1);
  std::vector<double> u(2 * solid.nodes(), 0.0), v(u.size(), 0.0);
  int corner = 0;
  while (solid.X[2 * corner] != 0 || solid.X[2 * corner + 1] != 0) ++corner;
  u[2 * corner + 1] = -0.01;
  v[2 * corner] = 0.3;
  contacts.search(u.data(), v.data(), 0.01, team);
  Balance balance;
  ContactForce force;
  ClosestPoints closest(solid);
  closest.correct(contacts, 0, u.data(), v.data(), balance, {&force, 1});
  EXPECT_NEAR(u[2 * corner + 1], 0, 1e-16);
  EXPECT_EQ(u[2 * corner], 0);
  EXPECT_EQ(v[2 * corner], 0.3);
  EXPECT_NEAR(balance.support.angular, -0.01 * solid.mass[corner] * 0.3, 1e-16);
}

}  // namespace
}  // namespace ricochet::continuum::closest_points_test
