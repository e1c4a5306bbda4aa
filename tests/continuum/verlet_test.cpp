#include "ricochet/continuum/verlet.hpp"

#include <gtest/gtest.h>

#include "support/bars.hpp"

namespace ricochet::continuum::verlet_test {
namespace {

double momentum(const Bar& bar, const std::vector<double>& v) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += bar.mass[i] * v[i];
  return sum;
}

std::vector<double> at(const Verlet& verlet) {
  std::vector<double> u;
  verlet.bring_to(0, u);
  return u;
}

// The largest defect of ω^{n+½} − ω^{n−½} + Σ_b κ_ab = 0 over nodes, relative to the terms, for two solutions δ¹, δ² of
// the equations linearised along a motion whose tangent stiffnesses are k.
double multisymplectic_defect(const Bar& bar, const std::vector<double>& k, double h, const std::vector<double> d1[3],
                              const std::vector<double> d2[3]) {
  double worst = 0;
  for (std::size_t a = 0; a < bar.nodes(); ++a) {
    const auto omega = [&](int n) { return bar.mass[a] / h * (d1[n + 1][a] * d2[n][a] - d2[n + 1][a] * d1[n][a]); };
    double sum = omega(1) - omega(0), size = std::abs(omega(1)) + std::abs(omega(0));
    for (const int side : {-1, 1}) {
      if (side < 0 && a == 0) continue;
      const double K = -(side < 0 ? k[a - 1] : k[a]);
      if (K == 0) continue;
      const std::size_t b = a + static_cast<std::size_t>(side);
      sum += h * K * (d1[1][b] * d2[1][a] - d2[1][b] * d1[1][a]);
      size += h * std::abs(K) * (std::abs(d1[1][b] * d2[1][a]) + std::abs(d2[1][b] * d1[1][a]));
    }
    worst = std::max(worst, std::abs(sum) / size);
  }
  return worst;
}

std::vector<double> tangents(const Bar& bar, const std::vector<double>& u) {
  std::vector<double> k(bar.nodes(), 0.0);
  for (const Part& part : bar.parts)
    for (std::size_t c = part.first; c < part.last(); ++c)
      k[c] = part.area * tangent(part.law, (u[c + 1] - u[c]) * bar.inverse_dx[c]) * bar.inverse_dx[c];
  return k;
}

// Linear materials: differences of solutions are solutions of the linearised equations. Tolerance: round-off of the few
// terms, relative to their size.
TEST(Verlet, IsMultisymplecticAtEveryNode) {
  Model model = test::bodies({test::rod("a", 0, 1, 20, 0, 1, 1), test::rod("b", 1, 2, 15, 0, 3, 2)}, 0.8);
  model.bonds = {{"a", "b"}};
  model.bodies[0].mesh.grading = 3;
  Model other = model;
  model.bodies[0].velocity = [](double X) { return std::sin(3 * X); };
  model.bodies[1].velocity = [](double X) { return std::sin(3 * X); };
  other.bodies[0].velocity = [](double X) { return std::cos(2 * X); };
  other.bodies[1].velocity = [](double X) { return std::cos(2 * X); };
  const Bar bar(model), second(other);
  Verlet one(bar), two(second);
  std::vector<double> d1[3], d2[3];
  for (int n = 0; n < 200; ++n) {
    for (auto* d : {d1, d2}) d[0] = d[1], d[1] = d[2];
    d1[2] = at(one);
    d2[2] = at(two);
    if (n >= 4) {
      EXPECT_LT(multisymplectic_defect(bar, tangents(bar, d1[1]), bar.step, d1, d2), 1e-13) << n;
    }
    one.advance(n * bar.step, bar.step);
    two.advance(n * bar.step, bar.step);
  }
}

// Nonlinear: the linearised equations are written down here, along a motion of the program, and are those of the
// program itself: its motions that start 1e-6 apart differ by them to 1e-6 of their size.
TEST(Verlet, IsMultisymplecticAlongNonlinearMotions) {
  const auto start = [](double X) { return 0.1 * std::sin(3 * X); };
  const auto change = [](double X) { return std::cos(5 * X); };
  Model model = test::bodies({test::rod("a", 0, 1, 20)}, 0.6);
  model.bodies[0].material.law = NeoHookean{1, 1};
  model.bodies[0].velocity = start;
  const Bar bar(model);
  Model near = model;
  near.bodies[0].velocity = [=](double X) { return start(X) + 1e-6 * change(X); };
  const Bar near_bar(near);
  Verlet base(bar), moved(near_bar);
  const double h = bar.step;
  const std::size_t n = bar.nodes();
  std::vector<double> d1[3], d2[3];
  for (auto* d : {d1, d2}) d[1].assign(n, 0.0), d[2].assign(n, 0.0);
  std::vector<double> w1(n), w2(n);
  for (std::size_t i = 0; i < n; ++i) w1[i] = change(bar.X[i]), w2[i] = std::sin(7 * bar.X[i]);
  for (int step = 0; step < 100; ++step) {
    const std::vector<double> k = tangents(bar, at(base));
    const auto linearised = [&](std::vector<double> d[3], std::vector<double>& w) {
      d[0] = d[1], d[1] = d[2];
      for (std::size_t i = 0; i < n; ++i)
        w[i] += h * bar.inverse_mass[i] *
                ((i + 1 < n ? k[i] * (d[1][i + 1] - d[1][i]) : 0) - (i > 0 ? k[i - 1] * (d[1][i] - d[1][i - 1]) : 0));
      for (std::size_t i = 0; i < n; ++i) d[2][i] = d[1][i] + h * w[i];
    };
    linearised(d1, w1);
    linearised(d2, w2);
    if (step > 2) {
      EXPECT_LT(multisymplectic_defect(bar, k, h, d1, d2), 1e-13);
    }
    base.advance(step * h, h);
    moved.advance(step * h, h);
  }
  const std::vector<double> u = at(base), v = at(moved);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR((v[i] - u[i]) / 1e-6, d1[2][i], 2e-5);
}

// Energy and momentum change by the works and impulses of what is no potential; linear materials, every treatment.
// Round-off of the sums over 400 steps.
TEST(Verlet, EnergyAndMomentumBalance) {
  std::mt19937 random(11);
  for (const Treatment treatment : {Treatment::multiplier, Treatment::redistributed, Treatment::penalty})
    for (int trial = 0; trial < 40; ++trial) {
      Model model = test::random_bodies(random, treatment, true);
      model.gravity = trial % 3 == 0 ? -0.02 : 0;
      if (trial % 2 == 0) model.viscosity = {0.05, 0.5};
      const Bar bar(model);
      Verlet verlet(bar);
      const double E0 = verlet.energies().total(), p0 = momentum(bar, verlet.velocities());
      double size = std::abs(E0) + verlet.energies().kinetic, impulses = std::abs(p0), t = 0;
      for (int n = 0; n < 400; ++n) {
        const double h = n % 7 == 3 ? 0.7 * bar.step : bar.step;
        verlet.advance(t, h);
        t += h;
        const Balance& b = verlet.balance();
        const Energies e = verlet.energies();
        size = std::max({size, e.kinetic, std::abs(e.elastic), std::abs(e.gravity), std::abs(b.contact)});
        impulses += std::abs(b.support.x) + bar.mass[1];
        if (n % 7 != 3 && n % 7 != 4)  // the half-step energy belongs to steps of one length
          continue;
        EXPECT_NEAR(momentum(bar, verlet.velocities()) - p0, b.support.x + b.gravity.x, 1e-14 * impulses);
      }
      EXPECT_NEAR(momentum(bar, verlet.velocities()) - p0, verlet.balance().support.x + verlet.balance().gravity.x,
                  1e-14 * impulses);
    }
}

TEST(Verlet, EnergyBalanceWithContactViscosityAndPistons) {
  std::mt19937 random(12);
  for (const Treatment treatment : {Treatment::multiplier, Treatment::redistributed, Treatment::penalty})
    for (int trial = 0; trial < 40; ++trial) {
      Model model = test::random_bodies(random, treatment, true);
      model.gravity = trial % 3 == 0 ? -0.02 : 0;
      if (trial % 2 == 0) model.viscosity = {0.05, 0.5};
      const Bar bar(model);
      Verlet verlet(bar);
      const double E0 = verlet.energies().total();
      double size = 0;
      bool touched = bar.touches.empty();
      for (int n = 0; n < 1000; ++n) {
        verlet.advance(n * bar.step, bar.step);
        const Balance& b = verlet.balance();
        const Energies e = verlet.energies();
        for (const double x : {e.kinetic, e.elastic, e.gravity, b.contact, b.moving})
          size = std::max(size, std::abs(x));
        for (const ContactForce& f : verlet.contacts()) touched = touched || f.closed;
        ASSERT_NEAR(e.total() - E0, b.contact + b.moving + b.viscosity, 1e-12 * size)
            << name(treatment) << " " << trial << " " << n;
      }
      EXPECT_LE(verlet.balance().viscosity, 1e-16);
    }
}

// Without contact the half-step energy of linear materials is constant at the limit of stability too, where the energy
// at the steps is not: round-off a step.
TEST(Verlet, HalfStepEnergyIsConstantAtCourantOne) {
  Model model = test::bodies({test::rod("a", 0, 1, 50)});
  model.bodies[0].velocity = [](double X) { return std::exp(-50 * (X - 0.4) * (X - 0.4)); };
  const Bar bar(model);
  Verlet verlet(bar);
  double before = verlet.energies().total(), whole_low = 1e9, whole_high = 0;
  for (int n = 0; n < 1000; ++n) {
    verlet.advance(n * bar.step, bar.step);
    const double now = verlet.energies().total();
    EXPECT_NEAR(now, before, 1e-11 * now);
    before = now;
    std::vector<double> u = at(verlet);
    double whole = verlet.energies().kinetic;
    for (std::size_t c = 0; c < 50; ++c) whole += 0.5 * 50 * (u[c + 1] - u[c]) * (u[c + 1] - u[c]);
    whole_low = std::min(whole_low, whole);
    whole_high = std::max(whole_high, whole);
  }
  EXPECT_GT(whole_high - whole_low, 0.01 * before);
}

// A nonlinear material has no such invariant: the half-step energy oscillates, by O(h²). Steps halved four times: order
// 2 to the scatter of extremes.
TEST(Verlet, EnergyOfNonlinearMaterialsOscillatesAtSecondOrder) {
  double previous = 0;
  for (int level = 0; level < 4; ++level) {
    Model model = test::bodies({test::rod("a", 0, 1, 16)}, 0.4 / (1 << level));
    model.bodies[0].material.law = Quadratic{1, 0.5};
    model.bodies[0].displacement = [](double X) { return 0.05 * std::cos(3.141592653589793 * X); };
    const Bar bar(model);
    Verlet verlet(bar);
    const double E0 = verlet.energies().total();
    double range = 0;
    for (int n = 0; n * bar.step < 2; ++n) {
      verlet.advance(n * bar.step, bar.step);
      range = std::max(range, std::abs(verlet.energies().total() - E0));
    }
    if (level > 0) {
      EXPECT_NEAR(std::log2(previous / range), 2, 0.2) << level;
    }
    previous = range;
  }
}

// Free fall: parabola exactly, whatever the step.
TEST(Verlet, FallsExactly) {
  Model model = test::bodies({test::rod("a", 0, 1, 10, 3)}, 0.5);
  model.gravity = -9.81;
  const Bar bar(model);
  Verlet verlet(bar);
  for (int n = 0; n < 100; ++n) verlet.advance(n * bar.step, bar.step);
  const double t = 100 * bar.step;
  for (const double u : at(verlet)) EXPECT_NEAR(u, 3 * t - 0.5 * 9.81 * t * t, 1e-12);
}

TEST(Verlet, SavesAndLoads) {
  const Bar bar(test::two_rods(1, 2, 10, Treatment::interval));
  Verlet one(bar), two(bar);
  for (int n = 0; n < 15; ++n) one.advance(n * bar.step, bar.step);
  std::vector<double> saved;
  one.save(saved);
  std::span<const double> rest(saved);
  two.load(rest);
  EXPECT_TRUE(rest.empty());
  for (int n = 15; n < 40; ++n) one.advance(n * bar.step, bar.step), two.advance(n * bar.step, bar.step);
  EXPECT_EQ(at(one), at(two));
  EXPECT_EQ(one.velocities(), two.velocities());
}

// The method as it is printed, with lists of elements and nothing shared but the mesh: forces one element after
// another, kick, contact, drift.
struct NaiveVerlet {
  explicit NaiveVerlet(const Bar& bar) : bar(bar), u(bar.u), v(bar.v) {
    const std::vector<double> f = forces();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= 0.5 * bar.step * f[i] * bar.inverse_mass[i];
  }
  std::vector<double> forces() const {
    std::vector<double> f(u.size());
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = bar.mass[i] * bar.gravity;
    for (const Part& part : bar.parts)
      for (std::size_t c = part.first; c < part.last(); ++c) {
        const double N = part.area * stress(part.law, (u[c + 1] - u[c]) / bar.dx[c]);
        f[c] += N;
        f[c + 1] -= N;
      }
    return f;
  }
  void step(double end, double h) {
    const std::vector<double> f = forces();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += h * f[i] * bar.inverse_mass[i];
    for (const Touch& touch : bar.touches) {
      const double a = touch.a == Touch::none ? 0 : bar.inverse_mass[touch.a],
                   b = touch.b == Touch::none ? 0 : bar.inverse_mass[touch.b];
      const auto of = [](const std::vector<double>& x, std::size_t i) { return i == Touch::none ? 0 : x[i]; };
      const double gap = touch.gap0 + of(u, touch.b) - of(u, touch.a), w = of(v, touch.b) - of(v, touch.a);
      const double J = std::fmax(
          0.0, touch.treatment == Treatment::multiplier ? -(gap / h + w) / (a + b) : -h * touch.stiffness * gap);
      impulse += J;
      if (touch.a != Touch::none) v[touch.a] -= J * a;
      if (touch.b != Touch::none) v[touch.b] += J * b;
    }
    for (const Support& s : bar.supports) v[s.node] = (s.displacement(end) - u[s.node]) / h;
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += h * v[i];
  }
  const Bar& bar;
  std::vector<double> u, v;
  double impulse = 0;
};

// Displacements, velocities (both below 1 here) and impulses agree to the round-off of 300 steps of sums in another
// order; a contact that closes a round-off earlier or later changes no more than that, as the impulse begins with 0.
TEST(Verlet, IsTheNaiveAlgorithm) {
  std::mt19937 random(91);
  int touched = 0;
  for (const Treatment treatment : {Treatment::multiplier, Treatment::penalty})
    for (int trial = 0; trial < 100; ++trial) {
      Model model = test::random_bodies(random, treatment, trial % 2 == 0);
      model.viscosity = {};
      if (trial % 3 == 0) model.gravity = 0.01;
      if (trial % 10 == 0) model.bodies.front().mesh.cells = 700;  // more than a block
      const Bar bar(model);
      Verlet verlet(bar);
      NaiveVerlet naive(bar);
      double impulse = 0;
      for (int n = 0; n < 300; ++n) {
        verlet.advance(n * bar.step, bar.step);
        naive.step(n * bar.step + bar.step, bar.step);
        for (const ContactForce& f : verlet.contacts()) impulse += f.impulse;
      }
      touched += impulse > 0;
      std::vector<double> u;
      verlet.bring_to(300 * bar.step, u);
      for (std::size_t i = 0; i < u.size(); ++i) {
        ASSERT_NEAR(u[i], naive.u[i], 1e-12) << trial;
        ASSERT_NEAR(verlet.velocities()[i], naive.v[i], 1e-11) << trial;
      }
      ASSERT_NEAR(impulse, naive.impulse, 1e-11) << trial;
    }
  EXPECT_GT(touched, 60);
}

}  // namespace
}  // namespace ricochet::continuum::verlet_test
