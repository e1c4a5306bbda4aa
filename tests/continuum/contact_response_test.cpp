#include "ricochet/continuum/contact_response.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace ricochet::continuum::contact_response_test {
namespace {

// Random nodes against random segments or triangles, rows as the geometry would give them: n with weights, slips with
// the couple that undoes their moment (in space left out: the gap is 0).
template <int D>
std::vector<ContactRows<D>> random_contacts(std::mt19937& random, int nodes, int count, double friction, double gap) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<ContactRows<D>> list;
  for (int k = 0; k < count; ++k) {
    ContactRows<D> c;
    std::vector<int> pick(static_cast<std::size_t>(nodes));
    std::iota(pick.begin(), pick.end(), 0);
    std::shuffle(pick.begin(), pick.end(), random);
    std::array<double, D> n, t, s{};
    double size = 0, sum = 0;
    for (double& x : n) x = unit(random) - 0.5, size += x * x;
    for (double& x : n) x /= std::sqrt(size);
    t.fill(0);
    if constexpr (D == 2) {
      t = {-n[1], n[0]};
    } else {
      const int axis = std::abs(n[0]) < 0.6 ? 0 : 1;
      t[static_cast<std::size_t>(axis)] = 1;
      double dot = n[static_cast<std::size_t>(axis)], norm = 0;
      for (int i = 0; i < 3; ++i) t[i] -= dot * n[i], norm += t[i] * t[i];
      for (double& x : t) x /= std::sqrt(norm);
      s = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    }
    std::array<double, D> w;
    for (double& x : w) x = unit(random), sum += x;
    for (double& x : w) x /= sum;
    for (int i = 0; i <= D; ++i) {
      c.node[static_cast<std::size_t>(i)] = pick[static_cast<std::size_t>(i)];
      const double weight = i == 0 ? 1 : -w[static_cast<std::size_t>(i - 1)];
      for (int d = 0; d < D; ++d) {
        c.row[0][i][d] = weight * n[d];
        c.row[1][i][d] = weight * t[d];
        if constexpr (D == 3) c.row[2][i][d] = weight * s[d];
      }
    }
    c.gap = gap * unit(random);
    c.friction = friction;
    list.push_back(c);
  }
  return list;
}

template <int D>
auto of_masses(const std::vector<double>& mass) {  // what an impulse does to a node
  return [&mass](int i, std::array<double, D> J) {
    for (double& x : J) x /= mass[static_cast<std::size_t>(i)];
    return J;
  };
}

// Contacts of bodies that move as one: what their rates are is round-off of the velocities, and is no impulse to
// settle.
template <int D>
void check_rigid(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const int nodes = 12;
  std::vector<double> mass, v;
  for (int i = 0; i < nodes; ++i) mass.push_back(1.1 + unit(random));
  std::array<double, D> speed;
  for (double& x : speed) x = unit(random);
  for (int i = 0; i < D * nodes; ++i) v.push_back(speed[static_cast<std::size_t>(i % D)] + 1e-16 * unit(random));
  const std::vector<double> before = v;
  auto list = random_contacts<D>(random, nodes, 1 + static_cast<int>(seed % 10), 0.8, 1e-17);
  const auto mobility = of_masses<D>(mass);
  ContactResponse<ContactRows<D>> response;
  response.solve(list, 0.1, before.data(), v.data(), mobility, [](const auto&) { return true; });
  EXPECT_LE(response.residual, response_tolerance) << seed;
  EXPECT_LT(response.sweeps, 100) << seed;
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], before[k], 1e-13);
}

TEST(ContactResponse, RoundOffOfARigidMotionIsNoImpulse) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    check_rigid<2>(seed);
    check_rigid<3>(seed);
  }
}

template <int D>
void check(unsigned seed, double friction) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  const int nodes = 12;
  std::vector<double> mass, v;
  for (int i = 0; i < nodes; ++i) mass.push_back(0.1 + unit(random));
  for (int i = 0; i < D * nodes; ++i) v.push_back(unit(random) - 0.5);
  const std::vector<double> before = v;
  auto list = random_contacts<D>(random, nodes, 10, friction, 0.01);
  const auto mobility = of_masses<D>(mass);
  ContactResponse<ContactRows<D>> response;
  response.solve(list, 0.1, before.data(), v.data(), mobility, [](const auto&) { return true; });
  EXPECT_LE(response.residual, friction > 0 ? 1e-7 : response_tolerance) << seed;
  double energy = 0;
  for (int i = 0; i < nodes; ++i)
    for (int d = 0; d < D; ++d) {
      const auto k = static_cast<std::size_t>(D * i + d);
      energy += 0.5 * mass[static_cast<std::size_t>(i)] * (v[k] * v[k] - before[k] * before[k]);
    }
  EXPECT_LE(energy, 1e-12);  // b ≤ 0 here: contact takes energy
  for (const ContactRows<D>& c : list) {
    const double slack = c.rate(0, v.data()) - c.bound;
    EXPECT_GE(c.push[0], 0);
    EXPECT_GE(slack, -1e-6);
    EXPECT_LE(std::min(c.push[0], slack), 1e-6);  // complementary
    double slip = 0, tangential = 0;
    for (int r = 1; r < D; ++r) slip += c.rate(r, v.data()) * c.push[r], tangential += c.push[r] * c.push[r];
    EXPECT_LE(std::sqrt(tangential), friction * c.push[0] * (1 + 1e-12));
    EXPECT_LE(slip, 1e-7);  // friction brakes
  }
  for (int d = 0; d < D; ++d) {  // momentum
    double sum = 0;
    for (int i = 0; i < nodes; ++i)
      sum += mass[static_cast<std::size_t>(i)] *
             (v[static_cast<std::size_t>(D * i + d)] - before[static_cast<std::size_t>(D * i + d)]);
    EXPECT_NEAR(sum, 0, 1e-13);
  }
}

// Light nodes between heavy ones, with friction: thousands of sweeps, whose impulses differ by round-off each. What
// they add up to acts once, so that momentum is kept to the round-off of its terms, ε Σ m|v|.
TEST(ContactResponse, SweepsLeaveNoRoundOff) {
  int many = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    const int nodes = 12;
    std::vector<double> mass, v;
    for (int i = 0; i < nodes; ++i) mass.push_back(std::exp2(10 * unit(random)));
    for (int i = 0; i < 2 * nodes; ++i) v.push_back(unit(random) - 0.5);
    const std::vector<double> before = v;
    auto list = random_contacts<2>(random, nodes, 12, 0.8, 0.01);
    const auto mobility = of_masses<2>(mass);
    ContactResponse<ContactRows<2>> response;
    response.solve(list, 0.1, before.data(), v.data(), mobility, [](const auto&) { return true; });
    many += response.sweeps > 1000;
    for (std::size_t d = 0; d < 2; ++d) {
      double change = 0, size = 0;
      for (std::size_t i = 0; i < nodes; ++i) {
        change += mass[i] * (v[2 * i + d] - before[2 * i + d]);
        size += mass[i] * (std::abs(v[2 * i + d]) + std::abs(before[2 * i + d]));
      }
      EXPECT_LT(std::abs(change), 2 * std::numeric_limits<double>::epsilon() * size) << seed;
    }
  }
  EXPECT_GT(many, 0);
}

TEST(ContactResponse, SolvesRandomComplementarityProblemsInPlaneAndSpace) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    check<2>(seed, 0);
    check<3>(seed, 0);
  }
}

TEST(ContactResponse, FrictionStaysInItsConeAndBrakes) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    check<2>(seed, 0.3);
    check<3>(seed, 0.3);
  }
}

// A node against a wall: the closed forms.
TEST(ContactResponse, SingleNodes) {
  const auto mobility = [](int, const std::array<double, 2>& J) { return std::array<double, 2>{J[0] / 2, J[1] / 2}; };
  const auto struck = [&](double e, double mu, double gap) {
    std::vector<ContactRows<2>> one(1);
    one[0].node = {0, -1, -1};
    one[0].row[0][0] = {0, 1};
    one[0].row[1][0] = {-1, 0};
    one[0].restitution = e;
    one[0].friction = mu;
    one[0].gap = gap;
    std::vector<double> v{1, -1};
    const std::vector<double> before = v;
    ContactResponse<ContactRows<2>> response;
    response.solve(one, 1.0, before.data(), v.data(), mobility, [](const auto&) { return true; });
    return v;
  };
  EXPECT_EQ(struck(0, 0, 0), (std::vector<double>{1, 0}));
  EXPECT_EQ(struck(0.5, 0, 0), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(struck(0, 0, 0.25), (std::vector<double>{1, -0.25}));  // it may still come so far
  EXPECT_EQ(struck(0, 0.25, 0), (std::vector<double>{0.75, 0}));
  EXPECT_EQ(struck(0, 2, 0), (std::vector<double>{0, 0}));  // sticks
  EXPECT_EQ(struck(0, 0, 2), (std::vector<double>{1, -1}));
  EXPECT_EQ(struck(0.5, 0.25, 2), (std::vector<double>{1, -1}));  // nothing comes back that does not arrive
  EXPECT_EQ(struck(0.5, 0, 0.25), (std::vector<double>{1, 0.5}));
}

}  // namespace
}  // namespace ricochet::continuum::contact_response_test
