// Derivatives of the rows of contacts against central differences of the rows.
#include "ricochet/mechanics/contact_frame_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::contact_frame_derivative_test {
namespace {

// δ = 1e-5 of numbers of size 1: δ² of third derivatives and ε/δ.
constexpr double delta = 1e-5, tolerance = 2e-9;

void compare(const Model& model, const std::vector<double>& q, double t) {
  const System system(model);
  const int n = system.n();
  ContactFrames<double> frames(system);
  ContactFrameDerivatives derivatives(system);
  ContactFrameDerivative d;
  derivatives.evaluate(0, q.data(), t, d);
  const int rows = 1 + frames.tangents(0), components = frames.components(0);
  struct Values {
    std::vector<double> row, rate, tau, place;
    double scale;
  };
  const auto at = [&](int j, double shift) {
    std::vector<double> x = q;
    if (j < n) x[j] += shift;
    const double time = j == n ? t + shift : t;
    Values v{std::vector<double>(3 * n), std::vector<double>(3), {}, std::vector<double>(3), 0};
    v.scale = frames.evaluate(0, x.data(), time, v.row.data(), v.rate.data());
    for (int a = 0; a + 1 < rows; ++a)
      for (int b = 0; b < components; ++b) v.tau.push_back(frames.direction(0, a)[b]);
    if (components > 0) frames.place(0, x.data(), time, v.place.data());
    return v;
  };
  for (int j = 0; j <= n; ++j) {
    const Values up = at(j, delta), down = at(j, -delta);
    const auto slope = [&](double u, double v) { return (u - v) / (2 * delta); };
    EXPECT_NEAR(d.scale[j], slope(up.scale, down.scale), tolerance);
    for (int a = 0; a < rows; ++a) {
      EXPECT_NEAR(d.rates(a, j), slope(up.rate[a], down.rate[a]), tolerance);
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(d.rows[a](i, j), slope(up.row[a * n + i], down.row[a * n + i]), tolerance) << a << i << j;
    }
    for (int a = 0; a + 1 < rows; ++a)
      for (int b = 0; b < components; ++b)
        EXPECT_NEAR(d.tau[a](b, j), slope(up.tau[a * components + b], down.tau[a * components + b]), tolerance);
    for (int b = 0; b < components; ++b) EXPECT_NEAR(d.place(b, j), slope(up.place[b], down.place[b]), tolerance);
  }
}

TEST(ContactFrameDerivative, OfAPointInThePlaneOnAMovingWavyFloor) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(theta))) / 2;
  const Expr X = x + 0.3 * cos(theta) - 2 * m.time(), Y = y + 0.3 * sin(theta);
  m.contacts = {{.name = "floor", .gap = 1.7 * (Y - 0.2 * sin(X + 2 * m.time())), .law = "coulomb"}};
  m.contacts[0].point = {X, Y};
  compare(m, {0.4, 0.1, 0.7}, 0.3);
}

TEST(ContactFrameDerivative, OfAPointInSpace) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z))) / 2;
  m.contacts = {{.name = "ball", .gap = 1 - sqrt(square(x) + square(y) + square(z)), .law = "coulomb"}};
  m.contacts[0].point = {x, y, z};
  for (const double up : {0.7, -0.7}) compare(m, {0.3, -0.5, up}, 0);
}

TEST(ContactFrameDerivative, OfGivenRows) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  m.contacts = {{.name = "floor", .gap = y, .law = "coulomb"}};
  m.contacts[0].tangent = {{1 + sin(x), x * y * m.time()}};
  compare(m, {0.4, 0.1}, 0.3);
}

}  // namespace
}  // namespace ricochet::contact_frame_derivative_test
