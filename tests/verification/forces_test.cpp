// Forces in every method: order against the reference solution, closed forms, impacts, and the way back.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ricochet/error.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::forces_test {
namespace {

using Parameters = std::map<std::string, OptionValue>;

IntegratorOptions options(const char* method, const char* rule, double h, Parameters parameters = {}) {
  return {.method = method, .discretization = rule, .step = h, .parameters = std::move(parameters)};
}

// L = a'²/2 + cos a, linear and quadratic drag (smooth, or with its kink at v = 0), a drive.
Model driven_pendulum(bool kink = false) {
  Model m = models::pendulum();
  const Expr a = m.q()[0], v = dot(a);
  m.forces = {{"drag", {-0.2 * v - 0.1 * v * (kink ? abs(v) : sqrt(square(v) + 0.2))}},
              {"drive", {0.7 * cos(1.3 * m.time()) * (1 + 0.1 * a)}}};
  return m;
}

// The same pendulum, of position and time alone.
Model pulled_pendulum() {
  Model m = models::pendulum();
  m.forces = {{"drive", {0.7 * cos(1.3 * m.time()) * (1 + 0.1 * m.q()[0])}}};
  return m;
}

State run(const Model& model, const IntegratorOptions& o, std::vector<double> q, std::vector<double> v, double end,
          std::size_t* impacts = nullptr) {
  Flight flight(model, o, std::move(q), std::move(v));
  const int steps = static_cast<int>(std::lround(end / o.step));
  for (int k = 0; k < steps; ++k) {
    flight.step();
    if (impacts != nullptr) *impacts += flight.work->impacts.size();
  }
  return flight.state;
}

double distance(const State& a, const State& b) {
  double d = 0;
  for (std::size_t k = 0; k < a.q.size(); ++k)
    d = std::fmax(d, std::fmax(std::abs(a.q[k] - b.q[k]), std::abs(a.p[k] - b.p[k])));
  return d;
}

// The slope of log(error) over log(h), geometric means of the errors with `steps` and with twice as many.
double order(const std::function<State(double h)>& solve, const State& exact, double end, int steps, int spread = 1) {
  double coarse = 0, fine = 0;
  for (int k = 0; k < spread; ++k) {
    coarse += std::log(distance(solve(end / (steps + k)), exact));
    fine += std::log(distance(solve(end / (2 * (steps + k))), exact));
  }
  return (coarse - fine) / spread / std::log(2);
}

TEST(Forces, ReferenceIsTheClosedFormOfADampedDrivenOscillator) {
  // x'' + 2γx' + x = A cos Ωt. Tolerance 1e-12 a step, some hundred internal steps.
  Model m;
  const Expr x = m.coordinate("x");
  const double gamma = 0.15, A = 0.8, omega = 1.7, T = 6;
  m.lagrangian = (square(dot(x)) - square(x)) / 2;
  m.forces = {{"drag", {-2 * gamma * dot(x)}}, {"drive", {A * cos(omega * m.time())}}};
  const State end = run(m, options("reference", "", 0.05), {0.4}, {-0.3}, T);
  const double D = (1 - omega * omega) * (1 - omega * omega) + 4 * gamma * gamma * omega * omega;
  const double a = A * (1 - omega * omega) / D, b = A * 2 * gamma * omega / D, w = std::sqrt(1 - gamma * gamma);
  const double c = 0.4 - a, s = (-0.3 - b * omega + gamma * c) / w;
  const double decay = std::exp(-gamma * T), C = std::cos(w * T), S = std::sin(w * T);
  EXPECT_NEAR(end.q[0], decay * (c * C + s * S) + a * std::cos(omega * T) + b * std::sin(omega * T), 1e-10);
  EXPECT_NEAR(end.p[0],
              decay * ((s * w - gamma * c) * C - (c * w + gamma * s) * S) - a * omega * std::sin(omega * T) +
                  b * omega * std::cos(omega * T),
              1e-10);
}

TEST(Forces, OrderOfEveryMethod) {
  // The reference is good to 1e-11, all errors here are above 1e-8.
  struct Case {
    const char *method, *rule;
    Parameters parameters;
    double order;
    int steps;
    bool pulled = false;
  };
  const std::vector<Case> cases{
      {"variational", "trapezoidal", {}, 2, 50},
      {"variational", "midpoint", {}, 2, 50},
      {"variational", "rectangle", {}, 1, 200},
      {"variational", "galerkin", {{"degree", 2.0}}, 4, 20},
      {"variational", "galerkin", {{"degree", 3.0}}, 6, 10},
      {"variational", "trapezoidal", {}, 2, 50, true},
      {"variational-collision", "midpoint", {}, 2, 50},
      {"generalized-variational", "midpoint", {}, 2, 50},
      {"nonholonomic-collision", "midpoint", {}, 2, 50},
      {"nonholonomic-symmetric", "rectangle", {}, 2, 50},
      {"direct-midpoint", "", {}, 2, 50},
      {"direct-endpoint", "", {}, 2, 50},
      {"newmark", "", {}, 2, 50},
      {"newmark", "", {{"beta", 1.0 / 6}}, 2, 50},
      {"newmark-imex", "", {}, 2, 50, true},
      {"moreau-jean", "", {}, 2, 50},
      {"moreau-jean", "", {{"theta", 1.0}}, 1, 200},
  };
  const double T = 4;
  for (const Case& c : cases) {
    const Model model = c.pulled ? pulled_pendulum() : driven_pendulum();
    const State exact = run(model, options("reference", "", 0.05), {0.9}, {0.6}, T);
    const auto solve = [&](double h) {
      return run(model, options(c.method, c.rule, h, c.parameters), {0.9}, {0.6}, T);
    };
    // h² of the next term: a tenth of the order at these steps
    EXPECT_NEAR(order(solve, exact, T, c.steps), c.order, 0.1 * c.order) << c.method << " " << c.rule;
  }
  // A drag that is C¹ alone leaves order 2.
  const State exact = run(driven_pendulum(true), options("reference", "", 0.01), {0.9}, {0.6}, T);
  for (const char* rule : {"trapezoidal", "midpoint"}) {
    const auto solve = [&](double h) {
      return run(driven_pendulum(true), options("variational", rule, h), {0.9}, {0.6}, T);
    };
    EXPECT_NEAR(order(solve, exact, T, 50), 2, 0.2) << rule;
  }
}

TEST(Forces, NewmarkImexRefusesForcesOfVelocity) {
  try {
    Flight(driven_pendulum(), options("newmark-imex", "", 0.1), {0.9}, {0.6});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("direct-midpoint"), std::string::npos) << error.what();
  }
}

TEST(Forces, DampedPendulumOnItsRod) {
  // (x, y) on a circle with drag −c v is the angle with drag −c a': order 2, and the reference to its tolerance.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - y;
  m.holonomic = {{"rod", sqrt(square(x) + square(y)) - 1}};
  m.forces = {{"drag", {-0.3 * dot(x), -0.3 * dot(y)}}, {"drive", {0.5 * cos(m.time()), m.graph->constant(0)}}};
  Model angle = models::pendulum();
  const Expr a = angle.q()[0];
  angle.forces = {{"drag", {-0.3 * dot(a)}}, {"drive", {0.5 * cos(angle.time()) * cos(a)}}};
  const double T = 3;
  const State end = run(angle, options("reference", "", 0.05), {0.8}, {0.5}, T);
  State exact;
  exact.q = {std::sin(end.q[0]), -std::cos(end.q[0])};
  exact.p = {end.p[0] * std::cos(end.q[0]), end.p[0] * std::sin(end.q[0])};
  const std::vector<double> q{std::sin(0.8), -std::cos(0.8)}, v{0.5 * std::cos(0.8), 0.5 * std::sin(0.8)};
  EXPECT_LT(distance(run(m, options("reference", "", 0.05), q, v, T), exact), 1e-10);
  for (const char* rule : {"trapezoidal", "midpoint"})
    EXPECT_NEAR(order([&](double h) { return run(m, options("variational", rule, h), q, v, T); }, exact, T, 40), 2, 0.1)
        << rule;
}

TEST(Forces, RollingDiscUnderATorque) {
  // x' = Rθ', torque K − cθ': θ'' (I + mR²) = K − cθ', in closed form.
  const double mass = 1.3, R = 0.4, I = 0.2, K = 0.9, c = 0.25, T = 2, J = I + mass * R * R;
  Model m;
  const Expr x = m.coordinate("x"), theta = m.coordinate("theta");
  m.lagrangian = mass / 2 * square(dot(x)) + I / 2 * square(dot(theta));
  m.nonholonomic = {{"rolling", dot(x) - R * dot(theta)}};
  m.forces = {{"torque", {m.graph->constant(0), K - c * dot(theta)}}};
  const double decay = std::exp(-c * T / J), omega = K / c + (0.3 - K / c) * decay;
  const double turned = K / c * T + (0.3 - K / c) * J / c * (1 - decay);
  State exact;
  exact.q = {R * turned, turned};
  exact.p = {mass * R * omega, I * omega};
  for (const char* method : {"nonholonomic-collision", "nonholonomic-symmetric"}) {
    const auto solve = [&](double h) { return run(m, options(method, "midpoint", h), {0, 0}, {0.3 * R, 0.3}, T); };
    EXPECT_NEAR(order(solve, exact, T, 40), 2, 0.1) << method;
  }
  EXPECT_LT(distance(run(m, options("reference", "", 0.05), {0, 0}, {0.3 * R, 0.3}, T), exact), 1e-10);
}

// A ball in air above a floor, blown sideways and driven in time.
Model ball_in_air() {
  Model m = models::particle(9.81);
  const Expr u = dot(m.q()[0]), v = dot(m.q()[1]);
  const Expr speed = sqrt(square(u - 1) + square(v) + 0.01);
  m.symmetries.clear();
  m.forces = {{"air", {-0.3 * (u - 1) * speed, -0.3 * v * speed}},
              {"drive", {m.graph->constant(0), 2 * sin(5 * m.time()) + 0.4 * m.q()[0]}}};
  return m;
}

TEST(Forces, OrderThroughAnImpact) {
  // The constant depends on where in the step the impact is: geometric means over twenty step sizes.
  const Model model = ball_in_air();
  const double T = 0.8;
  std::size_t impacts = 0;
  const State exact = run(model, options("reference", "", 0.01), {0.1, 1}, {0.5, 0}, T, &impacts);
  ASSERT_EQ(impacts, 1u);
  for (const char* energy : {"discrete", "continuous"}) {
    const auto solve = [&](const char* rule) {
      return [&, rule](double h) { return run(model, collision(h, rule, energy), {0.1, 1}, {0.5, 0}, T); };
    };
    EXPECT_NEAR(order(solve("trapezoidal"), exact, T, 40, 20), 2, 0.2) << energy;
    EXPECT_NEAR(order(solve("midpoint"), exact, T, 40, 20), 2, 0.2) << energy;
    EXPECT_NEAR(order(solve("galerkin"), exact, T, 12, 20), 4, 0.4) << energy;
  }
}

TEST(Forces, StepDerivativeThroughAnImpact) {
  // Central differences: δ² + ε/δ ~ 1e-9 for δ = 1e-5, times derivatives up to ~30.
  const Model model = ball_in_air();
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
    for (const char* energy : {"discrete", "continuous"}) {
      const auto step = [&](const std::vector<double>& x, StepJacobian* jacobian) {
        Flight f(model, collision(0.2, rule, energy), {x[0], x[1]}, {0, 0});
        f.state.p = {x[2], x[3]};
        f.step(jacobian);
        EXPECT_EQ(f.work->impacts.size(), 1u);
        return std::vector<double>{f.state.q[0], f.state.q[1], f.state.p[0], f.state.p[1]};
      };
      const std::vector<double> x{0.1, 0.3, 0.5, -3};
      StepJacobian jacobian;
      step(x, &jacobian);
      for (int k = 0; k < 4; ++k) {
        auto up = x, down = x;
        up[k] += 1e-5, down[k] -= 1e-5;
        const auto y_up = step(up, nullptr), y_down = step(down, nullptr);
        for (int r = 0; r < 4; ++r)
          EXPECT_NEAR(jacobian.matrix(r, k), (y_up[r] - y_down[r]) / 2e-5, 3e-7) << rule << " " << energy;
      }
    }
}

// Forward `steps` steps, then as many of the adjoint on the reversed model.
double way_back(const Model& model, IntegratorOptions o, const std::vector<double>& q, const std::vector<double>& v,
                int steps) {
  Flight flight(model, o, q, v);
  const State start = flight.state;
  for (int k = 0; k < steps; ++k) flight.step();
  o.backward = true;
  // The reversed motion runs from t = 0 to T: reversed about T/2.
  Flight back(reversed(model, steps * o.step / 2), o, flight.state.q, v);
  for (std::size_t k = 0; k < q.size(); ++k) back.state.p[k] = -flight.state.p[k];
  for (int k = 0; k < steps; ++k) back.step();
  for (double& p : back.state.p) p = -p;
  return distance(back.state, start);
}

TEST(Forces, ForwardThenBackwardReturns) {
  // Drag backwards is growth, by e^(∫c dt) < 10 here: round-off of some hundred steps times that.
  for (const char* rule : {"trapezoidal", "midpoint", "rectangle", "galerkin"}) {
    EXPECT_LT(way_back(pulled_pendulum(), options("variational", rule, 0.05), {0.9}, {0.6}, 100), 1e-12) << rule;
    EXPECT_LT(way_back(driven_pendulum(), options("variational", rule, 0.05), {0.9}, {0.6}, 100), 1e-11) << rule;
    for (const char* energy : {"discrete", "continuous"})
      EXPECT_LT(way_back(ball_in_air(), collision(0.01, rule, energy), {0.1, 1}, {0.5, 0}, 80), 1e-10)
          << rule << energy;
  }
  Model disc;
  const Expr x = disc.coordinate("x"), theta = disc.coordinate("theta");
  disc.lagrangian = square(dot(x)) / 2 + square(dot(theta)) / 3;
  disc.nonholonomic = {{"rolling", dot(x) - 0.5 * (1 + 0.1 * sin(theta)) * dot(theta)}};
  disc.forces = {{"torque", {-0.1 * dot(x), 0.4 * cos(disc.time()) - 0.2 * dot(theta)}}};
  for (const char* method : {"nonholonomic-collision", "nonholonomic-symmetric"})
    EXPECT_LT(way_back(disc, options(method, "rectangle", 0.05), {0, 0}, {0.5, 1}, 100), 1e-11) << method;
}

// Drag as everyone writes it, of which the derivative at rest is 0·∞; released from rest, and left at rest.
TEST(Forces, DragFromRest) {
  Model m = models::particle(9.81);
  const Expr u = dot(m.q()[0]), v = dot(m.q()[1]), speed = sqrt(square(u) + square(v));
  m.symmetries.clear();
  m.forces = {{"air", {-0.3 * u * speed, -0.3 * v * speed}}};
  const double T = 0.4, k = std::sqrt(0.3 * 9.81);  // v = −√(g/c) tanh(√(gc) t), y = 1 − log cosh(√(gc) t)/c
  State exact;
  exact.q = {0, 1 - std::log(std::cosh(k * T)) / 0.3};
  exact.p = {0, -std::sqrt(9.81 / 0.3) * std::tanh(k * T)};
  for (const char* method : {"variational-collision", "generalized-variational", "nonholonomic-collision",
                             "nonholonomic-symmetric", "direct-midpoint", "newmark", "moreau-jean"}) {
    const bool rule =
        make_method(std::make_shared<const System>(m), options(method, "", 0.1))->descriptor().discretizations.size() >
        0;
    for (const char* name : rule ? std::vector<const char*>{"trapezoidal", "midpoint"} : std::vector<const char*>{""})
      EXPECT_NEAR(order(
                      [&](double h) {
                        return run(m, options(method, name, h), {0, 1}, {0, 0}, T);
                      },
                      exact, T, 20),
                  2, 0.2)
          << method << " " << name;
  }
  EXPECT_LT(distance(run(m, options("reference", "", 0.02), {0, 1}, {0, 0}, T), exact), 1e-11);
  // At rest without gravity nothing happens, and the step has its derivative: that of free flight.
  m.lagrangian = (square(u) + square(v)) / 2;
  Flight still(m, collision(0.1, "midpoint"), {0, 1}, {0, 0});
  StepJacobian jacobian;
  still.step(&jacobian);
  EXPECT_EQ(still.state.q, (std::vector<double>{0, 1}));
  EXPECT_EQ(still.state.p, (std::vector<double>{0, 0}));
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(4, 4);
  free(0, 2) = free(1, 3) = 0.1;
  EXPECT_LT((jacobian.matrix - free).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Forces, ShadowReflectionsRefuseForces) {
  EXPECT_THROW(
      Flight(ball_in_air(),
             options("generalized-variational", "midpoint", 0.01, {{"reflection_energy", std::string("shadow")}}),
             {0.1, 1}, {0.5, 0}),
      ModelError);
}

TEST(Forces, LinearDampingHasItsFactorAStep) {
  // m x'' = −c x': F± = (h/2)(−c w) gives p1/p0 = (1 − ch/2m)/(1 + ch/2m), whatever the step.
  for (const char* rule : {"trapezoidal", "midpoint"})
    for (const double h : {0.01, 0.5, 3.0}) {
      const double mass = 1.7, c = 0.9, factor = (1 - c * h / (2 * mass)) / (1 + c * h / (2 * mass));
      Model m;
      const Expr x = m.coordinate("x");
      m.lagrangian = mass / 2 * square(dot(x));
      m.forces = {{"drag", {-c * dot(x)}}};
      Flight run(m, collision(h, rule), {0.3}, {2});
      double p = run.state.p[0];
      for (int k = 0; k < 20; ++k, p *= factor) {
        EXPECT_NEAR(run.state.p[0] / p, 1, 1e-14 * (k + 1)) << rule << h;  // round-off of each step
        run.step();
      }
    }
}

}  // namespace
}  // namespace ricochet::forces_test
