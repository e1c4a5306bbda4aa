// Random polygons, obstacles and their unions with discs, at steps from a small part of the domain to hundreds of its
// diameters: every impact against reflection by hand, until round-off has grown beyond comparison. No face acts that is
// not touched, none is missed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "ricochet/error.hpp"
#include "support/billiard.hpp"
#include "support/flight.hpp"

namespace ricochet {
namespace {

using billiard::along, billiard::dot, billiard::norm;
using billiard::Shape;
using billiard::Vector;
using Kind = Shape::Kind;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

 private:
  std::mt19937 engine_;
};

struct Domain {
  Shape shape;
  double size;  // of its coordinates
  std::vector<billiard::Wall> walls;
  std::vector<int> contact_of_leaf;  // one contact for the whole, or one for each part of an intersection
};

class Builder {
 public:
  Builder(Random& random, bool round) : random_(random), round_(round) {
    unit_ = std::exp2(random(-20, 20));
    centre_ = {unit_ * random(-2, 2), unit_ * random(-2, 2)};
  }
  Domain build() {
    Domain domain;
    domain.shape = shape(random_.below(round_ ? 7 : 5));
    domain.size = unit_ * 4;
    domain.walls = billiard::walls_of(domain.shape, domain.size);
    return domain;
  }
  double unit() const { return unit_; }
  Vector centre() const { return centre_; }

 private:
  Vector at(double x, double y) const { return {centre_[0] + unit_ * x, centre_[1] + unit_ * y}; }
  // Half planes whose edges are at r/2 … r from x; inside of all of them or outside.
  Shape polygon(Vector x, double r, bool inside) {
    const int n = 3 + random_.below(5);
    Shape all{inside ? Kind::intersection : Kind::join};
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * M_PI * (k + random_(-0.2, 0.2)) / n + turn_, d = unit_ * r * random_(0.5, 1);
      const Vector out{std::cos(angle), std::sin(angle)}, normal = inside ? Vector{-out[0], -out[1]} : out;
      all.children.push_back({Kind::half_plane, normal, dot(normal, x) + (inside ? -d : d), factor()});
    }
    turn_ += 1.1;
    return all;
  }
  Shape circle(Vector x, double r, bool inside) {
    return {inside ? Kind::disc : Kind::hole, x, unit_ * r, factor(), random_.below(2) == 0};
  }
  Shape blob(double x, double y, double r, bool inside) {
    return round_ && random_.below(3) == 0 ? circle(at(x, y), r, inside) : polygon(at(x, y), r, inside);
  }
  Shape shape(int kind) {
    Shape all{Kind::intersection};
    switch (kind) {
      case 0:  // convex
        return polygon(centre_, 1, true);
      case 1:  // obstacles in it
        all.children.push_back(blob(0, 0, 2, true));
        for (int k = 0; k <= random_.below(3); ++k)
          all.children.push_back(blob(random_(-0.5, 0.5), random_(-0.5, 0.5), random_(0.05, 0.4), false));
        return all;
      case 2:  // union of overlapping rooms
        all.kind = Kind::join;
        for (int k = 0; k < 3; ++k) all.children.push_back(blob(0.7 * k - 0.7, random_(-0.3, 0.3), 1, true));
        return all;
      case 3: {  // union of rooms with obstacles
        Shape rooms{Kind::join};
        for (int k = 0; k < 2; ++k) {
          Shape room{Kind::intersection};
          room.children = {blob(k - 0.5, 0, 1.2, true), blob(k - 0.5, random_(-0.4, 0.4), 0.3, false)};
          rooms.children.push_back(room);
        }
        all.children = {rooms, blob(0, 0, 0.2, false)};
        return all;
      }
      case 4: {  // outside of what two convex bodies share, and of a third
        Shape lens{Kind::join};
        lens.children = {blob(-0.1, 0, 0.5, false), blob(0.2, 0.1, 0.5, false)};
        all.children = {blob(0, 0, 2, true), lens, blob(0.6, -0.5, 0.25, false)};
        return all;
      }
      case 5: {  // stadium
        Shape box{Kind::intersection};
        for (const auto& [x, y] : {std::pair{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}}) {
          const Vector n{x, y};
          box.children.push_back({Kind::half_plane, n, dot(n, centre_) - unit_, factor()});
        }
        all.kind = Kind::join;
        all.children = {box, circle(at(-1, 0), 1, true), circle(at(1, 0), 1, true)};
        return all;
      }
      default:  // disc with holes
        all.children = {circle(centre_, 1, true), circle(at(0.3, 0.2), random_(0.05, 0.3), false),
                        circle(at(-0.4, -0.1), random_(0.05, 0.3), false)};
        return all;
    }
  }
  double factor() { return random_.below(2) == 0 ? 1 : std::exp(random_(-2, 2)); }

  Random& random_;
  bool round_;
  double unit_, turn_ = 0.3;
  Vector centre_;
};

// A free particle, or one under gravity, in a domain.
Model model_of(Domain& domain, double mass, Vector a, double e, bool apart) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = mass / 2 * (square(dot(x)) + square(dot(y))) + mass * (a[0] * x + a[1] * y);
  std::vector<Shape> parts{domain.shape};
  if (apart && domain.shape.kind == Kind::intersection) parts = domain.shape.children;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    m.contacts.push_back({.name = "part" + std::to_string(k), .gap = parts[k].gap(x, y)});
    if (e < 1) m.contacts.back().law = "newton", m.contacts.back().restitution = m.graph->constant(e);
    std::vector<const Shape*> leaves;
    parts[k].leaves(leaves);
    domain.contact_of_leaf.insert(domain.contact_of_leaf.end(), leaves.size(), static_cast<int>(k));
  }
  return m;
}

std::optional<Vector> start_in(const Domain& domain, Vector centre, double unit, Random& random) {
  for (int tries = 0; tries < 100; ++tries) {
    const Vector q{centre[0] + unit * random(-1.5, 1.5), centre[1] + unit * random(-1.5, 1.5)};
    bool inside = true;
    for (int k = 0; k < 8; ++k)
      inside &= domain.shape.contains(along(q, 1e-3 * unit, {std::cos(k * M_PI / 4), std::sin(k * M_PI / 4)}));
    if (inside) return q;
  }
  return {};
}

struct Tally {
  int pairs = 0, impacts = 0, in_one_step = 0;
};

void compare(unsigned seed, bool gravity, Tally& tally) {
  Random random(seed);
  Builder builder(random, !gravity);
  Domain domain = builder.build();
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

}  // namespace ricochet
