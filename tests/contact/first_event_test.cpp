// The interval search against its naive twin: very many samples, then bisection.

#include "ricochet/contact/first_event.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ricochet::first_event_test {
namespace {

// A parabola, or one with a part of third degree that the model misses: q0 + s w + s² a + bend s²(r − s)/r².
struct Curve : Path {
  std::vector<double> q0, w, a, bend;
  double r = 1;
  void position(double s, double* q) override {
    for (std::size_t i = 0; i < q0.size(); ++i)
      q[i] = q0[i] + s * (w[i] + s * a[i]) + bend[i] * s * s * (r - s) / (r * r);
  }
  // What the event loop would measure: the velocity at the start, the mean velocity, four times the error in the
  // middle.
  PathModel model() const {
    PathModel m;
    m.t0 = 0.3;
    m.length = r;
    m.q0 = q0;
    for (std::size_t i = 0; i < q0.size(); ++i) {
      m.w0.push_back(w[i]);
      m.a.push_back(a[i]);
      m.error.push_back(4 * std::abs(bend[i]) * r / 8);
    }
    return m;
  }
};

// The gap's value along the path, closed pieces out of the question.
struct Watched {
  Gaps& gaps;
  Curve& curve;
  std::vector<double> q;
  double operator()(int gap, double s) {
    curve.position(s, q.data());
    return gaps.fold(gap, [&](int k) { return gaps.value_of(k, q.data(), 0.3 + s); });
  }
};

struct Twin {
  double s;
  int gap;
};
std::optional<Twin> naive(Gaps& gaps, Curve& curve, int samples) {
  Watched G{gaps, curve, std::vector<double>(curve.q0.size())};
  for (int k = 1; k <= samples; ++k) {
    std::optional<Twin> first;
    for (int gap = 0; gap < gaps.count(); ++gap) {
      double low = curve.r * (k - 1) / samples, high = curve.r * k / samples;
      if (G(gap, high) >= 0) continue;
      while (low + (high - low) / 2 > low && low + (high - low) / 2 < high) {
        const double middle = low + (high - low) / 2;
        (G(gap, middle) >= 0 ? low : high) = middle;
      }
      if (!first || low < first->s) first = Twin{low, gap};
    }
    if (first) return first;
  }
  return {};
}

// Half planes, discs to be in or out of, intersections and unions of them, a wall that moves.
Model scene(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) + square(dot(y));
  const auto plane = [&] {
    const double angle = M_PI * uniform(random), d = 0.3 + 0.5 * std::abs(uniform(random));
    return std::cos(angle) * x + std::sin(angle) * y + d;
  };
  const auto disc = [&] {
    const double r = 0.05 + 0.3 * std::abs(uniform(random));
    return sqrt(square(x - 1.5 * uniform(random)) + square(y - 1.5 * uniform(random))) - r;
  };
  m.contacts = {{.name = "cell", .gap = min(plane() + 0.5, min(plane() + 0.5, plane() + 0.5))},
                {.name = "disc", .gap = disc()},
                {.name = "post", .gap = max(plane() - 1.2, max(plane() - 1.2, plane() - 1.2))},
                {.name = "lens", .gap = max(disc(), disc())},
                {.name = "dish", .gap = 2 - sqrt(square(x) + square(y))},
                {.name = "piston", .gap = x + 1.5 - 0.2 * sin(7 * m.time())}};
  return m;
}

TEST(FirstEvent, IsThatOfManySamples) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int events = 0, none = 0, bent = 0;
  for (int k = 0; k < 3000; ++k) {
    const System system(scene(random));
    Gaps gaps(system);
    Curve c;
    const double speed = k % 2 == 0 ? 3 : 0.3;
    for (int i = 0; i < 2; ++i) {
      c.w.push_back(speed * uniform(random));
      c.a.push_back(speed * uniform(random));
      c.bend.push_back(k % 3 == 0 ? 0.1 * speed * uniform(random) : 0);
    }
    bool admissible = false;
    for (int trial = 0; trial < 100 && !admissible; ++trial) {
      c.q0 = {1.5 * uniform(random), 1.5 * uniform(random)};
      gaps.evaluate(c.q0.data(), 0.3);
      admissible = gaps.minimum() > 0;
    }
    if (!admissible) continue;
    FirstEvent search(gaps, 2);
    const std::vector<char> open(gaps.pieces(), 0);
    const PathModel model = c.model();
    const std::optional<Event> event = search.find(model, c, open);
    const std::optional<Twin> twin = naive(gaps, c, 4000);
    if (!event) {
      EXPECT_FALSE(twin.has_value()) << k << ": missed at " << twin->s;
      ++none;
      continue;
    }
    ++events;
    bent += k % 3 == 0;
    Watched G{gaps, c, std::vector<double>(2)};
    // on the boundary, on the admissible side; right behind it the path is outside
    EXPECT_GE(G(event->gap, event->s), 0) << k;
    EXPECT_LE(G(event->gap, event->s), 1e-13) << k;
    EXPECT_LT(G(event->gap, std::nextafter(event->s, 2) + 1e-13), 1e-15) << k;
    // earlier than the samples say: a dip shorter than their distance
    EXPECT_LE(event->s, twin ? twin->s + 1e-13 : 1) << k;
    if (!twin || event->s < twin->s - 1e-13) {
      EXPECT_GE(G(event->gap, std::fmin(1, event->s + 1.0 / 4000)), 0) << k;
    }
  }
  EXPECT_GT(events, 1000);
  EXPECT_GT(none, 200);
  EXPECT_GT(bent, 300);
}

// The quick proof and what the search has proved of the end of a path: starts on the boundary too, where a path leaves.
TEST(FirstEvent, WhatIsProvedClearHasNoEventAndWhatIsNotTouchingIsOpen) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int clear = 0, leaving = 0, open_at_end = 0;
  for (int k = 0; k < 3000; ++k) {
    const System system(scene(random));
    Gaps gaps(system);
    Curve c;
    const double speed = k % 2 == 0 ? 1 : 0.1;
    for (int i = 0; i < 2; ++i) {
      c.w.push_back(speed * uniform(random));
      c.a.push_back(0.3 * speed * uniform(random));
      c.bend.push_back(k % 3 == 0 ? std::abs(c.a[i]) * uniform(random) : 0);  // no more than the velocity changes
    }
    bool admissible = false;
    for (int trial = 0; trial < 100 && !admissible; ++trial) {
      c.q0 = {1.5 * uniform(random), 1.5 * uniform(random)};
      gaps.evaluate(c.q0.data(), 0.3);
      admissible = gaps.minimum() > 0;
    }
    if (!admissible) continue;
    const std::vector<char> open(gaps.pieces(), 0);
    FirstEvent search(gaps, 2);
    const auto meet = search.find(c.model(), c, open);
    if (meet) {  // from where it meets something, with the velocity turned round
      c.position(meet->s, c.q0.data());
      for (double& w : c.w) w = -w;
    } else {
      for (int gap = 0; gap < gaps.count(); ++gap) {
        const auto& list = search.touching();
        if (std::find(list.begin(), list.end(), gap) != list.end()) continue;
        EXPECT_GT((Watched{gaps, c, std::vector<double>(2)}(gap, c.r)), 0) << k;
        ++open_at_end;
      }
    }
    const std::vector<double> w{c.w[0] + c.a[0] * c.r, c.w[1] + c.a[1] * c.r},
        bend{std::abs(c.a[0]) * c.r, std::abs(c.a[1]) * c.r};
    if (!search.is_clear(0.3, c.r, c.q0.data(), w.data(), bend.data(), open)) continue;
    ++clear;
    leaving += meet.has_value();
    Watched G{gaps, c, std::vector<double>(2)};
    for (int gap = 0; gap < gaps.count(); ++gap)
      for (int i = 1; i <= 400; ++i) ASSERT_GT(G(gap, c.r * i / 400), 0) << k << " " << gap;
  }
  EXPECT_GT(clear, 300);
  EXPECT_GT(leaving, 50);
  EXPECT_GT(open_at_end, 3000);
}

TEST(FirstEvent, AThinObstacleDoesNotSlipThrough) {
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x));
  for (const double width : {1e-3, 1e-6, 1e-9, 1e-12}) {
    m.contacts = {{.name = "foil", .gap = max(0.37 - x, x - 0.37 - width)}};
    const System system(m);
    Gaps gaps(system);
    Curve c;
    c.q0 = {0}, c.w = {1}, c.a = {0}, c.bend = {0};
    FirstEvent search(gaps, 1);
    const std::vector<char> open(gaps.pieces(), 0);
    const std::optional<Event> event = search.find(c.model(), c, open);
    ASSERT_TRUE(event) << width;
    EXPECT_NEAR(event->s, 0.37, 1e-15);
  }
}

TEST(FirstEvent, AClosedPieceIsNoEventAndALeavingPathHasNone) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) + square(dot(y));
  m.contacts = {{.name = "corner", .gap = min(x, y)}};
  const System system(m);
  Gaps gaps(system);
  Curve c;
  c.q0 = {0.5, 0}, c.w = {-1, -1}, c.a = {0, 0}, c.bend = {0, 0};
  FirstEvent search(gaps, 2);
  const std::vector<char> closed{0, 1};  // y is a row of the flow
  const std::optional<Event> event = search.find(c.model(), c, closed);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->s, 0.5);
  c.w = {0.1, 1e-9};  // leaves y = 0, slowly
  EXPECT_FALSE(search.find(c.model(), c, std::vector<char>{0, 0}));
  c.w = {0.1, -1e-9};
  ASSERT_TRUE(search.find(c.model(), c, std::vector<char>{0, 0}));
  EXPECT_EQ(search.find(c.model(), c, std::vector<char>{0, 0})->s, 0);
}

}  // namespace
}  // namespace ricochet::first_event_test
