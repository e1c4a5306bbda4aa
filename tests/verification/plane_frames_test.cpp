// The same scene of bodies in the plane turned, mirrored, in a moving frame, with bodies and nodes in another order:
// the same motion to round-off. Where faces lie on each other and slide over each other's ends, and where corners
// touch, the nearest segment and the direction from a corner are round-off: then it must not matter which they are.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "support/solids.hpp"

namespace ricochet::continuum::plane_frames_test {
namespace {

using Vec = std::array<double, 2>;

struct Motion {
  std::vector<double> x, v;  // of the nodes, bodies and nodes in the order of the plain scene
  double force = 0;          // the largest
};

// Another look at a scene: how points and directions are seen, a velocity of the frame, order of bodies and of nodes.
struct View {
  std::string name;
  double turn = 0;
  bool mirror = false, reverse = false, renumber = false;
  Vec boost{0, 0};

  Vec see(const Vec& a) const {
    const double c = std::cos(turn), s = std::sin(turn), x = mirror ? -a[0] : a[0];
    return {c * x - s * a[1], s * x + c * a[1]};
  }
  Vec back(const Vec& a) const {
    const double c = std::cos(turn), s = std::sin(turn), x = c * a[0] + s * a[1];
    return {mirror ? -x : x, c * a[1] - s * a[0]};
  }
};

Model seen_from(const Model& plain, const View& view) {
  Model model = plain;
  for (PlaneBody& b : model.plane->bodies) {
    const auto count = static_cast<int>(b.mesh.nodes());
    const std::vector<double> X = b.mesh.X;
    const auto number = [&](int i) { return view.renumber ? count - 1 - i : i; };
    for (int i = 0; i < count; ++i) {
      const Vec at = view.see({X[2 * i], X[2 * i + 1]});
      std::copy(at.begin(), at.end(), &b.mesh.X[2 * number(i)]);
    }
    for (Triangle& t : b.mesh.triangles) {
      t = {number(t[0]), number(t[1]), number(t[2])};
      if (view.mirror) std::swap(t[1], t[2]);
      if (view.renumber) std::rotate(t.begin(), t.begin() + 1, t.end());
    }
    if (view.renumber) std::reverse(b.mesh.triangles.begin(), b.mesh.triangles.end());
    const PlaneFunction v = b.velocity;
    b.velocity = [=](double x, double y) {
      const Vec at = view.back({x, y}), w = v(at[0], at[1]);
      return view.see({w[0] + view.boost[0], w[1] + view.boost[1]});
    };
  }
  if (view.reverse) {
    std::reverse(model.plane->bodies.begin(), model.plane->bodies.end());
    for (ContactPair& c : model.contacts) std::swap(c.a, c.b);
  }
  return model;
}

Motion move(const Model& plain, const View& view, int steps) {
  const Model model = seen_from(plain, view);
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model);
  Motion motion;
  Observables seen;
  for (int k = 0; k < steps; ++k) {
    stepper->advance(k * h, h);
    stepper->observe(seen);
    for (std::size_t j = 12; j < seen.scalars.size(); ++j) motion.force = std::max(motion.force, seen.scalars[j]);
  }
  const auto read = [&](const std::vector<double>& field, const Vec& frame) {
    std::vector<std::vector<double>> bodies;
    std::size_t first = 0;
    for (const PlaneBody& b : model.plane->bodies) {
      const std::size_t n = b.mesh.nodes();
      std::vector<double>& body = bodies.emplace_back();
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = 2 * (first + (view.renumber ? n - 1 - i : i));
        const Vec at = view.back({field[k], field[k + 1]});
        body.insert(body.end(), {at[0] - frame[0], at[1] - frame[1]});
      }
      first += n;
    }
    if (view.reverse) std::reverse(bodies.begin(), bodies.end());
    std::vector<double> all;
    for (const auto& body : bodies) all.insert(all.end(), body.begin(), body.end());
    return all;
  };
  motion.x = read(seen.fields[0], {steps * h * view.boost[0], steps * h * view.boost[1]});
  motion.v = read(seen.fields[1], view.boost);
  return motion;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// A box beside or on another one, faces or corners on each other.
Model boxes(const PlaneMesh& second, const PlaneLaw& law, const Vec& v, Treatment treatment, double friction) {
  Model model = test::plane(
      {test::solid("a", test::box(0, 0, 2, 1, 6, 3), law), test::solid("b", second, law, v[0], v[1], 1.1)}, 0.8);
  model.plane->bodies[0].velocity = [](double, double) { return Vec{0, 0}; };
  if (!model.plane->bodies[1].velocity) model.plane->bodies[1].velocity = [](double, double) { return Vec{0, 0}; };
  model.contacts = {{"a", "b", treatment, 10, 0, treatment == Treatment::decomposed ? friction : 0}};
  return model;
}

// Round-off of 1e-16 in the positions is a speed of 1e-15 within a step, and what contact makes of it in fifty.
TEST(PlaneFrames, AreNotSeenInTheMotion) {
  const std::vector<View> views{{"turned", 0.7},
                                {"turned far", 2.9},
                                {"mirrored", 0, true},
                                {"reversed", 0, false, true},
                                {"renumbered", 0, false, false, true},
                                {"moving", 0, false, false, false, {0.5, -0.25}}};
  const std::pair<const char*, std::pair<PlaneMesh, Vec>> scenes[] = {
      {"slides flush", {test::box(0.75, 1, 1.2352, 0.5, 5, 2), {-0.27, 0}}},
      {"slides off an end", {test::box(1.1, 1, 0.9, 0.5, 4, 2), {0.3, 0}}},
      {"slides and presses", {test::box(0.5, 1, 1, 0.5, 4, 3), {0.3, -0.03}}},
      {"falls flush, ends aligned", {test::box(1, 1, 1, 0.5, 4, 2), {0, -0.05}}},
      {"corner leaves a corner", {test::box(2, 1, 1, 1, 4, 4), {0.16, -0.15}}},
      {"corner on a corner", {test::box(2, 1, 1, 1, 4, 4), {-0.1, -0.03}}},
      {"beside, sliding", {test::box(2, 0.3, 1, 1, 3, 5), {-0.02, 0.2}}},
  };
  int touched = 0;
  for (const auto& [what, scene] : scenes)
    for (const Treatment treatment : {Treatment::multiplier, Treatment::decomposed, Treatment::penalty})
      for (const PlaneLaw& law : {PlaneLaw(Hooke{1, 1}), PlaneLaw(NeoHookean{1, 1})}) {
        const Model model = boxes(scene.first, law, scene.second, treatment, 0.3);
        const Motion plain = move(model, {"plain"}, 50);
        touched += plain.force > 1e-6;
        for (const View& view : views) {
          const Motion other = move(model, view, 50);
          EXPECT_LT(difference(other.x, plain.x), 1e-10) << what << ", " << view.name << ", " << name(treatment);
          EXPECT_LT(difference(other.v, plain.v), 1e-9) << what << ", " << view.name << ", " << name(treatment);
        }
      }
  EXPECT_GE(touched, 18);
}

// What slides flush, or passes a corner, presses nothing: no force but that of round-off.
TEST(PlaneFrames, WhatSlidesFlushIsFree) {
  for (const double turn : {0.0, 0.3, 0.7, 1.9})
    for (const auto& [mesh, v] : {std::pair{test::box(0.75, 1, 1.2352, 0.5, 5, 2), Vec{-0.27, 0}},
                                  {test::box(1.1, 1, 0.9, 0.5, 4, 2), Vec{0.3, 0}},
                                  {test::box(2, 1, 1, 1, 4, 4), Vec{0.16, -0.15}}})
      for (const Treatment treatment : {Treatment::multiplier, Treatment::penalty}) {
        const Model model = boxes(mesh, NeoHookean{1, 1}, v, treatment, 0);
        EXPECT_LT(move(model, {"turned", turn}, 80).force, 1e-13) << turn << name(treatment);
      }
}

}  // namespace
}  // namespace ricochet::continuum::plane_frames_test
