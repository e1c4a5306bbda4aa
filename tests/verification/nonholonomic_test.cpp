// Nonholonomic collisions against numbers of independent programs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "ricochet/error.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::nonholonomic_test {
namespace {

// Spherical pendulum in a cylinder with φ' = f(θ) θ', f = π + cos²θ [RAC 4.4].
Model cylinder_pendulum() {
  Model m;
  const Expr theta = m.coordinate("theta"), phi = m.coordinate("phi");
  m.lagrangian = 2 * (square(dot(theta)) + square(sin(theta)) * square(dot(phi))) - 19.6 * cos(theta);
  m.nonholonomic = {{"screw", dot(phi) - (M_PI + square(cos(theta))) * dot(theta)}};
  m.contacts = {{.name = "cylinder", .gap = 1.5 - 2 * abs(sin(theta))}};
  return m;
}

std::vector<double> pendulum_velocity() { return {0.25 * M_PI, (M_PI + 0.5) * 0.25 * M_PI}; }

// The particle z' = y x' in a box: several walls.
Model particle_in_box() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z))) / 2 - 0.3 * square(x) * y - square(z) / 2;
  m.nonholonomic = {{"contact form", dot(z) - y * dot(x)}};
  m.contacts = {{.name = "left", .gap = x + 1},
                {.name = "right", .gap = 1 - x},
                {.name = "bottom", .gap = y + 1},
                {.name = "top", .gap = 1 - y}};
  return m;
}

IntegratorOptions nonholonomic(const char* method, double h, const char* rule = "rectangle") {
  return {.method = method, .discretization = rule, .step = h, .backward = false, .parameters = {}};
}

TEST(Nonholonomic, PendulumInACylinder) {
  // Impact times at h = 1e-3, ±2e-4: first order.
  Flight run(cylinder_pendulum(), nonholonomic("nonholonomic-collision", 1e-3), {0.75 * M_PI, 0}, pendulum_velocity());
  std::vector<double> times;
  double worst_energy = 0;
  for (int k = 0; k < 5000; ++k) {
    run.step();
    for (const Impact& i : run.work->impacts) {
      times.push_back(i.time);
      worst_energy = std::fmax(worst_energy, std::abs(i.discrete_energy_after - i.discrete_energy_before));
    }
  }
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[0], 1.23239, 2e-4);
  EXPECT_NEAR(times[1], 2.54771, 2e-4);
  EXPECT_NEAR(times[2], 3.86260, 2e-4);
  EXPECT_LE(worst_energy, 1e-11);                // E_d is kept exactly: E ~ 15
  EXPECT_LE(run.work->nonholonomic_max, 1e-13);  // the discrete constraint and that of the velocities: round-off
}

TEST(Nonholonomic, EnergyDriftsByOrderHAndLessWithSymmetry) {
  // Secular drift of (+): proportional to h. The symmetric method: no such drift, error of second order.
  double drift[2], symmetric[2];
  int impacts = 0;
  for (int level = 0; level < 2; ++level) {
    const double h = level == 0 ? 2e-3 : 1e-3;
    for (const bool is_symmetric : {false, true}) {
      Flight run(cylinder_pendulum(),
                 nonholonomic(is_symmetric ? "nonholonomic-symmetric" : "nonholonomic-collision", h), {0.75 * M_PI, 0},
                 pendulum_velocity());
      const double e0 = run.energy();
      double worst = 0;
      for (int k = 0; k < static_cast<int>(20 / h); ++k) {
        run.step();
        impacts += static_cast<int>(run.work->impacts.size());
        worst = std::fmax(worst, std::abs(run.energy() - e0));
      }
      (is_symmetric ? symmetric : drift)[level] = is_symmetric ? worst : run.energy() - e0;
    }
  }
  EXPECT_GT(impacts, 40);
  EXPECT_NEAR(drift[0] / drift[1], 2, 0.4);
  EXPECT_NEAR(symmetric[0] / symmetric[1], 4, 1.5);
  EXPECT_LT(symmetric[1], 0.05 * std::abs(drift[1]));
}

struct LongRun {
  int impacts = 0;
  double drift = 0, worst = 0;  // of the energy, relative
};

LongRun pendulum_for(double duration, const char* method, double h) {
  Flight run(cylinder_pendulum(), nonholonomic(method, h), {0.75 * M_PI, 0}, pendulum_velocity());
  const double e0 = run.energy();
  LongRun result;
  for (std::int64_t k = 0; k < std::llround(duration / h); ++k) {
    run.step();
    result.impacts += static_cast<int>(run.work->impacts.size());
    if (k % 100 == 99) result.worst = std::fmax(result.worst, std::abs(run.energy() - e0) / std::abs(e0));
  }
  result.drift = (run.energy() - e0) / std::abs(e0);
  return result;
}

TEST(Nonholonomic, PendulumForHundredSeconds) {
  if (std::getenv("RICOCHET_LONG") == nullptr) GTEST_SKIP() << "a long study: ./test --long, which sets RICOCHET_LONG";
  const LongRun fine = pendulum_for(100, "nonholonomic-collision", 1e-4),
                coarse = pendulum_for(100, "nonholonomic-collision", 2e-4),
                symmetric = pendulum_for(100, "nonholonomic-symmetric", 1e-4);
  EXPECT_EQ(fine.impacts, 76);
  EXPECT_EQ(symmetric.impacts, 76);
  EXPECT_NEAR(fine.drift, 0.013, 0.001);                    // the fact, to its last digit
  EXPECT_NEAR(coarse.drift / fine.drift, 2, 0.2);           // proportional to h, but for the swing within a flight
  EXPECT_LT(symmetric.worst, 1e-3 * std::abs(fine.drift));  // h² against h
}

TEST(Nonholonomic, EllipseHitsTheFloorTwiceInTwoSeconds) {
  const Scenario s = read_scenario(RICOCHET_SOURCE_DIR "/scenarios/nonholonomic-ellipse.toml");
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(s, warnings);
  std::vector<double> times;
  for (int k = 0; k < 200; ++k) {
    stepper->advance(k * 0.01, 0.01);
    for (const Impact& i : stepper->impacts()) times.push_back(i.time);
  }
  ASSERT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[0], 0.75055, 1e-5);   // free flight is exact (scenarios/expected_nonholonomic.py)
  EXPECT_NEAR(times[1], 1.152508, 1e-3);  // after one impact, whose energy is kept to κ = 1.2e-3
}

TEST(Nonholonomic, DiscreteEnergyIsKeptThroughEveryImpact) {
  for (const char* name : {"cylinder-pendulum", "rolling-coin", "knife-edge", "nonholonomic-particle", "cart-curb"})
    for (const char* rule : {"rectangle", "midpoint", "trapezoidal"}) {
      const Scenario s =
          read_scenario(std::string(RICOCHET_SOURCE_DIR "/scenarios/") + name + ".toml",
                        {"integrator.method=nonholonomic-collision", std::string("integrator.discretization=") + rule});
      std::vector<std::string> warnings;
      const auto stepper = make_stepper(s, warnings);
      const double h = s.run.step;
      int impacts = 0;
      for (int k = 0; k < static_cast<int>(s.run.duration / h); ++k) {
        stepper->advance(k * h, h);
        for (const Impact& i : stepper->impacts()) {
          ++impacts;
          const double size = std::abs(i.discrete_energy_before) + std::abs(i.energy_before) + 10;  // sum of its terms
          EXPECT_NEAR(i.discrete_energy_after, i.discrete_energy_before, 1e-12 * size) << name << " " << rule;
        }
      }
      EXPECT_GE(impacts, 1) << name << " " << rule;
      EXPECT_LE(stepper->extremes().nonholonomic_max, 1e-12) << name << " " << rule;
      for (const Counter& c : stepper->counters()) {
        EXPECT_TRUE(c.count == 0 || c.name != "grazing_fallbacks") << name << " " << rule;
      }
    }
}

TEST(Nonholonomic, ConstraintImpulseStandsBesideTheContactImpulse) {
  // A blade of heading θ meets a wall whose normal is −x with speed u along itself: p⁺ − p⁻ = −2u(cos θ, sin θ, 0)
  // = λ(−1, 0, 0) + μ(sin θ, −cos θ, 0), so λ = 2u/cos θ, μ = λ sin θ.
  const Scenario s = read_scenario(RICOCHET_SOURCE_DIR "/scenarios/knife-edge.toml");
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(s, warnings);
  int impacts = 0;
  for (int k = 0; k < 1000; ++k) {
    stepper->advance(k * 0.01, 0.01);
    for (const Impact& i : stepper->impacts()) {
      ++impacts;
      const double theta = i.time;  // it turns evenly
      EXPECT_NEAR(i.constraint_impulse, i.impulse() * std::abs(std::sin(theta)), 1e-10);
      EXPECT_NEAR(i.momentum_change, i.impulse() * std::abs(std::cos(theta)), 1e-10);
    }
  }
  EXPECT_EQ(impacts, 6);
}

TEST(Nonholonomic, NormalInTheSpanOfTheConstraintForms) {
  // A body on a rail along a wall, touching it: the constraint carries it, there is nothing to bounce.
  Model rail;
  const Expr x = rail.coordinate("x"), y = rail.coordinate("y");
  rail.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - x;  // pressed against the wall
  rail.nonholonomic = {{"rail", dot(x)}};
  rail.contacts = {{.name = "wall", .gap = x}};
  std::vector<std::string> warnings;
  for (const char* method : {"nonholonomic-collision", "nonholonomic-symmetric"}) {
    auto sliding =
        make_stepper(rail, nonholonomic(method, 0.01), {.t = 0, .position = {0, 0}, .velocity = {0, 1}}, warnings);
    for (int k = 0; k < 200; ++k) {
      sliding->advance(0.01 * k, 0.01);
      EXPECT_TRUE(sliding->impacts().empty());
    }
    Observables o;
    sliding->observe(o);
    EXPECT_NEAR(o.q[1], 2, 1e-12);
    EXPECT_EQ(o.q[0], 0);
  }
  // A wall that moves into it cannot be met: reported, with its name.
  rail.contacts = {{.name = "piston", .gap = x + 0.1 - 0.2 * rail.time()}};
  auto hit = make_stepper(rail, nonholonomic("nonholonomic-collision", 0.01),
                          {.t = 0, .position = {0, 0}, .velocity = {0, 1}}, warnings);
  try {
    for (int k = 0; k < 200; ++k) hit->advance(0.01 * k, 0.01);
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("at contact 'piston' the constraints leave no way to bounce"),
              std::string::npos)
        << error.what();
  }
}

TEST(Nonholonomic, ForwardThenBackwardReturnsToTheStart) {
  struct Case {
    Model model;
    std::vector<double> q, v;
    double h;
    int steps;
  };
  const std::vector<Case> cases{{cylinder_pendulum(), {0.75 * M_PI, 0}, pendulum_velocity(), 1e-3, 3000},
                                {particle_in_box(), {0.1, 0.2, 0}, {0.7, -0.4, 0.14}, 0.01, 600}};
  std::vector<std::string> warnings;
  for (const Case& c : cases)
    for (const char* method : {"nonholonomic-collision", "nonholonomic-symmetric"})
      for (const char* rule : {"rectangle", "midpoint", "trapezoidal"}) {
        IntegratorOptions forward = nonholonomic(method, c.h, rule), backward = forward;
        backward.backward = true;
        auto there = make_stepper(c.model, forward, {.t = 0, .position = c.q, .velocity = c.v}, warnings);
        int impacts = 0;
        for (int k = 0; k < c.steps; ++k) {
          there->advance(k * c.h, c.h);
          impacts += static_cast<int>(there->impacts().size());
        }
        EXPECT_GE(impacts, 1);
        Observables end;
        there->observe(end);
        auto back = make_stepper(
            c.model, backward, {.t = 0, .position = end.q, .velocity = end.p, .momentum_given = true, .project = true},
            warnings);
        for (int k = 0; k < c.steps; ++k) back->advance(k * c.h, c.h);
        Observables start;
        back->observe(start);
        // round-off grown through a few impacts (a factor of ten or so each)
        for (std::size_t i = 0; i < c.q.size(); ++i)
          EXPECT_NEAR(start.q[i], c.q[i], 1e-9) << method << " " << rule << " " << i;
      }
}

TEST(Nonholonomic, PrintedBackwardSchemeIsAnInverseToOrderHOnly) {
  // θ error 5.18 h after the pendulum's way there and back.
  std::vector<std::string> warnings;
  double error[2];
  for (int level = 0; level < 2; ++level) {
    const double h = level == 0 ? 2e-3 : 1e-3;
    IntegratorOptions forward = nonholonomic("nonholonomic-collision", h), backward = forward;
    backward.backward = true;
    backward.parameters["adjoint"] = std::string("printed");
    const int steps = static_cast<int>(std::lround(5 / h));
    auto there = make_stepper(cylinder_pendulum(), forward,
                              {.t = 0, .position = {0.75 * M_PI, 0}, .velocity = pendulum_velocity()}, warnings);
    for (int k = 0; k < steps; ++k) there->advance(k * h, h);
    Observables end, start;
    there->observe(end);
    auto back =
        make_stepper(cylinder_pendulum(), backward,
                     {.t = 0, .position = end.q, .velocity = end.p, .momentum_given = true, .project = true}, warnings);
    for (int k = 0; k < steps; ++k) back->advance(k * h, h);
    back->observe(start);
    error[level] = std::abs(start.q[0] - 0.75 * M_PI);
  }
  EXPECT_NEAR(error[0] / error[1], 2, 0.2);
  EXPECT_NEAR(error[1] / 1e-3, 5.18, 0.3);
}

TEST(Nonholonomic, WithoutConstraintsItIsTheVariationalCollisionIntegrator) {
  for (const char* rule : {"rectangle", "midpoint", "trapezoidal"}) {
    Flight a(models::particle(9.81), nonholonomic("nonholonomic-collision", 0.01, rule), {0, 1}, {-2, 0});
    Flight b(models::particle(9.81), collision(0.01, rule), {0, 1}, {-2, 0});
    for (int k = 0; k < 3000; ++k) a.step(), b.step();
    EXPECT_EQ(a.state.q, b.state.q);
    EXPECT_EQ(a.state.p, b.state.p);
  }
}

TEST(Nonholonomic, RefusalsAreClear) {
  std::vector<std::string> warnings;
  const auto refuse = [&](const Model& model, const InitialState& initial, const char* fragment) {
    try {
      auto stepper = make_stepper(model, nonholonomic("nonholonomic-collision", 0.01), initial, warnings);
      for (int k = 0; k < 500; ++k) stepper->advance(0.01 * k, 0.01);
      ADD_FAILURE() << "accepted: " << fragment;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    }
  };
  Model nonlinear;
  const Expr x = nonlinear.coordinate("x"), y = nonlinear.coordinate("y");
  nonlinear.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  nonlinear.nonholonomic = {{"speed", square(dot(x)) + square(dot(y)) - 1}};
  refuse(nonlinear, {.t = 0, .position = {0, 0}, .velocity = {1, 0}}, "linear in the velocities");
  Model turntable;
  const Expr u = turntable.coordinate("u"), w = turntable.coordinate("w");
  turntable.lagrangian = (square(dot(u)) + square(dot(w))) / 2;
  turntable.nonholonomic = {{"belt", dot(u) - 0.5}};
  turntable.contacts = {{.name = "wall", .gap = 1 - u}};
  refuse(turntable, {.t = 0, .position = {0, 0}, .velocity = {0.5, 0}}, "there is no law for it");
  // A body that cannot bounce: the constraint leaves no motion along the wall's normal.
  Model stuck;
  const Expr a = stuck.coordinate("a"), b = stuck.coordinate("b");
  stuck.lagrangian = (square(dot(a)) + square(dot(b))) / 2;
  stuck.nonholonomic = {{"rail", dot(a) - (1 - a) * dot(b)}};
  stuck.contacts = {{.name = "wall", .gap = 1 - a - 1e-3 * b + 0.02}};
  auto free = make_stepper(stuck, nonholonomic("nonholonomic-collision", 0.01),
                           {.t = 0, .position = {0, 0}, .velocity = {1, 1}}, warnings);
  EXPECT_NO_THROW(for (int k = 0; k < 500; ++k) free->advance(0.01 * k, 0.01));
}

}  // namespace
}  // namespace ricochet::nonholonomic_test
