// The shadow energy  H2 = H + h² (c vᵀV''v − ∇VᵀM⁻¹∇V/24),  c = 1/12 for trapezoidal, −1/24 for midpoint, is kept to
// order 4 where H is kept to order 2: between reflections, and by reflections that keep it.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"

namespace ricochet::shadow_energy_test {
namespace {

// Hénon and Heiles with two masses that are coupled, so that M is not diagonal.
Model henon_heiles(bool walls) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + 2 * square(dot(y)) + dot(x) * dot(y)) / 2 - (square(x) + square(y)) / 2 -
                 square(x) * y + y * y * y / 3;
  if (walls) m.contacts = {{.name = "wall", .gap = 0.25 - x - 0.2 * y}};
  return m;
}

double shadow_energy(Flight& run, double c) {
  Lagrangian L(*run.system);
  Eigen::Vector2d v, a;
  Eigen::Vector<double, 5> in = Eigen::Vector<double, 5>::Zero(), out;
  L.velocity(run.state.q.data(), run.state.p.data(), run.state.t, v.data());
  L.evaluate(2, run.state.q.data(), v.data(), run.state.t);
  const Eigen::Vector2d f(L.Lq()[0], L.Lq()[1]);  // −∇V
  in.head<2>() = v;
  L.apply_hessian(in.data(), out.data());
  const double bend = -v.dot(out.head<2>());  // vᵀV''v
  L.apply_inverse_mass(f.data(), a.data());
  return run.energy() + run.h * run.h * (c * bend - f.dot(a) / 24);
}

struct Spread {
  double H, H2;
};
Spread spread(const Model& model, const IntegratorOptions& options, double c, double end) {
  Flight run(model, options, {0.1, 0.2}, {0.3, 0.1});
  const double H = run.energy(), H2 = shadow_energy(run, c);
  Spread result{0, 0};
  const long steps = std::lround(end / options.step);
  for (long k = 0; k < steps; ++k) {
    run.step();
    result.H = std::fmax(result.H, std::abs(run.energy() - H));
    result.H2 = std::fmax(result.H2, std::abs(shadow_energy(run, c) - H2));
  }
  return result;
}

struct Rule {
  const char* name;
  double c;
};
const Rule rules[] = {{"trapezoidal", 1.0 / 12}, {"midpoint", -1.0 / 24}};

TEST(ShadowEnergy, KeptToOrderFourWhereTheEnergyIsKeptToOrderTwo) {
  for (const Rule& rule : rules) {
    const auto at = [&](double h) {
      return spread(henon_heiles(false),
                    {.method = "variational", .discretization = rule.name, .step = h, .parameters = {}}, rule.c, 20);
    };
    const Spread coarse = at(0.1), fine = at(0.025);  // the largest errors: h^2 and h^4 up to the next order
    EXPECT_NEAR(std::log(coarse.H / fine.H) / std::log(4.0), 2, 0.1) << rule.name;
    EXPECT_NEAR(std::log(coarse.H2 / fine.H2) / std::log(4.0), 4, 0.1) << rule.name;
  }
}

TEST(ShadowEnergy, KeptThroughReflections) {
  // A reflection at fixed q changes p such that H2 stays: order 4 through impacts, while reflections that keep H move
  // H2 by O(h²).
  for (const Rule& rule : rules) {
    const auto at = [&](double h, const char* energy) {
      return spread(henon_heiles(true),
                    {.method = "generalized-variational",
                     .discretization = rule.name,
                     .step = h,
                     .parameters = {{"reflection_energy", std::string(energy)}}},
                    rule.c, 20);
    };
    const Spread coarse = at(0.1, "shadow"), fine = at(0.025, "shadow"), plain = at(0.025, "continuous");
    EXPECT_GT(std::log(coarse.H2 / fine.H2) / std::log(4.0), 3.7) << rule.name;
    EXPECT_GT(plain.H2, 10 * fine.H2) << rule.name;
  }
}

}  // namespace
}  // namespace ricochet::shadow_energy_test
