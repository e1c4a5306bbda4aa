#include "ricochet/contact/active_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/error.hpp"
#include "support/differences.hpp"
#include "support/models.hpp"

namespace ricochet::active_set_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A body with a vertex above a table that shakes, a wall for its centre; mass that depends on the angle.
Model body(bool constrained) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a"), t = m.time();
  m.lagrangian = (square(dot(x)) + square(dot(y)) * (1 + square(sin(a)) / 2) + 0.3 * square(dot(a))) / 2 +
                 0.1 * dot(x) * dot(a) * cos(a) - 9.81 * y - 0.2 * x * x;
  const Expr low = y - 0.5 * cos(a) - 0.1 * x * x - 0.05 * sin(3 * t), reach = x + 0.5 * sin(a);
  m.contacts = {{.name = "vertex",
                 .gap = low,
                 .law = "coulomb",
                 .restitution = m.graph->constant(0.5),
                 .friction = m.graph->constant(0.3),
                 .tangent = {{m.graph->constant(1), m.graph->constant(0), 0.5 * cos(a)}}},
                {.name = "wall", .gap = reach + 1}};
  if (constrained) m.holonomic = {{"rod", square(x - 0.2) + square(y) - 1.3}};
  return m;
}

struct Point {
  std::vector<double> z;  // q, p, t
};

struct Bench {
  System system;
  SubStep step;
  Gaps gaps;
  ActiveSet active;
  explicit Bench(const Model& model)
      : system(model), step(system, make_tableau("midpoint", {}), {}), gaps(system), active(step, gaps) {}
  // both contacts, as if they were closed
  void place(const std::vector<double>& z) {
    const std::vector<char> closed(gaps.pieces(), 1);
    active.place(z[6], z.data(), z.data() + 3, 0.01);
    active.add(0, closed, 0);
    active.add(1, closed, 0);
    active.complete();
  }
};

std::vector<double> random_point(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> z;
  for (int i = 0; i < 7; ++i) z.push_back(uniform(random));
  return z;
}

TEST(ActiveSet, DeltaAndSpeedsAreThoseOfDenseAlgebra) {
  std::mt19937 random(1);
  for (int k = 0; k < 100; ++k) {
    Bench b(body(false));
    const std::vector<double> z = random_point(random);
    b.place(z);
    const double x = z[0], a = z[2], t = z[6];
    MatrixXd M(3, 3), J(3, 3);
    M << 1, 0, 0.1 * std::cos(a), 0, 1 + std::sin(a) * std::sin(a) / 2, 0, 0.1 * std::cos(a), 0, 0.3;
    J << -0.2 * x, 1, 0.5 * std::sin(a), 1, 0, 0.5 * std::cos(a), 1, 0, 0.5 * std::cos(a);
    const VectorXd v = M.inverse() * Eigen::Vector3d(z[3], z[4], z[5]);
    ASSERT_EQ(b.active.rows_count(), 3);
    VectorXd c = J * v;
    c[0] -= 0.15 * std::cos(3 * t);
    EXPECT_LE((b.active.delta() - J * M.inverse() * J.transpose()).norm(), 1e-13);
    EXPECT_LE((b.active.c() - c).norm(), 1e-13);
  }
}

TEST(ActiveSet, AccelerationsAreSecondDifferencesOfTheGaps) {
  // along (q + s v + s²/2 a): the motion of a fine step, with an impulse first
  std::mt19937 random(2);
  for (int k = 0; k < 50; ++k) {
    Bench b(body(false));
    const std::vector<double> z = random_point(random);
    b.place(z);
    const std::vector<double> impulse{0.3, -0.1, 0.2};
    std::vector<double> found;
    b.active.accelerations(impulse.data(), found);
    const VectorXd p = Eigen::Map<const VectorXd>(z.data() + 3, 3) +
                       b.active.rows().transpose() * Eigen::Map<const VectorXd>(impulse.data(), 3);
    const double h = 1e-3;
    for (int contact = 0; contact < 2; ++contact) {
      const auto gap_after = [&](double s) {
        double q[3], p1[3];
        b.step.solve(z[6], z.data(), p.data(), s, q, p1);
        return b.gaps.value_of(b.active[contact].piece, q, z[6] + s);
      };
      const double second = (gap_after(h) - 2 * gap_after(0) + gap_after(-h)) / (h * h);
      EXPECT_NEAR(found[contact], second, 1e-4 * (1 + std::abs(second)));  // h² and ε/h²
    }
  }
}

// L = ½ vᵀMv − V(q, t) with constant M and a force of time goes another way than general Lagrangians.
TEST(ActiveSet, OfAConstantMassAgainstClosedForms) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), t = m.time();
  m.lagrangian = square(dot(x)) + 0.6 * dot(x) * dot(y) + square(dot(y)) / 2 - (9.81 * y + 0.3 * sin(x) * sin(2 * t));
  m.forces = {{"drive", {0.7 * cos(t), 0.2 * x}}};
  m.contacts = {{.name = "hills", .gap = y - 0.3 * sin(x)}};
  Bench b(m);
  const Eigen::Matrix2d M{{2, 0.6}, {0.6, 1}};
  std::mt19937 random(4);
  for (int k = 0; k < 100; ++k) {
    const std::vector<double> z = random_point(random);  // x, y, p, another p, t
    const Eigen::Vector2d p(z[2], z[3]), other(z[4], z[5]), v = M.inverse() * p, v_other = M.inverse() * other;
    b.active.place(z[6], z.data(), z.data() + 2, 0.01);
    b.active.add(0, std::vector<char>{1}, 0);
    b.active.complete();
    const double V = 9.81 * z[1] + 0.3 * std::sin(z[0]) * std::sin(2 * z[6]);
    EXPECT_NEAR(b.active.energy(), p.dot(v) / 2 + V, 1e-14 * (1 + std::abs(V)));
    EXPECT_NEAR(b.active.energy(other.data(), v_other.data()), other.dot(v_other) / 2 + V, 1e-14 * (1 + std::abs(V)));
    const Eigen::Vector2d force(0.7 * std::cos(z[6]) - 0.3 * std::cos(z[0]) * std::sin(2 * z[6]), 0.2 * z[0] - 9.81),
        a = M.inverse() * force, n(-0.3 * std::cos(z[0]), 1);
    std::vector<double> found;
    const double impulse[] = {0.4};
    b.active.accelerations(impulse, found);
    const double vx = v[0] + 0.4 * (M.inverse() * n)[0];
    EXPECT_NEAR(found[0], n.dot(a) + 0.3 * std::sin(z[0]) * vx * vx, 1e-13 * a.norm());
    const double G = n.dot(M.inverse() * n);
    EXPECT_NEAR(b.active[0].still, 16 * 0x1p-52 * std::sqrt(G * (p.dot(v) + 1e-4 * force.dot(a))), 1e-28);
    double p_plus[] = {z[2], z[3]}, v_plus[] = {v[0], v[1]}, c = b.active.speed(0);
    b.active.add_to_momentum(impulse, p_plus);
    b.active.add_to_velocity(impulse, v_plus);
    b.active.add_to_speeds(impulse, &c);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(p_plus[i], p[i] + 0.4 * n[i], 1e-15);
      EXPECT_NEAR(v_plus[i], (M.inverse() * Eigen::Vector2d(p_plus[0], p_plus[1]))[i], 1e-14);
    }
    EXPECT_NEAR(c, n.dot(Eigen::Vector2d(v_plus[0], v_plus[1])), 1e-14);
  }
}

TEST(ActiveSet, DifferentialsAgainstDifferences) {
  std::mt19937 random(3);
  for (const bool constrained : {false, true})
    for (int k = 0; k < 30; ++k) {
      Bench b(body(constrained));
      const std::vector<double> z = random_point(random), direction = random_point(random);
      ActiveSet::Differential d;
      b.place(z);
      b.active.differentiate(direction.data(), direction[6], direction.data() + 3, -1, d);
      const auto along = [&](double e) {
        std::vector<double> at = z;
        for (std::size_t i = 0; i < z.size(); ++i) at[i] += e * direction[i];
        b.place(at);
      };
      const auto expect = [&](const char* what, const MatrixXd& exact, const std::function<MatrixXd()>& now) {
        along(differences::step);
        const MatrixXd above = now();
        along(-differences::step);
        const MatrixXd slope = (above - now()) / (2 * differences::step);
        EXPECT_LE((slope - exact).norm(), 1e-7 * (1 + exact.norm())) << what << constrained << k;
      };
      expect("delta", d.delta, [&] { return MatrixXd(b.active.delta()); });
      expect("rows", d.rows, [&] { return MatrixXd(b.active.rows()); });
      expect("rates", d.rates, [&] { return MatrixXd(b.active.rates()); });
      if (!constrained)  // with constraints dc holds along motions that obey them
        expect("c", d.c, [&] { return MatrixXd(b.active.c()); });
    }
}

TEST(ActiveSet, WhoTakesPart) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  m.contacts = {{.name = "corner", .gap = min(x, y)}, {.name = "post", .gap = max(x + y - 1, x - y - 1)}};
  Bench b(m);
  const auto count = [&](int gap, std::vector<double> q, std::vector<double> v, double eps = 1e-9) {
    b.active.place(0, q.data(), v.data(), 0.1);
    b.active.add(gap, std::vector<char>(b.gaps.pieces(), 0), eps);
    return b.active.size();
  };
  EXPECT_EQ(count(0, {0, 0}, {-1, -1}), 2);
  EXPECT_EQ(count(0, {0, 0}, {-1, 1}), 1);          // leaves the other
  EXPECT_EQ(count(0, {0, 1e-11}, {-1, -1}), 2);     // closes within 1e-9 of the step
  EXPECT_EQ(count(0, {0, 1e-9}, {-1, -1}), 1);      // does not
  EXPECT_EQ(count(0, {0, 1e-11}, {-1, -1}, 0), 1);  // not at the same instant
  EXPECT_EQ(count(0, {1e-6, 1}, {-1, 0}), 0);
  EXPECT_EQ(count(1, {1, 0}, {-1, 0}), 2);       // the tip of the post: both faces
  EXPECT_EQ(count(1, {1, 0}, {-0.1, 1}), 0);     // one face opens faster than the other closes
  EXPECT_EQ(count(1, {0.5, 0.5}, {-1, -1}), 1);  // on one face, the other is behind
}

TEST(ActiveSet, AGapWithoutSlopeIsAClearFailure) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  m.contacts = {{.name = "flat", .gap = square(x)}};
  Bench b(m);
  const double q[2] = {0, 0}, p[2] = {-1, 0};
  b.active.place(0, q, p, 0.1);
  b.active.add(0, std::vector<char>{1}, 0);
  try {
    b.active.complete();
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("'flat' has no slope"), std::string::npos);
  }
}

// A block at rest on its left corner, the right one free. With the corner held θ'' = −mga/(I + m(a² + b²)); without
// friction it slides away under the block, θ'' = −mga/(I + ma²). In between the friction is at its cone.
TEST(ActiveSet, APressedCornerHoldsWithinItsCone) {
  const double a = 0.25, b = 0.75, I = (a * a + b * b) / 3, g = 9.81;
  const auto turn = [&](double friction, double slip) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + I * square(dot(theta))) / 2 - g * y;
    for (const double px : {-a, a}) {
      const Expr X = x + px * cos(theta) + b * sin(theta), Y = y + px * sin(theta) - b * cos(theta);
      m.contacts.push_back({.name = px < 0 ? "left" : "right", .gap = 3 * Y, .law = "coulomb"});
      m.contacts.back().restitution = m.graph->constant(0);
      m.contacts.back().friction = m.graph->constant(friction);
      m.contacts.back().point = {X, Y};
    }
    Bench bench(m);
    bench.place({0, b, 0, slip, 0, 0, 0});
    std::vector<double> accelerations,
        c_plus(bench.active.c().data(), bench.active.c().data() + bench.active.rows_count());
    const std::vector<double> none(bench.active.rows_count(), 0.0);
    bench.active.accelerations(none.data(), accelerations);
    const int left[] = {0};
    bench.active.press(left, c_plus, accelerations);
    EXPECT_NEAR(accelerations[0], 0, 1e-12 * g);
    return accelerations[1] / (2 * a);  // g̈ of the right corner is 2aθ''
  };
  const double held = -g * a / (I + a * a + b * b), free = -g * a / (I + a * a);
  EXPECT_NEAR(turn(0, 0), free, 1e-11 * g);
  EXPECT_NEAR(turn(2, 0), held, 1e-11 * g);
  // N = m(g + aθ''), T = −mbθ'', so θ''(I + a²) = −ga + bT with T = μN
  const double mu = 0.1, rough = (-g * a + mu * b * g) / (I + a * a - mu * a * b);
  EXPECT_NEAR(turn(mu, 0), rough, 1e-11 * g);
  // what slips to the right is pulled to the left
  EXPECT_NEAR(turn(mu, 1), (-g * a - mu * b * g) / (I + a * a + mu * a * b), 1e-11 * g);
}

}  // namespace
}  // namespace ricochet::active_set_test
