// Friction in an impact: in the plane against the exact process written again, in space against the plane and against
// small steps.
#include <gtest/gtest.h>

#include "contact/random_impact.hpp"

namespace ricochet::law_coulomb_test {
namespace {

using test::Dual;
using test::RandomImpact;

struct Planar {
  double normal, tangential;
};

// The process in the plane by cases, in numbers: an independent twin.
Planar exact_planar(double nn, double nt, double tt, double cn, double ct, double e, double mu) {
  double ln = 0, lt = 0, compression = 0, restitution = 0;
  bool compressing = true;
  int mode = ct > 0 ? 1 : ct < 0 ? -1 : 0;
  bool fresh = mode == 0;
  for (int segment = 0; segment < 10; ++segment) {
    double slope = -mu * mode;
    if (mode == 0) {
      slope = tt > 0 ? -nt / tt : 0;
      if (std::abs(nt) > mu * tt) mode = nt > 0 ? 1 : -1, slope = -mu * mode;
    }
    const double a = nn + nt * slope, b = nt + tt * slope;
    double length = std::numeric_limits<double>::infinity();
    bool stops = false;
    const double need = e * e * -compression - restitution;
    if (compressing && a > 0) length = -cn / a;
    if (!compressing) length = (-cn + std::sqrt(cn * cn + 2 * a * need)) / a;
    if (mode != 0 && !fresh && b * mode < 0 && -ct / b < length) length = -ct / b, stops = true;
    const double work = cn * length + a * length * length / 2;
    (compressing ? compression : restitution) += work;
    ln += length, lt += slope * length, cn += a * length, ct += b * length;
    fresh = false;
    if (stops) {
      mode = 0, ct = 0, fresh = true;
      continue;
    }
    if (!compressing) break;
    compressing = false, cn = 0;
    if (mode != 0 && ct == 0) fresh = true;
    if (e == 0) break;
  }
  return {ln, lt};
}

double condition(const RandomImpact& x) {
  const Eigen::VectorXd e = x.delta.selfadjointView<Eigen::Lower>().eigenvalues();
  return e.maxCoeff() / e.minCoeff();
}

TEST(LawCoulomb, InThePlaneItIsTheExactProcess) {
  // Both are exact up to round-off times the condition of Δ.
  std::mt19937 random(1);
  ImpactResolver<double> resolver;
  for (int k = 0; k < 20000; ++k) {
    RandomImpact x = test::random_impact({ImpactLaw::coulomb}, 1, random);
    x.resolve(resolver);
    const double e = x.restitutions[0].at(1.0);
    const Planar exact =
        exact_planar(x.delta(0, 0), x.delta(0, 1), x.delta(1, 1), x.c[0], x.c[1], e, x.contacts[0].friction);
    const double size = std::abs(exact.normal) + std::abs(exact.tangential), tolerance = 1e-14 * condition(x) * size;
    ASSERT_NEAR(resolver.impulse()[0], exact.normal, tolerance) << k;
    ASSERT_NEAR(resolver.impulse()[1], exact.tangential, tolerance) << k;
    ASSERT_NEAR(resolver.obtained(0), e, 1e-10) << k;
  }
}

TEST(LawCoulomb, AFrameInSpaceForASlipInAPlaneGivesThePlane) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> angle(0, 6.3);
  ImpactResolver<double> planar, spatial;
  for (int k = 0; k < 2000; ++k) {
    RandomImpact x = test::random_impact({ImpactLaw::coulomb}, 1, random), y = x;
    x.resolve(planar);
    // The plane's tangent at an angle to both tangents; across it the body is free, and not coupled.
    const double a = k % 4 == 0 ? 0 : angle(random), co = std::cos(a), si = std::sin(a), across = 0.7;
    Eigen::Matrix3d r, d = Eigen::Matrix3d::Zero();
    r << 1, 0, 0, 0, co, -si, 0, si, co;
    d.topLeftCorner(2, 2) = x.delta;
    d(2, 2) = across;
    y.rows = 3;
    y.delta = r * d * r.transpose();
    y.c = r * Eigen::Vector3d(x.c[0], x.c[1], 0);
    y.contacts[0].tangents = 2;
    y.resolve(spatial);
    const Eigen::Vector3d back = r.transpose() * Eigen::Map<const Eigen::Vector3d>(spatial.impulse().data());
    const double size = std::abs(planar.impulse()[0]) + std::abs(planar.impulse()[1]);
    ASSERT_NEAR(back[0], planar.impulse()[0], 1e-10 * size) << k;
    ASSERT_NEAR(back[1], planar.impulse()[1], 1e-10 * size) << k;
    ASSERT_NEAR(back[2], 0, 1e-10 * size) << k;
  }
}

// The process in space by small steps of Λ_n (Heun), in numbers.
Eigen::Vector3d small_steps(const Eigen::Matrix3d& delta, const Eigen::Vector3d& c0, double e, double mu, int parts) {
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  const double step = std::abs(c0[0]) / delta(0, 0) / parts;
  double compression = 0, restitution = 0;
  bool compressing = true;
  const auto rate = [&](const Eigen::Vector3d& c) {
    Eigen::Vector3d r(1, 0, 0);
    const double u = c.tail<2>().norm();
    r.tail<2>() = -delta.bottomRightCorner<2, 2>().ldlt().solve(delta.block<2, 1>(1, 0));
    // within a step of rest: stick if the cone holds it
    if (u < 3 * step * delta.norm() * (1 + mu) && r.tail<2>().norm() <= mu) return r;
    r.tail<2>() = u > 0 ? Eigen::Vector2d(-mu / u * c.tail<2>()) : Eigen::Vector2d::Zero();
    return r;
  };
  for (long k = 0; k < 4000L * parts; ++k) {
    const Eigen::Vector3d c = c0 + delta * lambda;
    if (compressing && c[0] >= 0) compressing = false;
    if (!compressing && restitution >= e * e * -compression) break;
    const Eigen::Vector3d r1 = rate(c), r2 = rate(c + step * (delta * r1));
    lambda += step / 2 * (r1 + r2);
    const double work = step * (c[0] + (c0 + delta * lambda)[0]) / 2;
    (compressing ? compression : restitution) += work;
  }
  return lambda;
}

TEST(LawCoulomb, InSpaceItIsTheLimitOfSmallSteps) {
  // Heun's rule with events at step ends is of order 1: twice as many parts change it by as much as its error. (Where
  // they happen to agree: 1e-4.)
  std::mt19937 random(3);
  ImpactResolver<double> resolver;
  int stopped = 0;
  for (int k = 0; k < 60; ++k) {
    RandomImpact x = test::random_impact({ImpactLaw::coulomb}, 2, random, 0.3);
    if (condition(x) > 100) continue;
    x.resolve(resolver);
    const double e = x.restitutions[0].at(1.0), mu = x.contacts[0].friction;
    const Eigen::Vector3d coarse = small_steps(x.delta, x.c, e, mu, 10000),
                          fine = small_steps(x.delta, x.c, e, mu, 20000);
    const double tolerance = 4 * (coarse - fine).norm() + 1e-4 * fine.norm();
    EXPECT_LE(tolerance, 0.02 * fine.norm()) << k;
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(resolver.impulse()[a], fine[a], tolerance) << k;
    stopped += std::hypot(resolver.c_plus()[1], resolver.c_plus()[2]) < 1e-12;
  }
  EXPECT_GT(stopped, 5);
  EXPECT_GT(resolver.curves(), 40);
}

TEST(LawCoulomb, InSpaceASlipThatLastsIsThatOfRungeAndKutta) {
  // e = 0 and a slip that does not end in compression: smooth, 4000 steps of order 4 are good to 1e-13 times the
  // curvature of the path, which a slip speed above a tenth of the first bounds.
  std::mt19937 random(4);
  ImpactResolver<double> resolver;
  int compared = 0;
  for (int k = 0; k < 400; ++k) {
    RandomImpact x = test::random_impact({ImpactLaw::coulomb}, 2, random, 0.5);
    x.restitutions[0] = Restitution(0.0);
    x.resolve(resolver);
    const Eigen::Matrix3d delta = x.delta;
    const Eigen::Vector3d c0 = x.c;
    const double mu = x.contacts[0].friction, end = resolver.impulse()[0];
    const auto rate = [&](const Eigen::Vector3d& lambda) {
      const Eigen::Vector3d c = c0 + delta * lambda;
      const double u = std::hypot(c[1], c[2]);
      return Eigen::Vector3d(1, -mu * c[1] / u, -mu * c[2] / u);
    };
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    double slowest = 1;
    const int parts = 4000;
    for (int p = 0; p < parts; ++p) {
      const double h = end / parts;
      const Eigen::Vector3d k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      const Eigen::Vector3d c = c0 + delta * y;
      slowest = std::min(slowest, std::hypot(c[1], c[2]) / std::hypot(c0[1], c0[2]));
    }
    if (slowest < 0.1) continue;
    ++compared;
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(resolver.impulse()[a], y[a], 1e-10 * y.norm()) << k;
    EXPECT_NEAR(resolver.c_plus()[0], 0, 1e-11 * c0.norm()) << k;
  }
  EXPECT_GT(compared, 50);
}

TEST(LawCoulomb, InSpaceMassesOfFourDecadesAreFollowed) {
  // A direction that settles a thousand times faster than the slip ends: stiff. Energetic restitution is what is asked.
  std::mt19937 random(5);
  ImpactResolver<double> resolver;
  for (int k = 0; k < 1000; ++k) {
    RandomImpact x = test::random_impact({ImpactLaw::coulomb}, 2, random, 2);
    ASSERT_NO_THROW(x.resolve(resolver)) << k;
    ASSERT_NEAR(resolver.obtained(0), x.restitutions[0].at(1.0), 1e-10) << k;
    ASSERT_LE(std::hypot(resolver.impulse()[1], resolver.impulse()[2]),
              x.contacts[0].friction * resolver.impulse()[0] * (1 + 1e-12))
        << k;
  }
}

TEST(LawCoulomb, PainleveDrivesInUntilSlipEnds) {
  // A uniform rod at the angle θ to the ground: Δ = [1 + 3cos², 3 sin cos; …, 1 + 3 sin²]/m. With μ = 1.5, θ = 1.1 and
  // a slip of −3 the normal impulse first pushes the tip in. EQUATIONS: Λ = (.90955845, 1.21293624) from c_n = 0.
  const double s = std::sin(1.1), co = std::cos(1.1);
  RandomImpact x;
  x.rows = 2;
  x.delta.resize(2, 2);
  x.delta << 1 + 3 * co * co, -3 * s * co, -3 * s * co, 1 + 3 * s * s;
  x.c = Eigen::Vector2d(0, -3);
  x.contacts = {{.law = ImpactLaw::coulomb, .row = 0, .tangents = 1, .friction = 1.5, .pressed = true, .length = true}};
  x.restitutions.emplace_back(0.0);
  x.still = {1e-14};
  ImpactResolver<double> resolver;
  EXPECT_LT(x.delta(0, 0) + 1.5 * x.delta(0, 1), 0.0);  // Painlevé
  x.resolve(resolver);
  EXPECT_NEAR(resolver.impulse()[0], 0.90955845, 1e-8);
  EXPECT_NEAR(resolver.impulse()[1], 1.21293624, 1e-8);
  EXPECT_NEAR(resolver.c_plus()[0], 0, 1e-14);
  EXPECT_NEAR(resolver.c_plus()[1], 0, 1e-14);
}

TEST(LawCoulomb, ASphereWithSpinThatSticksKeepsTwoSevenths) {
  // A ball of radius r that drops without sideways speed and spins with ω: Δ_tt = 1/m + r²/I = 7/(2m). Sticking,
  // m v⁺ = Λ_t and I(ω⁺ − ω) = −rΛ_t give ω⁺ = 2ω/7. Friction 1 holds it: Λ_t = 2rω/7 < Λ_n.
  const double m = 1.3, r = 0.2, inertia = 0.4 * m * r * r, omega = 5;
  for (const int tangents : {1, 2}) {
    RandomImpact x;
    x.rows = 1 + tangents;
    x.delta = Eigen::MatrixXd::Identity(x.rows, x.rows) * (1 / m + r * r / inertia);
    x.delta(0, 0) = 1 / m;
    x.c = Eigen::VectorXd::Zero(x.rows);
    x.c[0] = -2;
    x.c[1] = -r * omega;
    x.contacts = {{.law = ImpactLaw::coulomb, .row = 0, .tangents = tangents, .friction = 1, .length = true}};
    x.restitutions.emplace_back(0.5);
    x.still = {1e-14};
    ImpactResolver<double> resolver;
    x.resolve(resolver);
    EXPECT_NEAR(omega - r * resolver.impulse()[1] / inertia, 2 * omega / 7, 1e-13);
    EXPECT_NEAR(resolver.obtained(0), 0.5, 1e-13);
  }
}

}  // namespace
}  // namespace ricochet::law_coulomb_test
