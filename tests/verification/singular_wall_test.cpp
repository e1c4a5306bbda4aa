// A particle that falls towards a singularity, log x or −1/x, and meets a wall before it. A step to its end, through
// the wall, would meet the singularity and often has no solution, while the part up to the wall has one. With e = 0 the
// particle then rests on the wall, pressed to it, whatever the step.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/error.hpp"
#include "support/flight.hpp"

namespace ricochet::singular_wall_test {
namespace {

struct Fall {
  bool kepler;
  double strength, wall, x0, v0, h;

  Model model(bool with_wall) const {
    Model m;
    const Expr x = m.coordinate("x");
    m.lagrangian = square(dot(x)) / 2 - (kepler ? -strength / x : strength * log(x));
    if (with_wall) {
      m.contacts = {{.name = "wall", .gap = x - wall, .law = "newton"}};
      m.contacts[0].restitution = m.graph->constant(0);
    }
    return m;
  }
  double force(double x) const { return kepler ? -strength / (x * x) : -strength / x; }
  double slope(double x) const { return kepler ? 2 * strength / (x * x * x) : strength / (x * x); }

  // Does the midpoint rule, q = x + s v + s²/2 F((x + q)/2), have a solution for every s up to the wall or the end of
  // the step? By continuation in s.
  bool reaches(double x, double v) const {
    double q = x;
    for (int k = 1; k <= 4000; ++k) {
      const double s = h * k / 4000, before = q;
      for (int i = 0; i < 20; ++i)
        q -= (q - x - s * v - s * s / 2 * force((x + q) / 2)) / (1 - s * s / 4 * slope((x + q) / 2));
      const bool folded =
          !(1 - s * s / 4 * slope((x + q) / 2) > 0);  // two solutions have met, and there is none beyond
      if (folded || !(std::abs(q - before) < 0.05)) return false;
      if (q < wall) return true;
    }
    return true;
  }
};

TEST(SingularWall, TheStepIsSearchedAsFarAsItGoes) {
  std::mt19937 engine(6);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  int falls = 0, without_solution[2] = {0, 0};
  for (int trial = 0; trial < 300; ++trial) {
    Fall f{trial % 2 == 0, std::pow(10, real(-1, 0.7)),   real(0.03, 0.2), 0,
           real(-3, 0),    std::pow(10, real(-1.5, -0.3))};
    f.x0 = f.wall + real(0.05, 1);
    for (const char* rule : {"midpoint", "galerkin"}) {
      const bool midpoint = std::string(rule) == "midpoint";
      Flight run(f.model(true), collision(f.h, rule), {f.x0}, {f.v0});
      bool rests = false, reaches = true;
      for (int k = 0; k < 1000 && !rests && reaches; ++k) {
        reaches = f.reaches(run.state.q[0], run.state.p[0]);
        if (!reaches) break;
        Flight unsplit(f.model(false), {.method = "variational", .discretization = rule, .step = f.h, .parameters = {}},
                       run.state.q, run.state.p);
        const std::vector<double> q = run.state.q;
        try {
          unsplit.step();
        } catch (const SolverError&) {
          ++without_solution[midpoint ? 0 : 1];
        }
        ASSERT_NO_THROW(run.step()) << trial << rule << " from " << q[0];
        rests = !run.state.modes.empty() && run.state.modes[0] != 0;
      }
      if (!reaches) continue;  // no such step, wall or not
      ++falls;
      EXPECT_TRUE(rests) << trial << rule;
      EXPECT_NEAR(run.state.q[0], f.wall, 1e-15) << trial << rule;
      EXPECT_NEAR(run.state.p[0], 0, 1e-13) << trial << rule;
      run.step();
      EXPECT_NEAR(run.state.q[0], f.wall, 1e-15) << trial << rule;
    }
  }
  EXPECT_GT(falls, 400);
  EXPECT_GT(without_solution[0], 50);
  EXPECT_GT(without_solution[1], 50);
}

}  // namespace
}  // namespace ricochet::singular_wall_test
