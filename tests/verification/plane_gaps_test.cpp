// What gaps say, against a look at every node and every segment, with no tree and no memory of where nodes were: the
// deepest node of one body in another is what gap_min says, and, where the treatment keeps bodies apart, at most 1e-5
// of a segment. Discs and boxes that roll and slide in a ring: nodes pass segments' ends within a step.

#include <gtest/gtest.h>

#include <random>

#include "ricochet/continuum/solid.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::plane_gaps_test {
namespace {

double distance(const double* p, const double* q, const double* at) {
  const double dx = q[0] - p[0], dy = q[1] - p[1], rx = at[0] - p[0], ry = at[1] - p[1],
               part = std::clamp((rx * dx + ry * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(rx - part * dx, ry - part * dy);
}

// Of the nodes of one body in the other.
double deepest(const Solid& solid, const std::vector<double>& x) {
  double worst = 0;
  for (std::size_t a = 0; a < 2; ++a)
    for (const Segment& s : solid.surfaces[a]) {
      const double* at = &x[2 * s[0]];
      bool inside = false;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Segment& t : solid.surfaces[1 - a]) {
        const double *p = &x[2 * t[0]], *q = &x[2 * t[1]];
        nearest = std::min(nearest, distance(p, q, at));
        if ((p[1] > at[1]) != (q[1] > at[1]) && at[0] < p[0] + (at[1] - p[1]) / (q[1] - p[1]) * (q[0] - p[0]))
          inside = !inside;
      }
      if (inside) worst = std::max(worst, nearest);
    }
  return worst;
}

Model in_a_ring(bool box, double spin, const PlaneLaw& law, Treatment treatment) {
  PlaneMesh mesh = box ? test::box(-0.28, -0.2, 0.56, 0.4, 8, 6) : test::disc(0.1, 0.05, 0.35, 5);
  Model model = test::plane({test::solid("ring", make_mesh(RingShape{{0, 0}, 1, 0.6, 3, 36}), law),
                             test::solid("inner", std::move(mesh), law)},
                            0.5);
  model.plane->bodies[0].velocity = [=](double X, double Y) { return std::array<double, 2>{0.1 * Y, -0.1 * X}; };
  model.plane->bodies[1].velocity = [=](double X, double Y) {
    return std::array<double, 2>{(box ? 0.1 : 0.3) - spin * Y, -0.05 + spin * X};
  };
  model.contacts = {{"inner", "ring", treatment, 40, 0, 0}};
  if (treatment == Treatment::decomposed) model.contacts[0].friction = 0.4;
  return model;
}

TEST(PlaneGaps, AreThoseOfEveryNodeAndSegment) {
  int pressed = 0;
  for (const Treatment treatment :
       {Treatment::multiplier, Treatment::decomposed, Treatment::redistributed, Treatment::penalty})
    for (const bool box : {false, true})
      for (const double spin : {box ? -0.3 : -1.0, box ? 0.1 : 0.6}) {
        const Model model = in_a_ring(box, spin, NeoHookean{1, 1}, treatment);
        const Solid solid(model);
        const auto stepper = test::stepper_of(model);
        const double h = step_of(model), segment = 0.07;  // about the shortest
        Observables seen;
        for (int k = 0; k < 250; ++k) {
          stepper->advance(k * h, h);
          stepper->observe(seen);
          pressed += seen.scalars.back() > 0;
          const double deep = deepest(solid, seen.fields[0]), said = std::max(0.0, -stepper->extremes().gap_min);
          EXPECT_LE(deep, said + 3.2e-5 * segment) << name(treatment) << box << spin << " step " << k;
          if (treatment != Treatment::penalty) {
            EXPECT_LT(said, 3.2e-5 * segment) << name(treatment) << box << spin << " step " << k;
          }
        }
      }
  EXPECT_GT(pressed, 700);
}

double to_circle(const Solid& solid, const std::vector<double>& x, const PlaneWall& wall) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Segment& s : solid.surfaces[0])
    nearest = std::min(nearest, distance(&x[2 * s[0]], &x[2 * s[1]], wall.at.data()));
  return nearest - wall.radius;
}

// Boxes, discs and rings, turned, that fall on a circle from the size of a body down to a fraction of a segment, which
// meets them between their nodes: no point of the boundary comes into it, and where it is near the gap is the distance
// of all segments. Momenta change by what the circle takes. What it does is what a polygon of many sides does, that is
// held: an error of its segments.
TEST(PlaneGaps, ToCirclesAreThoseOfEverySegment) {
  std::mt19937 random(4);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const Treatment treatments[] = {Treatment::multiplier, Treatment::decomposed, Treatment::redistributed,
                                  Treatment::penalty};
  for (int trial = 0; trial < 32; ++trial) {
    const Treatment treatment = treatments[trial % 4];
    const int kind = trial / 4 % 3;
    PlaneMesh mesh = kind == 0   ? test::box(-0.5, -0.4, 1, 0.8, 3 + trial / 12, 3)
                     : kind == 1 ? test::disc(0, 0, 0.5, 3)
                                 : make_mesh(RingShape{{0, 0}, 0.5, 0.3, 3, 18});
    const double radius = uniform(0, 1) < 0.5 ? uniform(0.02, 0.1) : uniform(0.1, 1), turn = uniform(0, 6),
                 shift = uniform(-0.3, 0.3), speed = uniform(0.05, 0.12);
    double low = 0;
    for (std::size_t i = 0; i < mesh.X.size(); i += 2) {
      const double X = mesh.X[i], Y = mesh.X[i + 1];
      mesh.X[i] = std::cos(turn) * X - std::sin(turn) * Y + shift;
      mesh.X[i + 1] = std::sin(turn) * X + std::cos(turn) * Y;
      low = std::min(low, mesh.X[i + 1]);
    }
    Model model = test::plane({test::solid("body", std::move(mesh), NeoHookean{1, 1}, 0, -speed)}, 0.4);
    model.plane->walls = {{"pin", true, {0, low - radius - 0.02}, {}, radius}};
    model.contacts = {{"body", "pin", treatment, 60}};
    const PlaneWall wall = model.plane->walls[0];
    const bool avi = trial % 8 == 1 || trial % 8 == 4;
    if (treatment == Treatment::decomposed) model.contacts[0].friction = 0.3;
    if (avi) model.scheme = Scheme::avi, model.courant = 0.25;
    const Solid solid(model);
    const auto stepper = test::stepper_of(model);
    const auto& names = stepper->labels().scalars;
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), "impulse.supports.x") - names.begin());
    const double h = step_of(model);
    Observables first, seen;
    stepper->observe(first);
    for (int k = 0; k * h < 6; ++k) {
      stepper->advance(k * h, h);
      stepper->observe(seen);
      const double gap = to_circle(solid, seen.fields[0], wall), said = stepper->extremes().gap_min;
      EXPECT_GE(gap, std::min(0.0, said) - (avi ? 1e-3 : 1e-12)) << trial << " step " << k;
      if (treatment != Treatment::penalty) {
        EXPECT_GT(gap, avi ? -2e-3 : -1e-6) << trial << " step " << k;
      }
    }
    EXPECT_GT(seen.scalars[at + 1], 0.01) << trial;  // it was struck
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(seen.momenta[d] - first.momenta[d], seen.scalars[at + d], 1e-13) << trial;
    if (treatment != Treatment::multiplier || avi) continue;
    Model twin = model;
    twin.plane->walls.clear();
    twin.plane->bodies.push_back(
        test::solid("pin", test::disc(wall.at[0], wall.at[1], radius, 20), Hooke{1e-6, 1e-6}, 0, 0, 1));
    twin.plane->bodies[1].conditions = {{"outer", EdgeCondition::fixed, {}}};
    const Summary a = test::run_bodies(model, 6), b = test::run_bodies(twin, 6);
    EXPECT_NEAR(test::value(a.contacts, "body-pin", "impulse"), test::value(b.contacts, "body-pin", "impulse"), 2e-3)
        << trial;
  }
}

}  // namespace
}  // namespace ricochet::continuum::plane_gaps_test
