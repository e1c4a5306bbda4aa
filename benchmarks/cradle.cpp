// Newton's cradle (Kaufman and Pai 2012, section 8.1.1) by the generalized variational integrator, midpoint rule, h =
// 0.01: formulas against a hand-written loop in the same coordinates with the same rods as constraints, the same
// reflection and the same stopping rule. Then longer cradles and a long chain of Lennard-Jones spheres: how the cost
// grows.
//
// By hand: mass 1 and linear gravity make the mean velocity w = p − h/2 g e_y + Fν + Nλ, so the step is Newton's method
// for (ν, λ) alone, f(q + hw)/h = 0 and min(λ, g(q + hw)/h) = 0, with the normals at q.

#include <Eigen/Dense>
#include <array>

#include "ricochet/contact/generalized_reflection.hpp"
#include "ricochet/numerics/newton.hpp"
#include "stepping.hpp"
#include "support/models.hpp"

namespace {

using Eigen::VectorXd;
using ricochet::Expr;
using ricochet::Model;

constexpr double h = 0.01, g = 9.8, r = 0.25, eps = 1e-9;

std::vector<double> start(int n) { return ricochet::models::cradle_start(n, 2); }
Model cradle(int n) { return ricochet::models::cradle(n); }

struct ByHand {
  static constexpr int n = 5, most = 2 * n - 1;  // balls; rods and pairs
  using Vector = Eigen::Matrix<double, 2 * n, 1>;
  using Columns = Eigen::Matrix<double, 2 * n, Eigen::Dynamic, 0, 2 * n, most>;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  Vector q, p = Vector::Zero(), w, q1;
  ricochet::GeneralizedReflection reflection;

  ByHand() {
    const std::vector<double> at = start(n);
    for (int i = 0; i < 2 * n; ++i) q[i] = at[i];
  }

  // Value and gradient: k < n is a rod, n + k the pair of balls k and k + 1.
  static double constraint(int k, const Vector& q, Vector* gradient) {
    const int a = k < n ? k : k - n;
    const double dx = k < n ? q[2 * a] - 2 * r * a : q[2 * a] - q[2 * a + 2];
    const double dy = k < n ? q[2 * a + 1] : q[2 * a + 1] - q[2 * a + 3];
    const double d = std::sqrt(dx * dx + dy * dy);
    if (gradient != nullptr) {
      gradient->setZero();
      (*gradient)[2 * a] = dx / d, (*gradient)[2 * a + 1] = dy / d;
      if (k >= n) (*gradient)[2 * a + 2] = -dx / d, (*gradient)[2 * a + 3] = -dy / d;
    }
    return d - (k < n ? 1 : 2 * r);
  }

  // p, or a normal, freed of its part along the rods.
  static void project(const Vector& q, Vector& p) {
    for (int i = 0; i < n; ++i) {
      const double x = q[2 * i] - 2 * r * i, y = q[2 * i + 1];
      const double along = (p[2 * i] * x + p[2 * i + 1] * y) / (x * x + y * y);
      p[2 * i] -= along * x, p[2 * i + 1] -= along * y;
    }
  }

  struct Update {  // Newton's problem of the position
    ByHand& c;
    Columns& at_start;
    const std::vector<int>& set;
    Vector u;
    Small rows, nu;
    Square jacobian;
    double size = 0;
    void evaluate(const double* x, bool with_jacobian) {
      const int m = static_cast<int>(set.size());
      nu = Eigen::Map<const VectorXd>(x, m);
      c.w = u + at_start * nu;
      c.q1 = c.q + h * c.w;
      rows.resize(m);
      if (with_jacobian) jacobian.resize(m, m);
      size = 0;
      const double speed = c.w.cwiseAbs().maxCoeff() + c.q1.cwiseAbs().maxCoeff() / h;
      for (int k = 0; k < m; ++k) {
        Vector gradient;
        rows[k] = constraint(set[k], c.q1, with_jacobian ? &gradient : nullptr) / h;
        if (with_jacobian) jacobian.row(k) = gradient.transpose() * at_start;
        if (set[k] >= n && nu[k] < rows[k]) {
          rows[k] = nu[k];
          if (with_jacobian) jacobian.row(k).setZero(), jacobian(k, k) = 1;
        }
        size = std::fmax(size, std::abs(rows[k]) / speed);
      }
    }
    void residual(const double* x) { evaluate(x, false); }
    void residual_and_jacobian(const double* x) { evaluate(x, true); }
    double norm() const { return size; }
    double scale() const { return 1; }
    bool direction(double* dx) {
      Eigen::Map<VectorXd>(dx, rows.size()) = -jacobian.partialPivLu().solve(rows);
      return true;
    }
  };

  void step() {
    Vector gravity = Vector::Zero();
    for (int i = 0; i < n; ++i) gravity[2 * i + 1] = -g;
    const Vector predicted = q + h * (p + h / 2 * gravity);
    std::vector<int> active;
    double gap[n - 1];
    for (int k = 0; k < n - 1; ++k) {
      gap[k] = constraint(n + k, q, nullptr);
      if (std::abs(gap[k]) <= eps || constraint(n + k, predicted, nullptr) <= 0) active.push_back(k);
    }
    std::vector<int> set{0, 1, 2, 3, 4};
    if (!active.empty()) {
      const int m = static_cast<int>(active.size());
      Columns N(2 * n, m);
      for (int k = 0; k < m; ++k) {
        Vector normal;
        constraint(n + active[k], q, &normal);
        project(q, normal);
        N.col(k) = normal;
      }
      VectorXd c = N.transpose() * p;
      if (c.minCoeff() < -eps) {
        const Eigen::MatrixXd gram = N.transpose() * N;
        reflection.resize(m, false);
        for (int k = 0; k < m; ++k) {
          reflection.c(k) = c[k];
          reflection.still(k) = eps;
          for (int j = 0; j < m; ++j) reflection.gram(k, j) = gram(k, j);
        }
        reflection.generalized();
        p += N * Eigen::Map<const VectorXd>(reflection.impulses().data(), m);
        c = N.transpose() * p;
      }
      for (int k = 0; k < m; ++k)
        if (std::abs(gap[active[k]]) <= eps && std::abs(c[k]) <= eps) set.push_back(n + active[k]);
    }
    const int m = static_cast<int>(set.size());
    Columns C(2 * n, m);
    for (int k = 0; k < m; ++k) {
      Vector gradient;
      constraint(set[k], q, &gradient);
      C.col(k) = gradient;
    }
    Update update{*this, C, set, p + h / 2 * gravity, {}, {}, {}};
    double x[most] = {}, dx[most], best[most];
    ricochet::newton(update, x, dx, best, m, {});
    p = w + h / 2 * gravity;
    q = q1;
    Columns at_end(2 * n, m);  // rods and the pairs that are still closed
    int kept = 0;
    for (int k = 0; k < m; ++k) {
      Vector gradient;
      const double value = constraint(set[k], q, &gradient);
      if (set[k] < n || std::abs(value) <= eps) at_end.col(kept++) = gradient;
    }
    const Columns F = at_end.leftCols(kept);
    const Square gram = F.transpose() * F;
    const Small rate = F.transpose() * p;
    p -= F * gram.ldlt().solve(rate);
  }
};

constexpr int steps = 1000, same_steps = 45;  // until the first impact: which pass comes first is decided by round-off

void by_hand(benchmark::State& state) {
  measure(state, [] {
    ByHand cradle;
    for (int k = 0; k < steps; ++k) cradle.step();
    return cradle.q[0];
  });
}

void formulas(benchmark::State& state, int n) {
  Stepping stepping(cradle(n), "midpoint", start(n), std::vector<double>(2 * n, 0.0), "generalized-variational");
  if (n == ByHand::n) {
    ByHand twin;
    for (int k = 0; k < same_steps; ++k) twin.step();
    if (!same_end(state, stepping.after(same_steps, h).q, twin.q.data())) return;
  }
  measure(state, [&] { return stepping.after(steps, h).q[0]; });
}

// A free chain of n spheres with Lennard-Jones forces between neighbours of neighbours.
void chain(benchmark::State& state, int n) {
  Model m;
  std::vector<std::array<Expr, 3>> at;
  Expr L = m.graph->constant(0);
  std::vector<double> q, p;
  const auto square_distance = [&](int i, int j) {
    return square(at[i][0] - at[j][0]) + square(at[i][1] - at[j][1]) + square(at[i][2] - at[j][2]);
  };
  for (int i = 0; i < n; ++i) {
    const std::string number = std::to_string(i);
    at.push_back({m.coordinate("x" + number), m.coordinate("y" + number), m.coordinate("z" + number)});
    for (const Expr& x : at[i]) L = L + square(dot(x)) / 2;
    if (i > 0) m.holonomic.push_back({"bond" + number, sqrt(square_distance(i, i - 1)) - 1});
    if (i > 1) {
      const Expr s = 0.36 / square_distance(i, i - 2);
      L = L - 4 * (s * s * s * s * s * s - s * s * s);
      m.contacts.push_back({.name = "pair" + number, .gap = sqrt(square_distance(i, i - 2)) - 0.6});
    }
    const double half = std::sqrt(0.5);
    for (const double x : {half * i, half * (i % 2), 0.0}) q.push_back(x);
    for (const double x : {0.0, 0.0, 0.3 * std::sin(1.3 * i)}) p.push_back(x);  // across the bonds
  }
  m.lagrangian = L;
  Stepping stepping(m, "trapezoidal", q, p, "generalized-variational");
  measure(
      state, [&] { return stepping.after(100, h).q[0]; }, 1, 100);
}

const bool registered = [] {
  benchmark::RegisterBenchmark("cradle of 5/by hand", by_hand);
  benchmark::RegisterBenchmark("cradle of 5/formulas", formulas, 5);
  benchmark::RegisterBenchmark("growth, cradle/10 balls", formulas, 10);
  benchmark::RegisterBenchmark("growth, cradle/20 balls", formulas, 20);
  benchmark::RegisterBenchmark("growth, chain/15 spheres", chain, 15);
  benchmark::RegisterBenchmark("growth, chain/30 spheres", chain, 30);
  benchmark::RegisterBenchmark("growth, chain/60 spheres", chain, 60);
  return true;
}();

}  // namespace
