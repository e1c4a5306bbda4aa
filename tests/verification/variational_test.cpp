// What the variational method claims, measured: order, symplecticity, momentum, energy without drift.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/methods/method.hpp"
#include "support/models.hpp"

namespace ricochet::variational_test {
namespace {

struct Rule {
  const char* name;
  double parameter;
  double order;
  IntegratorOptions options() const {
    IntegratorOptions o{.method = "variational", .discretization = name, .step = 0, .parameters = {}};
    if (std::string(name) == "rectangle") o.parameters["gamma"] = parameter;
    if (std::string(name) == "galerkin") o.parameters["degree"] = parameter;
    return o;
  }
};
const std::vector<Rule> rules{{"trapezoidal", 0, 2}, {"midpoint", 0, 2}, {"rectangle", 0, 1}, {"rectangle", 1, 1},
                              {"galerkin", 1, 2},    {"galerkin", 2, 4}, {"galerkin", 3, 6}};

State integrate(const System& system, const Rule& rule, State state, double duration, int steps) {
  const auto method = make_method(std::make_shared<const System>(system), rule.options());
  const auto work = method->workspace();
  const double h = duration / steps, start = state.t;
  for (int k = 0; k < steps; ++k) {
    state.t = start + k * h;
    method->step(state, h, *work);
  }
  return state;
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / x.size(), my += y[k] / y.size();
  for (std::size_t k = 0; k < x.size(); ++k) xy += (x[k] - mx) * (y[k] - my), xx += (x[k] - mx) * (x[k] - mx);
  return xy / xx;
}

TEST(Variational, OrderOnNonlinearNonSeparableProblems) {
  // Fitted over steps in the asymptotic range. The reference is galerkin 5 (order 10) with h = 1/200, error below
  // 1e-13. Tolerance 0.15: the next term of the error expansion, O(h) relative at the largest steps of the fit.
  const Rule reference{"galerkin", 5, 10};
  for (const Model& model : {models::double_pendulum(), models::driven_charge()}) {
    const System system(model);
    const State start{.t = 0.1, .q = {0.7, -0.3}, .p = {0.4, 0.6}, .modes = {}};
    const double duration = 1;
    const State exact = integrate(system, reference, start, duration, 200);
    for (const Rule& rule : rules) {
      std::vector<double> log_h, log_error;
      const int first = rule.order == 6 ? 4 : rule.order == 4 ? 24 : rule.order == 2 ? 60 : 400;
      for (int k = 0; k < 9; ++k) {
        const int steps = static_cast<int>(std::lround(first * std::pow(1.35, k)));
        const State end = integrate(system, rule, start, duration, steps);
        double error = 0;
        for (int i = 0; i < 2; ++i) error = std::hypot(error, end.q[i] - exact.q[i], end.p[i] - exact.p[i]);
        if (error < 2e-13) continue;  // round-off of the sum of steps
        log_h.push_back(std::log(duration / steps));
        log_error.push_back(std::log(error));
      }
      ASSERT_GE(log_h.size(), 5u);
      EXPECT_NEAR(slope(log_h, log_error), rule.order, 0.15) << rule.name << " " << rule.parameter;
    }
  }
}

TEST(Variational, SymplecticityDefectIsRoundOff) {
  // ‖JᵀΩJ − Ω‖ of single steps and of a product of 50; round-off of J's entries (up to ~10) gives ~1e-14, the bound is
  // 1e-12.
  for (const Model& model : {models::double_pendulum(), models::driven_charge(), models::kepler()}) {
    const System system(model);
    Eigen::MatrixXd omega = Eigen::MatrixXd::Zero(4, 4);
    omega.topRightCorner(2, 2).setIdentity();
    omega.bottomLeftCorner(2, 2) = -Eigen::MatrixXd::Identity(2, 2);
    for (const Rule& rule : rules) {
      const auto method = make_method(std::make_shared<const System>(system), rule.options());
      const auto work = method->workspace();
      State state{.t = 0, .q = {0.9, 0.4}, .p = {-0.3, 0.8}, .modes = {}};
      for (int k = 0; k < 50; ++k) {
        StepJacobian jacobian;
        method->step(state, 0.02, *work, &jacobian);
        const Eigen::MatrixXd defect = jacobian.matrix.transpose() * omega * jacobian.matrix - omega;
        EXPECT_LE(defect.cwiseAbs().maxCoeff(), 1e-12) << rule.name;
      }
    }
  }
}

TEST(Variational, MomentumMapIsKeptToRoundOff) {
  // Angular momentum of an eccentric Kepler orbit over 1e5 steps. Each step rounds p and q once: a random walk of
  // 1e5^(1/2) · ε ~ 7e-14, and a bias at most 1e5 ε = 2e-11; the measured value must stay below 1e-12.
  for (const Rule& rule : rules) {
    if (rule.order > 4) continue;
    const System system(models::kepler());
    const auto method = make_method(std::make_shared<const System>(system), rule.options());
    const auto work = method->workspace();
    Lagrangian lagrangian(system);
    State state{.t = 0, .q = {1, 0}, .p = {0, 1.1}, .modes = {}};
    double initial = 0, now = 0, worst = 0;
    lagrangian.momentum_maps(state.q.data(), state.p.data(), &initial);
    for (int k = 0; k < 100000; ++k) {
      method->step(state, 0.02, *work);
      lagrangian.momentum_maps(state.q.data(), state.p.data(), &now);
      worst = std::fmax(worst, std::abs(now - initial));
    }
    EXPECT_LE(worst, 1e-12) << rule.name;
  }
}

TEST(Variational, EnergyOfThePendulumHasNoSecularDrift) {
  // 1e6 steps of a large swing. The energy oscillates by about h²; its least-squares slope over the run, times the
  // run's length, must be far below one oscillation: 1e-4 of it (a fit over N periods of a bounded oscillation leaves
  // ~1/N).
  const System system(models::pendulum());
  const auto method = make_method(std::make_shared<const System>(system), rules[0].options());
  const auto work = method->workspace();
  Lagrangian lagrangian(system);
  State state{.t = 0, .q = {2.5}, .p = {0}, .modes = {}};
  const double h = 0.05;
  double low = 1e9, high = -1e9, st = 0, se = 0, stt = 0, ste = 0;
  const int steps = 1000000;
  for (int k = 0; k < steps; ++k) {
    method->step(state, h, *work);
    const double e = state.p[0] * state.p[0] / 2 - std::cos(state.q[0]), t = (k + 1.0) / steps - 0.5;
    low = std::fmin(low, e), high = std::fmax(high, e);
    st += t, se += e, stt += t * t, ste += t * e;
  }
  const double drift = (ste - st * se / steps) / (stt - st * st / steps);
  EXPECT_LT(high - low, h * h);
  EXPECT_LT(std::abs(drift), 1e-4 * (high - low));
}

}  // namespace
}  // namespace ricochet::variational_test
