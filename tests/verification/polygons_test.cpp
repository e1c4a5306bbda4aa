// Random polygons, obstacles and their unions with discs, at steps from a small part of the domain to hundreds of its
// diameters: every impact against reflection by hand, until round-off has grown beyond comparison. No face acts that is
// not touched, none is missed.

#include <gtest/gtest.h>

#include <cstdlib>

#include "ricochet/error.hpp"
#include "support/billiard_domains.hpp"
#include "support/flight.hpp"

namespace ricochet::polygons_test {
namespace {

using billiard::norm;
using billiard::Shape;

struct Tally {
  int pairs = 0, impacts = 0, in_one_step = 0;
};

void compare(unsigned seed, bool gravity, Tally& tally) {
  billiard::Random random(seed);
  billiard::Builder builder(random, !gravity);
  billiard::Domain domain = builder.build();
  const auto q = start_in(domain, builder.centre(), builder.unit(), random);
  if (!q) return;
  const double unit = builder.unit(), speed = std::exp2(random(-10, 10)), angle = random(0, 2 * M_PI);
  billiard::Particle exact{.q = *q, .v = {speed * std::cos(angle), speed * std::sin(angle)}};
  if (gravity) exact.a = {random(-1, 1) * speed * speed / unit, random(-1, 1) * speed * speed / unit};
  const char* rules[] = {"trapezoidal", "midpoint", "galerkin"};
  const bool discrete = !gravity && random.below(2) == 0;
  bool round = false;
  for (const billiard::Wall& wall : domain.walls) round |= wall.arc;
  // lossy bounces in a dish become a slide along it, which no long step can follow
  const double e = random.below(3) == 0 && !discrete && !round ? random(0.7, 1) : 1;
  const double h = unit / speed * std::pow(10, random(-2.5, 2.5)), eps_g = random.below(2) == 0 ? 0 : 1e-9;
  IntegratorOptions options = collision(h, rules[random.below(3)], discrete ? "discrete" : "continuous");
  options.parameters["max_impacts"] = 1e6;
  options.parameters["eps_g"] = eps_g;
  options.rest = e < 1;  // elastic bounces are bounces, however short; lossy ones end
  exact.h = h;
  const Model model = model_of(domain, std::exp2(random(-10, 10)), exact.a, e, random.below(2) == 0);
  Flight run(model, options, {(*q)[0], (*q)[1]}, {exact.v[0], exact.v[1]});
  ++tally.pairs;
  // A corner: what is met within eps_g of a step is met together. An arc that ends tangentially is that near for long.
  const double together = eps_g * h * speed, corner = round ? std::sqrt(8 * unit * together) : 30 * together;
  const auto next = [&] { return billiard::next_hit(domain.walls, e, corner, domain.size, exact); };
  std::vector<const Shape*> leaves;
  domain.shape.leaves(leaves);
  int hits = 0;
  for (std::optional<billiard::Hit> hit = next(); hit && hits < 60 && run.k < 2000;) {
    try {
      run.step();
    } catch (const SolverError& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
      return;
    }
    tally.in_one_step = std::max(tally.in_one_step, static_cast<int>(run.work->impacts.size()));
    for (const Impact& impact : run.work->impacts) {
      constexpr double C = 4;
      if (impact.law == ImpactLaw::rest) return;
      ASSERT_NEAR(impact.time, hit->t, C * hit->dt) << "seed " << seed << ", impact " << hits;
      for (int i = 0; i < 2; ++i) {
        ASSERT_NEAR(impact.q[i], hit->q[i], C * hit->dq) << "seed " << seed << ", impact " << hits;
        ASSERT_NEAR(impact.v_before[i], hit->v_before[i], C * hit->dv) << "seed " << seed << ", impact " << hits;
        ASSERT_NEAR(impact.v_after[i], hit->v_after[i], C * hit->dv) << "seed " << seed << ", impact " << hits;
      }
      ASSERT_EQ(impact.contacts.size(), 1u) << "seed " << seed;
      EXPECT_EQ(impact.contacts[0].contact, domain.contact_of_leaf[hit->leaf]) << "seed " << seed;
      EXPECT_NEAR(impact.obtained_restitution, e, 1e-10) << "seed " << seed;
      // the gap at round-off of its terms: coordinates, or their squares over the radius (8.2 ε in one of 10⁶ impacts)
      const Shape& leaf = *leaves[hit->leaf];
      EXPECT_LE(impact.gap, 16 * std::numeric_limits<double>::epsilon() * leaf.factor * domain.size *
                                (leaf.squared ? domain.size / leaf.c : 1))
          << "seed " << seed << ", impact " << hits;
      ++tally.impacts, ++hits;
      if (!(hit = next()) || hit->dq > 1e-6 * unit) return;
    }
    ASSERT_GE(hit->t + 4 * hit->dt, run.state.t) << "seed " << seed << ": impact " << hits << " was missed";
  }
}

}  // namespace

TEST(Polygons, EveryImpactIsTheReflectionByHand) {
  Tally tally;
  const unsigned pairs = std::getenv("RICOCHET_LONG") != nullptr ? 200000 : 2500;
  for (unsigned seed = 1; seed <= pairs; ++seed) compare(seed, false, tally);
  EXPECT_GE(tally.pairs, 2000);
  EXPECT_GE(tally.impacts, 20 * tally.pairs);
  EXPECT_GE(tally.in_one_step, 50);
}

TEST(Polygons, UnderGravityEveryImpactIsARootOfAParabola) {
  Tally tally;
  const unsigned pairs = std::getenv("RICOCHET_LONG") != nullptr ? 100000 : 1200;
  for (unsigned seed = 1; seed <= pairs; ++seed) compare(seed, true, tally);
  EXPECT_GE(tally.pairs, 1000);
}

}  // namespace ricochet::polygons_test
