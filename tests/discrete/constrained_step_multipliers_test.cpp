// The multipliers alone against the whole matrix. Its twin is the same motion in sheared coordinates x = Su, whose mass
// matrix is not diagonal, so that the whole matrix is used: rods, a blade, contacts that stick and slide.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "ricochet/discrete/constrained_step.hpp"

namespace ricochet::constrained_step_multipliers_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// n coordinates x = Su as expressions of the u of a model, and their velocities.
struct Sheared {
  Model model;
  std::vector<Expr> x, v;
  Sheared(int n, const MatrixXd& S) : x(n), v(n) {
    std::vector<Expr> u;
    for (int i = 0; i < n; ++i) u.push_back(model.coordinate("u" + std::to_string(i)));
    for (int i = 0; i < n; ++i) {
      x[i] = S(i, 0) * u[0];
      v[i] = S(i, 0) * dot(u[0]);
      for (int j = 1; j <= i; ++j) x[i] = x[i] + S(i, j) * u[j], v[i] = v[i] + S(i, j) * dot(u[j]);
    }
  }
};

// A chain of points in the plane that hangs on rods from the origin, each fourth pair with a second rod that repeats
// the first if `redundant`; with a blade: the last point moves along a direction that turns with the first.
Model chain(int points, const MatrixXd& S, const std::vector<double>& masses, bool blade, bool redundant) {
  Sheared s(2 * points, S);
  Model& m = s.model;
  Expr L = m.graph->constant(0);
  for (int i = 0; i < points; ++i) {
    const Expr x = s.x[2 * i], y = s.x[2 * i + 1];
    L = L + masses[i] / 2 * (square(s.v[2 * i]) + square(s.v[2 * i + 1])) - 9.81 * masses[i] * y - 0.3 * square(x);
    const Expr dx = i == 0 ? x : x - s.x[2 * i - 2], dy = i == 0 ? y : y - s.x[2 * i - 1];
    m.holonomic.push_back({"rod" + std::to_string(i), (square(dx) + square(dy) - 1) / 2});
    if (redundant && i % 4 == 1) m.holonomic.push_back({"again" + std::to_string(i), square(dx) + square(dy) - 1});
  }
  m.lagrangian = L;
  if (blade) {
    const int last = 2 * points - 2;
    m.nonholonomic.push_back({"blade", s.v[last] * cos(s.x[0]) + s.v[last + 1] * sin(s.x[0])});
  }
  return m;
}

VectorXd after(const Model& model, const MatrixXd& S, VectorXd x, const VectorXd& p_x, double h, int steps,
               const std::vector<int>& held, const std::vector<Rub>& rubs, VectorXd& p_out) {
  const System system(model);
  SubStep step(system, make_tableau("trapezoidal", {}), {});
  step.constrained().hold(held, rubs);
  VectorXd u = S.triangularView<Eigen::UnitLower>().solve(x), p = S.transpose() * p_x, u1 = u, p1 = p;
  for (int k = 0; k < steps; ++k) {
    step.solve(k * h, u.data(), p.data(), h, u1.data(), p1.data());
    u = u1, p = p1;
  }
  p_out = S.transpose().triangularView<Eigen::UnitUpper>().solve(p);
  return S * u;
}

MatrixXd shear(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  MatrixXd S = MatrixXd::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - 2); j < i; ++j) S(i, j) = uniform(random);
  return S;
}

TEST(ConstrainedStepMultipliers, ChainsAreThoseOfTheWholeMatrix) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 60; ++k) {
    const int points = 1 + k % 7, n = 2 * points;
    const bool blade = k % 3 == 1 && points > 1, redundant = k % 3 == 2;
    std::vector<double> masses(points);
    for (double& mass : masses) mass = std::exp(2 * uniform(random));
    VectorXd x(n), p(n), p1, p2;
    double angle = 0;
    for (int i = 0; i < points; ++i) {
      angle += uniform(random);
      x[2 * i] = (i > 0 ? x[2 * i - 2] : 0) + std::sin(angle);
      x[2 * i + 1] = (i > 0 ? x[2 * i - 1] : 0) - std::cos(angle);
    }
    for (int i = 0; i < n; ++i) p[i] = masses[i / 2] * uniform(random);
    const MatrixXd I = MatrixXd::Identity(n, n), S = shear(n, random);
    const VectorXd a = after(chain(points, I, masses, blade, redundant), I, x, p, 0.01, 10, {}, {}, p1),
                   b = after(chain(points, S, masses, blade, redundant), S, x, p, 0.01, 10, {}, {}, p2);
    // ten steps of round-off, times the conditions of the rods with masses up to 50 : 1 and of the shear
    EXPECT_LT((a - b).norm(), 1e-11 * (1 + a.norm())) << k;
    EXPECT_LT((p1 - p2).norm(), 1e-10 * (1 + p1.norm())) << k;
  }
}

// A rod and a row that repeats it but for δ: the Gram matrix alone would leave both off by ε/δ.
TEST(ConstrainedStepMultipliers, RowsThatNearlyRepeatEachOtherAreKeptToRoundOff) {
  const MatrixXd I = MatrixXd::Identity(6, 6);
  VectorXd start(6);
  start << std::sin(0.5), -std::cos(0.5), 0, 0, 0, 0;
  for (int i = 1; i < 3; ++i)
    start.segment(2 * i, 2) = start.segment(2 * i - 2, 2) + Eigen::Vector2d(std::sin(0.5 + i), -std::cos(0.5 + i));
  for (const double delta : {1.0, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Model m = chain(3, I, {1, 2, 3}, false, false);
    m.holonomic.push_back({"nearly", m.holonomic[1].equation + delta * (m.q()[4] - start[4])});
    const System system(m);
    SubStep step(system, make_tableau("trapezoidal", {}), {});
    VectorXd q = start, p = VectorXd::Zero(6), q1 = q, p1 = p;
    for (int k = 0; k < 100; ++k) {
      step.solve(0.01 * k, q.data(), p.data(), 0.01, q1.data(), p1.data());
      q = q1, p = p1;
      EXPECT_LT(step.constrained().holonomic_max(), 5e-14) << delta;  // 8 ε of terms of size 10
    }
    EXPECT_GT((q - start).norm(), 0.1);
  }
}

// A triangle on two of its corners, each sticking, sliding or smooth.
TEST(ConstrainedStepMultipliers, ContactsThatRubAreThoseOfTheWholeMatrix) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto body = [](const MatrixXd& S, double mass) {
    Sheared s(3, S);
    Model& m = s.model;
    const Expr x = s.x[0], y = s.x[1], a = s.x[2];
    m.lagrangian = mass / 2 * (square(s.v[0]) + square(s.v[1]) + 0.06 * square(s.v[2])) - mass * 9.81 * y;
    const double px[] = {-0.3, 0.3}, py[] = {-0.3, -0.3};
    for (int i = 0; i < 2; ++i) {
      const Expr height = y + px[i] * sin(a) + py[i] * cos(a);
      Contact contact{.name = std::to_string(i), .gap = height, .law = "coulomb"};
      contact.point = {x + px[i] * cos(a) - py[i] * sin(a), height};
      contact.restitution = m.graph->constant(0);
      contact.friction = m.graph->constant(0.3);
      m.contacts.push_back(contact);
    }
    return m;
  };
  int rocking = 0;
  for (int k = 0; k < 90; ++k) {
    const bool both = k % 3 == 0;
    const double mass = std::exp(uniform(random)), a = both ? 0 : 0.4 * std::abs(uniform(random));
    // on the left corner, whose speed vanishes: the body turns about it, and slips
    VectorXd x(3), v(3), p1, p2;
    x << uniform(random), 0.3 * std::sin(a) + 0.3 * std::cos(a), a;
    // (slower turns take rows of velocity below a way that is measured by the coordinates)
    const double turn = both ? 0 : std::copysign(0.2, uniform(random)) + uniform(random) / 10,
                 slip = k % 2 == 0 ? 0 : 1 + std::abs(uniform(random));
    v << slip + turn * (0.3 * std::sin(a) - 0.3 * std::cos(a)) * -1, turn * (0.3 * std::cos(a) - 0.3 * std::sin(a)),
        turn;
    const VectorXd p = mass * VectorXd(v.cwiseProduct(Eigen::Vector3d(1, 1, 0.06)));
    Rub rub{.tangents = 1, .friction = 0.3, .sticks = true, .slip = {}};
    if (slip > 0) rub.slide(1, 0);
    std::vector<int> held{0};
    std::vector<Rub> rubs{rub};
    if (both) held.push_back(1), rubs.push_back(rub);
    const MatrixXd I = MatrixXd::Identity(3, 3), S = shear(3, random);
    const VectorXd q1 = after(body(I, mass), I, x, p, 0.01, 5, held, rubs, p1),
                   q2 = after(body(S, mass), S, x, p, 0.01, 5, held, rubs, p2);
    EXPECT_LT((q1 - q2).norm(), 1e-13 * (1 + q1.norm())) << k;  // five steps of round-off, 20 ε each
    EXPECT_LT((p1 - p2).norm(), 1e-12 * (1 + p1.norm())) << k;
    rocking += std::abs(q1[2] - a) > 1e-3;
  }
  EXPECT_GT(rocking, 30);
}

}  // namespace
}  // namespace ricochet::constrained_step_multipliers_test
