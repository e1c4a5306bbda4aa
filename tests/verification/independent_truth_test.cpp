// Motions with impacts that have no closed form, against an integration of their own: the classical Runge–Kutta method
// with tiny steps, impacts by bisection, and Routh's process of a rubbing contact written down once more. A particle in
// a potential with drag, over a wavy floor that moves, with every law of a single contact.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "support/flight.hpp"

namespace ricochet::independent_truth_test {
namespace {

using State4 = std::array<double, 4>;  // x, y, x', y'

struct Hit {
  double time;
  State4 after;
};

// A random system twice: as a model, and by hand.
struct World {
  double m, a, b, k, c, drag, wave, number, lift, rate, e, mu;
  std::string law;
  State4 start;

  explicit World(std::mt19937& engine) {
    const auto real = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(engine);
    };
    m = real(0.4, 2.5), a = real(5, 10), b = real(-1, 1), k = real(1, 3), c = real(0, 2), drag = real(0, 0.3);
    wave = real(-0.2, 0.2), number = real(0.5, 3), lift = real(0, 0.05), rate = real(2, 8);
    const char* laws[] = {"elastic", "newton", "coulomb", "plastic"};
    law = laws[std::uniform_int_distribution<int>(0, 2)(engine)];
    e = law == "elastic" ? 1 : real(0.6, 0.95);
    mu = real(0, 0.8);
    start = {real(-1, 1), real(0.5, 0.9), real(-1.5, 1.5), real(-1, 1)};
  }
  Model model() const {
    Model M;
    const Expr x = M.coordinate("x"), y = M.coordinate("y");
    M.lagrangian = (square(dot(x)) + m * square(dot(y))) / 2 - a * y - b * sin(k * x) - c / 2 * square(y) - 0.2 * x * y;
    M.forces = {{"drag", {-drag * dot(x), -drag * dot(y)}}};
    Contact floor{
        .name = "floor", .gap = y - wave * sin(number * x) - lift * sin(rate * M.time()), .law = law, .point = {x, y}};
    if (law != "elastic") floor.restitution = M.graph->constant(e);
    if (law == "coulomb") floor.friction = M.graph->constant(mu);
    M.contacts = {floor};
    return M;
  }
  State4 slope(const State4& s) const {
    return {s[2], s[3], -b * k * std::cos(k * s[0]) - 0.2 * s[1] - drag * s[2],
            (-a - c * s[1] - 0.2 * s[0] - drag * s[3]) / m};
  }
  double gap(const State4& s, double t) const {
    return s[1] - wave * std::sin(number * s[0]) - lift * std::sin(rate * t);
  }
  State4 flow(const State4& s, double h) const {
    const auto shifted = [&](const State4& d, double f) {
      State4 r;
      for (int i = 0; i < 4; ++i) r[i] = s[i] + f * d[i];
      return r;
    };
    const State4 k1 = slope(s), k2 = slope(shifted(k1, h / 2)), k3 = slope(shifted(k2, h / 2)),
                 k4 = slope(shifted(k3, h));
    State4 r;
    for (int i = 0; i < 4; ++i) r[i] = s[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return r;
  }
  // Routh's process in the plane: Λ_n grows; Λ_t follows slip or stick; works are areas under c_n(Λ_n).
  void hit(State4& s, double t) const {
    const double fx = wave * number * std::cos(number * s[0]), size = std::hypot(fx, 1);
    const double n[] = {-fx / size, 1 / size}, u[] = {1 / size, fx / size};
    double cn = n[0] * s[2] + n[1] * s[3] - lift * rate * std::cos(rate * t) / size, ct = u[0] * s[2] + u[1] * s[3];
    const double nn = n[0] * n[0] + n[1] * n[1] / m, nt = n[0] * u[0] + n[1] * u[1] / m,
                 tt = u[0] * u[0] + u[1] * u[1] / m;
    const double friction = law == "coulomb" ? mu : 0;
    double Ln = 0, Lt = 0, work = 0, target = 0;
    bool compression = true;
    for (int phase = 0; phase < 10; ++phase) {
      double f = ct > 0 ? -friction : friction;  // dΛ_t/dΛ_n
      if (ct == 0) f = std::abs(nt) <= friction * tt ? -nt / tt : nt > 0 ? -friction : friction;
      const double dn = nn + f * nt, dt = nt + f * tt;  // rates of c_n, c_t
      double step = ct != 0 && ct * dt < 0 ? -ct / dt : INFINITY;
      bool stops = step < INFINITY;
      if (compression && -cn / dn <= step) step = -cn / dn, stops = false;
      if (!compression) {  // work + c_n x + d_n x²/2 = target
        const double x = (-cn + std::sqrt(cn * cn + 2 * dn * (target - work))) / dn;
        if (x <= step) {
          Ln += x, Lt += f * x;
          break;
        }
      }
      work += cn * step + dn * step * step / 2;
      cn += dn * step, ct = stops ? 0 : ct + dt * step;
      Ln += step, Lt += f * step;
      if (compression && !stops) compression = false, cn = 0, target = work * (1 - e * e);
    }
    s[2] += n[0] * Ln + u[0] * Lt;
    s[3] += (n[1] * Ln + u[1] * Lt) / m;
  }
  std::vector<Hit> truth(double end) const {
    std::vector<Hit> hits;
    State4 s = start;
    double t = 0;
    const double h = 2.5e-4;
    while (t < end) {
      const State4 next = flow(s, h);
      if (gap(next, t + h) >= 0) {
        s = next, t += h;
        continue;
      }
      double low = 0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (gap(flow(s, middle), t + middle) >= 0 ? low : high) = middle;
      }
      s = flow(s, low), t += low;
      hit(s, t);
      hits.push_back({t, s});
      const double rest = 1e-9;  // off the floor again
      s = flow(s, rest), t += rest;
    }
    return hits;
  }
};

// The largest difference over the first impacts, time and velocity after each.
double difference(const World& world, const std::vector<Hit>& hits, const IntegratorOptions& options) {
  Flight run(world.model(), options, {world.start[0], world.start[1]}, {world.start[2], world.start[3]});
  std::size_t k = 0;
  double worst = 0;
  while (k < hits.size() && run.k * run.h < hits.back().time + 1) {
    run.step();
    for (const Impact& impact : run.work->impacts) {
      if (k == hits.size()) break;
      worst = std::max({worst, std::abs(impact.time - hits[k].time), std::abs(impact.v_after[0] - hits[k].after[2]),
                        std::abs(impact.v_after[1] - hits[k].after[3])});
      ++k;
    }
  }
  return k == hits.size() ? worst : INFINITY;
}

TEST(IndependentTruth, ReferenceAndOrderOfTheCollisionIntegrator) {
  std::mt19937 engine(4);
  std::vector<double> orders;
  for (int trial = 0; trial < 40; ++trial) {
    const World world(engine);
    std::vector<Hit> hits = world.truth(1.5);
    if (hits.size() > 2) hits.resize(2);
    if (hits.empty() || (hits.size() > 1 && hits[1].time - hits[0].time < 0.1)) continue;
    // bisection starts 1e-9 late after an impact; h⁴ of the Runge–Kutta steps is less
    EXPECT_LE(difference(world, hits, {.method = "reference", .discretization = "", .step = 0.01, .parameters = {}}),
              1e-8)
        << trial << " " << world.law;
    for (const char* rule : {"trapezoidal", "midpoint"}) {
      const double coarse = difference(world, hits, collision(0.004, rule, "continuous")),
                   fine = difference(world, hits, collision(0.001, rule, "continuous"));
      EXPECT_LE(fine, 1e-4) << trial << " " << world.law << " " << rule;
      orders.push_back(std::log(coarse / fine) / std::log(4));
    }
  }
  ASSERT_GE(orders.size(), 40u);
  std::nth_element(orders.begin(), orders.begin() + orders.size() / 2, orders.end());
  EXPECT_NEAR(orders[orders.size() / 2], 2, 0.1);
}

}  // namespace
}  // namespace ricochet::independent_truth_test
