// Rows of contacts against hand-made ones and central differences.
#include "ricochet/mechanics/contact_frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet::contact_frame_test {
namespace {

using formula::Dual;

// A body in the plane with the vertex (a, b), above a floor y = 0; the gap scaled by k.
Model wedge(double k, bool with_point, bool belt = false) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  m.lagrangian = (dot(x) * dot(x) + dot(y) * dot(y) + dot(theta) * dot(theta)) / 2;
  const double a = 0.3, b = -0.3;
  const Expr px = x + a * cos(theta) - b * sin(theta), py = y + a * sin(theta) + b * cos(theta);
  m.contacts = {{.name = "floor", .gap = k * py, .law = "coulomb"}};
  if (with_point) m.contacts[0].point = {belt ? px - 3 * m.time() : px, py};
  return m;
}

TEST(ContactFrame, APointGivesTheRowsOfItsVelocityWhateverTheScaleOfTheGap) {
  const double q[3] = {0.2, 0.7, 0.4}, s = std::sin(q[2]), c = std::cos(q[2]);
  for (const double k : {1.0, 2.0, 1e-3, 1e6}) {
    const System system(wedge(k, true, true));
    ContactFrames<double> frames(system);
    double rows[6], rates[2];
    EXPECT_EQ(frames.tangents(0), 1);
    EXPECT_NEAR(frames.evaluate(0, q, 0.1, rows, rates), k, 1e-14 * k);
    const double normal[3] = {0, 1, 0.3 * c + 0.3 * s}, tangent[3] = {1, 0, -0.3 * s + 0.3 * c};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(rows[i], normal[i], 1e-14);
      EXPECT_NEAR(rows[3 + i], tangent[i], 1e-14);
    }
    EXPECT_NEAR(rates[0], 0, 1e-14);
    EXPECT_NEAR(rates[1], -3, 1e-14);  // the belt
  }
}

TEST(ContactFrame, WithoutPointTheNormalIsTheGradientAlone) {
  const System system(wedge(5, false));
  ContactFrames<double> frames(system);
  const double q[3] = {0.2, 0.7, 0.4};
  double rows[3], rates[1];
  EXPECT_EQ(frames.tangents(0), 0);
  EXPECT_EQ(frames.evaluate(0, q, 0, rows, rates), 1);
  EXPECT_NEAR(rows[1], 5, 1e-14);
  EXPECT_FALSE(frames.is_length(0));
}

// What is kept of the last point is never taken for another: as frames that are made for each point.
TEST(ContactFrame, FramesThatWereUsedElsewhereAreAsNewOnes) {
  const System system(wedge(1, true));
  ContactFrames<double> used(system);
  const double points[2][3] = {{0.2, 0.7, 0.4}, {0.2, 0.7, -0.9}}, v[3] = {1, -2, 0.5};
  for (const int visit : {0, 1, 1, 0, 0}) {
    const double *q = points[visit], *other = points[1 - visit];
    ContactFrames<double> fresh(system);
    double rows[2][6], rates[2][2], n[2][3], g_t[2], rate = 0, unused = 0;
    EXPECT_EQ(used.evaluate(0, q, 0, rows[0], rates[0]), fresh.evaluate(0, q, 0, rows[1], rates[1]));
    EXPECT_EQ(used.gradient(0, n[0], g_t[0]), fresh.gradient(0, n[1], g_t[1]));
    for (int i = 0; i < 6; ++i) EXPECT_EQ(rows[0][i], rows[1][i]);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(rates[0][i], rates[1][i]);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(n[0][i], n[1][i]);
    EXPECT_EQ(used.direction(0, 0)[0], fresh.direction(0, 0)[0]);
    EXPECT_EQ(used.approach(0, q, 0, v, rate), fresh.gradient(0, n[1], g_t[1]));
    EXPECT_EQ(rate, g_t[1] + n[1][0] * v[0] + n[1][1] * v[1] + n[1][2] * v[2]);
    used.approach(0, other, 0, v, unused);
  }
}

// A particle in a ball: normals in all directions.
Model bowl() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.lagrangian = (dot(x) * dot(x) + dot(y) * dot(y) + dot(z) * dot(z)) / 2;
  m.contacts = {{.name = "bowl", .gap = 1 - (x * x + y * y + z * z), .point = {x, y, z}}};
  return m;
}

// Entry by entry the gradient is that of the dense one, and the way of P along the frame's own τ, J_Pᵀτ, is its
// tangent.
TEST(ContactFrame, PartsOfAFrameAreThoseOfTheWhole) {
  const System plane(wedge(3, true, true)), space(bowl());
  const double points[2][3] = {{0.2, 0.7, 0.4}, {-0.5, 0.3, 0.6}};
  for (const System* system : {&plane, &space}) {
    ContactFrames<double> frames(*system);
    for (const auto& q : points) {
      const ContactFrames<double>::Frame frame = frames.frame(0, q, 0.1);
      double n[3], dense_g_t = 0, g_t = 0, P[3];
      const double gap = frames.gradient(0, n, dense_g_t);
      std::vector<double> entries;
      EXPECT_EQ(frames.gradient(0, q, 0.1, g_t, [&](double x) { entries.push_back(x); }), gap);
      EXPECT_EQ(g_t, dense_g_t);
      std::size_t at = 0;
      for (const std::uint32_t i : system->pieces()[0].gradient_pattern())
        if (i < 3) {
          EXPECT_EQ(entries[at++], n[i]);
        }
      EXPECT_EQ(at, entries.size());
      frames.place(0, q, 0.1, P);
      for (int a = 0; a < frames.tangents(0); ++a) {
        double row[4] = {};
        const auto& pattern = system->frames()[0].pattern;
        for (std::size_t k = 0; k < pattern.size(); ++k)
          row[pattern[k].second] += frame.tau[a][pattern[k].first] * frames.slope(0, static_cast<int>(k));
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(row[i], frame.rows[(1 + a) * 3 + i], 1e-15);  // a few roundings
      }
    }
  }
}

// The gap is known where nothing that it depends on has changed, and nowhere before it was evaluated.
TEST(ContactFrame, TheGapOfTheLastPointIsKnown) {
  const System system(wedge(1, true, true));
  ContactFrames<double> frames(system);
  const double nowhere[3] = {0, 0, 0}, q[3] = {0.2, 0.7, 0.4}, aside[3] = {5, 0.7, 0.4}, above[3] = {0.2, 0.8, 0.4};
  EXPECT_EQ(frames.known_gap(0, nowhere, 0), nullptr);
  const double v[3] = {};
  double rate = 0;
  const double gap = frames.approach(0, q, 0.1, v, rate);
  ASSERT_NE(frames.known_gap(0, q, 0.1), nullptr);
  EXPECT_EQ(*frames.known_gap(0, q, 0.1), gap);
  ASSERT_NE(frames.known_gap(0, aside, 7), nullptr);
  EXPECT_EQ(*frames.known_gap(0, aside, 7), gap);
  EXPECT_EQ(frames.known_gap(0, above, 0.1), nullptr);
}

TEST(ContactFrame, TangentRowsAreTakenAsGiven) {
  Model m = wedge(1, false);
  const std::vector<Expr> q = m.q();
  m.contacts[0].tangent = {{q[0] * q[2], m.graph->constant(0), sin(q[2])}};
  const System system(m);
  ContactFrames<double> frames(system);
  const double at[3] = {2, 0.7, 0.4};
  double rows[6], rates[2];
  frames.evaluate(0, at, 0, rows, rates);
  EXPECT_EQ(rows[3], 0.8);
  EXPECT_EQ(rows[4], 0.0);
  EXPECT_NEAR(rows[5], std::sin(0.4), 1e-16);
  EXPECT_EQ(rates[1], 0.0);
}

TEST(ContactFrame, InSpaceTheRowsAreOrthonormalInEveryDirection) {
  const System system(bowl());
  ContactFrames<double> frames(system);
  for (int k = 0; k < 1000; ++k) {
    Eigen::Vector3d q(std::sin(1.0 + k), std::sin(2.3 * k), std::sin(3.1 * k + 0.5));
    if (k < 6) q = Eigen::Vector3d::Unit(k % 3) * (k < 3 ? 1 : -1);  // floors, walls, ceilings
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows;
    double rates[3];
    frames.evaluate(0, q.data(), 0, rows.data(), rates);
    EXPECT_LE((rows * rows.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-14) << q.transpose();
    EXPECT_LE((rows.row(0).transpose() + q.normalized()).norm(), 1e-14);
  }
}

TEST(ContactFrame, DerivativesAreThoseOfCentralDifferences) {
  // Central differences with 1e-6 are good to about 1e-9 here.
  const System plane(wedge(3, true, true)), space(bowl());
  for (const System* system : {&plane, &space}) {
    ContactFrames<double> frames(*system);
    ContactFrames<Dual<double>> dual(*system);
    const int size = (1 + frames.tangents(0)) * 3;
    const double q[3] = {0.3, -0.5, 0.4}, d[3] = {0.7, -0.2, 1.1};
    Dual<double> qd[3], rows[9], rates[3];
    for (int i = 0; i < 3; ++i) qd[i] = {q[i], d[i]};
    const Dual<double> scale = dual.evaluate(0, qd, Dual<double>(0.2, 1.0), rows, rates);
    const double e = 1e-6;
    double plus[9], minus[9], qp[3], qm[3], unused[3];
    for (int i = 0; i < 3; ++i) qp[i] = q[i] + e * d[i], qm[i] = q[i] - e * d[i];
    const double sp = frames.evaluate(0, qp, 0.2 + e, plus, unused),
                 sm = frames.evaluate(0, qm, 0.2 - e, minus, unused);
    for (int i = 0; i < size; ++i) EXPECT_NEAR(rows[i].derivative, (plus[i] - minus[i]) / (2 * e), 1e-8);
    EXPECT_NEAR(scale.derivative, (sp - sm) / (2 * e), 1e-8);
  }
}

// A vertex of a body beside a wall that moves, from either side, and floor and ceiling: ν is known from the formulas,
// and is what the equations say of three times the gap, for which it is not.
TEST(ContactFrame, WhereTheGapIsAComponentOfItsPointTheCovectorIsThatAxis) {
  for (const int axis : {0, 1, 2})
    for (const double side : {1.0, -1.0}) {
      const auto system_of = [&](double k) {
        Model m;
        const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z"), a = m.coordinate("a");
        m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z)) + square(dot(a))) / 2;
        const std::vector<Expr> point = {x + 0.3 * cos(a) - m.time(), y + 0.3 * sin(a), z + x * sin(a)};
        m.contacts = {{.name = "wall", .gap = k * (side > 0 ? point[axis] - 0.5 : 2 - point[axis]), .point = point}};
        return System(m);
      };
      const System known = system_of(1), solved = system_of(3);
      EXPECT_EQ(known.axis_of(0), static_cast<int>(side) * (1 + axis));
      EXPECT_EQ(solved.axis_of(0), 0);
      ContactFrames<Dual<double>> frames(known), others(solved);
      const Dual<double> q[4] = {{0.3, 0.7}, {-0.5, 0.1}, {0.2, -0.4}, {0.4, 1.1}}, t{0.2, 1.0};
      Dual<double> rows[12], expected[12], rates[3], expected_rates[3];
      EXPECT_EQ(frames.evaluate(0, q, t, rows, rates).value, 1);
      EXPECT_NEAR(others.evaluate(0, q, t, expected, expected_rates).value, 3, 1e-14);
      for (int i = 0; i < 12; ++i) {  // to round-off of the elimination
        EXPECT_NEAR(rows[i].value, expected[i].value, 1e-14) << axis << side << i;
        EXPECT_NEAR(rows[i].derivative, expected[i].derivative, 1e-14) << axis << side << i;
      }
      for (int r = 0; r < 3; ++r) EXPECT_NEAR(rates[r].value, expected_rates[r].value, 1e-14) << axis << side;
    }
}

TEST(ContactFrame, UnitsOfCoordinatesDoNotMatter) {
  // theta in units of 2^-20: the same rows times 2^-20 in that column, to the bit.
  Model m = wedge(1, true);
  const double unit = std::ldexp(1.0, -20);
  Model scaled;
  const Expr x = scaled.coordinate("x"), y = scaled.coordinate("y"), theta = unit * scaled.coordinate("theta");
  scaled.lagrangian = (dot(x) * dot(x) + dot(y) * dot(y)) / 2 + dot(scaled.q()[2]) * dot(scaled.q()[2]);
  const Expr px = x + 0.3 * cos(theta) + 0.3 * sin(theta), py = y + 0.3 * sin(theta) - 0.3 * cos(theta);
  scaled.contacts = {{.name = "floor", .gap = py, .law = "coulomb", .point = {px, py}}};
  const System a(m), b(scaled);
  ContactFrames<double> fa(a), fb(b);
  double ra[6], rb[6], rates[2];
  const double q[3] = {0.2, 0.7, 0.4}, u[3] = {0.2, 0.7, 0.4 / unit};
  fa.evaluate(0, q, 0, ra, rates);
  fb.evaluate(0, u, 0, rb, rates);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(rb[i], ra[i] * (i % 3 == 2 ? unit : 1), 1e-15 * std::abs(rb[i]));
}

TEST(ContactFrame, APointThatDoesNotMoveWithTheGapIsRefused) {
  Model m = wedge(1, true);
  m.contacts[0].point = {m.q()[0], m.q()[1]};  // the centre: the gap depends on theta too
  const System system(m);
  const double q[3] = {0.2, 0.7, 0.4};
  ContactFrames<double> frames(system);
  double rows[6], rates[2];
  EXPECT_THROW(frames.evaluate(0, q, 0, rows, rates), SolverError);
  try {
    check_frames(system, q, 0);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "system.contact.floor.point");
    EXPECT_NE(std::string(error.what()).find("floor"), std::string::npos);
  }
  EXPECT_NO_THROW(check_frames(System(wedge(1, true)), q, 0));
}

}  // namespace
}  // namespace ricochet::contact_frame_test
