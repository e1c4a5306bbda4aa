// What gaps say, against a look at every node and every segment, with no tree and no memory of where nodes were: the
// deepest node of one body in another is what gap_min says, and, where the treatment keeps bodies apart, at most 1e-5
// of a segment. Discs and boxes that roll and slide in a ring: nodes pass segments' ends within a step.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ricochet::continuum::plane_gaps_test
