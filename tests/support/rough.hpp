#pragma once
// Contacts with friction, and random bodies on a rough slope.

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"

namespace ricochet {

inline Contact rough(Model& m, const std::string& name, Expr gap, std::vector<Expr> point, double friction,
                     double e = 0) {
  Contact c{.name = name, .gap = gap};
  c.law = "coulomb";
  c.restitution = m.graph->constant(e);
  c.friction = m.graph->constant(friction);
  c.point = std::move(point);
  return c;
}

struct RoughBody {
  Model model;
  std::vector<double> q, v;
};

// A polygon of 3 or 4 vertices above a slope, or touching it, which shakes by this amplitude.
inline RoughBody random_rough_body(std::mt19937& engine, double shake) {
  const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  RoughBody body;
  Model& m = body.model;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  const double J = real(0.02, 0.3), weight = real(3, 12), slope = real(-0.5, 0.5), mass = std::exp(real(-2, 2));
  m.lagrangian = mass * ((square(dot(x)) + square(dot(y)) + J * square(dot(theta))) / 2 -
                         weight * (y * std::cos(slope) - x * std::sin(slope)));
  const Expr floor = shake * sin(real(5, 15) * m.time());
  const int vertices = 3 + static_cast<int>(real(0, 2));
  const double friction = real(0.05, 0.9), e = real(-0.4, 0.4), angle = real(0, 6.28);
  double lowest = 0;
  for (int k = 0; k < vertices; ++k) {
    const double turn = 2 * M_PI * (k + real(-0.15, 0.15)) / vertices, r = real(0.3, 0.6);
    const double px = r * std::cos(turn), py = r * std::sin(turn);
    lowest = std::fmin(lowest, px * std::sin(angle) + py * std::cos(angle));
    const Expr X = x + px * cos(theta) - py * sin(theta), Y = y + px * sin(theta) + py * cos(theta) - floor;
    m.contacts.push_back(rough(m, "v" + std::to_string(k), Y, {X, Y}, friction, std::fmax(0, e)));
  }
  body.q = {0, -lowest + std::fmax(0, real(-0.1, 0.1)), angle};
  body.v = {real(-1, 1), real(-0.5, 0), real(-1, 1)};
  return body;
}

// Blocks of half widths a[i] and half heights b[i], the first on a table that moves by (X, Y), each further one on the
// one below, `offset` to its right; every corner with friction. Gravity is turned by `slope`.
struct Stack {
  std::vector<double> a, b, offset, mass;
  double slope = 0, friction = 0.3, e = 0;
};

inline RoughBody stack(const Stack& s, const std::function<std::pair<Expr, Expr>(Expr t)>& table = {}) {
  RoughBody body;
  Model& m = body.model;
  const std::size_t n = s.a.size();
  std::vector<Expr> x, y, theta;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    x.push_back(m.coordinate("x" + k)), y.push_back(m.coordinate("y" + k)), theta.push_back(m.coordinate("q" + k));
  }
  m.lagrangian = m.graph->constant(0);
  double height = 0, place = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = s.a[i], b = s.b[i];
    m.lagrangian =
        m.lagrangian +
        s.mass[i] * ((square(dot(x[i])) + square(dot(y[i])) + (a * a + b * b) / 3 * square(dot(theta[i]))) / 2 -
                     9.81 * (y[i] * std::cos(s.slope) - x[i] * std::sin(s.slope)));
    place += i > 0 ? s.offset[i] : 0;
    height += b;
    for (const double q : {place, height, 0.0}) body.q.push_back(q), body.v.push_back(0);
    height += b;
    for (const double side : {-a, a}) {
      const Expr X = x[i] + side * cos(theta[i]) + b * sin(theta[i]),
                 Y = y[i] + side * sin(theta[i]) - b * cos(theta[i]);
      const std::string name = std::to_string(i) + (side < 0 ? "left" : "right");
      if (i == 0) {
        const auto [u, w] = table ? table(m.time()) : std::pair{m.graph->constant(0), m.graph->constant(0)};
        m.contacts.push_back(rough(m, name, Y - w, {X - u, Y - w}, s.friction, s.e));
      } else {  // as the block below sees it
        const Expr dx = X - x[i - 1], dy = Y - y[i - 1], c = cos(theta[i - 1]), d = sin(theta[i - 1]);
        m.contacts.push_back(
            rough(m, name, dy * c - dx * d - s.b[i - 1], {dx * c + dy * d, dy * c - dx * d}, s.friction, s.e));
      }
    }
  }
  return body;
}

// A table on four legs at (±a, ±b, −c), turned by roll, pitch and yaw, in gravity along (gx, gy, −gz).
inline RoughBody four_legs(double a, double b, double c, double friction, double gx, double gy, double gz) {
  RoughBody body;
  Model& m = body.model;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  const Expr roll = m.coordinate("roll"), pitch = m.coordinate("pitch"), yaw = m.coordinate("yaw");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z)) +
                  0.1 * (square(dot(roll)) + square(dot(pitch)) + square(dot(yaw)))) /
                     2 +
                 gx * x + gy * y - gz * z;
  int leg = 0;
  for (const double p : {-a, a})
    for (const double q : {-b, b}) {
      // turned by roll about x, then by pitch about y, then by yaw about z
      const Expr y1 = q * cos(roll) + c * sin(roll), z1 = q * sin(roll) - c * cos(roll);
      const Expr x2 = p * cos(pitch) + z1 * sin(pitch), z2 = z1 * cos(pitch) - p * sin(pitch);
      const Expr X = x + x2 * cos(yaw) - y1 * sin(yaw), Y = y + x2 * sin(yaw) + y1 * cos(yaw), Z = z + z2;
      m.contacts.push_back(rough(m, "leg" + std::to_string(leg++), Z, {X, Y, Z}, friction));
    }
  body.q = {0, 0, c, 0, 0, 0};
  body.v = {0, 0, 0, 0, 0, 0};
  return body;
}

}  // namespace ricochet
