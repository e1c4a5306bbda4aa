// A two-link arm whose tip slides along a wall and stretches: there its way along the wall turns without a force, and
// with links in line no friction can hold a point that has stopped. Truth: Lagrange's equations with n·q'' + n'·q' = 0
// and Coulomb's friction, solved for (a'', b'', λ) by hand and integrated by Runge and Kutta with steps of 1e-4.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <random>

#include "support/flight.hpp"

namespace ricochet::stretched_arm_test {
namespace {

using State4 = std::array<double, 4>;  // a, b, a', b'

// Unit masses at the ends of links of length 1 and l, wall at x = w, springs k with goals.
struct Arm {
  double l, w, k1, k2, goal_a, goal_b, friction;

  Model model() const {
    Model m;
    const Expr a = m.coordinate("a"), b = m.coordinate("b"), both = dot(a) + dot(b);
    m.lagrangian = square(dot(a)) / 2 + (square(dot(a)) + l * l * square(both) + 2 * l * dot(a) * both * cos(b)) / 2;
    m.forces = {{"springs", {k1 * (goal_a - a), k2 * (goal_b - b)}}};
    const Expr x = cos(a) + l * cos(a + b);
    Contact wall{.name = "wall", .gap = w - x, .law = "coulomb"};
    wall.friction = m.graph->constant(friction);
    wall.restitution = m.graph->constant(0);
    wall.point = {x, sin(a) + l * sin(a + b)};
    m.contacts = {wall};
    return m;
  }

  // λ and the accelerations.
  double accelerations(const State4& s, double& aa, double& bb) const {
    const auto [a, b, u, v] = s;
    const double sum = a + b, rate = u + v;
    const double n[2] = {std::sin(a) + l * std::sin(sum), l * std::sin(sum)},  // of the gap
        t[2] = {std::cos(a) + l * std::cos(sum), l * std::cos(sum)};           // of y
    const double slip = t[0] * u + t[1] * v, sigma = slip > 0 ? 1 : -1;
    const double curvature = std::cos(a) * u * u + l * std::cos(sum) * rate * rate;
    Eigen::Matrix3d A;
    Eigen::Vector3d f;
    const double m12 = l * l + l * std::cos(b), turn = l * std::sin(b);
    A << 2 + l * l + 2 * l * std::cos(b), m12, -(n[0] - friction * sigma * t[0]),  //
        m12, l * l, -(n[1] - friction * sigma * t[1]),                             //
        n[0], n[1], 0;
    f << k1 * (goal_a - a) + turn * (2 * u * v + v * v), k2 * (goal_b - b) - turn * u * u, -curvature;
    const Eigen::Vector3d x = A.fullPivLu().solve(f);
    aa = x[0], bb = x[1];
    return x[2];
  }

  // False: the wall lets go, or the slip turns where the arm is not stretched.
  bool advance(State4& s, double duration) const {
    const int steps = static_cast<int>(std::ceil(duration / 1e-4));
    const double h = duration / steps;
    const auto rate = [&](const State4& x) {
      State4 r{x[2], x[3], 0, 0};
      accelerations(x, r[2], r[3]);
      return r;
    };
    const auto at = [](const State4& x, const State4& r, double h) {
      return State4{x[0] + h * r[0], x[1] + h * r[1], x[2] + h * r[2], x[3] + h * r[3]};
    };
    for (int k = 0; k < steps; ++k) {
      const State4 k1 = rate(s), k2 = rate(at(s, k1, h / 2)), k3 = rate(at(s, k2, h / 2)), k4 = rate(at(s, k3, h));
      for (int i = 0; i < 4; ++i) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
      double aa = 0, bb = 0;
      if (!(accelerations(s, aa, bb) > 0.1) || std::abs(s[3]) < 0.1) return false;
    }
    return true;
  }
};

TEST(StretchedArm, SlidesThroughItsTurningPoint) {
  std::mt19937 engine(4);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  int arms = 0;
  for (int trial = 0; trial < 1000 && arms < 24; ++trial) {
    Arm arm{real(0.6, 1.4), 0, real(10, 60), real(2, 10), real(-0.3, 0.2), real(-2, 0), real(0.05, 0.6)};
    const double a = real(0.4, 1), b = real(0.1, 0.3);
    arm.w = std::cos(a) + arm.l * std::cos(a + b);
    const double n0 = std::sin(a) + arm.l * std::sin(a + b), n1 = arm.l * std::sin(a + b), v = -real(0.5, 2);
    State4 truth{a, b, -n1 / n0 * v, v};
    const State4 start = truth;
    constexpr double duration = 0.4;
    if (!arm.advance(truth, duration) || truth[1] > -0.05) continue;
    ++arms;
    for (const char* rule : {"trapezoidal", "midpoint"}) {
      double error[2] = {0, 0};
      for (const int half : {0, 1}) {
        Flight run(arm.model(), collision(half == 0 ? 0.01 : 0.005, rule), {start[0], start[1]}, {start[2], start[3]});
        for (int k = 0; k < (half == 0 ? 40 : 80); ++k) {
          ASSERT_NO_THROW(run.step()) << trial << rule << " step " << k;
          ASSERT_GE(run.state.modes[0], 3) << trial << rule << " step " << k;  // it slides, never stuck or open
        }
        EXPECT_EQ(run.state.modes[0], 3.5) << trial;  // downwards, after upwards
        error[half] = std::hypot(run.state.q[0] - truth[0], run.state.q[1] - truth[1]);
      }
      // order 2: a constant of the motion of about (rate h)² of its way, rates up to 10 here
      EXPECT_LT(error[0], 5e-3) << trial << rule;
      EXPECT_LT(error[1], error[0] / 3 + 1e-6) << trial << rule;
    }
  }
  EXPECT_EQ(arms, 24);
}

}  // namespace
}  // namespace ricochet::stretched_arm_test
