#pragma once
// Contacts with friction, and random bodies on a rough slope.

#include <cmath>
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

}  // namespace ricochet
