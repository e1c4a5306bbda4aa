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

// Bars of one height that meet with their whole faces, corner on corner: matching nodes stay together, the corners too,
// and no force but that of the faces, whose impulse is the momentum of a bar.
TEST(PlaneContact, CornersOfFacesThatMatchStayTogether) {
  const double v = 0.02, height = 0.2;
  const int n = 20;
  for (const auto& [treatment, scheme] : {std::pair{Treatment::multiplier, Scheme::verlet},
                                          {Treatment::multiplier, Scheme::avi},
                                          {Treatment::decomposed, Scheme::verlet},
                                          {Treatment::redistributed, Scheme::verlet}})
    for (const int layers : {2, 3, 4})
      for (const double gap : {0.0, 0.013})
        for (const double turn : {0.0, 0.7}) {
          const double c = std::cos(turn), s = std::sin(turn);
          Model model = test::plane(
              {test::solid("left", test::box(-1 - gap, 0, 1, height, n, layers), Hooke{0, 0.5}, v * c, v * s),
               test::solid("right", test::box(0, 0, 1, height, n, layers), Hooke{0, 0.5})},
              scheme == Scheme::avi ? 0.25 : 0.5);
          for (PlaneBody& b : model.plane->bodies)
            for (std::size_t i = 0; i < b.mesh.X.size(); i += 2) {
              const double x = b.mesh.X[i], y = b.mesh.X[i + 1];
              b.mesh.X[i] = c * x - s * y;
              b.mesh.X[i + 1] = s * x + c * y;
            }
          model.scheme = scheme;
          model.contacts = {{"left", "right", treatment}};
          const auto stepper = test::stepper_of(model);
          const double h = step_of(model);
          Observables seen;
          double deep = 0;
          for (int k = 0; k * h < 2; ++k) {
            stepper->advance(k * h, h);
            stepper->observe(seen);
            for (int j = 0; j <= layers; ++j) {
              const auto a = static_cast<std::size_t>(j * (n + 1) + n),
                         b = static_cast<std::size_t>((layers + 1 + j) * (n + 1));
              const double* x = seen.fields[0].data();
              deep = std::max(deep, c * (x[2 * a] - x[2 * b]) + s * (x[2 * a + 1] - x[2 * b + 1]));
            }
          }
          const std::string what = std::string(name(treatment)) + std::to_string(layers) + " " + std::to_string(turn);
          EXPECT_LT(deep, 1e-10) << what;
          // two cells of its length: bars of two layers without mass at their surface are as much too short or too soft
          EXPECT_NEAR(test::value(test::run_bodies(model, 3).contacts, "left-right", "impulse"), height * v,
                      2 * height * v / n)
              << what;
        }
}

// A block on a rough plane, λ = 0, which begins in the equilibrium of its weight and of the friction: it slows down by
// μg as a rigid one does, its energy falls by the work of friction, and the balance of both is exact, because the
// material is linear.
TEST(PlaneContact, ABlockSlides) {
  const double mu = 0.1, g = 0.02, v = 0.06, T = 24, H = 0.5, E = 2.5;
  Model model = test::plane({test::solid("block", test::box(0, 0, 2, H, 16, 4), Hooke{0, E / 2}, v)}, 0.8);
  model.plane->bodies[0].displacement = [=](double, double Y) {
    const double s = g / E * (H * Y - Y * Y / 2);
    return std::array<double, 2>{-2 * mu * s, -s};
  };
  model.plane->gravity = {0, -g};
  model.plane->walls = {{"floor", false, {0, 0}, {0, 1}, 0}};
  model.contacts = {{"block", "floor", Treatment::decomposed, 0, 0, mu}};
  const Summary s = test::run_bodies(model, T);
  const double lost = s.energy.initial - s.energy.final, friction = -test::scalar(s, "loss.friction").final,
               contact = -test::scalar(s, "work.contact").final, rigid = mu * g * (v * T - mu * g * T * T / 2);
  EXPECT_NEAR(deviation(s, "linear x") / T, mu * g, 0.01 * mu * g);
  EXPECT_NEAR(lost, friction, 0.01 * friction);
  EXPECT_NEAR(friction, rigid, 0.01 * rigid);
  EXPECT_NEAR(lost, friction + contact, 1e-13 * s.energy.initial);
}

// Discs, boxes and rings of random sizes, turns, spins and materials that fly at each other, with themselves too, under
// every treatment and both integrators, at Courant numbers from .1 to 1. Both momenta to round-off (where the surface
// without mass settles, to what Newton's method leaves: 1e-12). No node penetrates by more than 1e-5 where Verlet keeps
// positions. Energy is not won beyond what the half-step energy of a nonlinear material oscillates by (2 %), or what a
// spring wins whose node passes a corner while it is deep (5 %); of linear materials it changes by the works that were
// counted, exactly.
struct Fight {
  Model model;
  Treatment treatment = Treatment::multiplier;
  bool linear = false, verlet = true;
};
Fight random_fight(unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const Treatment treatments[] = {Treatment::multiplier, Treatment::decomposed, Treatment::penalty,
                                  Treatment::redistributed};
  Fight fight;
  fight.treatment = treatments[seed % 4];
  fight.linear = seed % 3 == 0;
  fight.verlet = fight.treatment == Treatment::redistributed || seed % 5 != 1;
  std::vector<PlaneBody> bodies;
  const int count = 2 + static_cast<int>(uniform(0, 2));
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * 3.14159 * k / count + uniform(-0.3, 0.3), x = 1.3 * std::cos(angle),
                 y = 1.3 * std::sin(angle), speed = uniform(0.02, 0.1), spin = uniform(-0.1, 0.1),
                 lambda = uniform(-0.3, 3), mu = uniform(0.5, 2), turn = uniform(0, 6), c = std::cos(turn),
                 d = std::sin(turn);
    const PlaneLaw law = fight.linear          ? PlaneLaw(Hooke{lambda, mu})
                         : uniform(0, 1) < 0.5 ? PlaneLaw(NeoHookean{lambda, mu})
                                               : PlaneLaw(StVenant{lambda, mu});
    const int kind = static_cast<int>(uniform(0, 3)), n = static_cast<int>(uniform(3, 6));
    PlaneMesh mesh = kind == 0   ? test::disc(x, y, 0.8, n)
                     : kind == 1 ? test::box(x - 0.5, y - 0.5, 1, 1, n, 4)
                                 : test::ring(x, y, 0.8, uniform(0.2, 0.5), 3);
    for (std::size_t i = 0; i < mesh.X.size(); i += 2) {  // corners meet corners
      const double p = mesh.X[i] - x, q = mesh.X[i + 1] - y;
      mesh.X[i] = x + c * p - d * q;
      mesh.X[i + 1] = y + d * p + c * q;
    }
    bodies.push_back(test::solid("b" + std::to_string(k), mesh, law, 0, 0, uniform(0.5, 2)));
    bodies.back().velocity = [=](double X, double Y) {
      return std::array<double, 2>{-speed * std::cos(angle) - spin * (Y - y),
                                   -speed * std::sin(angle) + spin * (X - x)};
    };
  }
  const double courants[] = {0.2, 0.5, 0.9, 1};
  fight.model = test::plane(bodies, fight.verlet ? courants[static_cast<int>(uniform(0, 4))] : uniform(0.1, 0.3));
  if (!fight.verlet) fight.model.scheme = Scheme::avi;
  const double e = uniform(0, 2), friction = uniform(0, 1);
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b) {
      ContactPair c{"b" + std::to_string(a), "b" + std::to_string(b), fight.treatment, 30};
      if (fight.treatment == Treatment::decomposed) c.nodal_restitution = std::max(0.0, e - 1), c.friction = friction;
      if (a != b || fight.treatment != Treatment::redistributed) fight.model.contacts.push_back(c);
    }
  return fight;
}

TEST(PlaneContact, RandomCollisionsKeepMomenta) {
  int met = 0;
  for (unsigned seed = 0; seed < 48; ++seed) {
    const Fight fight = random_fight(seed);
    Summary s;
    try {
      s = test::run_bodies(fight.model, 12);
    } catch (const ModelError&) {  // they overlap at the start
      continue;
    }
    met += s.impacts > 0;
    const double limit = fight.treatment == Treatment::redistributed ? 1e-12 : 1e-13;
    for (const char* name : {"linear x", "linear y", "angular"})
      EXPECT_TRUE((fight.linear && name[0] == 'a') || deviation(s, name) < limit) << name << " " << seed;
    EXPECT_LT(s.energy.max, s.energy.initial * (fight.treatment == Treatment::penalty ? 1.05 : 1.02)) << seed;
    EXPECT_TRUE(fight.treatment == Treatment::penalty || !fight.verlet || s.extremes.gap_min > -1e-5) << seed;
    if (!fight.linear || !fight.verlet || fight.treatment == Treatment::redistributed) continue;
    const double works = test::scalar(s, "work.contact").final + test::scalar(s, "loss.friction").final;
    EXPECT_NEAR(s.energy.final - s.energy.initial, works, 1e-12 * s.energy.initial) << seed;
  }
  EXPECT_GT(met, 25);
}

// The same bits for any number of threads: discs that press, rings with a boundary and a mesh that are long enough for
// several threads, with weight, a wall, and both integrators.
TEST(PlaneContact, ThreadsDoNotMatter) {
  const auto compare = [](Model model, double part, int steps) {
    std::vector<double> first;
    for (const unsigned threads : {1u, 2u, 5u}) {
      model.plane->threads = threads;
      const auto stepper = test::stepper_of(model);
      const double h = part * step_of(model);
      for (int k = 0; k < steps; ++k) stepper->advance(k * h, h);
      if (first.empty()) first = stepper->save();
      EXPECT_EQ(stepper->save(), first) << threads;
    }
  };
  Model discs = test::two_discs(28, Treatment::multiplier);
  discs.plane->bodies[1].velocity = [](double, double) { return std::array<double, 2>{-0.4, 0}; };
  compare(discs, 0.5, 40);
  for (const Scheme scheme : {Scheme::verlet, Scheme::avi}) {
    const NeoHookean law{1, 1};
    Model rings = test::plane({test::solid("a", make_mesh(RingShape{{0, 0}, 1, 0.98, 2, 1500}), law, 0.2, -0.3),
                               test::solid("b", make_mesh(RingShape{{2.0002, 0}, 1, 0.98, 2, 1500}), law, -0.2, 0)},
                              scheme == Scheme::verlet ? 0.5 : 0.25);
    rings.scheme = scheme;
    rings.plane->gravity = {0.1, -0.2};
    rings.plane->walls = {{"floor", false, {0, -1.0001}, {0, 1}, 0}};
    rings.contacts = {{"a", "b"}, {"a", "a"}, {"a", "floor", Treatment::decomposed, 0, 0.1, 0.3}};
    compare(rings, 1, 12);
  }
}

// A ring of one or two layers that flies or spins, however fast, does not touch itself: the other side of its wall is
// near, but that is no contact.
TEST(PlaneContact, AThinWallDoesNotTouchItself) {
  for (const Treatment treatment : {Treatment::multiplier, Treatment::decomposed, Treatment::penalty})
    for (const int layers : {1, 2})
      for (const double thickness : {0.02, 0.1})
        for (const double speed : {0.05, 0.5, 3.0})
          for (const bool spins : {false, true}) {
            Model model = test::plane({test::solid("ring", make_mesh(RingShape{{0, 0}, 1, 1 - thickness, layers, 60}),
                                                   NeoHookean{1, 1}, spins ? 0 : speed, spins ? 0 : -0.3 * speed)},
                                      0.8);
            if (spins)
              model.plane->bodies[0].velocity = [=](double X, double Y) {
                return std::array<double, 2>{-0.1 * speed * Y, 0.1 * speed * X};
              };
            model.plane->walls = {{"wall", false, {0, 1000}, {0, -1}, 0}};
            model.contacts = {{"ring", "ring", treatment, 10}, {"ring", "wall", treatment, 10}};
            const Summary s = test::run_bodies(model, 1);
            EXPECT_EQ(s.status, "completed") << s.message;
            EXPECT_EQ(s.impacts, 0) << name(treatment) << " " << layers << " " << thickness << " " << speed << spins;
          }
}

// A corner that meets a corner, a corner that meets a node in the middle of a side, two boxes whose corners touch at
// the start: there normals are many. With friction and a restitution of the nodes the impulses settle, at small steps
// too, and what holds elsewhere holds.
TEST(PlaneContact, CornersOnCorners) {
  const double diagonal = std::sqrt(0.5);
  const auto diamond = [&](double x) {
    PlaneMesh mesh = test::box(-0.5, -0.5, 1, 1, 4, 4);
    for (std::size_t i = 0; i < mesh.X.size(); i += 2) {
      const double p = mesh.X[i], q = mesh.X[i + 1];
      mesh.X[i] = x + diagonal * (p - q);
      mesh.X[i + 1] = diagonal * (p + q);
    }
    return mesh;
  };
  const NeoHookean law{1, 1};
  const std::pair<PlaneMesh, PlaneMesh> scenes[] = {
      {diamond(0), diamond(2 * diagonal)},
      {diamond(0), test::box(diagonal, -0.5, 1, 1, 4, 4)},
      {test::box(0, 0, 1, 1, 4, 4), test::box(1, 1, 1, 1, 4, 4)},
      {test::box(0, 0, 1, 1, 4, 4), test::box(1, 0.3, 1, 1, 3, 5)},
  };
  for (const auto& [a, b] : scenes)
    for (const Treatment treatment : {Treatment::multiplier, Treatment::decomposed})
      for (const double courant : {0.5, 0.2, -0.25}) {  // below 0: avi
        Model model =
            test::plane({test::solid("a", a, law, 0.1, 0), test::solid("b", b, law, -0.1, -0.05)}, std::abs(courant));
        if (courant < 0) model.scheme = Scheme::avi;
        const bool rough = treatment == Treatment::decomposed;
        model.contacts = {{"a", "b", treatment, 0, rough ? 0.5 : 0, rough ? 0.5 : 0}};
        const Summary s = test::run_bodies(model, 3);
        EXPECT_EQ(s.status, "completed") << s.message;
        for (const char* name : {"linear x", "linear y", "angular"}) EXPECT_LT(deviation(s, name), 1e-13) << name;
        EXPECT_LT(s.energy.max, 1.02 * s.energy.initial);
        EXPECT_TRUE(courant < 0 || s.extremes.gap_min > -1e-5) << s.extremes.gap_min;
      }
}

// Springs act however deep a body is, whatever the step: two discs that press softly come apart again with their
// energy. A body that would go through another is a failure.
TEST(PlaneContact, SpringsDoNotVanish) {
  for (const double courant : {0.9, 0.2, 0.05}) {
    Model model = test::two_discs(4, Treatment::penalty, 0, 0.02);
    model.courant = courant;
    model.contacts[0].stiffness = 2;
    const Summary s = test::run_bodies(model, 20);
    EXPECT_LT(s.extremes.gap_min, -0.02);
    EXPECT_NEAR(s.energy.final, s.energy.initial, 1e-3 * s.energy.initial) << courant;
    model.contacts[0].stiffness = 0.01;
    const Summary through = test::run_bodies(model, 40);
    EXPECT_EQ(through.status, "failed");
    EXPECT_NE(through.message.find("more than the shortest segment"), std::string::npos) << through.message;
  }
}

// A linear body has no energy that forbids J ≤ 0, but its boundary then crosses itself and has no outside: what struck
// it went on with energies without bound, to numbers that are none. In contact it is refused with time and element; a
// body that touches nothing is right however far it moves.
TEST(PlaneContact, ALinearBodyMayNotBeCrushedFlat) {
  for (const Treatment treatment :
       {Treatment::multiplier, Treatment::decomposed, Treatment::penalty, Treatment::redistributed})
    for (const Scheme scheme : {Scheme::verlet, Scheme::avi}) {
      if (treatment == Treatment::redistributed && scheme == Scheme::avi) continue;
      for (const double speed : {1.0, 3.0, 10.0}) {
        Model model = test::two_discs(6, treatment, 0.3, speed);
        for (PlaneBody& b : model.plane->bodies) b.law = Hooke{1, 1};
        model.scheme = scheme;
        model.courant = 0.25;
        model.contacts[0].stiffness = 1000;
        const Summary s = test::run_bodies(model, 3);
        EXPECT_TRUE(s.status == "failed" || speed == 1) << name(treatment) << name(scheme) << speed;
        if (treatment == Treatment::multiplier && speed > 1) {
          EXPECT_NE(s.message.find("is turned inside out"), std::string::npos) << s.message;
        }
        EXPECT_LT(s.energy.max, 1.5 * s.energy.initial) << name(treatment) << name(scheme) << speed;
      }
    }
  Model alone = test::plane({test::solid("disc", test::disc(0, 0, 1, 4), Hooke{1, 1})});
  alone.plane->bodies[0].displacement = [](double X, double Y) { return std::array<double, 2>{-3 * X, -2 * Y}; };
  const Summary s = test::run_bodies(alone, 3);
  EXPECT_EQ(s.status, "completed") << s.message;
  EXPECT_NEAR(s.energy.final, s.energy.initial, 1e-12 * s.energy.initial);
}

// Lengths, times and masses in units that are powers of two: the same bits, under every treatment and both integrators.
TEST(PlaneContact, UnitsDoNotMatter) {
  const auto run = [](Treatment treatment, Scheme scheme, double L, double T, double M) {
    const NeoHookean law{M / (T * T), 1.5 * M / (T * T)};
    const double v = 0.1 * L / T;
    Model model =
        test::plane({test::solid("a", test::disc(0, 0, L, 5), law, v, 0, M / (L * L)),
                     test::solid("b", test::box(1.01 * L, -0.6 * L, L, 1.5 * L, 4, 6), law, -v, 0, M / (L * L))},
                    scheme == Scheme::verlet ? 0.5 : 0.25);
    model.scheme = scheme;
    model.plane->walls = {{"wall", true, {3 * L, 0.2 * L}, {0, 1}, 0.9 * L}};
    model.plane->gravity = {0.001 * L / (T * T), 0};
    ContactPair a{"a", "b", treatment, 20 * M / (T * T * L)}, b{"b", "wall", treatment, 20 * M / (T * T * L)};
    if (treatment == Treatment::decomposed) a.nodal_restitution = 0.2, a.friction = 0.3;
    model.contacts = {a, b};
    const auto stepper = test::stepper_of(model);
    const double h = step_of(model);
    for (int k = 0; k < 200; ++k) stepper->advance(k * h, h);
    Observables seen;
    stepper->observe(seen);
    for (double& x : seen.fields[0]) x /= L;
    for (double& x : seen.fields[1]) x /= L / T;
    return std::pair{seen.fields[0], seen.fields[1]};
  };
  for (const Treatment treatment :
       {Treatment::multiplier, Treatment::decomposed, Treatment::penalty, Treatment::redistributed})
    for (const Scheme scheme : {Scheme::verlet, Scheme::avi}) {
      if (treatment == Treatment::redistributed && scheme == Scheme::avi) continue;
      const auto plain = run(treatment, scheme, 1, 1, 1);
      EXPECT_EQ(run(treatment, scheme, 1024, 1, 1), plain) << name(treatment) << name(scheme);
      EXPECT_EQ(run(treatment, scheme, 1, 0.03125, 1), plain) << name(treatment) << name(scheme);
      EXPECT_EQ(run(treatment, scheme, 0.25, 16, 4096), plain) << name(treatment) << name(scheme);
      EXPECT_EQ(run(treatment, scheme, 0.5, 8, 0.125), plain) << name(treatment) << name(scheme);  // √M is not exact
    }
}

// A box whose edge is driven into the edge of another one, or into a wall, that is held: no impulse parts them, and the
// run ends where they would overlap, in the first step after that time. Where the driven edge comes just to the other
// one, or the other body may give way, it goes on.
TEST(PlaneContact, SidesThatAreHeldDoNotOverlap) {
  for (const Treatment treatment : {Treatment::multiplier, Treatment::decomposed, Treatment::penalty})
    for (const Scheme scheme : {Scheme::verlet, Scheme::avi})
      for (const bool wall : {false, true})
        for (const double part : {0.9, 1.0, 1.4})
          for (const bool held : {true, false}) {
            if (wall && !held) continue;
            const double gap = 0.03, T = 2, most = part * gap;
            Model model = test::plane({test::solid("driven", test::box(0, gap, 1, 1, 4, 4), NeoHookean{1, 1})},
                                      scheme == Scheme::avi ? 0.2 : 0.6);
            model.scheme = scheme;
            model.plane->bodies[0].conditions = {{"bottom", EdgeCondition::moving, [=](double t) {
                                                    return std::array<double, 2>{0, -most * std::min(1.0, t / T)};
                                                  }}};
            if (wall) {
              model.plane->walls = {{"other", false, {0, 0}, {0, 1}, 0}};
            } else {
              model.plane->bodies.push_back(test::solid("other", test::box(-0.1, -1, 1.3, 1, 5, 5), NeoHookean{1, 1}));
              model.plane->bodies[1].conditions = {{"bottom", EdgeCondition::fixed, {}}};
              if (held) model.plane->bodies[1].conditions.push_back({"top", EdgeCondition::fixed, {}});
            }
            model.contacts = {{"driven", "other", treatment, 20}};
            const Summary s = test::run_bodies(model, 1.2 * T);
            const std::string what = std::string(name(treatment)) + name(scheme) + std::to_string(part);
            const bool ends = held && part > 1;
            EXPECT_EQ(s.status, ends ? "failed" : "completed") << what << s.message;
            if (!ends) continue;
            EXPECT_NE(s.message.find("sides that are held overlap by"), std::string::npos) << what << s.message;
            EXPECT_NEAR(s.time_end, T / part, 2 * step_of(model)) << what;
          }
}

}  // namespace
}  // namespace ricochet::continuum::plane_contact_test
