// H(t) − H(0) is the sum of the running scalars, up to the order of the method; and every impact says where its energy
// went.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "ricochet/simulation/run.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::energy_balance_test {
namespace {

using Parameters = std::map<std::string, OptionValue>;

IntegratorOptions options(const char* method, const char* rule, double h, Parameters parameters = {}) {
  return {.method = method, .discretization = rule, .step = h, .parameters = std::move(parameters)};
}

// The largest |H − H0 − Σ scalars| over a run.
double defect(const Model& model, const IntegratorOptions& o, std::vector<double> q, std::vector<double> v, double end,
              Observables* last = nullptr) {
  const auto stepper = make_stepper(model, o, {.t = 0, .position = std::move(q), .velocity = std::move(v)});
  Observables at;
  stepper->observe(at);
  const double start = at.energy;
  double worst = 0;
  const int steps = static_cast<int>(std::lround(end / o.step));
  for (int k = 0; k < steps; ++k) {
    stepper->advance(k * o.step, o.step);
    stepper->observe(at);
    double sum = 0;
    for (const double x : at.scalars) sum += x;
    worst = std::fmax(worst, std::abs(at.energy - start - sum));
  }
  if (last != nullptr) *last = at;
  return worst;
}

Model driven_pendulum() {
  Model m = models::pendulum();
  const Expr a = m.q()[0], v = dot(a);
  m.forces = {{"drag", {-0.2 * v - 0.1 * v * sqrt(square(v) + 0.2)}}, {"drive", {0.7 * cos(1.3 * m.time())}}};
  return m;
}

TEST(EnergyBalance, ClosesAtTheOrderOfTheMethod) {
  struct Case {
    const char *method, *rule;
    Parameters parameters;
    double order;
    int steps;
  };
  for (const Case& c : std::vector<Case>{{"variational", "midpoint", {}, 2, 50},
                                         {"variational", "trapezoidal", {}, 2, 50},
                                         {"variational", "galerkin", {{"degree", 2.0}}, 4, 20},
                                         {"variational-collision", "midpoint", {}, 2, 50},
                                         {"generalized-variational", "midpoint", {}, 2, 50},
                                         {"nonholonomic-symmetric", "rectangle", {}, 2, 50},
                                         {"direct-midpoint", "", {}, 2, 50},
                                         {"newmark", "", {}, 2, 50},
                                         {"moreau-jean", "", {}, 2, 50}}) {
    const double T = 4;
    const auto at = [&](int steps) {
      return defect(driven_pendulum(), options(c.method, c.rule, T / steps, c.parameters), {0.9}, {0.6}, T);
    };
    EXPECT_NEAR(std::log2(at(c.steps) / at(2 * c.steps)), c.order, 0.1 * c.order) << c.method << " " << c.rule;
  }
  // 1e-12 a step of the reference, 1e-11 over the run; both works are of order one
  Observables end;
  EXPECT_LT(defect(driven_pendulum(), options("reference", "", 0.05), {0.9}, {0.6}, 4, &end), 1e-10);
  EXPECT_LT(end.scalars[0], -0.1);
  EXPECT_GT(std::abs(end.scalars[1]), 0.1);
}

TEST(EnergyBalance, WorkOfDragInClosedForm) {
  // Free flight with F = −c v: −½ v0² (1 − e^(−2cT)) for unit mass; order 2.
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2;
  m.forces = {{"drag", {-0.4 * dot(x)}}};
  Observables end;
  defect(m, options("variational", "midpoint", 0.01), {0}, {2}, 3, &end);
  // (1 − z/2)/(1 + z/2) = e^(−z) (1 + z³/12): relative error of v² is c³h²T/6 = 3e-6
  EXPECT_NEAR(end.scalars[0], -2 * (1 - std::exp(-2.4)), 2 * 3e-6);
}

// Ball in air above a floor that moves, with its works and losses.
Model ball_on_moving_floor(double bend = 0) {
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 - 9.81 * y - bend * sin(3 * y);
  m.contacts = {{.name = "floor", .gap = y - 0.05 * sin(7 * m.time())}};
  m.forces = {{"air", {-0.2 * dot(y)}}};
  return m;
}

TEST(EnergyBalance, IsExactForLinearForces) {
  // Quadrature is exact for linear gravity, and −ch w² is the change of energy by drag: round-off of H (20) over 100
  // steps, whatever the impacts do.
  for (const char* energy : {"discrete", "continuous"})
    for (const char* rule : {"midpoint", "trapezoidal", "galerkin"})
      EXPECT_LT(defect(ball_on_moving_floor(), collision(0.02, rule, energy), {1}, {0}, 2), 1e-12) << rule << energy;
}

TEST(EnergyBalance, ClosesThroughImpactsWithAMovingFloor) {
  const Model model = ball_on_moving_floor(0.5);
  for (const char* energy : {"discrete", "continuous"})
    for (const char* rule : {"midpoint", "trapezoidal", "galerkin"}) {
      const double T = 2;
      double coarse = 0, fine = 0;  // the constant depends on where in the steps the impacts are: geometric means
      for (int k = 0; k < 10; ++k) {
        Observables end;
        const bool four = std::string(rule) == "galerkin";
        const int steps = four ? 40 + 3 * k : 100 + 7 * k;
        coarse += std::log(defect(model, collision(T / steps, rule, energy), {1}, {0}, T, &end));
        fine += std::log(defect(model, collision(T / (2 * steps), rule, energy), {1}, {0}, T));
        EXPECT_GT(std::abs(end.scalars[1]), 0.05) << "the floor works";
        if (std::string(energy) == "continuous") {
          EXPECT_LT(std::abs(end.scalars[2]), 1e-13) << "no loss, to round-off of some impacts";
        }
      }
      const double order = std::string(rule) == "galerkin" ? 4 : 2;
      EXPECT_NEAR((coarse - fine) / 10 / std::log(2), order, 0.2 * order) << rule << " " << energy;
    }
  EXPECT_LT(defect(model, options("reference", "", 0.02), {1}, {0}, 2), 1e-10);
}

TEST(EnergyBalance, EveryImpactSaysWhereItsEnergyWent) {
  // ΔH = loss + obstacle_work to round-off of H (|H| < 20), and the velocities are those of momenta and energies.
  struct Case {
    Model model;
    IntegratorOptions options;
    std::vector<double> q, v;
  };
  const std::vector<Case> cases{
      {ball_on_moving_floor(), collision(0.02, "trapezoidal", "discrete"), {1}, {0}},
      {ball_on_moving_floor(), collision(0.02, "galerkin", "continuous"), {1}, {0}},
      {ball_on_moving_floor(), options("reference", "", 0.02), {1}, {0}},
      {ball_on_moving_floor(), options("generalized-variational", "midpoint", 0.02), {1}, {0}},
      {models::double_pendulum_between_walls(), collision(0.02, "midpoint", "discrete"), {0.2, 0.1}, {2, 1}},
      {models::cradle(3, 0.01), options("variational-collision", "midpoint", 0.02),
       models::cradle_start(3, 1, 0.6, 0.01), std::vector<double>(6, 0.0)},
  };
  for (const Case& c : cases) {
    const auto stepper = make_stepper(c.model, c.options, {.t = 0, .position = c.q, .velocity = c.v});
    const System system(c.model);
    Lagrangian L(system);
    int impacts = 0;
    for (int k = 0; k < 150; ++k) {
      stepper->advance(k * 0.02, 0.02);
      for (const Impact& i : stepper->impacts()) {
        ++impacts;
        ASSERT_EQ(i.q.size(), c.q.size());
        EXPECT_NEAR(L.energy(i.q.data(), i.v_before.data(), i.time), i.energy_before, 1e-12);
        EXPECT_NEAR(L.energy(i.q.data(), i.v_after.data(), i.time), i.energy_after, 1e-12);
        EXPECT_NEAR(i.energy_after - i.energy_before, i.loss + i.obstacle_work, 1e-12);
      }
    }
    EXPECT_GE(impacts, 2) << c.options.method;
  }
}

TEST(EnergyBalance, BaselinesAccountForTheirReactions) {
  // Midpoint is exact for the linear potential: what the wall takes or gives is the whole change of energy.
  for (const char* method : {"direct-midpoint", "direct-endpoint"}) {
    Observables end;
    EXPECT_LT(defect(models::particle(9.81), options(method, "", 0.01), {0, 1}, {1, 0}, 3, &end), 1e-11) << method;
    EXPECT_GT(std::abs(end.scalars[0]), 0.1) << method;
  }
}

TEST(EnergyBalance, FailedStepLeavesTheScalarsAlone) {
  Model m = ball_on_moving_floor();
  m.forces.push_back({"wall of fire", {sqrt(m.q()[0] - 0.5)}});  // no value below ½
  const auto stepper = make_stepper(m, collision(0.02, "midpoint"), {.t = 0, .position = {0.8}, .velocity = {-0.2}});
  Observables before, after;
  int k = 0;
  EXPECT_THROW(
      for (; k < 100; ++k) {
        stepper->observe(before);
        stepper->advance(k * 0.02, 0.02);
      },
      SolverError);
  EXPECT_GT(k, 3);
  stepper->observe(after);
  EXPECT_EQ(before.scalars, after.scalars);
  EXPECT_EQ(before.q, after.q);
}

TEST(EnergyBalance, SavedAndLoadedGoesOnWithTheSameBits) {
  const auto make = [] {
    return make_stepper(ball_on_moving_floor(), collision(0.02), {.t = 0, .position = {1}, .velocity = {0}});
  };
  const auto whole = make(), first = make(), second = make();
  for (int k = 0; k < 100; ++k) whole->advance(k * 0.02, 0.02);
  for (int k = 0; k < 57; ++k) first->advance(k * 0.02, 0.02);
  second->load(first->save());
  for (int k = 57; k < 100; ++k) second->advance(k * 0.02, 0.02);
  EXPECT_EQ(whole->save(), second->save());
  Observables a, b;
  whole->observe(a), second->observe(b);
  EXPECT_EQ(a.scalars, b.scalars);
  EXPECT_EQ(whole->labels().scalars, (std::vector<std::string>{"work.air", "work.obstacles", "loss.impact"}));
}

}  // namespace
}  // namespace ricochet::energy_balance_test
