#include "ricochet/numerics/complementarity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "ricochet/numerics/linear_solver.hpp"
#include "support/random_matrices.hpp"

namespace ricochet::complementarity_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The minimum of E = ½xᵀMx − f·x + quartic/4 Σ k_i x_i⁴ over s = s0 + Nᵀx − ½ Σ_i b_ik x_i² >= 0: convex, so that the
// conditions R = ∇E − ∇s y = 0, 0 <= y ⊥ s >= 0 have one x, and are enough.
struct Convex {
  MatrixXd M, N, bend;  // bend: b_ik
  VectorXd f, s0, quartic;

  // what Complementarity asks for
  VectorXd R, s, size_of_s, d, x, y;
  MatrixXd jacobian;
  double norm_ = 0, scale_ = 0, energy = 0;

  Convex(const MatrixXd& mass, const MatrixXd& normals, const VectorXd& force, const VectorXd& gaps)
      : M(mass), N(normals), f(force), s0(gaps) {
    bend = MatrixXd::Zero(n(), m());
    quartic = VectorXd::Zero(n());
    prepare();
  }
  int n() const { return static_cast<int>(M.rows()); }
  int m() const { return static_cast<int>(N.cols()); }
  void prepare() {
    LinearSolver mass = full(M);
    EXPECT_TRUE(mass.factorize());
    MatrixXd U = N;
    VectorXd a = f;
    for (int k = 0; k < m(); ++k) mass.solve(N.col(k).data(), U.col(k).data());
    mass.solve(f.data(), a.data());
    d.resize(m());
    for (int k = 0; k < m(); ++k) d[k] = N.col(k).dot(U.col(k));
    energy = f.dot(a);
  }
  static LinearSolver full(const MatrixXd& a) {
    LinearSolver::Pattern pattern;
    for (int i = 0; i < a.rows(); ++i)
      for (int j = 0; j < a.cols(); ++j) pattern.emplace_back(i, j);
    LinearSolver result(static_cast<int>(a.rows()), pattern);
    for (const auto& [i, j] : pattern) result.values()[result.slot(i, j)] = a(i, j);
    return result;
  }

  void evaluate(const double* z, bool with_jacobian) {
    x = Eigen::Map<const VectorXd>(z, n());
    y = Eigen::Map<const VectorXd>(z + n(), m());
    const MatrixXd slope = N - x.asDiagonal() * bend;
    const VectorXd cubes = quartic.cwiseProduct(x.cwiseProduct(x).cwiseProduct(x));
    R = M * x + cubes - f - slope * y;
    s = s0 + N.transpose() * x - bend.transpose() * x.cwiseProduct(x) / 2;
    size_of_s = s0.cwiseAbs() + N.cwiseAbs().transpose() * x.cwiseAbs() + bend.transpose() * x.cwiseProduct(x);
    for (int k = 0; k < m(); ++k) size_of_s[k] += std::sqrt(d[k] * energy);
    const VectorXd terms = M.cwiseAbs() * x.cwiseAbs() + f.cwiseAbs() + N.cwiseAbs() * y.cwiseAbs() + cubes.cwiseAbs();
    norm_ = scale_ = 0;
    for (int i = 0; i < n(); ++i) {  // in the units of the first equation; the quotient is a square in any units
      const double unit = std::sqrt(M(i, i) / M(0, 0));
      norm_ = std::fmax(norm_, std::abs(R[i]) / unit);
      scale_ = std::fmax(scale_, terms[i] / unit);
    }
    if (!with_jacobian) return;
    jacobian = MatrixXd::Zero(n() + m(), n() + m());
    jacobian.topLeftCorner(n(), n()) = M;
    const VectorXd stiffening = 3 * quartic.cwiseProduct(x.cwiseProduct(x)) + bend * y;
    jacobian.topLeftCorner(n(), n()).diagonal() += stiffening;
    jacobian.topRightCorner(n(), m()) = -slope;
    jacobian.bottomLeftCorner(m(), n()) = slope.transpose();
  }
  double norm() const { return norm_; }
  double scale() const { return scale_; }
  double slack(int k) const { return s[k]; }
  double slack_scale(int k) const { return size_of_s[k]; }
  double compliance(int k) const { return d[k]; }
  static constexpr double round_off = 1e3 * 2.2e-16;  // the condition of a few random normals
  double slack_round_off(int k) const { return round_off * size_of_s[k]; }
  double multiplier_round_off(int k) const { return round_off * size_of_s[k] / d[k]; }
  bool direction(const char* open, const double* rows, double* dz) {
    MatrixXd a = jacobian;
    for (int k = 0; k < m(); ++k) {
      dz[n() + k] = -rows[k];
      if (open[k] == 0) continue;
      a.row(n() + k).setZero();
      a(n() + k, n() + k) = d[k];
    }
    for (int i = 0; i < n(); ++i) dz[i] = -R[i];
    LinearSolver solver = full(a);
    solver.factorize() ? solver.solve(dz, dz) : solver.solve_minimum_norm(dz, dz);
    return true;
  }
};

Convex random_convex(std::mt19937& random, int n, int m) {
  const MatrixXd mass = random_matrices::kkt(random, n, 0, 0.0);
  return {mass, random_matrices::full(random, std::max(n, m)).topLeftCorner(n, m),
          3 * random_matrices::vector(random, n), random_matrices::vector(random, m).cwiseAbs()};  // x = 0 is allowed
}

// The minimum of a quadratic E over every set of contacts held closed, in extended precision: the x with the least
// energy among those that are allowed.
using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using ExactVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
VectorXd brute_force(const Convex& p) {
  const int n = p.n(), m = p.m();
  ExactVector best;
  long double least = INFINITY;
  for (int set = 0; set < 1 << m; ++set) {
    std::vector<int> closed;
    for (int k = 0; k < m; ++k)
      if ((set >> k & 1) != 0) closed.push_back(k);
    const int c = static_cast<int>(closed.size());
    Exact a = Exact::Zero(n + c, n + c);
    ExactVector b(n + c);
    a.topLeftCorner(n, n) = p.M.cast<long double>();
    b.head(n) = p.f.cast<long double>();
    for (int i = 0; i < c; ++i) {
      a.block(0, n + i, n, 1) = -p.N.col(closed[i]).cast<long double>();
      a.block(n + i, 0, 1, n) = p.N.col(closed[i]).transpose().cast<long double>();
      b[n + i] = -p.s0[closed[i]];
    }
    const auto solver = a.completeOrthogonalDecomposition();
    const ExactVector z = solver.solve(b), x = z.head(n);
    if ((a * z - b).norm() > 1e-14L * (1 + z.norm())) continue;  // contacts that contradict each other
    const ExactVector s = p.s0.cast<long double>() + p.N.transpose().cast<long double>() * x;
    if (m > 0 && s.minCoeff() < -1e-13L * (1 + x.norm())) continue;
    const long double energy = x.dot(p.M.cast<long double>() * x) / 2 - p.f.cast<long double>().dot(x);
    if (energy < least) least = energy, best = x;
  }
  return best.cast<double>();
}

// 0 <= y ⊥ s >= 0 and R = 0, up to the round-off of the problem.
void expect_solved(Convex& p, const Complementarity& c, int number) {
  p.evaluate(c.z().data(), false);
  EXPECT_LT(p.norm(), 1e-13 * p.scale()) << number;
  for (int k = 0; k < p.m(); ++k) {
    EXPECT_GE(p.y[k], -p.multiplier_round_off(k)) << number;
    EXPECT_GE(p.s[k], -p.slack_round_off(k)) << number;
    EXPECT_LE(std::fmin(p.d[k] * p.y[k], p.s[k]), p.slack_round_off(k)) << number;
  }
}

TEST(Complementarity, LinearProblemsAgainstEverySet) {
  std::mt19937 random(1);
  for (int k = 0; k < 1000; ++k) {
    const int n = 1 + k % 5, m = k % 7;  // more contacts than coordinates too
    Convex p = random_convex(random, n, m);
    Complementarity c(n + m, m);
    const NewtonResult result = c.solve(p, {});
    ASSERT_TRUE(result.converged) << k << " " << result.reason;
    expect_solved(p, c, k);
    const VectorXd exact = brute_force(p), x = Eigen::Map<const VectorXd>(c.z().data(), n);
    // condition of the KKT matrices at hand, at most 1e4
    EXPECT_LT((x - exact).norm(), 1e-11 * (1 + exact.norm())) << k;
  }
}

TEST(Complementarity, RedundantContacts) {
  std::mt19937 random(2);
  for (int k = 0; k < 500; ++k) {
    const int n = 1 + k % 4, m = 4;
    Convex p = random_convex(random, n, m);
    p.N.col(2) = 2 * p.N.col(0);  // the same wall, written in another way
    p.s0[2] = 2 * p.s0[0];
    p.N.col(3) = p.N.col(1);
    p.s0[3] = p.s0[1];
    p.prepare();
    Complementarity c(n + m, m);
    ASSERT_TRUE(c.solve(p, {}).converged) << k;
    expect_solved(p, c, k);
    const VectorXd x = Eigen::Map<const VectorXd>(c.z().data(), n), exact = brute_force(p);
    EXPECT_LT((x - exact).norm(), 1e-11 * (1 + exact.norm())) << k;
    // the least multipliers share the load evenly: ν_2 N_2 = ν_0 N_0
    EXPECT_NEAR(c.z()[n], 2 * c.z()[n + 2], 1e-10 * (1 + p.y.norm())) << k;
    EXPECT_NEAR(c.z()[n + 1], c.z()[n + 3], 1e-10 * (1 + p.y.norm())) << k;
  }
}

TEST(Complementarity, ATableOnFourLegs) {
  // z, tilts a and b of a plate; legs at (±1, ±1): each carries a quarter. And one leg less loaded off the centre.
  MatrixXd N(3, 4);
  N << 1, 1, 1, 1, -1, -1, 1, 1, -1, 1, -1, 1;
  MatrixXd mass = MatrixXd::Zero(3, 3);
  mass.diagonal() << 2, 0.5, 0.5;
  VectorXd load(3);
  load << -8, 0, 0;
  Convex p(mass, N, load, VectorXd::Zero(4));
  Complementarity c(7, 4);
  ASSERT_TRUE(c.solve(p, {}).converged);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(c.z()[3 + k], 2, 1e-14);
  p.f << -8, -1, 0;  // a torque: pairs carry 2 ± ¼
  p.prepare();
  ASSERT_TRUE(c.solve(p, {}).converged);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(c.z()[3 + k], k < 2 ? 1.75 : 2.25, 1e-14);
}

TEST(Complementarity, OpposingContacts) {
  // a slot without play: x >= 0 and x <= 0; the wall that is pressed has all of the load, the other none
  for (const double force : {3.0, -3.0, 0.0}) {
    MatrixXd N(2, 2);
    N << 1, -1, 0, 0;
    Convex p(MatrixXd::Identity(2, 2), N, (VectorXd(2) << force, 1).finished(), VectorXd::Zero(2));
    Complementarity c(4, 2);
    ASSERT_TRUE(c.solve(p, {}).converged);
    EXPECT_NEAR(c.z()[0], 0, 1e-15);
    EXPECT_NEAR(c.z()[1], 1, 1e-15);
    EXPECT_NEAR(c.z()[2], std::fmax(0, -force), 1e-14);
    EXPECT_NEAR(c.z()[3], std::fmax(0, force), 1e-14);
  }
  // more of them, in every direction
  std::mt19937 random(3);
  for (int k = 0; k < 300; ++k) {
    Convex p = random_convex(random, 3, 4);
    p.N.col(1) = -p.N.col(0);
    p.N.col(3) = -p.N.col(2);
    p.s0.setZero();
    p.prepare();
    Complementarity c(7, 4);
    ASSERT_TRUE(c.solve(p, {}).converged) << k;
    expect_solved(p, c, k);
    const VectorXd x = Eigen::Map<const VectorXd>(c.z().data(), 3), exact = brute_force(p);
    EXPECT_LT((x - exact).norm(), 1e-11 * (1 + exact.norm())) << k;
    EXPECT_NEAR(std::fmin(p.y[0], p.y[1]), 0, 1e-12 * (1 + p.y.norm())) << k;
  }
}

TEST(Complementarity, NonlinearProblems) {
  std::mt19937 random(4);
  for (int k = 0; k < 1000; ++k) {
    const int n = 1 + k % 4, m = 1 + k % 6;
    Convex p = random_convex(random, n, m);
    p.quartic = random_matrices::vector(random, n).cwiseAbs();
    p.bend = random_matrices::full(random, std::max(n, m)).topLeftCorner(n, m).cwiseAbs();
    Complementarity c(n + m, m);
    const NewtonResult result = c.solve(p, {});
    ASSERT_TRUE(result.converged) << k << " " << result.reason << " " << result.residual;
    expect_solved(p, c, k);
  }
}

TEST(Complementarity, AGivenSetIsKept) {
  // a floor that is left: closed by choice it pulls, and nobody minds
  Convex p(MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1), VectorXd::Constant(1, 3.0), VectorXd::Constant(1, 1.0));
  Complementarity c(2, 1);
  const std::vector<char> closed{0}, open{1};
  ASSERT_TRUE(c.solve_set(p, {}, closed).converged);
  EXPECT_EQ(c.z(), (std::vector<double>{-1, -4}));
  ASSERT_TRUE(c.solve_set(p, {}, open).converged);
  EXPECT_EQ(c.z(), (std::vector<double>{3, 0}));
  ASSERT_TRUE(c.solve(p, {}).converged);
  EXPECT_EQ(c.z(), (std::vector<double>{3, 0}));
}

TEST(Complementarity, UnitsChangeNoDigit) {
  std::mt19937 random(5);
  for (int k = 0; k < 500; ++k) {
    const int n = 1 + k % 4, m = 1 + k % 6;
    Convex p = random_convex(random, n, m);
    if (k % 3 == 1 && m > 1) p.N.col(m - 1) = -p.N.col(0), p.s0[0] = p.s0[m - 1] = 0;
    if (k % 3 == 2) {
      p.quartic = random_matrices::vector(random, n).cwiseAbs();
      p.bend = random_matrices::full(random, std::max(n, m)).topLeftCorner(n, m).cwiseAbs();
    }
    p.prepare();
    std::uniform_int_distribution<int> exponent(-30, 30);
    VectorXd unit(n), gap_unit(m);
    for (double& u : unit) u = std::ldexp(1.0, exponent(random));
    for (double& u : gap_unit) u = std::ldexp(1.0, exponent(random));
    const double energy = std::ldexp(1.0, exponent(random));
    Convex other = p;
    const auto per_unit = unit.cwiseInverse().asDiagonal();
    other.M = energy * (per_unit * p.M * per_unit);
    other.f = energy * (per_unit * p.f);
    other.N = per_unit * p.N * gap_unit.asDiagonal();
    other.s0 = p.s0.cwiseProduct(gap_unit);
    other.quartic = energy * (per_unit * (per_unit * (per_unit * (per_unit * p.quartic))));
    other.bend = per_unit * (per_unit * p.bend) * gap_unit.asDiagonal();
    other.prepare();
    Complementarity one(n + m, m), two(n + m, m);
    ASSERT_TRUE(one.solve(p, {}).converged) << k;
    ASSERT_TRUE(two.solve(other, {}).converged) << k;
    ASSERT_EQ(one.iterations(), two.iterations()) << k;
    ASSERT_EQ(one.open(), two.open()) << k;
    for (int i = 0; i < n; ++i) ASSERT_EQ(one.z()[i] * unit[i], two.z()[i]) << k;
    for (int i = 0; i < m; ++i) ASSERT_EQ(one.z()[n + i] * energy / gap_unit[i], two.z()[n + i]) << k;
  }
}

}  // namespace
}  // namespace ricochet::complementarity_test
