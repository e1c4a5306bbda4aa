// A gas of hard discs in a box: many contacts, of which each step meets some, in the right order. Every collision
// against an event-driven simulation by hand, at steps from a small part of a flight to many collisions. Discs scatter:
// a few more simulations, from starts moved by δ, show how far errors have grown, and what can be compared.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "support/flight.hpp"

namespace ricochet::hard_discs_test {
namespace {

struct Disc {
  double x, y, vx, vy, r, m;
};

struct Collision {
  double time = 0;
  int i = -1, j = -1;  // j = −1 … −4: the walls left, right, bottom, top
};

// Collisions one by one, times from quadratic equations.
class Gas {
 public:
  explicit Gas(std::vector<Disc> discs) : discs(std::move(discs)) {}
  std::vector<Disc> discs;

  Collision next() {
    Collision first;
    double best = std::numeric_limits<double>::infinity();
    const auto consider = [&](double t, int i, int j) {
      if (t >= 0 && t < best && !(i == last_.i && j == last_.j)) best = t, first.i = i, first.j = j;
    };
    for (int i = 0; i < static_cast<int>(discs.size()); ++i) {
      const Disc& a = discs[i];
      if (a.vx < 0) consider((a.r - a.x) / a.vx, i, -1);
      if (a.vx > 0) consider((1 - a.r - a.x) / a.vx, i, -2);
      if (a.vy < 0) consider((a.r - a.y) / a.vy, i, -3);
      if (a.vy > 0) consider((1 - a.r - a.y) / a.vy, i, -4);
      for (int j = i + 1; j < static_cast<int>(discs.size()); ++j) {
        const Disc& b = discs[j];
        const double dx = b.x - a.x, dy = b.y - a.y, ux = b.vx - a.vx, uy = b.vy - a.vy, s = a.r + b.r;
        const double A = ux * ux + uy * uy, B = dx * ux + dy * uy, C = dx * dx + dy * dy - s * s, D = B * B - A * C;
        if (B < 0 && D > 0) consider(C / (-B + std::sqrt(D)), i, j);
      }
    }
    for (Disc& d : discs) d.x += best * d.vx, d.y += best * d.vy;
    first.time = time_ += best;
    Disc& a = discs[first.i];
    if (first.j == -1 || first.j == -2) a.vx = -a.vx;
    if (first.j == -3 || first.j == -4) a.vy = -a.vy;
    if (first.j >= 0) {
      Disc& b = discs[first.j];
      const double dx = b.x - a.x, dy = b.y - a.y, d = std::hypot(dx, dy), nx = dx / d, ny = dy / d;
      const double impulse = 2 * a.m * b.m / (a.m + b.m) * ((b.vx - a.vx) * nx + (b.vy - a.vy) * ny);
      a.vx += impulse / a.m * nx, a.vy += impulse / a.m * ny;
      b.vx -= impulse / b.m * nx, b.vy -= impulse / b.m * ny;
    }
    return last_ = first;
  }

 private:
  double time_ = 0;
  Collision last_;  // which does not happen again at once
};

double distance(const Gas& a, const Gas& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.discs.size(); ++i)
    worst = std::max({worst, std::abs(a.discs[i].x - b.discs[i].x), std::abs(a.discs[i].y - b.discs[i].y),
                      std::abs(a.discs[i].vx - b.discs[i].vx), std::abs(a.discs[i].vy - b.discs[i].vy)});
  return worst;
}

// Names of contacts: "i left", "i right" …, "i j".
Model model_of(const std::vector<Disc>& discs, bool squared) {
  Model m;
  std::vector<Expr> x, y;
  Expr L = m.graph->constant(0);
  for (std::size_t i = 0; i < discs.size(); ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i)));
    y.push_back(m.coordinate("y" + std::to_string(i)));
    L = L + discs[i].m / 2 * (square(dot(x[i])) + square(dot(y[i])));
  }
  m.lagrangian = L;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const std::string name = std::to_string(i);
    const double r = discs[i].r;
    m.contacts.push_back({.name = name + " -1", .gap = x[i] - r});
    m.contacts.push_back({.name = name + " -2", .gap = 1 - r - x[i]});
    m.contacts.push_back({.name = name + " -3", .gap = y[i] - r});
    m.contacts.push_back({.name = name + " -4", .gap = 1 - r - y[i]});
    for (std::size_t j = i + 1; j < discs.size(); ++j) {
      const Expr d2 = square(x[i] - x[j]) + square(y[i] - y[j]);
      const double s = r + discs[j].r;
      m.contacts.push_back({.name = name + " " + std::to_string(j), .gap = squared ? d2 - s * s : sqrt(d2) - s});
    }
  }
  return m;
}

TEST(HardDiscs, EveryCollisionInItsOrder) {
  std::mt19937 engine(3);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  constexpr double delta = 1e-10, eps = std::numeric_limits<double>::epsilon();
  int collisions = 0, most = 0;
  const int trials = std::getenv("RICOCHET_LONG") != nullptr ? 3000 : 60;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Disc> discs;
    const int n = 2 + trial % 6;
    while (static_cast<int>(discs.size()) < n) {
      const double r = real(0.03, 0.12);
      Disc d{real(r, 1 - r), real(r, 1 - r), real(-1, 1), real(-1, 1), r, std::exp(real(-1, 1))};
      bool clear = true;
      for (const Disc& other : discs) clear &= std::hypot(d.x - other.x, d.y - other.y) > d.r + other.r + 0.01;
      if (clear) discs.push_back(d);
    }
    Gas exact(discs);
    std::vector<Gas> moved(6, exact);
    for (Gas& gas : moved)
      for (Disc& d : gas.discs)
        for (double* x : {&d.x, &d.y, &d.vx, &d.vy}) *x += delta * real(-1, 1);
    double growth = 1;
    const double h = std::pow(10, real(-2.5, 0.7));
    const char* rules[] = {"trapezoidal", "midpoint", "galerkin"};
    IntegratorOptions options = collision(h, rules[trial % 3], trial % 2 == 0 ? "discrete" : "continuous");
    options.parameters["eps_g"] = 0.0;
    std::vector<double> q, v;
    for (const Disc& d : discs) q.insert(q.end(), {d.x, d.y}), v.insert(v.end(), {d.vx, d.vy});
    Flight run(model_of(discs, trial % 4 == 1), options, q, v);
    bool comparable = true;
    while (comparable && run.k < 3000) {
      run.step();
      most = std::max(most, static_cast<int>(run.work->impacts.size()));
      for (const Impact& impact : run.work->impacts) {
        const Collision expected = exact.next();
        for (Gas& gas : moved) {  // which must not have changed the order of events
          const Collision other = gas.next();
          comparable &= other.i == expected.i && other.j == expected.j;
          growth = std::fmax(growth, distance(exact, gas) / delta);
        }
        const double tolerance = 16 * eps * (16 + run.k) * growth;  // each step rounds
        if (!(comparable &= tolerance < 1e-7)) break;
        ASSERT_EQ(impact.contacts.size(), 1u) << trial;
        ASSERT_EQ(run.system->gaps()[impact.contacts[0].contact].name,
                  std::to_string(expected.i) + " " + std::to_string(expected.j))
            << "trial " << trial << ", h = " << h << ", collision at " << expected.time;
        ASSERT_NEAR(impact.time, expected.time, tolerance) << trial;
        for (int i = 0; i < n; ++i) {
          ASSERT_NEAR(impact.q[2 * i], exact.discs[i].x, tolerance) << trial;
          ASSERT_NEAR(impact.q[2 * i + 1], exact.discs[i].y, tolerance) << trial;
          ASSERT_NEAR(impact.v_after[2 * i], exact.discs[i].vx, tolerance) << trial;
          ASSERT_NEAR(impact.v_after[2 * i + 1], exact.discs[i].vy, tolerance) << trial;
        }
        ++collisions;
      }
    }
  }
  EXPECT_GE(collisions, 600);
  EXPECT_GE(most, 10);  // in one step
}

}  // namespace
}  // namespace ricochet::hard_discs_test
