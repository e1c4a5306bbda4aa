#include "ricochet/mechanics/system.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "support/models.hpp"

namespace ricochet::system_test {
namespace {

// A model of x and y with a Lagrangian made of them.
template <class F>
Model model(const F& lagrangian) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = lagrangian(x, y, m.time());
  return m;
}

std::string key_of_error(const Model& m) {
  try {
    const System system(m);
  } catch (const ModelError& error) {
    return error.key;
  }
  return "";
}

TEST(System, KindsOfLagrangians) {
  const System separable(
      model([](Expr x, Expr y, Expr) { return square(dot(x)) + dot(x) * dot(y) + square(dot(y)) - x * y; }));
  EXPECT_TRUE(separable.separable() && separable.quadratic() && separable.autonomous());
  EXPECT_FALSE(separable.diagonal_mass() || separable.degenerate() || separable.uniform_force());
  const System driven(model([](Expr x, Expr y, Expr t) { return square(dot(x)) + square(dot(y)) - x * sin(t); }));
  EXPECT_TRUE(driven.separable() && driven.diagonal_mass());
  EXPECT_FALSE(driven.autonomous() || driven.uniform_force());
  Model falls = model([](Expr x, Expr y, Expr) { return square(dot(x)) + square(dot(y)) - 9.81 * y; });
  EXPECT_TRUE(System(falls).uniform_force());
  falls.forces = {{"to the middle", {-falls.q()[0] / abs(falls.q()[0]), falls.graph->constant(1)}}};  // no slope
  EXPECT_FALSE(System(falls).uniform_force());
  const System bent(model([](Expr x, Expr y, Expr) { return square(dot(x)) + (1 + x * x) * square(dot(y)); }));
  EXPECT_TRUE(bent.quadratic());
  EXPECT_FALSE(bent.separable() || bent.degenerate());
  const System magnetic(model([](Expr x, Expr y, Expr) { return square(dot(x)) + square(dot(y)) + x * dot(y); }));
  EXPECT_FALSE(magnetic.separable());
  const System shifted(model([](Expr x, Expr y, Expr) { return square(dot(x)) + square(dot(y)) + 3 * dot(x); }));
  EXPECT_FALSE(shifted.separable());  // p = 2v + 3
  const System quartic(model([](Expr x, Expr y, Expr) { return square(square(dot(x))) + square(dot(y)); }));
  EXPECT_FALSE(quartic.quadratic());
  const System massless(model([](Expr x, Expr y, Expr) { return square(dot(x)) - square(y - x); }));
  EXPECT_TRUE(massless.degenerate());
}

TEST(System, DegenerateInAnyUnits) {
  for (const double unit : {1.0, 1e-12, 1e12}) {
    EXPECT_TRUE(
        System(model([&](Expr x, Expr y, Expr) { return square(dot(x) - unit * dot(y)) - x * x; })).degenerate());
    EXPECT_FALSE(System(model([&](Expr x, Expr y, Expr) {
                   return square(dot(x)) + unit * square(dot(y)) - x * x;
                 })).degenerate());
  }
}

TEST(System, AffineConstraints) {
  const auto with = [](const auto& equation) {
    Model m = model([](Expr x, Expr y, Expr) { return square(dot(x)) + square(dot(y)); });
    m.nonholonomic = {{"blade", equation(m.q()[0], m.q()[1])}};
    return System(m).affine();
  };
  EXPECT_FALSE(with([](Expr x, Expr y) { return dot(x) * sin(y) - dot(y) * cos(x); }));
  EXPECT_FALSE(with([](Expr x, Expr y) { return dot(x) + (x + y) * (x - y) - (x * x - y * y); }));  // terms cancel
  EXPECT_TRUE(with([](Expr x, Expr y) { return dot(x) - y; }));
  EXPECT_TRUE(with([](Expr x, Expr y) { return dot(x) - 1e-20 * y; }));  // a slow belt is a belt
  EXPECT_TRUE(with([](Expr x, Expr y) { return dot(x) + 0 * y - 3e-30; }));
}

TEST(System, GapsBecomePieces) {
  const System system(models::star(9.8));
  ASSERT_EQ(system.gaps().size(), 1u);
  EXPECT_EQ(system.pieces().size(), 4u);  // |sin| and |cos|
}

TEST(System, WhatIsRefused) {
  EXPECT_EQ(key_of_error(Model{}), "system.coordinates");
  Model m;
  m.coordinate("x");
  EXPECT_EQ(key_of_error(m), "system.lagrangian");
  EXPECT_EQ(key_of_error(model([](Expr x, Expr y, Expr) { return square(dot(x)) + square(dot(y)) - abs(x); })),
            "system.lagrangian");
  const Model good = model([](Expr x, Expr y, Expr) { return square(dot(x)) + square(dot(y)); });
  const Expr x = good.q()[0], y = good.q()[1];
  const auto refused = [&](const auto& change) {
    Model bad = good;
    change(bad);
    return key_of_error(bad);
  };
  EXPECT_EQ(refused([&](Model& b) { b.contacts = {{.name = "wall", .gap = dot(x)}}; }), "system.contact.wall.gap");
  EXPECT_EQ(refused([&](Model& b) { b.holonomic = {{"rod", dot(x) - y}}; }), "system.holonomic.rod.equation");
  EXPECT_EQ(refused([&](Model& b) { b.holonomic = {{"rod", x - b.time()}}; }), "system.holonomic.rod.equation");
  EXPECT_EQ(refused([&](Model& b) { b.holonomic = {{"rod", abs(x)}}; }), "system.holonomic.rod.equation");
  EXPECT_EQ(refused([&](Model& b) { b.nonholonomic = {{"blade", x - y}}; }), "system.nonholonomic.blade.equation");
  EXPECT_EQ(refused([&](Model& b) {
              b.nonholonomic = {{"blade", dot(x) * dot(y)}};
            }),
            "system.nonholonomic.blade.equation");
  EXPECT_EQ(refused([&](Model& b) {
              b.nonholonomic = {{"blade", dot(x) * b.time()}};
            }),
            "system.nonholonomic.blade.equation");
  EXPECT_EQ(refused([&](Model&) {}), "");
}

}  // namespace
}  // namespace ricochet::system_test
