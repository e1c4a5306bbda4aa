#pragma once
// Discs in a box, every contact with the same law; and statics of them by hand.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"
#include "ricochet/numerics/nonnegative_least_squares.hpp"

namespace ricochet::discs {

struct Disc {
  double x, y, r, m;
};

struct Box {
  double width = 1, height = INFINITY;  // no lid
};

// Lengths and times as written, multiplied by these.
struct Scale {
  double length = 1, time = 1;
};

inline Model model(const std::vector<Disc>& discs, const Box& box, const std::string& law, double e, double gravity = 1,
                   const Scale& scale = {}) {
  Model m;
  std::vector<Expr> x, y;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i)));
    y.push_back(m.coordinate("y" + std::to_string(i)));
  }
  m.lagrangian = m.graph->constant(0);
  const auto touch = [&](const std::string& name, const Expr& gap) {
    Contact contact{.name = name, .gap = gap, .law = law};
    if (law == "newton") contact.restitution = m.graph->constant(e);
    m.contacts.push_back(contact);
  };
  const double g = gravity * scale.length / (scale.time * scale.time);
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const Disc& a = discs[i];
    const double r = a.r * scale.length;
    m.lagrangian = m.lagrangian + a.m / 2 * (square(dot(x[i])) + square(dot(y[i]))) - a.m * g * y[i];
    const std::string name = std::to_string(i);
    touch("floor " + name, y[i] - r);
    touch("left " + name, x[i] - r);
    touch("right " + name, box.width * scale.length - x[i] - r);
    if (std::isfinite(box.height)) touch("lid " + name, box.height * scale.length - y[i] - r);
    for (std::size_t j = 0; j < i; ++j)
      touch(name + " " + std::to_string(j),
            sqrt(square(x[i] - x[j]) + square(y[i] - y[j])) - (a.r + discs[j].r) * scale.length);
  }
  return m;
}

inline std::vector<double> places(const std::vector<Disc>& discs) {
  std::vector<double> q;
  for (const Disc& d : discs) q.insert(q.end(), {d.x, d.y});
  return q;
}

// |weights − forces| / |weights| for the best forces >= 0 of what is within `near`.
inline double unbalanced(const std::vector<Disc>& discs, const Box& box, const std::vector<double>& q, double near) {
  const int n = static_cast<int>(discs.size());
  std::vector<std::vector<double>> normals;
  const auto add = [&](int i, double nx, double ny, int j) {
    std::vector<double> normal(2 * n, 0.0);
    normal[2 * i] = nx, normal[2 * i + 1] = ny;
    if (j >= 0) normal[2 * j] = -nx, normal[2 * j + 1] = -ny;
    normals.push_back(normal);
  };
  for (int i = 0; i < n; ++i) {
    const double x = q[2 * i], y = q[2 * i + 1], r = discs[i].r;
    if (y - r < near) add(i, 0, 1, -1);
    if (x - r < near) add(i, 1, 0, -1);
    if (box.width - x - r < near) add(i, -1, 0, -1);
    if (box.height - y - r < near) add(i, 0, -1, -1);
    for (int j = 0; j < i; ++j) {
      const double dx = x - q[2 * j], dy = y - q[2 * j + 1], d = std::hypot(dx, dy);
      if (d - r - discs[j].r < near) add(i, dx / d, dy / d, j);
    }
  }
  NonnegativeLeastSquares<double> forces;
  const int m = static_cast<int>(normals.size());
  forces.resize(m);
  for (int k = 0; k < m; ++k) {
    forces.b(k) = 0;
    for (int i = 0; i < n; ++i) forces.b(k) -= normals[k][2 * i + 1] * discs[i].m;
    for (int l = 0; l < m; ++l) {
      forces.gram(k, l) = 0;
      for (int i = 0; i < 2 * n; ++i) forces.gram(k, l) += normals[k][i] * normals[l][i];
    }
  }
  forces.solve();
  double rest = 0, all = 0;
  for (int i = 0; i < 2 * n; ++i) {
    double sum = i % 2 == 0 ? 0 : -discs[i / 2].m;
    all = std::hypot(all, sum);
    for (int k = 0; k < m; ++k) sum += forces.y(k) * normals[k][i];
    rest = std::hypot(rest, sum);
  }
  return rest / all;
}

}  // namespace ricochet::discs
