// A step at rest beside the step of the same body with constraints in place of its contacts, by midpoint: a ball that
// moves along a floor, and the block of scenarios/block-on-slope.toml that stands on two corners.

#include "stepping.hpp"

namespace {

using ricochet::Expr;
using ricochet::Model;

constexpr double h = 0.01;

Stepping ball(bool constrained) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2.0 - 9.81 * y;
  if (constrained)
    m.holonomic = {{"floor", y}};
  else
    m.contacts = {{.name = "floor", .gap = y}};
  return {m, "midpoint", {0, 0}, {0.5, 0}, constrained ? "variational" : "variational-collision"};
}

Stepping block(bool constrained) {
  constexpr double a = 0.5, b = 0.3, slope = 0.3, friction = 0.35;
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + (a * a + b * b) / 3 * square(dot(theta))) / 2.0 -
                 9.81 * (std::cos(slope) * y - std::sin(slope) * x);
  for (const double side : {-a, a}) {
    const Expr along = x + side * cos(theta) + b * sin(theta), height = y + side * sin(theta) - b * cos(theta);
    const std::string name = side < 0 ? "left" : "right";
    if (constrained) {
      m.holonomic.push_back({name, height});
      if (side < 0) m.holonomic.push_back({"along", along - side});
    } else {
      ricochet::Contact contact{.name = name, .gap = height, .law = "coulomb"};
      contact.point = {along, height};
      contact.restitution = m.graph->constant(0);
      contact.friction = m.graph->constant(friction);
      m.contacts.push_back(contact);
    }
  }
  return {m, "midpoint", {0, b, 0}, {0, 0, 0}, constrained ? "variational" : "variational-collision"};
}

void rest(benchmark::State& state, Stepping (*body)(bool), bool constrained) {
  Stepping stepping = body(constrained);
  if (!same_end(state, stepping.after(steps_per_iteration, h).q, body(true).after(steps_per_iteration, h).q.data()))
    return;
  measure(state, [&] { return stepping.after(steps_per_iteration, h); });
}

BENCHMARK_CAPTURE(rest, ball_constrained, ball, true)->Name("ball on a floor/constraint");
BENCHMARK_CAPTURE(rest, ball_rests, ball, false)->Name("ball on a floor/contact that lasts");
BENCHMARK_CAPTURE(rest, block_constrained, block, true)->Name("block on a slope/constraints");
BENCHMARK_CAPTURE(rest, block_sticks, block, false)->Name("block on a slope/contacts that stick");

}  // namespace
