#include "ricochet/mechanics/gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/differences.hpp"

namespace ricochet::gaps_test {
namespace {

constexpr double epsilon = 2.220446049250313e-16;

// Smooth gaps of all kinds, one with time, one of min and max.
Model gallery() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a"), t = m.time();
  m.lagrangian = square(dot(x)) + square(dot(y)) + square(dot(a));
  m.contacts = {{.name = "circle", .gap = 3 - sqrt(square(x) + square(y))},
                {.name = "table", .gap = y - 0.1 * sin(2 * t) * x},
                {.name = "rod", .gap = y + 2 + cos(a) * (1 + x * x / 10)},
                {.name = "box", .gap = min(x + 3, 3 - x)},
                {.name = "post", .gap = max(x - 1, y + 0.5)}};
  return m;
}

std::vector<double> random_point(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-2, 2);
  return {uniform(random), uniform(random), uniform(random), uniform(random)};  // x, y, a, t
}

TEST(Gaps, ValuesOfTrees) {
  const System system(gallery());
  Gaps gaps(system);
  std::mt19937 random(1);
  for (int k = 0; k < 100; ++k) {
    const std::vector<double> z = random_point(random);
    gaps.evaluate(z.data(), z[3]);
    const double x = z[0], y = z[1];
    EXPECT_EQ(gaps.value(0), 3 - std::sqrt(x * x + y * y));
    EXPECT_EQ(gaps.value(3), std::fmin(x + 3, 3 - x));
    EXPECT_EQ(gaps.value(4), std::fmax(x - 1, y + 0.5));
    double least = INFINITY;
    for (int gap = 0; gap < gaps.count(); ++gap) least = std::fmin(least, gaps.value(gap));
    EXPECT_EQ(gaps.minimum(), least);
  }
  Model free;
  const Expr x = free.coordinate("x");
  free.lagrangian = square(dot(x));
  const System without(free);
  EXPECT_EQ(Gaps(without).minimum(), INFINITY);
}

TEST(Gaps, GradientsAndHessiansAgainstDifferences) {
  const System system(gallery());
  Gaps gaps(system);
  std::mt19937 random(2);
  for (int k = 0; k < 50; ++k) {
    const std::vector<double> z = random_point(random);
    for (int piece = 0; piece < gaps.pieces(); ++piece) {
      const auto value = [&](const std::vector<double>& at) {
        gaps.evaluate(at.data(), at[3]);
        return gaps.piece(piece);
      };
      double n[3], g_t = 0;
      EXPECT_EQ(gaps.gradient(piece, z.data(), z[3], n, g_t), value(z));
      const double gradient[4] = {n[0], n[1], n[2], g_t};
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(gradient[i], differences::partial(value, z, i), differences::relative) << piece << " " << i;
        double unit[4] = {0, 0, 0, 0}, column[4];
        unit[i] = 1;
        gaps.hessian_times(piece, z.data(), z[3], unit, column);
        for (std::size_t j = 0; j < 4; ++j) {
          const auto slope = [&](const std::vector<double>& at) {
            double m[3], m_t = 0;
            gaps.gradient(piece, at.data(), at[3], m, m_t);
            return j < 3 ? m[j] : m_t;
          };
          EXPECT_NEAR(column[j], differences::partial(slope, z, i), differences::relative) << piece << " " << i << j;
        }
      }
    }
  }
}

TEST(Gaps, EnclosuresContainWhatIsInTheBox) {
  const System system(gallery());
  Gaps gaps(system), points(system);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> width(0, 0.5), share(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> z = random_point(random);
    std::vector<formula::Interval> box, dq;
    std::vector<double> half, velocity;
    for (int i = 0; i < 4; ++i) {
      half.push_back(width(random));
      box.emplace_back(z[i] - half[i], z[i] + half[i]);
      velocity.push_back(share(random));
      dq.emplace_back(velocity[i] - 0.1, velocity[i] + 0.1);
    }
    gaps.enclose(box.data(), box[3]);
    // all pieces of a gap at once: the bits of each alone
    for (int gap = 0; gap < gaps.count(); ++gap) {
      const int first = gaps.begin(gap), count = gaps.end(gap) - first;
      std::vector<formula::Interval> enclosures(count);
      std::vector<double> values(count);
      gaps.enclosures_of(gap, box.data(), box[3], enclosures.data());
      gaps.values_of(gap, z.data(), z[3], values.data());
      for (int piece = first; piece < first + count; ++piece) {
        double n[3], g_t = 0;
        EXPECT_EQ(enclosures[piece - first].lo, gaps.piece_enclosure(piece).lo);
        EXPECT_EQ(enclosures[piece - first].hi, gaps.piece_enclosure(piece).hi);
        EXPECT_EQ(values[piece - first], points.gradient(piece, z.data(), z[3], n, g_t));
        EXPECT_EQ(values[piece - first], points.value_of(piece, z.data(), z[3]));
      }
    }
    for (int sample = 0; sample < 20; ++sample) {
      std::vector<double> at(4), v(4);
      for (int i = 0; i < 4; ++i) at[i] = z[i] + half[i] * share(random), v[i] = velocity[i] + 0.1 * share(random);
      points.evaluate(at.data(), at[3]);
      for (int gap = 0; gap < gaps.count(); ++gap) EXPECT_LE(gaps.lower_bound(gap), points.value(gap));
      for (int piece = 0; piece < gaps.pieces(); ++piece) {
        EXPECT_TRUE(gaps.piece_enclosure(piece).contains(points.piece(piece)));
        double n[3], g_t = 0;
        points.gradient(piece, at.data(), at[3], n, g_t);
        const double rate = n[0] * v[0] + n[1] * v[1] + n[2] * v[2] + g_t;
        const formula::Interval slope = gaps.slope(piece, dq.data());
        // the sum here is rounded once more than the enclosure knows of
        EXPECT_LE(slope.lo - 1e-14, rate);
        EXPECT_GE(slope.hi + 1e-14, rate);
      }
    }
  }
}

// R − √(x² + y²)
Model ring(double radius) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) + square(dot(y));
  m.contacts = {{.name = "ring", .gap = radius - sqrt(square(x) + square(y))}};
  return m;
}

TEST(Gaps, RoundOffCoversWhatRoundingDoes) {
  // A body carried around a ring of any size is on it only up to the rounding of its coordinates and of the formula:
  // the truth in extended precision.
  std::mt19937 random(4);
  std::uniform_real_distribution<double> angle(-4, 4);
  for (const double radius : {1e-6, 1.0, 1e6}) {
    const System system(ring(radius));
    Gaps gaps(system);
    double widest = 0;
    for (int k = 0; k < 2000; ++k) {
      const long double a = angle(random), X = radius * std::cos(a), Y = radius * std::sin(a);  // gap 0
      const double q[2] = {static_cast<double>(X), static_cast<double>(Y)}, reach[2] = {std::abs(q[0]), std::abs(q[1])};
      gaps.evaluate(q, 0);
      const double rho = gaps.round_off(0, q, 0, reach);
      ASSERT_LE(std::abs(gaps.piece(0)), rho) << radius;
      widest = std::fmax(widest, rho);
      // about 8ε of the terms n_i q_i and R; no more than four times that
      const double terms = (q[0] * q[0] + q[1] * q[1]) / radius + radius;
      EXPECT_GE(rho, 2 * epsilon * terms);
      EXPECT_LE(rho, 16 * epsilon * terms);
    }
    EXPECT_LT(widest, 1e-14 * radius);
  }
}

TEST(Gaps, RoundOffAtTheOriginComesFromTheStep) {
  // y = 0 at rest on a floor through the origin: the terms are those that a step adds up, h²g
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 - 9.81 * y;
  m.contacts = {{.name = "floor", .gap = y}};
  const System system(m);
  Gaps gaps(system);
  const double q = 0, reach = 1e-4 * 9.81;
  EXPECT_NEAR(gaps.round_off(0, &q, 0, &reach), 4 * epsilon * reach, 1e-30);
  const double nothing = 0;
  EXPECT_LE(gaps.round_off(0, &q, 0, &nothing), 1e-300);
}

TEST(Gaps, RoundOffOfALateTime) {
  // a table A sin t that shakes since long: t itself is known to ε|t|, so the table to A ε|t|
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2;
  m.contacts = {{.name = "table", .gap = y - 10 * sin(m.time())}};
  const System system(m);
  Gaps gaps(system);
  for (const double t : {1e4, 1e6, 1e8}) {
    const double q = 10 * std::sin(t);
    EXPECT_GE(gaps.round_off(0, &q, t, &q), 10 * epsilon * t * std::abs(std::cos(t)));
    EXPECT_LE(gaps.round_off(0, &q, t, &q), 100 * epsilon * t);
  }
}

TEST(Gaps, RoundOffHasNoUnits) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (const int exponent : {-30, -11, 7, 30}) {
    const System one(ring(1.7)), other(ring(std::ldexp(1.7, exponent)));
    Gaps gaps(one), scaled(other);
    for (int k = 0; k < 200; ++k) {
      const double q[2] = {uniform(random), uniform(random)}, reach[2] = {std::abs(q[0]) + 0.1, std::abs(q[1])};
      const double Q[2] = {std::ldexp(q[0], exponent), std::ldexp(q[1], exponent)},
                   R[2] = {std::ldexp(reach[0], exponent), std::ldexp(reach[1], exponent)};
      EXPECT_EQ(scaled.round_off(0, Q, 0, R), std::ldexp(gaps.round_off(0, q, 0, reach), exponent));
    }
  }
}

}  // namespace
}  // namespace ricochet::gaps_test
