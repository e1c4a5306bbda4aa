// Waves, fronts and shocks against closed forms: d'Alembert, the jump conditions, Riemann's simple wave.

#include <gtest/gtest.h>

#include "ricochet/continuum/verlet.hpp"
#include "support/bars.hpp"

namespace ricochet::continuum_waves_test {
namespace {

namespace ct = continuum;

using test::value;

// At Courant number 1 a wave of any shape moves one node a step, exactly: d'Alembert with images at the free ends, for
// bars of random size and material. Round-off of a few hundred steps.
TEST(ContinuumWaves, AreDAlemberts) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(0.2, 5);
  for (int trial = 0; trial < 20; ++trial) {
    const double L = uniform(random), rho = uniform(random), E = uniform(random), c = std::sqrt(E / rho),
                 size = std::exp2(std::uniform_int_distribution<int>(-40, 40)(random));
    const int cells = std::uniform_int_distribution<int>(5, 80)(random);
    const auto shape = [&](double X) { return size * std::cos(3.141592653589793 * X / L); };  // even about both ends
    ct::Model model = test::bodies({test::rod("bar", 0, L, cells, 0, rho, E)});
    model.bodies[0].displacement = shape;
    const ct::Bar bar(model);
    ct::Verlet verlet(bar);
    std::vector<double> u;
    for (int n = 1; n <= 300; ++n) {
      verlet.advance((n - 1) * bar.step, bar.step);
      verlet.bring_to(0, u);
      for (std::size_t i = 0; i < u.size(); i += 3) {
        const double X = bar.X[i], ct_ = n * L / cells;
        ASSERT_NEAR(u[i], 0.5 * (shape(X - ct_) + shape(X + ct_)), 1e-11 * size) << trial << " " << n << " " << c;
      }
    }
  }
}

// Below Courant number 1 Verlet's method is of second order: the first mode of a bar, its error at t = 1.
TEST(ContinuumWaves, SecondOrderInStepAndCell) {
  double previous = 0;
  for (int level = 0; level < 4; ++level) {
    const int cells = 10 << level;
    ct::Model model = test::bodies({test::rod("bar", 0, 1, cells)}, 0.6);
    model.bodies[0].displacement = [](double X) { return std::cos(3.141592653589793 * X); };
    const ct::Bar bar(model);
    ct::Verlet verlet(bar);
    std::vector<double> u;
    int n = 0;
    for (; n * bar.step < 0.999; ++n) verlet.advance(n * bar.step, bar.step);
    verlet.bring_to(0, u);
    double worst = 0;
    for (std::size_t i = 0; i < u.size(); ++i)
      worst = std::max(
          worst, std::abs(u[i] - std::cos(3.141592653589793 * bar.X[i]) * std::cos(3.141592653589793 * n * bar.step)));
    if (level > 0) {
      EXPECT_GT(previous / worst, 3) << level;
    }
    previous = worst;
  }
}

// v_T = 2Z₁/(Z₁+Z₂), v_R = (Z₁−Z₂)/(Z₁+Z₂), P_T = 2Z₂/(Z₁+Z₂) of the incident front.
TEST(ContinuumWaves, AFrontAtAnotherMaterial) {
  for (const double Z2 : {4.0, 0.5}) {
    ct::Model model = test::bodies({test::rod("one", 0, 1, 100), test::rod("two", 1, 1, 100, 0, Z2, Z2)});
    model.bonds = {{"one", "two"}};
    model.bodies[0].left_end = [](double t) { return 0.01 * t; };
    model.probes = {{"T", false, "two", "", ""}, {"R", false, "one", "", ""}};
    const Summary s = test::run_bodies(model, 1.5);
    EXPECT_NEAR(value(s.probes, "T", "behind.velocity"), 0.02 / (1 + Z2), 1e-12);
    EXPECT_NEAR(value(s.probes, "R", "behind.velocity") - value(s.probes, "R", "ahead.velocity"),
                0.01 * (1 - Z2) / (1 + Z2), 1e-12);
    EXPECT_NEAR(value(s.probes, "T", "behind.stress"), -0.02 * Z2 / (1 + Z2), 1e-12);
    for (const char* name : {"T", "R"})
      for (const char* balance : {"momentum", "energy", "configurational", "maxwell"})
        EXPECT_NEAR(value(s.probes, name, std::string("residuals.") + balance), 0, 1e-12) << name << balance;
  }
}

TEST(ContinuumWaves, AFreeSurfaceDoublesTheVelocity) {
  ct::Model model = test::bodies({test::rod("bar", 0, 1, 100)});
  model.bodies[0].left_end = [](double t) { return 0.01 * t; };
  model.probes = {{"front", false, "bar", "", ""}};
  const Summary s = test::run_bodies(model, 1.6);
  EXPECT_NEAR(value(s.probes, "front", "behind.velocity"), 0.02, 1e-12);
  EXPECT_NEAR(value(s.probes, "front", "behind.stress"), 0, 1e-12);
  EXPECT_NEAR(value(s.probes, "front", "position"), 0.4, 1e-12);
}

ct::Model driven(const ct::Law& law, double speed, int cells) {
  ct::Model model = test::bodies({test::rod("bar", 0, 4, cells)}, 0.5);
  model.bodies[0].material.law = law;
  model.bodies[0].left_end = [speed](double t) { return speed * t; };
  model.viscosity = {0.1, 2};
  model.probes = {{"shock", false, "bar", "", ""}};
  return model;
}

// P = ε − 2ε², ε = −0.1: U = √1.2, dissipation U|b||ε|³/6, by the probe and by the work of the viscosity, whose
// distance from it comes from the start-up of the shock and halves with the cells.
TEST(ContinuumWaves, ShockInABarThatStiffens) {
  const double U = std::sqrt(1.2), dissipation = U * 2 * 1e-3 / 6;
  double previous = 0;
  for (const int cells : {400, 800, 1600}) {
    const Summary s = test::run_bodies(driven(ct::Quadratic{1, -2}, 0.1 * U, cells), 3);
    EXPECT_NEAR(value(s.probes, "shock", "speed"), U, 1e-3 * U);
    const double rate = -test::scalar(s, "loss.viscosity").final / s.time_end, error = std::abs(rate - dissipation);
    if (cells == 1600) {
      EXPECT_NEAR(rate, dissipation, 0.03 * dissipation);
      EXPECT_NEAR(value(s.probes, "shock", "residuals.energy"), dissipation, 0.03 * dissipation);
    }
    if (cells > 400) {
      EXPECT_LT(error, 0.6 * previous) << cells;
    }
    previous = error;
  }
}

TEST(ContinuumWaves, PistonInAGas) {
  const struct {
    double v, U, p, dissipation;
  } cases[] = {{0.1, 1.199247, 0.1199247, 6.9175e-4}, {0.3, 1.587350, 0.4762051, 1.92570e-2}};
  for (const auto& x : cases) {
    ct::Model model = driven(test::gas("(J^-7 - 1)/7"), x.v, 800);
    model.courant = x.v > 0.2 ? 0.15 : 0.5;  // the gas becomes stiffer by J⁻⁴ = 2.4
    const Summary s = test::run_bodies(model, 2);
    ASSERT_EQ(s.status, "completed") << s.message;
    EXPECT_NEAR(value(s.probes, "shock", "speed"), x.U, 0.01 * x.U);
    EXPECT_NEAR(-value(s.probes, "shock", "behind.stress"), x.p, 0.01 * x.p);
    EXPECT_NEAR(-test::scalar(s, "loss.viscosity").final / 2, x.dissipation, 0.05 * x.dissipation);
  }
}

// A wave v_i of the bar meets a gas: at the surface the simple wave says p(v) = ((1 + 3v)^{7/3} − 1)/7 and the traction
// t·N = −p says p(v) = Z(2v_i − v). The velocity of the surface, to 1e-5.
TEST(ContinuumWaves, ABarAgainstAGas) {
  const double A = 0.01, w = 0.05, Z = 4;
  ct::Model model = test::bodies({test::rod("bar", 0, 1, 800, 0, 4, 4), test::rod("gas", 1, 1, 800)}, 0.7);
  model.bodies[0].velocity = [=](double X) { return A / std::pow(std::cosh((X - 0.5) / w), 2); };
  model.bodies[0].displacement = [=](double X) { return A * w * (std::tanh(0.5 / w) - std::tanh((X - 0.5) / w)); };
  model.bodies[1].material.law = test::gas("(J^-7 - 1)/7");
  model.bonds = {{"bar", "gas"}};
  const ct::Bar bar(model);
  ct::Verlet verlet(bar);
  double largest = 0;
  for (int n = 0; n * bar.step < 1; ++n) {
    verlet.advance(n * bar.step, bar.step);
    const double t = (n + 0.5) * bar.step, vi = A / std::pow(std::cosh((0.5 - t) / w), 2);
    double v = vi;
    for (int k = 0; k < 50; ++k)
      v -= ((std::pow(1 + 3 * v, 7.0 / 3) - 1) / 7 - Z * (2 * vi - v)) / (std::pow(1 + 3 * v, 4.0 / 3) + Z);
    EXPECT_NEAR(verlet.velocities()[800], v, 1e-5) << t;
    largest = std::max(largest, v);
  }
  EXPECT_GT(largest, 0.015);
}

}  // namespace
}  // namespace ricochet::continuum_waves_test
